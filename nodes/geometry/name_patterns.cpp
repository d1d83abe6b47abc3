#include "nodes/geometry/name_patterns.h"

#include <algorithm>

namespace sinew {

namespace {

// With * for any letters.
bool matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, after = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      after = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p, ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++after;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

}  // namespace

NamePatterns::NamePatterns(std::string_view names) {
  while (!names.empty()) {
    const std::size_t comma = std::min(names.find(','), names.size());
    if (const auto one = trimmed(names.substr(0, comma)); !one.empty()) patterns_.emplace_back(one);
    names.remove_prefix(std::min(comma + 1, names.size()));
  }
}

bool NamePatterns::meant(std::size_t index, std::string_view name) const {
  const std::string number = std::to_string(index + 1);
  return patterns_.empty() ||
         std::any_of(patterns_.begin(), patterns_.end(),
                     [&](const std::string& p) { return matches(p, name) || p == number; });
}

}  // namespace sinew
