#include "app/editor/panels/chart/spreadsheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace sinew::editor {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \r\n\t\"";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::optional<double> number(std::string_view text, bool decimal_comma) {
  std::string copy(trimmed(text));
  if (decimal_comma) std::replace(copy.begin(), copy.end(), ',', '.');
  if (copy.starts_with('+')) copy.erase(0, 1);
  double value = 0;
  const auto [end, error] = std::from_chars(copy.data(), copy.data() + copy.size(), value);
  if (error != std::errc() || end != copy.data() + copy.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

std::vector<std::string_view> cells_of(std::string_view line, char separator) {
  std::vector<std::string_view> cells;
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t end = std::min(line.find(separator, at), line.size());
    // Several spaces are one.
    if (separator != ' ' || end > at) cells.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  return cells;
}

std::optional<CurvePoint> read_line(std::string_view line) {
  for (const char separator : {'\t', ';', ',', ' '}) {
    if (line.find(separator) == std::string_view::npos) continue;
    const std::vector<std::string_view> cells = cells_of(line, separator);
    if (cells.size() < 2) continue;
    const bool decimal_comma = separator != ',';
    const auto x = number(cells[0], decimal_comma), y = number(cells[1], decimal_comma);
    if (x && y) return CurvePoint{*x, *y, {}, {}};
  }
  return std::nullopt;
}

}  // namespace

Columns read_columns(std::string_view text) {
  Columns columns;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    // A tab at an end is an empty cell, but blanks around spaces are not.
    std::string_view content = line;
    while (!content.empty() && (content.back() == '\r' || content.back() == ' '))
      content.remove_suffix(1);
    while (!content.empty() && content.front() == ' ') content.remove_prefix(1);
    if (content.empty()) continue;
    if (const auto point = read_line(content)) {
      columns.points.push_back(*point);
    } else if (!columns.points.empty()) {
      ++columns.skipped;
    }
  }
  return columns;
}

std::string write_columns(const std::vector<CurvePoint>& points) {
  std::string text;
  for (const CurvePoint& p : points) text += fmt::format("{}\t{}\n", p.x, p.y);
  return text;
}

}  // namespace sinew::editor
