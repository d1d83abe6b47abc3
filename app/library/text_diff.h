// What differs between two texts, line by line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sinew::library {

struct DiffLine {
  enum Kind : unsigned char { same, removed, added, skipped } kind = same;
  std::string text;  // skipped: how many lines were left out
};

struct TextDiff {
  std::vector<DiffLine> lines;  // what changed, with a little of what is around it
  int removed = 0, added = 0;
};

TextDiff diff_lines(std::string_view before, std::string_view after, int around = 2);

}  // namespace sinew::library
