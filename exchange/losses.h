// What does not leave: what bodies have and a format has no place for, or our writer of it does not
// write yet, and what the files have that they were read from and we do not read.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "exchange/animation.h"

namespace sinew::exchange {

class Losses {
 public:
  // `file`: what is written; its ending says the format.
  explicit Losses(const std::filesystem::path& file);
  // Every scene that leaves, in its order.
  void see(const Scene& scene);
  // A file that bodies were read from. It is read once more; one that no meshes are read from, or
  // that cannot be read, says nothing.
  void see_file(const std::filesystem::path& file);

  // One line that names all of it, or nothing if nothing is lost.
  std::string text() const;

 private:
  struct First {
    std::optional<Values> values;
  };
  void see_first(const Scene& scene);
  void lose(const std::string& what, const std::string& body) { lost_[what].insert(body); }

  std::string ending_;
  std::map<std::string, First> first_;                      // by body
  std::map<std::string, std::set<std::string>> lost_;       // what: of which bodies
  std::map<std::string, std::vector<std::string>> unread_;  // by the name of a file
};

}  // namespace sinew::exchange
