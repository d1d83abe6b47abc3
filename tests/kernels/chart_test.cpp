#include "nodes/geometry/chart.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "nodes/geometry/chart_ahead.h"

namespace sinew {
namespace {

constexpr Interpolation interpolations[] = {Interpolation::linear, Interpolation::smooth,
                                            Interpolation::stepped};

Chart random_chart(std::mt19937& random, int points, bool monotone) {
  std::uniform_real_distribution<double> gap(0.05, 2), value(-3, 3);
  Chart chart;
  double x = value(random), y = value(random);
  for (int i = 0; i < points; ++i) {
    chart.points.push_back({x, y});
    x += gap(random);
    y = monotone ? y + std::max(0.0, value(random)) : value(random);
  }
  return chart;
}

// Composite Simpson between neighbouring kinks.
double quadrature(const Chart& chart, double a, double b) {
  const int n = 20000;
  const double h = (b - a) / n;
  const ChartPieces pieces(chart);
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const double x = a + i * h;
    sum += h / 6 * (pieces.evaluate(x) + 4 * pieces.evaluate(x + h / 2) + pieces.evaluate(x + h));
  }
  return sum;
}

TEST(Chart, passes_through_its_points) {
  std::mt19937 random(1);
  for (int run = 0; run < 50; ++run) {
    for (const Interpolation interpolation : interpolations) {
      Chart chart = random_chart(random, 2 + run % 7, false);
      chart.interpolation = interpolation;
      for (const ChartPoint& p : chart.points) EXPECT_DOUBLE_EQ(chart.evaluate(p.x), p.y);
      EXPECT_EQ(chart.evaluate(chart.first_x() - 10), chart.points.front().y);
      EXPECT_EQ(chart.evaluate(chart.last_x() + 10), chart.points.back().y);
      chart.extension = Extension::cyclic;
      chart.period = chart.last_x() - chart.first_x() + 0.7;
      for (const ChartPoint& p : chart.points) {
        EXPECT_NEAR(chart.evaluate(p.x + 1e-12), p.y, 1e-9);
        EXPECT_NEAR(chart.evaluate(p.x + 1e-12 - 3 * chart.period), p.y, 1e-9);
      }
    }
  }
}

TEST(Chart, smooth_never_overshoots_and_keeps_monotone_data_monotone) {
  std::mt19937 random(2);
  for (int run = 0; run < 200; ++run) {
    const bool monotone = run % 2 == 0;
    const Chart chart = random_chart(random, 3 + run % 10, monotone);
    const ChartPieces pieces(chart);
    for (std::size_t i = 0; i + 1 < chart.points.size(); ++i) {
      const ChartPoint &a = chart.points[i], &b = chart.points[i + 1];
      const double low = std::min(a.y, b.y) - 1e-12, high = std::max(a.y, b.y) + 1e-12;
      double last = a.y;
      for (int k = 0; k <= 100; ++k) {
        const double y = pieces.evaluate(a.x + (b.x - a.x) * k / 100);
        EXPECT_GE(y, low);
        EXPECT_LE(y, high);
        if (monotone) {
          EXPECT_GE(y, last - 1e-12);
        }
        last = y;
      }
    }
  }
}

TEST(Chart, smooth_reproduces_straight_lines) {
  Chart chart;
  for (const double x : {-1.0, 0.2, 0.5, 3.0, 7.0}) chart.points.push_back({x, 2 * x - 1});
  for (double x = -1; x <= 7; x += 0.1) EXPECT_NEAR(chart.evaluate(x), 2 * x - 1, 1e-12);
}

TEST(Chart, tangent_agrees_with_differences) {
  std::mt19937 random(3);
  for (const Extension extension : {Extension::clamped, Extension::cyclic}) {
    for (int run = 0; run < 40; ++run) {
      Chart chart = random_chart(random, 3 + run % 6, false);
      chart.extension = extension;
      for (const Interpolation interpolation : {Interpolation::linear, Interpolation::smooth}) {
        chart.interpolation = interpolation;
        const ChartPieces pieces(chart);
        std::uniform_real_distribution<double> inside(chart.first_x() - 5, chart.last_x() + 5);
        for (int k = 0; k < 30; ++k) {
          const double x = inside(random), h = 1e-6;
          const double left = pieces.tangent(x - h), right = pieces.tangent(x + h);
          if (std::abs(left - right) > 1e-3) continue;  // a kink is in between
          const double difference = (pieces.evaluate(x + h) - pieces.evaluate(x - h)) / (2 * h);
          EXPECT_NEAR(pieces.tangent(x), difference, 1e-5 * (1 + std::abs(difference)));
        }
      }
    }
  }
  Chart steps{{{0, 1}, {1, 5}}, Interpolation::stepped, Extension::clamped, 0, "", ""};
  EXPECT_EQ(steps.tangent(0.5), 0);
}

TEST(Chart, integral_agrees_with_quadrature) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> limit(-12, 12);
  for (const Extension extension : {Extension::clamped, Extension::cyclic}) {
    for (const Interpolation interpolation : interpolations) {
      for (int run = 0; run < 8; ++run) {
        Chart chart = random_chart(random, 1 + run % 6, false);
        chart.interpolation = interpolation;
        chart.extension = extension;
        if (run % 2) chart.period = chart.last_x() - chart.first_x() + 0.5;
        const double a = limit(random), b = limit(random);
        const double tolerance = interpolation == Interpolation::smooth ? 1e-7 : 2e-2;
        EXPECT_NEAR(chart.integral(a, b), quadrature(chart, a, b), tolerance);
        EXPECT_DOUBLE_EQ(chart.integral(a, b), -chart.integral(b, a));
        const double c = limit(random);
        EXPECT_NEAR(chart.integral(a, b) + chart.integral(b, c), chart.integral(a, c), 1e-9);
      }
    }
  }
}

