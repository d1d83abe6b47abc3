#include "graph/key.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "graph/value.h"

namespace sinew {
namespace {

TEST(Key, IsTheSameInEveryRunAndProcess) {
  // Written down once: if this changes, every cache on disk and every embedded hash is lost.
  EXPECT_EQ(KeyHasher(7).word(42).text("sinew").number(1.5).finish().hex(),
            "a5a0c432889e46307b14d839e7e2ad45");
  EXPECT_EQ(literal_key(Value::of(45.0f)).hex(), "b8baff353ee2c3066471a0c277d733f9");
}

TEST(Key, ZeroHasOneSpellingAndNotANumberOne) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(literal_key(Value::of(0.0f)), literal_key(Value::of(-0.0f)));
  EXPECT_EQ(literal_key(Value::of(nan)), literal_key(Value::of(-nan)));
  EXPECT_NE(literal_key(Value::of(nan)), literal_key(Value::of(0.0f)));
  EXPECT_EQ(literal_key(Value::of(Vec3{-0.0f, 0, 1})), literal_key(Value::of(Vec3{0, -0.0f, 1})));
  const float floats[] = {0.0f, -0.0f, nan, -nan, 1.0f};
  const float same[] = {-0.0f, 0.0f, -nan, nan, 1.0f};
  EXPECT_EQ(KeyHasher().floats(floats).finish(), KeyHasher().floats(same).finish());
}

TEST(Key, TypeAndContentCount) {
  EXPECT_NE(literal_key(Value::of(1.0f)), literal_key(Value::of(1)));
  EXPECT_NE(literal_key(Value::of(1.0f)), literal_key(Value::of(std::nextafter(1.0f, 2.0f))));
  EXPECT_NE(KeyHasher().text("ab").text("c").finish(), KeyHasher().text("a").text("bc").finish());
  EXPECT_NE(KeyHasher().word(1).word(2).finish(), KeyHasher().word(2).word(1).finish());
}

TEST(Key, TextsAndChoicesCount) {
  EXPECT_NE(literal_key(Value::of(std::string("a"))), literal_key(Value::of(std::string("b"))));
  EXPECT_NE(literal_key(Value::of(Choice{0})), literal_key(Value::of(Choice{1})));
  EXPECT_NE(literal_key(Value::of(true)), literal_key(Value::of(false)));
}

TEST(Key, EveryBitOfLongDataCounts) {
  std::vector<std::byte> data(1000, std::byte{0});
  std::set<Key> seen{KeyHasher().bytes(data).finish()};
  for (size_t i = 0; i < data.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      data[i] ^= std::byte(1 << bit);
      EXPECT_TRUE(seen.insert(KeyHasher().bytes(data).finish()).second) << i << ' ' << bit;
      data[i] ^= std::byte(1 << bit);
    }
  for (size_t n = 0; n < data.size(); ++n)
    EXPECT_TRUE(seen.insert(KeyHasher().bytes({data.data(), n}).finish()).second) << n;
}

TEST(Key, SpreadsSmallDifferencesOverAllBits) {
  // Over many pairs that differ in one input bit, each output bit flips about every second time.
  int flips[128] = {};
  const int rounds = 2000;
  for (int r = 0; r < rounds; ++r) {
    const uint64_t w = r * 0x9E3779B97F4A7C15ull;
    const Key one = KeyHasher().word(w).finish();
    const Key two = KeyHasher().word(w ^ (uint64_t{1} << (r % 64))).finish();
    for (int b = 0; b < 64; ++b) {
      flips[b] += ((one.lo ^ two.lo) >> b) & 1;
      flips[64 + b] += ((one.hi ^ two.hi) >> b) & 1;
    }
  }
  for (int f : flips) EXPECT_NEAR(f, rounds / 2, rounds / 10);
}

}  // namespace
}  // namespace sinew
