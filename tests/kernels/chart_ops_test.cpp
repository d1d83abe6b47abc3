#include "nodes/kernels/chart_ops.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <string>

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

// A chart with everything a chart can have, clamped.
Chart full_chart() {
  Chart chart{{{0, 1}, {0.5, 2}, {2, 0.5}, {3, 1.5}}};
  chart.axis = ValueAxis::ratio;
  chart.back = {{0, 1.2}, {1, 0.7}, {3, 1.5}};
  chart.set_mark("elastic", 1);
  chart.set_mark("fracture", 2.5);
  chart.bounds = {0.4, 2.5};
  return chart;
}

Chart random_ratios(std::mt19937& random, Interpolation interpolation, Extension extension) {
  std::uniform_real_distribution<double> gap(0.01, 1), exponent(-3, 3);
  Chart chart;
  chart.interpolation = interpolation;
  chart.extension = extension;
  chart.axis = ValueAxis::ratio;
  double x = exponent(random);
  for (int i = 0; i < 7; ++i, x += gap(random)) {
    chart.points.push_back({x, std::exp(exponent(random))});
  }
  return chart;
}

TEST(ChartOps, volume_is_preserved_at_every_moment) {
  std::mt19937 random(1);
  for (const VolumeMode mode : {VolumeMode::both, VolumeMode::secondary}) {
    for (const Interpolation interpolation :
         {Interpolation::linear, Interpolation::smooth, Interpolation::stepped}) {
      for (const Extension extension : {Extension::clamped, Extension::cyclic}) {
        for (int run = 0; run < 10; ++run) {
          Chart primary = random_ratios(random, interpolation, extension);
          if (run % 3 == 1) primary.bounds = {0.5, 3};
          if (run % 3 == 2) primary.period = extension == Extension::cyclic ? 9 : 0;
          if (run % 2) primary.axis = ValueAxis::linear;  // taken as ratios
          const VolumeCharts charts = volume_preserving(primary, mode);
          for (const Chart* c : {&charts.primary, &charts.secondary, &charts.tertiary}) {
            ASSERT_EQ(validate(*c), std::nullopt);
          }
          const ChartPieces c1(charts.primary), c2(charts.secondary), c3(charts.tertiary);
          for (double x = -12; x < 12; x += 0.0119) {
            EXPECT_NEAR(c1.evaluate(x) * c2.evaluate(x) * c3.evaluate(x), 1, 1e-12);
            if (mode == VolumeMode::both) {
              EXPECT_EQ(c2.evaluate(x), c3.evaluate(x));
              EXPECT_NEAR(c2.evaluate(x), 1 / std::sqrt(c1.evaluate(x)), 1e-11 * c2.evaluate(x));
            } else {
              EXPECT_EQ(c3.evaluate(x), 1);
            }
          }
        }
      }
    }
  }
  // Both ways of a loop, and the ends of the numbers.
  const VolumeCharts loop = volume_preserving(full_chart(), VolumeMode::both);
  Chart extreme{{{0, 1e-300}, {1, 1e300}, {2, 1}}};
  const VolumeCharts far = volume_preserving(extreme, VolumeMode::secondary);
  for (double x = 0; x < 3; x += 0.01) {
    const double back = loop.primary.way_back().evaluate(x);
    EXPECT_NEAR(back * std::pow(loop.secondary.way_back().evaluate(x), 2), 1, 1e-12);
    EXPECT_NEAR(far.primary.evaluate(x) * far.secondary.evaluate(x), 1, 1e-11);
  }
  EXPECT_EQ(loop.secondary.mark("elastic"), 1);
  const Chart sinks{{{0, 1}, {1, -0.5}}};
  try {
    volume_preserving(sinks, VolumeMode::both);
    FAIL();
  } catch (const std::invalid_argument& wrong) {
    EXPECT_NE(std::string(wrong.what()).find("point 1"), std::string::npos) << wrong.what();
  }
}

TEST(ChartOps, powers_and_exponentials_are_exact_between_the_points) {
  std::mt19937 random(2);
  const Chart ratios = random_ratios(random, Interpolation::smooth, Extension::cyclic);
  for (const double exponent : {-2.0, -1.0, -0.5, 0.0, 0.3, 1.0}) {
    const Chart raised = power(ratios, exponent);
    for (double x = -4; x < 8; x += 0.037) {
      const double expected = std::pow(ratios.evaluate(x), exponent);
      EXPECT_NEAR(raised.evaluate(x), expected, 1e-11 * expected);
    }
  }
  Chart heights{{{0, -1}, {0.4, 0.7}, {1, 0.2}, {2, 1}}};
  heights.bounds = {-0.8, 0.8};
  const Chart stretched = exponential(heights, 1.7);
  EXPECT_EQ(validate(stretched), std::nullopt);
  for (double x = -1; x < 3; x += 0.037) {
    EXPECT_NEAR(stretched.evaluate(x), std::pow(1.7, heights.evaluate(x)), 1e-12);
  }
  EXPECT_THROW(exponential(stretched, 2), std::invalid_argument);
  EXPECT_THROW(exponential(heights, 0), std::invalid_argument);
  EXPECT_EQ(validate(exponential(Chart{{{0, -1e300}, {1, 1e300}}}, 100)), std::nullopt);
}

