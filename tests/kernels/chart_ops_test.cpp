#include "nodes/kernels/chart_ops.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace sinew::kernels {
namespace {

Chart wave(WaveShape shape, double phase = 0, int points = 16) {
  WaveOptions options;
  options.shape = shape;
  options.period = 2;
  options.amplitude = 3;
  options.offset = 1;
  options.phase = phase;
  options.duty = 0.25;
  options.points = points;
  return make_wave(options);
}

constexpr WaveShape shapes[] = {WaveShape::sine, WaveShape::triangle, WaveShape::square,
                                WaveShape::saw,  WaveShape::bell,     WaveShape::pulse};

TEST(ChartOps, waves_are_valid_periodic_and_shift_with_phase) {
  for (const WaveShape shape : shapes) {
    const Chart still = wave(shape);
    EXPECT_FALSE(validate(still));
    EXPECT_NEAR(still.cycle(), 2, 1e-12);
    for (const double phase : {0.25, 0.6, -0.3, 3.0}) {
      const Chart shifted = wave(shape, phase);
      EXPECT_FALSE(validate(shifted));
      for (double x = -3; x < 3; x += 0.0137) {
        EXPECT_NEAR(shifted.evaluate(x), still.evaluate(x + 2 * phase), 1e-9)
            << static_cast<int>(shape) << " " << phase << " " << x;
        EXPECT_NEAR(shifted.evaluate(x), shifted.evaluate(x + 2), 1e-9);
      }
    }
  }
}

TEST(ChartOps, waves_have_the_right_shape) {
  const Chart sine = wave(WaveShape::sine);
  for (double x = 0; x < 2; x += 0.01) {
    EXPECT_NEAR(sine.evaluate(x), 1 + 3 * std::sin(std::numbers::pi * x), 0.06);
  }
  EXPECT_NEAR(sine.evaluate(0.5), 4, 1e-12);
  EXPECT_NEAR(sine.integral(0, 2), 2, 1e-9);
  EXPECT_NEAR(wave(WaveShape::sine, 0, 128).evaluate(0.3), 1 + 3 * std::sin(std::numbers::pi * 0.3),
              1e-3);
  EXPECT_NEAR(wave(WaveShape::triangle).evaluate(0.25), 2.5, 1e-12);
  EXPECT_EQ(wave(WaveShape::square).evaluate(0.49), 4);
  EXPECT_EQ(wave(WaveShape::square).evaluate(0.5), -2);
  EXPECT_EQ(wave(WaveShape::pulse).evaluate(1), 1);
  EXPECT_NEAR(wave(WaveShape::saw).evaluate(1), 1, 1e-12);
  EXPECT_NEAR(wave(WaveShape::bell).evaluate(1), 4, 1e-12);
  EXPECT_NEAR(wave(WaveShape::bell).evaluate(0), 1, 1e-12);
  EXPECT_THROW(make_wave({WaveShape::sine, 0, 1, 0, 0, 0.5, 16}), std::invalid_argument);
  EXPECT_THROW(make_wave({WaveShape::sine, 1, 1, 0, 0, 1, 16}), std::invalid_argument);
}

TEST(ChartOps, sums_of_linear_charts_are_exact) {
  const Chart a{{{0, 1}, {1, 3}, {4, 0}}, Interpolation::linear, Extension::clamped, 0, "s", "m"};
  const Chart b{{{-1, 2}, {2, -2}, {3, 5}}, Interpolation::linear, Extension::clamped, 0, "", ""};
  const Chart sum = combine_charts(ChartOp::add, a, b);
  const Chart mixed = combine_charts(ChartOp::mix, a, b, 0.3);
  EXPECT_FALSE(validate(sum));
  EXPECT_EQ(sum.x_unit, "s");
  for (double x = -3; x < 6; x += 0.01) {
    EXPECT_NEAR(sum.evaluate(x), a.evaluate(x) + b.evaluate(x), 1e-12);
    EXPECT_NEAR(mixed.evaluate(x), 0.7 * a.evaluate(x) + 0.3 * b.evaluate(x), 1e-12);
  }
  const Chart product = combine_charts(ChartOp::multiply, a, b, 0, 31);
  for (double x = -3; x < 6; x += 0.01) {
    EXPECT_NEAR(product.evaluate(x), a.evaluate(x) * b.evaluate(x), 0.01);
  }
}

TEST(ChartOps, cyclic_charts_of_one_period_stay_cyclic) {
  for (const WaveShape first : {WaveShape::sine, WaveShape::triangle, WaveShape::saw}) {
    for (const WaveShape second : {WaveShape::sine, WaveShape::triangle, WaveShape::saw}) {
      const Chart a = wave(first, 0.15), b = wave(second, 0.4);
      const Chart sum = combine_charts(ChartOp::add, a, b, 0, 7);
      EXPECT_FALSE(validate(sum));
      EXPECT_NEAR(sum.cycle(), 2, 1e-9);
      int off = 0, all = 0;
      for (double x = -3; x < 3; x += 0.0137, ++all) {
        off += std::abs(sum.evaluate(x) - a.evaluate(x) - b.evaluate(x)) > 0.05;
      }
      EXPECT_LE(off, all / 100) << static_cast<int>(first) << " " << static_cast<int>(second);
    }
  }
  const Chart steps =
      combine_charts(ChartOp::add, wave(WaveShape::square), wave(WaveShape::pulse, 0.3));
  for (double x = -3; x < 3; x += 0.0137) {
    EXPECT_NEAR(steps.evaluate(x),
                wave(WaveShape::square).evaluate(x) + wave(WaveShape::pulse, 0.3).evaluate(x),
                1e-9);
  }
  Chart clamped = wave(WaveShape::sine);
  clamped.extension = Extension::clamped;
  EXPECT_EQ(combine_charts(ChartOp::add, wave(WaveShape::sine), clamped).extension,
            Extension::clamped);
}

TEST(ChartOps, scaling_mirroring_and_inverting) {
  const Chart a{{{0, 1}, {1, 3}, {4, 7}}, Interpolation::linear, Extension::clamped, 0, "s", "m"};
  for (double x = -1; x < 5; x += 0.1) {
    EXPECT_NEAR(scale_y(a, -2, 1).evaluate(x), -2 * a.evaluate(x) + 1, 1e-12);
    EXPECT_NEAR(scale_x(a, 2, 3).evaluate(2 * x + 3), a.evaluate(x), 1e-12);
    EXPECT_NEAR(scale_x(a, -1, 0).evaluate(-x), a.evaluate(x), 1e-12);
    EXPECT_NEAR(flip_y(a).evaluate(x), 8 - a.evaluate(x), 1e-12);
    if (x > 0 && x < 4) {
      EXPECT_NEAR(inverse(a).evaluate(a.evaluate(x)), x, 1e-12);
    }
  }
  EXPECT_EQ(inverse(a).x_unit, "m");
  EXPECT_NEAR(reciprocal(a).evaluate(1), 1.0 / 3, 1e-12);
  EXPECT_THROW(reciprocal(Chart::constant(0)), std::invalid_argument);
  EXPECT_THROW(inverse(wave(WaveShape::sine)), std::invalid_argument);
  EXPECT_THROW(scale_x(a, 0, 1), std::invalid_argument);
  EXPECT_THROW(combine_charts(ChartOp::add, a, Chart()), std::invalid_argument);
}

}  // namespace
}  // namespace sinew::kernels
