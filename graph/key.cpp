#include "graph/key.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace sinew {
namespace {

// The one spelling of a number that is hashed: -0 is 0, and NaN has one pattern.
double canonical(double x) {
  if (x == 0) return 0.0;
  if (std::isnan(x)) return std::bit_cast<double>(uint64_t{0x7FF8000000000000});
  return x;
}

uint32_t canonical_bits(float x) {
  uint32_t bits = std::bit_cast<uint32_t>(x);
  if ((bits & 0x7FFFFFFFu) == 0) return 0;
  if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return 0x7FC00000u;
  return bits;
}

uint64_t avalanche(uint64_t x) {
  x ^= x >> 31;
  x *= 0xBF58476D1CE4E5B9ull;
  x ^= x >> 29;
  x *= 0x94D049BB133111EBull;
  x ^= x >> 32;
  return x;
}

uint64_t load_word(const std::byte* p) {
  uint64_t w;
  std::memcpy(&w, p, sizeof w);
  return w;
}

}  // namespace

KeyHasher& KeyHasher::number(double x) { return word(std::bit_cast<uint64_t>(canonical(x))); }

KeyHasher& KeyHasher::text(std::string_view s) { return bytes(std::as_bytes(std::span(s))); }

KeyHasher& KeyHasher::bytes(std::span<const std::byte> data) {
  word(data.size());
  const std::byte* p = data.data();
  size_t left = data.size();
  // Long data goes through four hashers side by side: one alone waits for its own multiplications.
  if (left >= 256) {
    KeyHasher lane[4] = {KeyHasher(1), KeyHasher(2), KeyHasher(3), KeyHasher(4)};
    for (; left >= 32; left -= 32, p += 32) {
      lane[0].word(load_word(p));
      lane[1].word(load_word(p + 8));
      lane[2].word(load_word(p + 16));
      lane[3].word(load_word(p + 24));
    }
    for (const KeyHasher& l : lane) key(l.finish());
  }
  for (; left >= 8; left -= 8, p += 8) word(load_word(p));
  if (left > 0) {
    uint64_t rest = 0;
    std::memcpy(&rest, p, left);
    word(rest);
  }
  return *this;
}

KeyHasher& KeyHasher::floats(std::span<const float> data) {
  word(data.size());
  size_t i = 0;
  for (; i + 1 < data.size(); i += 2)
    word(canonical_bits(data[i]) | uint64_t{canonical_bits(data[i + 1])} << 32);
  if (i < data.size()) word(canonical_bits(data[i]));
  return *this;
}

Key KeyHasher::finish() const {
  const uint64_t a = a_ + count_;
  Key key{avalanche(a ^ ((b_ << 17) | (b_ >> 47))), avalanche(b_ + a * 0xD6E8FEB86659FD93ull)};
  if (!key) key.lo = 1;  // zero means "no key"
  return key;
}

std::string Key::hex() const {
  static const char digits[] = "0123456789abcdef";
  std::string s(32, '0');
  for (int i = 0; i < 16; ++i) {
    s[15 - i] = digits[(hi >> (4 * i)) & 15];
    s[31 - i] = digits[(lo >> (4 * i)) & 15];
  }
  return s;
}

}  // namespace sinew
