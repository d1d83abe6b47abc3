// Text that is shown to people, on a terminal, on a page or in a window, without characters that
// steer what shows it: control characters (C0, DEL, C1), line and paragraph separators, and those
// that turn the order of letters about (bidirectional marks, overrides and isolates).
#pragma once

#include <string>
#include <string_view>

#include "graph/json.h"

namespace sinew {

// Whether a text is UTF-8 without such characters. `lines`: it may have several lines and tabs.
bool is_plain(std::string_view text, bool lines = false);

// The text with a blank in place of each such character, and U+FFFD in place of each byte that is
// not UTF-8: one line, or as many as it has.
std::string plain_line(std::string_view text);
std::string plain_lines(std::string_view text);

// All texts of a tree, keys too, as plain_lines.
Json plain_tree(const Json& tree);

// The first of such characters as JSON writes it, "\u009b", and how many bytes of the text it has;
// empty: the text does not begin with one.
struct Escaped {
  std::string text;
  std::size_t bytes = 0;
};
Escaped escaped_control(std::string_view text);

}  // namespace sinew
