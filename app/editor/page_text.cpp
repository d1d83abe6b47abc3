#include "app/editor/page_text.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace sinew::editor {
namespace {

using Kind = PageBlock::Kind;

// Emphasis, code and links are plain words; a link keeps what it is called.
std::string plain(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '*' || text[i] == '`') continue;
    const std::size_t middle = text[i] == '[' ? text.find("](", i) : std::string_view::npos;
    const std::size_t end = middle == std::string_view::npos ? middle : text.find(')', middle);
    if (end == std::string_view::npos) {
      out += text[i];
      continue;
    }
    out += plain(text.substr(i + 1, middle - i - 1));
    i = end;
  }
  return out;
}

std::string trimmed(const std::string& text) {
  const std::size_t from = text.find_first_not_of(" \t\r"), to = text.find_last_not_of(" \t\r");
  return from == std::string::npos ? "" : text.substr(from, to - from + 1);
}

// "| a | b |" as "a    b"; the line under a head has nothing to say.
std::string cells(std::string line) {
  if (line.find_first_not_of("|-: ") == std::string::npos) return "";
  std::string text, cell;
  std::istringstream in(line.substr(1));
  while (std::getline(in, cell, '|')) {
    cell = trimmed(cell);
    if (!cell.empty()) text += (text.empty() ? "" : "    ") + cell;
  }
  return plain(text);
}

PageBlock picture_of(const std::string& line) {
  const std::size_t middle = line.find("]("), end = line.rfind(')');
  PageBlock block{Kind::picture, 0, plain(line.substr(2, middle - 2)), ""};
  block.file = line.substr(middle + 2, end - middle - 2);
  return block;
}

}  // namespace

std::vector<PageBlock> read_page(std::string_view markdown) {
  std::vector<PageBlock> page;
  std::istringstream in{std::string(markdown)};
  bool code = false, open = false;  // a paragraph that goes on
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("```")) {
      code = !code;
      open = false;
      if (code) page.push_back({Kind::code, 0, "", ""});
      continue;
    }
    if (code) {
      page.back().text += (page.back().text.empty() ? "" : "\n") + line;
      continue;
    }
    line = trimmed(line);
    const bool was_open = std::exchange(open, false);
    if (line.empty()) continue;
    if (line[0] == '#') {
      const auto level = static_cast<int>(std::min(line.find_first_not_of('#'), std::size_t{6}));
      page.push_back(
          {Kind::heading, level, plain(trimmed(line.substr(static_cast<std::size_t>(level)))), ""});
    } else if (line.starts_with("![") && line.find("](") != std::string::npos &&
               line.back() == ')') {
      page.push_back(picture_of(line));
    } else if (line[0] == '|') {
      if (std::string row = cells(line); !row.empty())
        page.push_back({Kind::row, 0, std::move(row), ""});
    } else if (line.starts_with("- ")) {
      page.push_back({Kind::item, 0, plain(line.substr(2)), ""});
    } else if (was_open) {
      page.back().text += " " + plain(line);
      open = true;
    } else {
      page.push_back({Kind::paragraph, 0, plain(line), ""});
      open = true;
    }
  }
  return page;
}

}  // namespace sinew::editor
