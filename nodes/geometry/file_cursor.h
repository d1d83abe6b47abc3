// Walks through a file whose text and binary parts alternate: words, numbers, lines, raw values.
// Every failure is one FormatError with the place: the line in a text file, the byte in a binary
// one. The place is only worked out when something fails.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

#include "nodes/geometry/types.h"

namespace sinew {

// Records between two looks at whether the work shall stop.
inline constexpr std::size_t cursor_check_interval = 4096;

class FileCursor {
 public:
  // `comment` starts a remark that goes on to the end of its line; 0 for none.
  explicit FileCursor(std::string_view bytes, CancelView cancel = {}, char comment = 0)
      : begin_(bytes.data()),
        p_(bytes.data()),
        end_(bytes.data() + bytes.size()),
        cancel_(cancel),
        comment_(comment) {}

  // From here on failures tell the byte, and raw values are read in that order of bytes.
  void set_binary(bool binary) { binary_ = binary; }
  void set_big_endian(bool big) { swap_ = big != (std::endian::native == std::endian::big); }
  bool is_binary() const { return binary_; }

  std::size_t left() const { return static_cast<std::size_t>(end_ - p_); }
  bool at_end() const { return p_ == end_; }
  // Call once a record: looks at the cancel flag every few thousand.
  void tick(std::size_t record) const {
    if (record % cursor_check_interval == 0) cancel_.check();
  }

  // ---- Text ----
  void skip_space();                        // blanks, ends of lines, remarks
  std::string_view peek_word();             // empty at the end of the file
  std::string_view word(const char* what);  // fails at the end: "the file ends before ..."
  std::string_view line();                  // the rest of the line, without its end
  void skip_line() { line(); }
  bool starts_with(std::string_view text) const {
    return std::string_view(p_, left()).starts_with(text);
  }
  // Only blanks are left on this line.
  bool at_line_end() const;
  int64_t integer(const char* what);
  float real(const char* what);  // finite
  // How many of something follow, at least `least_bytes` each: a file cannot say more than it
  // holds, so that memory may be reserved for them.
  std::size_t count(const char* what, std::size_t least_bytes);
  std::size_t checked_count(int64_t said, const char* what, std::size_t least_bytes) const;
  // Goes behind the next line that starts with this word. False if there is none.
  bool skip_past_line(std::string_view start);

  // ---- Binary ----
  template <class T>
  T value(const char* what) {
    std::array<char, sizeof(T)> raw;
    std::memcpy(raw.data(), take(sizeof(T), what), sizeof(T));
    if (swap_) std::reverse(raw.begin(), raw.end());
    return std::bit_cast<T>(raw);
  }
  float finite(double wide, const char* what) const;
  const char* take(std::size_t bytes, const char* what);

  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    fail_at(p_, fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  [[noreturn]] void fail_at(const char* place, const std::string& why) const;
  void require_end_of_number(const char* start, const char* what) const;

  const char* begin_;
  const char* p_;
  const char* end_;
  CancelView cancel_;
  char comment_;
  bool binary_ = false;
  bool swap_ = false;
};

// A word of the file in a message: shortened, and without what cannot be shown.
std::string shown(std::string_view word);

}  // namespace sinew
