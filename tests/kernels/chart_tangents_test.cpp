// Drawn slopes of smooth charts.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "nodes/geometry/chart.h"
#include "nodes/kernels/activation.h"
#include "nodes/kernels/chart_ops.h"

namespace sinew {
namespace {

using kernels::as_ratio;

Chart drawn_chart(ValueAxis axis = ValueAxis::linear) {
  Chart chart;
  chart.axis = axis;
  chart.points = {{0, 1}, {1, 2}, {2.5, 1.5}, {4, 1.8}};
  chart.tangents = {{{}, 3.0}, {-1.0, 2.0}, {}, {0.5, {}}};
  return chart;
}

// By many short steps of the trapezoid.
double summed(const Chart& chart, double a, double b) {
  const ChartPieces pieces(chart);
  constexpr int steps = 400000;
  double sum = 0;
  for (int i = 0; i < steps; ++i) {
    const double x = a + (b - a) * (i + 0.5) / steps;
    sum += pieces.evaluate(x);
  }
  return sum * (b - a) / steps;
}

TEST(ChartTangents, AreTheSlopesOnBothSidesOfAPoint) {
  const Chart chart = drawn_chart();
  ASSERT_FALSE(validate(chart));
  const ChartPieces pieces(chart);
  EXPECT_NEAR(pieces.tangent(0), 3, 1e-12);
  EXPECT_NEAR(pieces.tangent(1 - 1e-9), -1, 1e-6);
  EXPECT_NEAR(pieces.tangent(1), 2, 1e-12);
  EXPECT_NEAR(pieces.tangent(4), 0.5, 1e-12);
  for (const ChartPoint& p : chart.points) EXPECT_NEAR(pieces.evaluate(p.x), p.y, 1e-12);
  // What is automatic is as it was without any.
  Chart plain = chart;
  plain.tangents.clear();
  EXPECT_NEAR(pieces.tangent(2.5), plain.tangent(2.5), 1e-12);
}

TEST(ChartTangents, OnARatioAxisAreThoseOfTheLogarithm) {
  const Chart chart = drawn_chart(ValueAxis::ratio);
  const ChartPieces pieces(chart);
  EXPECT_NEAR(pieces.tangent(1), 2 * 2, 1e-12);
  EXPECT_NEAR(pieces.tangent(0), 3 * 1, 1e-12);
  // So a power has slopes so many times as steep, and volumes are kept between the points, too.
  const kernels::VolumeCharts v = kernels::volume_preserving(chart, kernels::VolumeMode::both);
  const ChartPieces a(v.primary), b(v.secondary), c(v.tertiary);
  for (double x = -0.5; x < 4.5; x += 0.01)
    EXPECT_NEAR(a.evaluate(x) * b.evaluate(x) * c.evaluate(x), 1, 1e-12) << x;
}

TEST(ChartTangents, IntegralsAreExactAlsoAtTheBounds) {
  for (const ValueAxis axis : {ValueAxis::linear, ValueAxis::ratio}) {
    for (const bool bounded : {false, true}) {
      Chart chart = drawn_chart(axis);
      if (bounded) chart.bounds = ChartBounds{0.9, 2.05};
      EXPECT_NEAR(chart.integral(0, 4), summed(chart, 0, 4), 1e-8);
      EXPECT_NEAR(chart.integral(0.3, 1.7), summed(chart, 0.3, 1.7), 1e-8);
      // Differences of integrals are values.
      const ChartPieces pieces(chart);
      for (double x = 0.05; x < 4; x += 0.1)
        EXPECT_NEAR(pieces.integral(x - 1e-4, x + 1e-4) / 2e-4, pieces.evaluate(x), 1e-4) << x;
    }
  }
}

TEST(ChartTangents, MayOvershootButNeverBeyondTheBounds) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> slope(-30, 30), value(0.5, 2);
  bool overshot = false;
  for (int round = 0; round < 200; ++round) {
    Chart chart;
    chart.axis = round % 2 ? ValueAxis::ratio : ValueAxis::linear;
    chart.extension = round % 3 ? Extension::clamped : Extension::cyclic;
    for (int i = 0; i < 5; ++i) {
      chart.points.push_back({i * 0.7, value(random)});
      chart.tangents.push_back({slope(random), slope(random)});
    }
    chart.period = round % 6 ? 0 : 4;
    const ChartPieces free(chart);
    chart.bounds = ChartBounds{0.5, 2};
    ASSERT_FALSE(validate(chart));
    const ChartPieces held(chart);
    double before = held.evaluate(-1);
    for (double x = -1; x < 6; x += 0.0005) {
      const double y = held.evaluate(x), wanted = free.evaluate(x);
      EXPECT_GE(y, 0.5);
      EXPECT_LE(y, 2);
      EXPECT_NEAR(y, std::clamp(wanted, 0.5, 2.0), 1e-9) << round << " at " << x;
      if (chart.extension == Extension::clamped) {
        EXPECT_LT(std::abs(y - before), 0.2);
      }
      before = y;
      overshot = overshot || wanted > 2;
      if (chart.axis == ValueAxis::ratio) {
        EXPECT_NEAR(std::exp(held.logarithm(x)), y, 1e-9);
      }
    }
  }
  EXPECT_TRUE(overshot);
}

TEST(ChartTangents, TheSeamHasTheSlopesOfTheFirstPoint) {
  Chart chart = drawn_chart();
  chart.extension = Extension::cyclic;
  chart.tangents[0] = {-2.0, 3.0};
  for (const double period : {0.0, 5.0}) {
    chart.period = period;
    const double end = chart.first_x() + chart.cycle();
    const ChartPieces pieces(chart);
    EXPECT_NEAR(pieces.tangent(end - 1e-9), -2, 1e-5);
    EXPECT_NEAR(pieces.tangent(end), 3, 1e-9);
    EXPECT_NEAR(pieces.evaluate(end - 1e-9), 1, 1e-7);
  }
}

TEST(ChartTangents, HostileSlopesHaveFiniteAnswers) {
  for (const ValueAxis axis : {ValueAxis::linear, ValueAxis::ratio}) {
    for (const double steep : {1e300, -1e300, 1e-300}) {
      Chart chart;
      chart.axis = axis;
      chart.points = {{-1e300, 1e-200}, {0, 1e200}, {1e-300, 1}, {1e300, 2}};
      chart.tangents.assign(4, {steep, -steep});
      ASSERT_FALSE(validate(chart));
      const ChartPieces pieces(chart);
      for (const double x : {-1e300, -1e10, 0.0, 5e-301, 1e-300, 1.0, 1e299, 1e300}) {
        EXPECT_TRUE(std::isfinite(pieces.evaluate(x)));
        EXPECT_TRUE(std::isfinite(pieces.tangent(x)));
        EXPECT_TRUE(std::isfinite(pieces.integral(0, x)));
      }
    }
  }
}

TEST(ChartTangents, AreRefusedWhereTheyAreWrong) {
  Chart chart = drawn_chart();
  chart.tangents.pop_back();
  EXPECT_TRUE(validate(chart));
  chart = drawn_chart();
  chart.tangents[1].in = std::nan("");
  EXPECT_TRUE(validate(chart));
}

TEST(ChartTangents, GoWithTheChartWhereverItIsMapped) {
  for (const ValueAxis axis : {ValueAxis::linear, ValueAxis::ratio}) {
    const Chart chart = drawn_chart(axis);
    const ChartPieces before(chart);
    const ChartPieces wide(kernels::scale_x(chart, 2, 1)), back(kernels::scale_x(chart, -1, 4));
    const ChartPieces scaled(kernels::scale_y(chart, 3, 0)), mirrored(kernels::mirror_x(chart));
    for (double x = 0; x <= 4; x += 0.05) {
      const double y = before.evaluate(x);
      EXPECT_NEAR(wide.evaluate(2 * x + 1), y, 1e-12);
      EXPECT_NEAR(back.evaluate(4 - x), y, 1e-12);
      EXPECT_NEAR(mirrored.evaluate(4 - x), y, 1e-12);
      EXPECT_NEAR(scaled.evaluate(x), 3 * y, 1e-11);
    }
    // Slopes at the points, where the curve itself changes its kind.
    EXPECT_NEAR(kernels::reciprocal(chart).tangent(1), -before.tangent(1) / 4, 1e-12);
    EXPECT_NEAR(as_ratio(chart).tangent(1), before.tangent(1), 1e-12);
    EXPECT_NEAR(kernels::scale_y(chart, 2, 1).tangent(1), 2 * before.tangent(1), 1e-12);
    EXPECT_NEAR(kernels::flip_y(chart).tangent(1),
                -before.tangent(1) * (axis == ValueAxis::ratio ? 2 / 4.0 : 1), 1e-12);
  }
  const Chart linear = drawn_chart();
  EXPECT_NEAR(std::log(kernels::exponential(linear, 2).evaluate(0.4)),
              linear.evaluate(0.4) * std::log(2), 1e-12);
  Chart rising;
  rising.points = {{0, 0}, {1, 1}, {2, 4}};
  rising.tangents = {{{}, 0.5}, {2.0, 2.0}, {0.0, {}}};
  EXPECT_NEAR(kernels::inverse(rising).tangent(1), 0.5, 1e-12);
  EXPECT_FALSE(kernels::inverse(rising).tangents[2].drawn());
  // Sampled anew, they are automatic.
  EXPECT_TRUE(kernels::combine_charts(kernels::ChartOp::add, linear, linear).tangents.empty());
  EXPECT_TRUE(kernels::slope_chart(linear, 2).tangents.empty());
  EXPECT_TRUE(kernels::area_chart(linear, 2).tangents.empty());
  Chart loop = drawn_chart();
  loop.back = {{0, 1}, {4, 1}};
  EXPECT_TRUE(loop.way_back().tangents.empty());
}

TEST(ChartTangents, WhatFollowsFromTheFirstChartIsSeen) {
  Chart first = drawn_chart(ValueAxis::ratio);
  using kernels::ChartLink;
  EXPECT_FALSE(kernels::linked_chart(first, ChartLink::drawn, 4, 1));
  const auto second = kernels::linked_chart(first, ChartLink::keep_both, 1.6, 1);
  ASSERT_TRUE(second);
  const auto third = kernels::linked_chart(first, ChartLink::keep_secondary, 1.6, 2);
  ASSERT_TRUE(third);
  Chart held = first;
  held.bounds = ChartBounds{1 / 1.6, 1.6};
  for (double x = 0; x < 4; x += 0.1) {
    EXPECT_NEAR(second->evaluate(x), 1 / std::sqrt(held.evaluate(x)), 1e-9) << x;
    EXPECT_EQ(third->evaluate(x), 1);
  }
  first.axis = ValueAxis::linear;
  first.points[0].y = -1;
  EXPECT_FALSE(kernels::linked_chart(first, ChartLink::keep_both, 4, 1));
}

}  // namespace
}  // namespace sinew
