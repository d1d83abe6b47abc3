#include "graph/loss_list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>

namespace sinew {

std::string listed(const std::vector<std::string>& words) {
  constexpr std::size_t most = 8;
  if (words.size() < 2) return words.empty() ? "" : words[0];
  if (words.size() > most)
    return fmt::format(
        "{} and {} more",
        fmt::join(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(most), ", "),
        words.size() - most);
  return fmt::format("{} and {}", fmt::join(words.begin(), words.end() - 1, ", "), words.back());
}

std::string LossList::text() const {
  std::vector<std::string> parts(notes_.begin(), notes_.end());
  std::map<std::set<std::string>, std::vector<std::string>> by_values;
  for (const auto& [what, values] : lost_) by_values[values].push_back(what);
  for (const auto& [values, what] : by_values)
    parts.push_back(fmt::format("of {}: {}", listed({values.begin(), values.end()}), listed(what)));
  return parts.empty() ? "" : fmt::format("lost on the way: {}", fmt::join(parts, "; "));
}

}  // namespace sinew
