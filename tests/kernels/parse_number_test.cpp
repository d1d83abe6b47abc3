#include "nodes/geometry/parse_number.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>
#include <string>

namespace sinew {
namespace {

// Distance in units of the last place.
int64_t ulps(float a, float b) {
  const auto ordered = [](float v) {
    const int32_t bits = std::bit_cast<int32_t>(v);
    return int64_t{bits < 0 ? INT32_MIN - bits : bits};
  };
  return std::abs(ordered(a) - ordered(b));
}

float parse(const std::string& text) {
  float value = -12345;
  const char* const end = parse_float(text.data(), text.data() + text.size(), value);
  EXPECT_EQ(end, text.data() + text.size()) << text;
  return value;
}

TEST(ParseNumber, agrees_with_the_standard_library_on_random_floats) {
  std::mt19937 random(1);
  int64_t worst = 0;
  std::size_t different = 0, all = 0;
  const auto check = [&](const std::string& text) {
    float expected;
    std::from_chars(text.data(), text.data() + text.size(), expected);
    const int64_t distance = ulps(parse(text), expected);
    EXPECT_LE(distance, 1) << text;
    worst = std::max(worst, distance);
    different += distance != 0;
    ++all;
  };
  std::uniform_real_distribution<float> unit(-1, 1);
  for (int i = 0; i < 200000; ++i) {
    const float bits = std::bit_cast<float>(static_cast<uint32_t>(random()));
    if (std::isfinite(bits)) check(fmt::format("{}", bits));
    const float u = unit(random);
    check(fmt::format("{}", u));
    check(fmt::format("{:.6f}", u));
    check(fmt::format("{:.17g}", double{u} * 1000));
    check(fmt::format("{:.9e}", u));
  }
  EXPECT_LT(different, all / 1000);
}

TEST(ParseNumber, a_written_float_comes_back) {
  std::mt19937 random(2);
  for (int i = 0; i < 200000; ++i) {
    const float value = std::bit_cast<float>(static_cast<uint32_t>(random()));
    if (std::isfinite(value)) {
      EXPECT_EQ(parse(fmt::format("{}", value)), value);
    }
  }
}

TEST(ParseNumber, forms) {
  EXPECT_EQ(parse("1"), 1);
  EXPECT_EQ(parse("+1.5"), 1.5f);
  EXPECT_EQ(parse("-.5"), -0.5f);
  EXPECT_EQ(parse("5."), 5);
  EXPECT_EQ(parse("1e3"), 1000);
  EXPECT_EQ(parse("1E+03"), 1000);
  EXPECT_EQ(parse("-1e-3"), -1e-3f);
  EXPECT_EQ(parse("0.00000000000000000000000000001"), 1e-29f);
  EXPECT_EQ(parse("100000000000000000000000000000"), 1e29f);
  EXPECT_EQ(parse("3.40282347e38"), 3.40282347e38f);
  EXPECT_EQ(parse("1e-45"), 1e-45f);
  EXPECT_EQ(parse("1e-60"), 0);
  EXPECT_EQ(parse("1e-600"), 0);
  EXPECT_TRUE(std::isinf(parse("1e60")));
  EXPECT_TRUE(std::isinf(parse("-1e600")));
  EXPECT_TRUE(std::isnan(parse("nan")));
  EXPECT_TRUE(std::isinf(parse("inf")));
  EXPECT_TRUE(std::signbit(parse("-0")));
  EXPECT_EQ(parse("16777217.0000000000000000000000001"), 16777218);
}

TEST(ParseNumber, what_is_not_a_number_is_refused_within_bounds) {
  for (const std::string text : {"", "-", "+", ".", "x", "-x", "+-1", "e5", "--1", "/"}) {
    float value;
    EXPECT_EQ(parse_float(text.data(), text.data() + text.size(), value), nullptr) << text;
  }
  // Stops at the end it was given, not at what follows in memory.
  const std::string text = "12345";
  float value;
  EXPECT_EQ(parse_float(text.data(), text.data() + 2, value), text.data() + 2);
  EXPECT_EQ(value, 12);
  const std::string broken = "1e";
  const char* const end = parse_float(broken.data(), broken.data() + 2, value);
  EXPECT_TRUE(end == nullptr || end == broken.data() + 1);
}

TEST(ParseNumber, integers) {
  const auto integer = [](const std::string& text) {
    int64_t value = 0;
    return parse_integer(text.data(), text.data() + text.size(), value) ? value : INT64_MIN;
  };
  EXPECT_EQ(integer("17"), 17);
  EXPECT_EQ(integer("-4"), -4);
  EXPECT_EQ(integer("+4/5"), 4);
  EXPECT_EQ(integer("x"), INT64_MIN);
  EXPECT_EQ(integer("-"), INT64_MIN);
  EXPECT_GT(integer("99999999999999999999999999999999"), int64_t{1} << 40);
}

}  // namespace
}  // namespace sinew
