// A page of the documentation, taken apart so that it can be shown: of Markdown what our pages use.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sinew::editor {

struct PageBlock {
  enum class Kind { heading, paragraph, item, row, code, picture };
  Kind kind = Kind::paragraph;
  int level = 0;     // of a heading: 1 is the largest
  std::string text;  // without marks; of a picture what it shows
  std::string file;  // of a picture, as the page names it
};

std::vector<PageBlock> read_page(std::string_view markdown);

}  // namespace sinew::editor