// Whatever is done to a chart with everything, the result is sound, and both ways follow.
TEST(ChartOps, carry_loops_marks_bounds_and_axis_along) {
  const Chart chart = full_chart();
  ASSERT_EQ(validate(chart), std::nullopt);
  const Chart plain{{{-1, 3}, {4, -2}}};
  for (const Chart& result :
       {scale_y(chart, 2, 0), scale_y(chart, -2, 1), scale_y(chart, 0, 0), scale_x(chart, 3, -1),
        scale_x(chart, -3, 1), mirror_x(chart), reciprocal(chart), flip_y(chart), as_ratio(chart),
        power(chart, -0.3), power(chart, 0), slope_chart(chart, 5), area_chart(chart, 5),
        combine_charts(ChartOp::subtract, chart, plain),
        combine_charts(ChartOp::multiply, chart, chart), combine_charts(ChartOp::mix, plain, chart),
        inverse(Chart{{{0, 1}, {1, 2}}}), make_loop(chart, plain.way_back(), true).way_back()}) {
    const auto wrong = validate(result);
    EXPECT_FALSE(wrong) << *wrong;
  }
  EXPECT_EQ(scale_y(chart, 2, 0).axis, ValueAxis::ratio);
  EXPECT_EQ(scale_y(chart, -2, 0).axis, ValueAxis::linear);
  EXPECT_EQ(scale_x(chart, 3, -1).mark("elastic"), 2);
  const Chart mirrored = mirror_x(chart), flipped = flip_y(chart);
  const Chart product = combine_charts(ChartOp::multiply, chart, chart);
  for (double x = 0; x <= 3; x += 0.05) {
    EXPECT_NEAR(mirrored.evaluate(3 - x), chart.evaluate(x), 1e-12);
    EXPECT_NEAR(mirrored.way_back().evaluate(3 - x), chart.way_back().evaluate(x), 1e-12);
    EXPECT_NEAR(flipped.evaluate(x), 1 / chart.evaluate(x), 1e-12);
    EXPECT_NEAR(product.way_back().evaluate(x), std::pow(chart.way_back().evaluate(x), 2), 0.02);
  }
}

TEST(ChartOps, products_and_mixes_of_ratios_are_those_of_logarithms) {
  std::mt19937 random(3);
  const Chart a = random_ratios(random, Interpolation::linear, Extension::clamped);
  const Chart b = random_ratios(random, Interpolation::linear, Extension::clamped);
  const Chart product = combine_charts(ChartOp::multiply, a, b, 0, 0);
  const Chart mixed = combine_charts(ChartOp::mix, a, b, 0.3, 0);
  EXPECT_EQ(product.axis, ValueAxis::ratio);
  for (double x = -4; x < 8; x += 0.013) {
    const double pa = a.evaluate(x), pb = b.evaluate(x);
    EXPECT_NEAR(product.evaluate(x), pa * pb, 1e-11 * pa * pb);
    EXPECT_NEAR(mixed.evaluate(x), std::pow(pa, 0.7) * std::pow(pb, 0.3), 1e-11 * (pa + pb));
  }
}

TEST(ChartOps, loops_of_two_charts) {
  const Chart there{{{1, 0}, {2, 1}, {5, 3}}};
  const Chart back{{{0, 0}, {0.5, 0.2}, {1, 7}}};
  const Chart open = make_loop(there, back, false), closed = make_loop(there, back, true);
  EXPECT_EQ(open.back, (std::vector<ChartPoint>{{1, 0}, {3, 0.2}, {5, 7}}));
  EXPECT_EQ(closed.back.back(), (ChartPoint{5, 3}));
  EXPECT_NEAR(closed.loop_area(), there.integral(1, 5) - closed.way_back().integral(1, 5), 1e-12);
  EXPECT_THROW(make_loop(there, Chart::constant(1), true), std::invalid_argument);
  EXPECT_THROW(make_loop(as_ratio(Chart{{{0, 1}, {1, 2}}}), back, false), std::invalid_argument);
}

TEST(ChartOps, slopes_and_areas_as_charts) {
  const Chart lines{{{0, 1}, {1, 3}, {4, 0}}, Interpolation::linear};
  const Chart slope = slope_chart(lines, 3), area = area_chart(lines, 31);
  for (double x = 0.01; x < 4; x += 0.037) {
    EXPECT_DOUBLE_EQ(slope.evaluate(x), lines.tangent(x));
    EXPECT_NEAR(area.evaluate(x), lines.integral(0, x), 1e-3);
  }
  Chart curve = wave(WaveShape::sine, 0.1);
  const Chart curve_slope = slope_chart(curve, 31);
  EXPECT_NEAR(curve_slope.cycle(), 2, 1e-12);
  const Chart ratios{{{0, 1}, {1, 3}, {4, 0.5}},
                     Interpolation::linear,
                     Extension::clamped,
                     0,
                     "",
                     "",
                     ValueAxis::ratio};
  const Chart ratio_slope = slope_chart(ratios, 31), ratio_area = area_chart(ratios, 31);
  for (double x = 0.013; x < 3.9; x += 0.037) {
    EXPECT_NEAR(curve_slope.evaluate(x), curve.tangent(x), 0.05);
    EXPECT_NEAR(ratio_slope.evaluate(x), ratios.tangent(x), 1e-3);
    EXPECT_NEAR(ratio_area.evaluate(x), ratios.integral(0, x), 1e-3);
  }
  EXPECT_EQ(slope_chart(Chart::constant(3), 2).evaluate(7), 0);
}

}  // namespace
}  // namespace sinew::kernels
