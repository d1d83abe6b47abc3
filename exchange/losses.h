// What does not leave: what bodies have and a format has no place for, or our writer of it does not
// write yet, and what the files have that they were read from and we do not read.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "exchange/animation.h"
#include "graph/loss_list.h"

namespace sinew::exchange {

class Losses {
 public:
  // `file`: what is written; its ending says the format.
  explicit Losses(const std::filesystem::path& file);
  // Every scene that leaves, in its order.
  void see(const Scene& scene);
  // What the reader of a file that it hangs on has noted: what it has not read.
  void see_note(const std::string& note) { list_.note(note); }

  // One line that names all of it, or nothing if nothing is lost.
  std::string text() const { return list_.text(); }

 private:
  struct First {
    std::optional<Values> values;
  };
  void see_first(const Scene& scene);

  std::string ending_;
  std::map<std::string, First> first_;  // by body
  LossList list_;
};

}  // namespace sinew::exchange
