// A line of a script as words, and what is wrong with it before anything is done.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "graph/result.h"

namespace sinew::editor {

struct ScriptLine {
  int number = 0;
  std::string text;  // without the remark at its end
  std::vector<std::string> words;
  std::vector<std::size_t> begins;  // of each word, in the text

  // What stands there from a word on, as it was written: a JSON value.
  std::string rest(std::size_t word) const {
    return word < begins.size() ? text.substr(begins[word]) : std::string();
  }
};

// Words with spaces stand in quotation marks, in which \" \\ and \n mean what they mean in JSON; a
// # begins a remark. Fails if a quotation mark has no end.
Result<ScriptLine> read_script_line(std::string_view text);
// A word that is read back as it is.
std::string quoted_if_needed(const std::string& word);

// Whether the line begins with a verb that scripts have, and has as many words as that needs. The
// sentence says how it would be right.
Result<void> check_script_line(const ScriptLine& line);
// How a line with this verb reads: "wheel PLACE NOTCHES".
std::string usage_of(std::string_view verb);

bool is_script_number(const std::string& word);
float script_number(const std::string& word);

}  // namespace sinew::editor
