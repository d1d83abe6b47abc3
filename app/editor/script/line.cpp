#include "app/editor/script/line.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "app/cli/program.h"

namespace sinew::editor {
namespace {

struct Verb {
  std::string_view name;
  std::size_t least, most;  // words after it
  std::string_view reads;
};

constexpr std::size_t any = 1000;
constexpr std::array verbs = {
    Verb{"settle", 0, 1, "settle [work]"},
    Verb{"frames", 1, 1, "frames N"},
    Verb{"seconds", 1, 1, "seconds N"},
    Verb{"click", 1, 6, "click [right|middle] [double] PLACE"},
    Verb{"drag", 3, any, "drag [right|middle] PLACE [via PLACE]... to PLACE [in FRAMES]"},
    Verb{"move", 1, 6, "move PLACE [in FRAMES]"},
    Verb{"press", 0, 5, "press [right|middle] [PLACE]"},
    Verb{"release", 0, 5, "release [right|middle] [PLACE]"},
    Verb{"wheel", 2, 5, "wheel PLACE NOTCHES"},
    Verb{"key", 1, any, "key CHORD..., such as key Ctrl+Z"},
    Verb{"hold", 1, 1, "hold KEY, such as hold Shift"},
    Verb{"let", 1, 1, "let KEY, such as let Shift"},
    Verb{"type", 1, any, "type WORDS"},
    Verb{"action", 1, 1, "action ID, such as action edit.undo"},
    Verb{"open", 1, 1, "open FILE"},
    Verb{"drop", 1, 1, "drop FILE"},
    Verb{"save", 1, 1, "save FILE"},
    Verb{"picture", 1, 3, "picture FILE [part LANDMARK]"},
    Verb{"note", 3, any, "note \"TEXT\" at PLACE"},
    Verb{"pointer", 1, 1, "pointer on, or pointer off"},
    Verb{"size", 1, 1, "size WxH, such as size 1280x800"},
    Verb{"scale", 1, 1, "scale N, such as scale 1.5"},
    Verb{"theme", 1, 1, "theme light, or theme dark"},
    Verb{"play", 0, 1, "play [live|timeline]"},
    Verb{"pause", 0, 0, "pause"},
    Verb{"expect", 1, any, "expect [not] WHAT, such as expect node bell"},
};

const Verb* find_verb(std::string_view name) {
  const auto found =
      std::find_if(verbs.begin(), verbs.end(), [&](const Verb& v) { return v.name == name; });
  return found == verbs.end() ? nullptr : &*found;
}

char escaped(char c) { return c == 'n' ? '\n' : c == 't' ? '\t' : c; }

}  // namespace

Result<ScriptLine> read_script_line(std::string_view text) {
  ScriptLine line;
  std::string word;
  bool quoted = false, in_word = false;
  std::size_t i = 0;
  for (; i < text.size(); ++i) {
    const char c = text[i];
    if (!quoted && c == '#') break;
    const bool space = c == ' ' || c == '\t' || c == '\r';
    if (!quoted && space) {
      if (in_word) line.words.push_back(std::exchange(word, {}));
      in_word = false;
      continue;
    }
    if (!in_word) line.begins.push_back(i);
    in_word = true;
    if (c == '"')
      quoted = !quoted;
    else if (quoted && c == '\\' && i + 1 < text.size())
      word += escaped(text[++i]);
    else
      word += c;
  }
  if (quoted) return Error{"a quotation mark has no end"};
  if (in_word) line.words.push_back(word);
  line.text = text.substr(0, i);
  while (!line.text.empty() &&
         std::string_view(" \t\r").find(line.text.back()) != std::string::npos)
    line.text.pop_back();
  return line;
}

std::string quoted_if_needed(const std::string& word) {
  if (!word.empty() && word.find_first_of(" \t\r\n\"#\\") == std::string::npos) return word;
  std::string quoted = "\"";
  for (const char c : word) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (c == '\n')
      quoted += "\\n";
    else
      quoted += c;
  }
  return quoted + "\"";
}

Result<void> check_script_line(const ScriptLine& line) {
  const Verb* verb = find_verb(line.words[0]);
  if (!verb) {
    std::vector<std::string> names;
    for (const Verb& v : verbs) names.emplace_back(v.name);
    const std::string nearest = cli::did_you_mean(line.words[0], names);
    return Error{fmt::format("scripts have no '{}'{}", line.words[0],
                             nearest.empty() ? "; docs/scripts.md has the list" : nearest)};
  }
  const std::size_t count = line.words.size() - 1;
  if (count < verb->least || count > verb->most)
    return Error{fmt::format("'{}' has too {} words; it reads: {}", verb->name,
                             count < verb->least ? "few" : "many", verb->reads)};
  return {};
}

std::string usage_of(std::string_view verb) {
  const Verb* found = find_verb(verb);
  return found ? std::string(found->reads) : std::string();
}

bool is_script_number(const std::string& word) {
  if (word.empty() || std::isspace(static_cast<unsigned char>(word[0]))) return false;
  char* end = nullptr;
  const float value = std::strtof(word.c_str(), &end);
  return *end == 0 && std::isfinite(value);
}

float script_number(const std::string& word) { return std::strtof(word.c_str(), nullptr); }

}  // namespace sinew::editor
