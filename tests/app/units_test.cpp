// What is typed into the box of a number.
#include "app/ui/units.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sinew {
namespace {

using ui::number_text;
using ui::parse_quantity;

double read(std::string_view text, std::string_view unit) {
  const Result<double> x = parse_quantity(text, unit);
  EXPECT_TRUE(x) << text << ": " << (x ? "" : x.error());
  return x ? *x : std::nan("");
}

TEST(Units, ArePutIntoTheUnitThatIsAskedFor) {
  EXPECT_DOUBLE_EQ(read("12 cm", "m"), 0.12);
  EXPECT_DOUBLE_EQ(read("3mm", "m"), 0.003);
  EXPECT_DOUBLE_EQ(read("0.5 rad", "deg"), 0.5 * 180 / M_PI);
  EXPECT_DOUBLE_EQ(read("90 deg", "deg"), 90);
  EXPECT_DOUBLE_EQ(read("-45\xc2\xb0", "deg"), -45);
  EXPECT_DOUBLE_EQ(read("0.25 turns", "deg"), 90);
  EXPECT_DOUBLE_EQ(read("250 ms", "s"), 0.25);
  EXPECT_DOUBLE_EQ(read("2 min", "s"), 120);
  EXPECT_DOUBLE_EQ(read("36 km/h", "m/s"), 10);
  EXPECT_DOUBLE_EQ(read("1 g/cm^3", "kg/m^3"), 1000);
  EXPECT_DOUBLE_EQ(read("2 1/s", "1/s"), 2);
  EXPECT_DOUBLE_EQ(read("2 Hz", "1/s"), 2);
  EXPECT_DOUBLE_EQ(read("50%", ""), 0.5);
}

TEST(Units, ANumberAloneIsInTheUnitAlready) {
  EXPECT_DOUBLE_EQ(read("0.25", "m"), 0.25);
  EXPECT_DOUBLE_EQ(read(" 7 ", ""), 7);
  EXPECT_DOUBLE_EQ(read("1e-3", "s"), 0.001);
  EXPECT_DOUBLE_EQ(read("0,5", "m"), 0.5);
  EXPECT_FALSE(std::signbit(read("-0", "m")));
}

TEST(Units, Arithmetic) {
  EXPECT_DOUBLE_EQ(read("3*4", "m"), 12);
  EXPECT_DOUBLE_EQ(read("1 + 2 * 3 - 4 / 2", ""), 5);
  EXPECT_DOUBLE_EQ(read("(1+2)*3", ""), 9);
  EXPECT_DOUBLE_EQ(read("-2^2", ""), -4);
  EXPECT_DOUBLE_EQ(read("2^3^2", ""), 512);
  EXPECT_DOUBLE_EQ(read("1 m + 20 cm", "m"), 1.2);
  EXPECT_DOUBLE_EQ(read("2*pi", ""), 2 * M_PI);
}

TEST(Units, WhatIsWrongIsSaid) {
  for (const char* text : {"", "m", "3 *", "(1", "1)", "abc", "1 2", "inf", "nan", "1/0", "3 kg"})
    EXPECT_FALSE(parse_quantity(text, "m")) << text;
  EXPECT_EQ(parse_quantity("3 kg", "m").error(), "it is given in m, not in kg");
  EXPECT_EQ(parse_quantity("3 kg", "").error(), "it is a plain number, without kg");
  EXPECT_EQ(parse_quantity("3 smoots", "m").error(), "'smoots' is no unit that is known here");
  EXPECT_FALSE(parse_quantity(std::string(5000, '('), "m"));
  EXPECT_FALSE(parse_quantity(std::string(5000, '-') + "1", "m"));
}

TEST(Units, NumbersAreShort) {
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(-0.0), "0");
  EXPECT_EQ(number_text(1200), "1200");
  EXPECT_EQ(number_text(1.0 / 3), "0.333333");
}

}  // namespace
}  // namespace sinew