TEST(Chart, integral_of_a_short_piece_far_from_the_start_is_accurate) {
  Chart chart{{{0, 0}, {1e6, 1e6}}, Interpolation::linear, Extension::clamped, 0, "", ""};
  EXPECT_NEAR(chart.integral(999999, 999999.001), 999.9990005, 1e-3);
}

TEST(Chart, cyclic_is_continuous_at_the_seam) {
  std::mt19937 random(5);
  for (int run = 0; run < 50; ++run) {
    Chart chart = random_chart(random, 3 + run % 6, false);
    chart.extension = Extension::cyclic;
    for (const double more : {0.0, 0.8}) {
      chart.period = more > 0 ? chart.last_x() - chart.first_x() + more : 0;
      const double seam = chart.first_x() + chart.cycle(), h = 1e-9;
      EXPECT_NEAR(chart.evaluate(seam - h), chart.evaluate(seam + h), 1e-6);
      EXPECT_NEAR(chart.evaluate(seam), chart.points.front().y, 1e-9);
      EXPECT_NEAR(chart.tangent(seam - h), chart.tangent(seam + h), 1e-4);
      EXPECT_NEAR(chart.evaluate(seam + 0.3), chart.evaluate(chart.first_x() + 0.3), 1e-9);
      EXPECT_NEAR(chart.evaluate(chart.first_x() + 0.3 - 7 * chart.cycle()),
                  chart.evaluate(chart.first_x() + 0.3), 1e-9);
    }
  }
}

TEST(Chart, a_linear_saw_may_jump_at_the_seam) {
  const Chart saw{{{0, -1}, {2, 1}}, Interpolation::linear, Extension::cyclic, 0, "", ""};
  EXPECT_NEAR(saw.evaluate(1.999999), 1, 1e-5);
  EXPECT_EQ(saw.evaluate(2), -1);
  EXPECT_NEAR(saw.integral(0, 20), 0, 1e-12);
}

