// What is lost between the files that are read and those that are written, as one line. All ways
// out of the program say it in these words.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace sinew {

// "a", "a and b", "a, b and c"; of many the first ones and how many more.
std::string listed(const std::vector<std::string>& words);

class LossList {
 public:
  // What the reader of a file has noted as a note (Severity::info): what it has not read.
  void note(const std::string& text) { notes_.insert(text); }
  // What a value has and the file that is written has not.
  void lose(const std::string& what, const std::string& value) { lost_[what].insert(value); }

  // Nothing if nothing is lost.
  std::string text() const;

 private:
  std::set<std::string> notes_;
  std::map<std::string, std::set<std::string>> lost_;  // what: of which values
};

}  // namespace sinew
