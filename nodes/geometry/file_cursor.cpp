#include "nodes/geometry/file_cursor.h"

#include <cmath>

#include "nodes/geometry/format_error.h"
#include "nodes/geometry/parse_number.h"

namespace sinew {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }
bool is_space(char c) { return is_blank(c) || c == '\n'; }

}  // namespace

std::string shown(std::string_view word) {
  constexpr std::size_t longest = 24;
  std::string text;
  for (const char c : word.substr(0, longest)) text += c >= 0x20 && c < 0x7f ? c : '?';
  return word.size() > longest ? text + "..." : text;
}

void FileCursor::fail_at(const char* place, const std::string& why) const {
  if (binary_) throw FormatError(fmt::format("byte {}: {}", place - begin_, why));
  throw FormatError(fmt::format("line {}: {}", 1 + std::count(begin_, place, '\n'), why));
}

void FileCursor::skip_space() {
  while (p_ < end_) {
    if (comment_ && *p_ == comment_) {
      while (p_ < end_ && *p_ != '\n') ++p_;
    } else if (is_space(*p_)) {
      ++p_;
    } else {
      return;
    }
  }
}

std::string_view FileCursor::peek_word() {
  skip_space();
  const char* q = p_;
  while (q < end_ && !is_space(*q) && !(comment_ && *q == comment_)) ++q;
  return {p_, static_cast<std::size_t>(q - p_)};
}

std::string_view FileCursor::word(const char* what) {
  const std::string_view found = peek_word();
  if (found.empty()) fail("the file ends before {}", what);
  p_ += found.size();
  return found;
}

std::string_view FileCursor::line() {
  const char* const start = p_;
  while (p_ < end_ && *p_ != '\n') ++p_;
  const char* last = p_;
  if (p_ < end_) ++p_;
  while (last > start && is_blank(last[-1])) --last;
  return {start, static_cast<std::size_t>(last - start)};
}

bool FileCursor::at_line_end() const {
  const char* q = p_;
  while (q < end_ && is_blank(*q)) ++q;
  return q == end_ || *q == '\n' || (comment_ && *q == comment_);
}

void FileCursor::require_end_of_number(const char* start, const char* what) const {
  if (p_ == end_ || is_space(*p_) || (comment_ && *p_ == comment_)) return;
  const char* q = p_;
  while (q < end_ && !is_space(*q)) ++q;
  fail_at(start, fmt::format("{} should be a number, but is '{}'", what,
                             shown({start, static_cast<std::size_t>(q - start)})));
}

int64_t FileCursor::integer(const char* what) {
  skip_space();
  if (p_ == end_) fail("the file ends before {}", what);
  int64_t value = 0;
  const char* const start = p_;
  const char* const next = parse_integer(p_, end_, value);
  if (next) p_ = next;
  if (!next) fail("{} should be a whole number, but is '{}'", what, shown(peek_word()));
  require_end_of_number(start, what);
  return value;
}

float FileCursor::real(const char* what) {
  skip_space();
  if (p_ == end_) fail("the file ends before {}", what);
  float value = 0;
  const char* const start = p_;
  const char* const next = parse_float(p_, end_, value);
  if (!next) fail("{} should be a number, but is '{}'", what, shown(peek_word()));
  if (!std::isfinite(value)) fail("{} is not finite: '{}'", what, shown(peek_word()));
  p_ = next;
  require_end_of_number(start, what);
  return value;
}

std::size_t FileCursor::checked_count(int64_t said, const char* what,
                                      std::size_t least_bytes) const {
  if (said < 0) fail("the number of {} is negative: {}", what, said);
  if (static_cast<uint64_t>(said) > left() / least_bytes) {
    fail("it says {} {}, but the file is too short for them", said, what);
  }
  return static_cast<std::size_t>(said);
}

std::size_t FileCursor::count(const char* what, std::size_t least_bytes) {
  skip_space();
  // The place of a failure is that of the number, which is still at hand here.
  const char* const start = p_;
  const int64_t said = integer(what);
  const char* const behind = p_;
  p_ = start;
  const std::size_t counted = checked_count(said, what, least_bytes);
  p_ = behind;
  return counted;
}

bool FileCursor::skip_past_line(std::string_view start) {
  std::string_view rest(p_, left());
  for (std::size_t at = rest.find(start); at != std::string_view::npos;
       at = rest.find(start, at + 1)) {
    const bool starts_line = p_ + at == begin_ || p_[at - 1] == '\n' || binary_;
    const std::size_t behind = at + start.size();
    if (!starts_line || (behind < rest.size() && !is_space(rest[behind]))) continue;
    p_ += behind;
    return true;
  }
  return false;
}

float FileCursor::finite(double wide, const char* what) const {
  const float value = static_cast<float>(wide);
  if (!std::isfinite(value)) fail("{} is not finite", what);
  return value;
}

const char* FileCursor::take(std::size_t bytes, const char* what) {
  if (bytes > left()) fail("the file ends within {}", what);
  const char* const start = p_;
  p_ += bytes;
  return start;
}

}  // namespace sinew
