#include "app/library/names.h"

#include <algorithm>
#include <cctype>

namespace sinew::library {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

}  // namespace

bool natural_less(std::string_view a, std::string_view b) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      while (i < a.size() && a[i] == '0') ++i;
      while (j < b.size() && b[j] == '0') ++j;
      const std::size_t from_a = i, from_b = j;
      while (i < a.size() && is_digit(a[i])) ++i;
      while (j < b.size() && is_digit(b[j])) ++j;
      if (i - from_a != j - from_b) return i - from_a < j - from_b;
      const int order = a.substr(from_a, i - from_a).compare(b.substr(from_b, j - from_b));
      if (order != 0) return order < 0;
      continue;
    }
    const char x = lower(a[i++]), y = lower(b[j++]);
    if (x != y) return static_cast<unsigned char>(x) < static_cast<unsigned char>(y);
  }
  if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j;
  return a < b;
}

bool has_ending(std::string_view name, const std::vector<std::string>& endings) {
  if (endings.empty()) return true;
  return std::any_of(endings.begin(), endings.end(), [&](const std::string& ending) {
    if (name.size() <= ending.size() + 1 || name[name.size() - ending.size() - 1] != '.')
      return false;
    return std::equal(ending.begin(), ending.end(), name.end() - static_cast<long>(ending.size()),
                      [](char x, char y) { return lower(x) == lower(y); });
  });
}

// The best of all ways to find the letters in their order: for each letter and each place, the best
// score of what came before it, and of what ended right before it.
int fuzzy_score(std::string_view letters, std::string_view text) {
  constexpr int none = -1, begins_word = 8, follows = 5;
  std::vector<int> before, now(text.size(), none);
  bool first = true;
  for (const char letter : letters) {
    if (letter == ' ') continue;
    before.swap(now);
    now.assign(text.size(), none);
    int best = none;  // of what ended at an earlier place
    for (std::size_t i = 0; i < text.size(); ++i) {
      const int adjacent = i > 0 && !first ? before[i - 1] : none;
      best = std::max(best, adjacent);
      if (lower(text[i]) != lower(letter) || (!first && best < 0)) continue;
      const bool begins = i == 0 || !std::isalnum(static_cast<unsigned char>(text[i - 1]));
      const int so_far = first ? 0 : std::max(best, adjacent < 0 ? none : adjacent + follows);
      now[i] = so_far + 1 + (begins ? begins_word : 0);
    }
    first = false;
  }
  if (first) return 0;
  const auto best = std::max_element(now.begin(), now.end());
  if (best == now.end() || *best < 0) return none;
  // Of two that fit equally, the shorter one.
  return std::max(0, 4 * *best - static_cast<int>(text.size()) / 4);
}

}  // namespace sinew::library
