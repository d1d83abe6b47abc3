#include "nodes/kernels/root_integral.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "nodes/kernels/named_curves.h"

namespace sinew::kernels {
namespace {

Chart line(double from, double to) {
  Chart chart;
  chart.points = {{0, from}, {1, to}};
  chart.interpolation = Interpolation::linear;
  return chart;
}

RootIntegral of(const Chart& chart, bool inverse, double until = 1) {
  const RootFactor factor{chart, 0, until, inverse};
  return RootIntegral({&factor, 1}, until);
}

TEST(RootIntegral, without_factors_is_time) {
  const RootIntegral time({}, 3);
  EXPECT_EQ(time(1.25), 1.25);
  EXPECT_EQ(time(9), 3);
  EXPECT_EQ(time(-1), 0);
  EXPECT_EQ(time(std::nan("")), 0);
}

// zeta = 1 - t reaches 0: the antiderivatives are known.
TEST(RootIntegral, is_exact_where_a_line_reaches_zero) {
  for (const double until : {1e-6, 1.0, 7.0, 1e6}) {
    const RootIntegral root = of(line(1, 0), false, until), inverse = of(line(1, 0), true, until);
    for (double u = 0; u <= 1; u += 1.0 / 512) {
      const double left = std::sqrt(1 - u);
      EXPECT_NEAR(root(u * until), until * (1 - left * left * left) * 2 / 3, 1e-12 * until) << u;
      EXPECT_NEAR(inverse(u * until), until * 2 * (1 - left), 1e-9 * until) << u;
    }
    EXPECT_NEAR(inverse(until), 2 * until, 1e-12 * until);
    EXPECT_NEAR(root(2 * until), until * 2 / 3, 1e-12 * until);
  }
}

// And back up again: the zero lies inside.
TEST(RootIntegral, goes_through_a_zero_inside) {
  Chart dip;
  dip.points = {{0, 1}, {1, 0}, {3, 1}};
  dip.interpolation = Interpolation::linear;
  const RootIntegral inverse = of(dip, true, 3);
  EXPECT_NEAR(inverse(1), 2, 1e-11);
  EXPECT_NEAR(inverse(3), 2 + 4, 1e-11);
  EXPECT_NEAR(inverse(1.5), 2 + 2 * std::sqrt(2) * std::sqrt(0.5), 1e-9);
}

// A double zero: the antiderivative of 1 / (1 - t) is a logarithm, as far as it is asked for.
TEST(RootIntegral, a_double_zero_is_large_but_finite) {
  Chart parabola;
  for (int i = 0; i <= 4; ++i) {
    const double t = i / 4.0;
    parabola.points.push_back({t, (1 - t) * (1 - t)});
  }
  parabola.tangents = {{-2.0, -2.0}, {-1.5, -1.5}, {-1.0, -1.0}, {-0.5, -0.5}, {0.0, 0.0}};
  const RootIntegral inverse = of(parabola, true);
  for (const double u : {0.1, 0.5, 0.9, 0.99, 0.999999}) {
    EXPECT_NEAR(inverse(u), -std::log(1 - u), 1e-9) << u;
  }
  EXPECT_TRUE(std::isfinite(inverse(1)));
  EXPECT_GT(inverse(1), 20);
}

double simpson(const Chart& chart, double power, double to) {
  const int n = 400000;
  const double h = to / n;
  const ChartPieces pieces(chart);
  const auto f = [&](double t) { return std::pow(pieces.evaluate(t), power); };
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const double a = i * h;
    sum += h / 6 * (f(a) + 4 * f(a + h / 2) + f(a + h));
  }
  return sum;
}

TEST(RootIntegral, agrees_with_quadrature_for_random_charts) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> value(0.02, 1), gap(0.05, 0.4);
  for (int run = 0; run < 6; ++run) {
    Chart chart;
    double x = 0;
    while (x < 1) {
      chart.points.push_back({x, value(random)});
      x += gap(random);
    }
    chart.points.push_back({1.2, value(random)});
    if (run % 2) chart.interpolation = Interpolation::linear;
    const RootFactor root{chart, 0, 1.2, false}, inverse{chart, 0, 1.2, true};
    for (const double t : {0.3, 0.77, 1.2}) {
      EXPECT_NEAR(RootIntegral({&root, 1}, 1.2)(t), simpson(chart, 0.5, t), 1e-9);
      EXPECT_NEAR(RootIntegral({&inverse, 1}, 1.2)(t), simpson(chart, -0.5, t), 1e-8);
    }
  }
}

// Values down to 1e-12 just before the end.
TEST(RootIntegral, nearly_zero_is_no_worse_than_zero) {
  for (const double last : {1e-3, 1e-6, 1e-9, 1e-12}) {
    const double slope = 1 - last;
    const double exact = 2 * (1 - std::sqrt(last)) / slope;
    EXPECT_NEAR(of(line(1, last), true)(1), exact, 1e-11) << last;
    EXPECT_NEAR(of(line(last, 1), true)(1), exact, 1e-11) << last;
  }
}

// sqrt((1 - t) / (1 - t)) and sqrt(t (1 - t)).
TEST(RootIntegral, multiplies_two_charts) {
  const RootFactor down{line(1, 0), 0, 1, false}, up{line(0, 1), 0, 1, false},
      over{line(1, 0), 0, 1, true};
  const std::array same{down, over}, both{down, up};
  EXPECT_NEAR(RootIntegral(same, 1)(0.6), 0.6, 1e-12);
  EXPECT_NEAR(RootIntegral(both, 1)(1), std::acos(-1.0) / 8, 1e-11);
  // One that is over before the other, and one that has begun before 0.
  const std::array shifted{RootFactor{line(1, 0.25), -1, 1, false},
                           RootFactor{line(1, 0.25), 0, 0.5, false}};
  const RootIntegral integral(shifted, 2);
  const double tail = integral(2) - integral(1.5);
  EXPECT_NEAR(tail, 0.5 * 0.5 * 0.5, 1e-12);
}

TEST(RootIntegral, grows_from_moment_to_moment) {
  const Chart chart = make_named_curve(NamedCurve::energy_damping_exponential, {});
  for (const bool inverse : {false, true}) {
    const RootIntegral integral = of(chart, inverse, 2);
    double last = 0;
    for (int i = 1; i <= 5000; ++i) {
      const double next = integral(2.0 * i / 5000);
      EXPECT_GT(next, last);
      last = next;
    }
  }
}

}  // namespace
}  // namespace sinew::kernels