TEST(Chart, steps_hold_the_value_of_the_point_before) {
  Chart steps{{{0, 1}, {1, 5}, {2, 3}}, Interpolation::stepped, Extension::clamped, 0, "", ""};
  EXPECT_EQ(steps.evaluate(0.999), 1);
  EXPECT_EQ(steps.evaluate(1), 5);
  EXPECT_EQ(steps.integral(0, 2), 6);
  steps.extension = Extension::cyclic;
  steps.period = 3;
  EXPECT_EQ(steps.evaluate(2.9), 3);
  EXPECT_EQ(steps.evaluate(3), 1);
  EXPECT_EQ(steps.evaluate(-0.1), 3);
}

// Times of frames come near a knot, not to it: what jumps there has jumped.
TEST(ChartAhead, only_jumps_are_ahead) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> anywhere(-30, 30);
  constexpr double ahead = 1e-4;
  for (int round = 0; round < 60; ++round) {
    Chart chart = random_chart(random, 2 + round % 7, false);
    chart.interpolation = interpolations[round % 3];
    chart.extension = round % 2 ? Extension::cyclic : Extension::clamped;
    if (round % 4 == 1) chart.period = chart.last_x() - chart.first_x() + 0.5;
    const ChartPieces pieces(chart);
    for (int i = 0; i < 200; ++i) {
      const double x = anywhere(random);
      const bool near = pieces.tangent(x) != pieces.tangent(x + ahead) ||
                        std::abs(pieces.evaluate(x) - pieces.evaluate(x + ahead)) > 0.01;
      if (near && chart.interpolation != Interpolation::smooth) continue;
      EXPECT_EQ(evaluate_ahead(chart, pieces, x, ahead), pieces.evaluate(x));
      EXPECT_EQ(tangent_ahead(chart, pieces, x, ahead), pieces.tangent(x));
    }
    if (chart.interpolation == Interpolation::smooth) continue;
    const double cycle = chart.cycle();
    for (int k = -50; k <= 50; ++k) {
      const double shift = cycle > 0 ? k * cycle : 0;
      for (const ChartPoint& p : chart.points) {
        const bool seam = meets_next_cycle(chart) && p.x == chart.last_x();
        const double here = p.x + shift, y = seam ? chart.points[0].y : p.y;
        for (const double before : {0.0, 1e-9, 0.9 * ahead}) {
          EXPECT_NEAR(evaluate_ahead(chart, pieces, here - before, ahead), y, 0.02);
        }
      }
    }
  }
}

TEST(Chart, odd_input_has_an_answer) {
  EXPECT_EQ(Chart().evaluate(1), 0);
  EXPECT_EQ(Chart::constant(4).evaluate(-100), 4);
  EXPECT_EQ(Chart::constant(4).integral(1, 3), 8);
  EXPECT_EQ(Chart::constant(4).tangent(1), 0);
  Chart chart{{{0, 1}, {1, 5}}, Interpolation::linear, Extension::cyclic, 0, "", ""};
  EXPECT_EQ(chart.evaluate(NAN), 1);
  EXPECT_EQ(chart.evaluate(INFINITY), 1);
  EXPECT_TRUE(std::isfinite(chart.evaluate(1e300)));
  EXPECT_TRUE(std::isfinite(chart.integral(-1e18, 1e18)));
}

TEST(Chart, validate_says_what_is_wrong) {
  EXPECT_TRUE(validate(Chart()));
  EXPECT_FALSE(validate(Chart::constant(1)));
  Chart chart{{{0, 1}, {1, 2}}, Interpolation::linear, Extension::cyclic, 0, "", ""};
  EXPECT_FALSE(validate(chart));
  chart.period = 0.5;
  EXPECT_TRUE(validate(chart));
  chart.period = 0;
  chart.points[1].x = 0;
  EXPECT_TRUE(validate(chart));
  chart.points[1] = {1, NAN};
  EXPECT_TRUE(validate(chart));
}

}  // namespace
}  // namespace sinew
