// Keys are content: 128 bits that name a value by how it is made, never by where it stands in a
// graph. Two nodes with the same type and the same inputs have the same key, in every run, in
// every process and on every machine; so twins share one result, and going back to an earlier
// value is a cache hit. The hash is not cryptographic.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace sinew {

struct Key {
  uint64_t lo = 0;
  uint64_t hi = 0;

  bool operator==(const Key&) const = default;
  auto operator<=>(const Key&) const = default;
  explicit operator bool() const { return (lo | hi) != 0; }  // the zero key means "none"
  std::string hex() const;                                   // 32 digits
};

// Absorbs words one after another; the order matters. Two lanes of 64 bits, each step of which is
// a bijection of the lane for a fixed word, so that nothing is lost on the way.
class KeyHasher {
 public:
  explicit KeyHasher(uint64_t domain = 0) { word(domain); }

  KeyHasher& word(uint64_t w) {
    a_ = (a_ ^ w) * 0x9E3779B97F4A7C55ull;
    a_ ^= a_ >> 32;
    b_ = (((b_ << 31) | (b_ >> 33)) ^ (w * 0xD6E8FEB86659FD93ull)) * 0xA0761D6478BD642Full + a_;
    ++count_;
    return *this;
  }
  KeyHasher& key(const Key& k) { return word(k.lo).word(k.hi); }
  // Numbers are hashed by value: -0 as 0, every NaN as one NaN.
  KeyHasher& number(double x);
  // The length is absorbed too, so that ("ab","c") and ("a","bc") differ.
  KeyHasher& text(std::string_view s);
  KeyHasher& bytes(std::span<const std::byte> data);
  // An array of floats by value, as number() but in bulk.
  KeyHasher& floats(std::span<const float> data);

  Key finish() const;

 private:
  uint64_t a_ = 0x243F6A8885A308D3ull;
  uint64_t b_ = 0x13198A2E03707344ull;
  uint64_t count_ = 0;
};

}  // namespace sinew

template <>
struct std::hash<sinew::Key> {
  size_t operator()(const sinew::Key& k) const noexcept { return k.lo; }
};
