// Which of several named things a text means: names separated by commas, with * for any letters;
// numbers count from 1. An empty text means all of them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

class NamePatterns {
 public:
  explicit NamePatterns(std::string_view names);

  bool meant(std::size_t index, std::string_view name) const;

 private:
  std::vector<std::string> patterns_;
};

// Of `count` things, those that are meant; name_of(i) is a string.
template <class NameOf>
std::vector<std::size_t> named_of(std::size_t count, std::string_view names,
                                  const NameOf& name_of) {
  const NamePatterns patterns(names);
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < count; ++i) {
    if (patterns.meant(i, name_of(i))) found.push_back(i);
  }
  return found;
}

}  // namespace sinew
