#include "app/library/text_diff.h"

#include <algorithm>
#include <cstdint>

namespace sinew::library {
namespace {

// Longer middles are told as a whole: the table of the exact way grows with the square.
constexpr std::size_t longest_exact = 2000;

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

using Lines = std::vector<std::string_view>;

// The middles of both, by the longest common subsequence.
void compare(const Lines& a, const Lines& b, std::vector<DiffLine>& out) {
  const std::size_t n = a.size(), m = b.size();
  if (n > longest_exact || m > longest_exact) {
    for (const auto line : a) out.push_back({DiffLine::removed, std::string(line)});
    for (const auto line : b) out.push_back({DiffLine::added, std::string(line)});
    return;
  }
  // common[i][j]: how many lines a[i..] and b[j..] have in common.
  std::vector<uint16_t> common((n + 1) * (m + 1), 0);
  const auto at = [&](std::size_t i, std::size_t j) -> uint16_t& {
    return common[i * (m + 1) + j];
  };
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t j = m; j-- > 0;)
      at(i, j) = a[i] == b[j] ? static_cast<uint16_t>(at(i + 1, j + 1) + 1)
                              : std::max(at(i + 1, j), at(i, j + 1));
  std::size_t i = 0, j = 0;
  while (i < n || j < m) {
    if (i < n && j < m && a[i] == b[j]) {
      out.push_back({DiffLine::same, std::string(a[i])});
      ++i, ++j;
    } else if (i < n && (j == m || at(i + 1, j) >= at(i, j + 1))) {
      out.push_back({DiffLine::removed, std::string(a[i++])});
    } else {
      out.push_back({DiffLine::added, std::string(b[j++])});
    }
  }
}

}  // namespace

TextDiff diff_lines(std::string_view before, std::string_view after, int around) {
  Lines a = lines_of(before), b = lines_of(after);
  std::vector<DiffLine> all;
  std::size_t head = 0;
  while (head < std::min(a.size(), b.size()) && a[head] == b[head]) ++head;
  std::size_t tail = 0;
  while (tail < std::min(a.size(), b.size()) - head &&
         a[a.size() - 1 - tail] == b[b.size() - 1 - tail])
    ++tail;
  for (std::size_t i = 0; i < head; ++i) all.push_back({DiffLine::same, std::string(a[i])});
  compare(Lines(a.begin() + static_cast<long>(head), a.end() - static_cast<long>(tail)),
          Lines(b.begin() + static_cast<long>(head), b.end() - static_cast<long>(tail)), all);
  for (std::size_t i = a.size() - tail; i < a.size(); ++i)
    all.push_back({DiffLine::same, std::string(a[i])});

  TextDiff diff;
  std::vector<char> near(all.size(), 0);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].kind == DiffLine::same) continue;
    ++(all[i].kind == DiffLine::removed ? diff.removed : diff.added);
    const std::size_t reach = static_cast<std::size_t>(around);
    for (std::size_t k = i - std::min(i, reach); k <= i + reach && k < all.size(); ++k) near[k] = 1;
  }
  std::size_t skipped = 0;
  const auto tell_skipped = [&] {
    if (skipped > 0 && !diff.lines.empty())
      diff.lines.push_back({DiffLine::skipped, std::to_string(skipped)});
    skipped = 0;
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!near[i]) {
      ++skipped;
      continue;
    }
    tell_skipped();
    diff.lines.push_back(std::move(all[i]));
  }
  return diff;
}

}  // namespace sinew::library
