// Numbers from text, faster than the standard library for the short numbers of mesh files.
//
// A decimal with at most 19 digits whose value fits the 53 bits of a double, times a power of ten
// up to 22 (all of these powers are exact doubles), is one correctly rounded multiplication or
// division in double precision [Clinger90], then rounded to float: at most one unit in the last
// place from the correctly rounded float, and nearly always equal to it. Everything else goes to
// std::from_chars.
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace sinew {

namespace detail {

inline constexpr std::array<double, 23> powers_of_ten = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

// std::from_chars with a leading '+', and with values out of range as 0 or infinity.
inline const char* parse_float_slowly(const char* begin, const char* end, float& value) {
  const char* p = begin;
  if (p < end && *p == '+') ++p;
  if (p < end && p != begin && (*p == '-' || *p == '+')) return nullptr;
  const std::from_chars_result result = std::from_chars(p, end, value);
  if (result.ec == std::errc::result_out_of_range) {
    double wide = 0;
    const bool fits = std::from_chars(p, end, wide).ec == std::errc();
    // Beyond double's range only the sign of the exponent tells 0 from infinity.
    bool tiny = fits;
    for (const char* q = p; !fits && q + 1 < result.ptr; ++q)
      tiny |= (*q | 32) == 'e' && q[1] == '-';
    value = fits ? static_cast<float>(wide) : tiny ? 0.0f : HUGE_VALF;
    return result.ptr;
  }
  return result.ec == std::errc() ? result.ptr : nullptr;
}

}  // namespace detail

// Reads a float at `begin`, with no leading space. Returns the end of the number, or null if there
// is none. "nan" and "inf" are read as such, for the caller to refuse.
inline const char* parse_float(const char* begin, const char* end, float& value) {
  using detail::is_digit;
  const char* p = begin;
  bool negative = false;
  if (p < end && (*p == '-' || *p == '+')) negative = *p++ == '-';

  uint64_t mantissa = 0;
  const char* const digits = p;
  while (p < end && is_digit(*p)) mantissa = mantissa * 10 + static_cast<uint64_t>(*p++ - '0');
  std::ptrdiff_t digit_count = p - digits;
  std::ptrdiff_t exponent = 0;
  if (p < end && *p == '.') {
    const char* const fraction = ++p;
    while (p < end && is_digit(*p)) mantissa = mantissa * 10 + static_cast<uint64_t>(*p++ - '0');
    exponent = fraction - p;
    digit_count -= exponent;
  }
  if (digit_count == 0 || digit_count > 19) {
    return detail::parse_float_slowly(begin, end, value);
  }
  if (p < end && (*p | 32) == 'e') {
    const char* q = p + 1;
    bool down = false;
    if (q < end && (*q == '-' || *q == '+')) down = *q++ == '-';
    int e = 0;
    const char* const first = q;
    while (q < end && is_digit(*q) && e < 10000) e = e * 10 + (*q++ - '0');
    if (q == first || (q < end && is_digit(*q))) {
      return detail::parse_float_slowly(begin, end, value);
    }
    exponent += down ? -e : e;
    p = q;
  }
  if (mantissa >= (uint64_t{1} << 53) || exponent < -22 || exponent > 22) {
    return detail::parse_float_slowly(begin, end, value);
  }
  double wide = static_cast<double>(mantissa);
  wide = exponent < 0 ? wide / detail::powers_of_ten[static_cast<std::size_t>(-exponent)]
                      : wide * detail::powers_of_ten[static_cast<std::size_t>(exponent)];
  value = static_cast<float>(negative ? -wide : wide);
  return p;
}

// Reads an integer with an optional sign; values beyond 10^17 saturate. Null if there is none.
inline const char* parse_integer(const char* begin, const char* end, int64_t& value) {
  const char* p = begin;
  bool negative = false;
  if (p < end && (*p == '-' || *p == '+')) negative = *p++ == '-';
  const char* const digits = p;
  int64_t v = 0;
  while (p < end && detail::is_digit(*p)) {
    v = v < 100000000000000000 ? v * 10 + (*p - '0') : v;
    ++p;
  }
  value = negative ? -v : v;
  return p == digits ? nullptr : p;
}

}  // namespace sinew
