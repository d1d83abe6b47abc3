// Charts of every kind: each interpolation on each value axis, clamped and cyclic, there and back.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "nodes/geometry/chart.h"

namespace sinew {
namespace {

struct Kind {
  Interpolation interpolation;
  ValueAxis axis;
  Extension extension;
  bool gap;  // the period is longer than the points
};

std::string text_of(const Kind& k) {
  return std::string(k.interpolation == Interpolation::linear   ? "linear"
                     : k.interpolation == Interpolation::smooth ? "smooth"
                                                                : "stepped") +
         (k.axis == ValueAxis::ratio ? " ratio" : "") +
         (k.extension == Extension::cyclic ? " cyclic" : "") + (k.gap ? " gap" : "");
}

std::vector<Kind> all_kinds() {
  std::vector<Kind> list;
  for (auto i : {Interpolation::linear, Interpolation::smooth, Interpolation::stepped}) {
    for (auto axis : {ValueAxis::linear, ValueAxis::ratio}) {
      list.push_back({i, axis, Extension::clamped, false});
      list.push_back({i, axis, Extension::cyclic, false});
      list.push_back({i, axis, Extension::cyclic, true});
    }
  }
  return list;
}

// With a way back over the same range.
Chart random_chart(std::mt19937& random, const Kind& kind, int count) {
  std::uniform_real_distribution<double> gap(0.05, 2), value(-3, 3);
  const auto y = [&] {
    const double v = value(random);
    return kind.axis == ValueAxis::ratio ? std::exp(v) : v;
  };
  Chart chart;
  chart.interpolation = kind.interpolation;
  chart.axis = kind.axis;
  chart.extension = kind.extension;
  double x = value(random);
  for (int i = 0; i < count; ++i, x += gap(random)) chart.points.push_back({x, y()});
  for (int i = 0; i <= count; ++i) {
    const double share = i == count ? 1 : static_cast<double>(i) / count;
    chart.back.push_back({chart.first_x() + share * (chart.last_x() - chart.first_x()), y()});
  }
  chart.back.back().x = chart.last_x();
  if (kind.gap) chart.period = chart.last_x() - chart.first_x() + 0.7;
  EXPECT_EQ(validate(chart), std::nullopt);
  return chart;
}

// All places between a and b where the chart may have a kink or a jump, and a and b.
std::vector<double> breaks(const Chart& chart, double a, double b) {
  std::vector<double> xs = {a, b};
  const double cycle = chart.cycle();
  const int reach = cycle > 0 ? static_cast<int>(std::abs(b - a) / cycle) + 12 : 0;
  for (int k = -reach; k <= reach; ++k) {
    for (const ChartPoint& p : chart.points) {
      const double x = p.x + k * cycle;
      if (x > a && x < b) xs.push_back(x);
    }
  }
  std::sort(xs.begin(), xs.end());
  // The last point of one cycle is the first of the next, but for rounding.
  const auto close = [](double l, double r) { return r - l < 1e-9; };
  xs.erase(std::unique(xs.begin(), xs.end(), close), xs.end());
  return xs;
}

// Three-point Gauss-Legendre on many parts between the kinks: independent of how charts integrate,
// and never at a jump.
double quadrature(const Chart& chart, double a, double b) {
  const ChartPieces pieces(chart);
  const std::vector<double> xs = breaks(chart, a, b);
  long double sum = 0;
  for (std::size_t i = 0; i + 1 < xs.size(); ++i) {
    const int parts = 200;
    const double h = (xs[i + 1] - xs[i]) / parts;
    for (int k = 0; k < parts; ++k) {
      const double middle = xs[i] + (k + 0.5) * h, offset = 0.5 * h * std::sqrt(0.6);
      sum += h / 18 *
             (5 * pieces.evaluate(middle - offset) + 8 * pieces.evaluate(middle) +
              5 * pieces.evaluate(middle + offset));
    }
  }
  return static_cast<double>(sum);
}

TEST(ChartKinds, many_logarithms_are_those_of_one_by_one) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1, 3);
  for (const auto interpolation :
       {Interpolation::linear, Interpolation::smooth, Interpolation::stepped}) {
    for (const auto extension : {Extension::clamped, Extension::cyclic}) {
      // Evenly spread, late in its cycle, and with points so close that a bucket holds several.
      for (const std::vector<double>& xs : {std::vector<double>{0, 0.2, 0.5, 1},
                                            {0.3, 0.6, 0.9},
                                            {0, 1e-9, 2e-9, 3e-9, 0.7, 1},
                                            {0.4}}) {
        Chart chart{
            .interpolation = interpolation, .extension = extension, .axis = ValueAxis::ratio};
        for (std::size_t i = 0; i < xs.size(); ++i) {
          chart.points.push_back({xs[i], 0.5 + 0.3 * static_cast<double>(i % 3)});
        }
        if (extension == Extension::cyclic) chart.period = 1;
        const ChartPieces pieces(chart);
        std::vector<double> x = {0, 0.3, 1, 1e300, std::nan("")};
        for (int i = 0; i < 500; ++i) x.push_back(uniform(random));
        std::vector<float> logs(x.size());
        pieces.logarithm_many(x, logs);
        for (std::size_t i = 0; i < x.size(); ++i) {
          EXPECT_NEAR(logs[i], pieces.logarithm(x[i]), 1e-7) << x[i];
        }
      }
    }
  }
}

TEST(ChartKinds, integral_agrees_with_quadrature) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> limit(-9, 9);
  for (const Kind& kind : all_kinds()) {
    SCOPED_TRACE(text_of(kind));
    for (int run = 0; run < 6; ++run) {
      const Chart loop = random_chart(random, kind, 2 + run);
      for (const Chart& chart : {loop, loop.way_back()}) {
        double a = limit(random), b = limit(random);
        if (a > b) std::swap(a, b);
        const double expected = quadrature(chart, a, b);
        EXPECT_NEAR(chart.integral(a, b), expected, 2e-12 * (b - a) * 20);
        EXPECT_EQ(chart.integral(b, a), -chart.integral(a, b));
        const double c = limit(random);
        EXPECT_NEAR(chart.integral(a, c) + chart.integral(c, b), chart.integral(a, b), 1e-10);
      }
    }
  }
}

TEST(ChartKinds, a_short_integral_has_as_many_digits_as_a_long_one) {
  std::mt19937 random(12);
  for (const Kind& kind : all_kinds()) {
    SCOPED_TRACE(text_of(kind));
    const Chart chart = random_chart(random, kind, 5);
    const ChartPieces pieces(chart);
    const double a = chart.points[3].x + 0.01, b = a + 1e-9;
    // Bringing x into the first cycle rounds it.
    const double digits = kind.extension == Extension::cyclic ? 1e-6 : 1e-9;
    EXPECT_NEAR(pieces.integral(a, b) / (b - a), pieces.evaluate(0.5 * (a + b)),
                digits * std::abs(pieces.evaluate(a)));
  }
}

TEST(ChartKinds, tangent_agrees_with_differences) {
  std::mt19937 random(13);
  std::uniform_real_distribution<double> share(0.01, 0.99);
  for (const Kind& kind : all_kinds()) {
    SCOPED_TRACE(text_of(kind));
    for (int run = 0; run < 10; ++run) {
      const Chart loop = random_chart(random, kind, 2 + run);
      for (const Chart& chart : {loop, loop.way_back()}) {
        const ChartPieces pieces(chart);
        const std::vector<double> xs = breaks(chart, chart.first_x() - 7, chart.last_x() + 7);
        for (std::size_t i = 0; i + 1 < xs.size(); ++i) {
          const double width = xs[i + 1] - xs[i], x = xs[i] + share(random) * width;
          const double h = 1e-5 * width;
          const double difference = (pieces.evaluate(x + h) - pieces.evaluate(x - h)) / (2 * h);
          const double size = std::abs(pieces.evaluate(x)) + 3;
          EXPECT_NEAR(pieces.tangent(x), difference, 1e-6 * size / std::min(width, 1.0)) << x;
        }
      }
    }
  }
}

// What is interpolated on a ratio axis is the logarithm.
TEST(ChartKinds, ratios_are_linear_charts_of_logarithms) {
  std::mt19937 random(14);
  for (const Kind& kind : all_kinds()) {
    if (kind.axis != ValueAxis::ratio) continue;
    SCOPED_TRACE(text_of(kind));
    const Chart ratios = random_chart(random, kind, 7);
    Chart logs = ratios;
    logs.axis = ValueAxis::linear;
    for (ChartPoint& p : logs.points) p.y = std::log(p.y);
    const ChartPieces a(ratios), b(logs);
    for (double x = -15; x < 25; x += 0.0317) {
      EXPECT_NEAR(std::log(a.evaluate(x)), b.evaluate(x), 1e-12);
      EXPECT_NEAR(a.logarithm(x), b.evaluate(x), 1e-12);
      EXPECT_NEAR(a.tangent(x), a.evaluate(x) * b.tangent(x), 1e-10 * (1 + std::abs(a.tangent(x))));
    }
  }
  const Chart half{{{0, 1}, {2, 4}}, Interpolation::linear, Extension::clamped, 0, "", "",
                   ValueAxis::ratio};
  EXPECT_DOUBLE_EQ(half.evaluate(1), 2);
  EXPECT_DOUBLE_EQ(half.integral(0, 2), 3 / std::log(2.0));
}

// From nearly nothing to nearly everything in one piece: the integral still has its digits.
TEST(ChartKinds, integrals_of_enormous_ratios) {
  for (const double high : {1.5, 1e3, 1e30, 1e150, 1e290}) {
    Chart chart{{{0, 1 / high}, {1, high}},
                Interpolation::linear,
                Extension::clamped,
                0,
                "",
                "",
                ValueAxis::ratio};
    const double exact = (high - 1 / high) / (2 * std::log(high));
    EXPECT_NEAR(chart.integral(0, 1), exact, 1e-12 * exact) << high;
    // Three points on a line: the smooth curve is that line, too, but goes through the quadrature.
    chart.points = {{0, 1 / high}, {0.5, 1}, {1, high}};
    chart.interpolation = Interpolation::smooth;
    EXPECT_NEAR(chart.integral(0, 1), exact, 1e-12 * exact) << high;
    // A curve with a bend, against the same integral in 4000 parts.
    chart.points = {{0, 1 / high}, {0.7, std::sqrt(high)}, {1, high}};
    const ChartPieces pieces(chart);
    double sum = 0;
    for (int i = 0; i < 4000; ++i) sum += pieces.integral(i / 4000.0, (i + 1) / 4000.0);
    EXPECT_NEAR(pieces.integral(0, 1), sum, 1e-11 * sum) << high;
  }
}

TEST(ChartKinds, cyclic_charts_close_at_the_seam) {
  std::mt19937 random(15);
  for (const Kind& kind : all_kinds()) {
    if (kind.extension != Extension::cyclic) continue;
    SCOPED_TRACE(text_of(kind));
    for (int run = 0; run < 20; ++run) {
      const Chart loop = random_chart(random, kind, 2 + run % 7);
      for (const Chart& chart : {loop, loop.way_back()}) {
        const double seam = chart.first_x() + chart.cycle(), h = 1e-9;
        // Just after it: the seam itself is rounded.
        EXPECT_NEAR(chart.evaluate(seam + 1e-14), chart.points.front().y, 1e-9);
        const bool smooth = kind.interpolation == Interpolation::smooth;
        if (smooth || (kind.gap && kind.interpolation == Interpolation::linear)) {
          EXPECT_NEAR(chart.evaluate(seam - h), chart.evaluate(seam + h), 1e-5);
        }
        if (smooth) {
          EXPECT_NEAR(chart.tangent(seam - h), chart.tangent(seam + h), 1e-4);
        }
        const double one = chart.integral(chart.first_x(), seam);
        EXPECT_NEAR(chart.integral(seam + 0.3, seam + 0.3 + 5 * chart.cycle()), 5 * one,
                    1e-9 * (1 + std::abs(5 * one)));
        for (const double x : {0.1, 0.3, 1.7}) {
          EXPECT_NEAR(chart.evaluate(chart.first_x() + x - 7 * chart.cycle()),
                      chart.evaluate(chart.first_x() + x), 1e-7);
        }
      }
    }
  }
}

TEST(ChartKinds, monotone_data_stay_monotone_and_nothing_overshoots) {
  std::mt19937 random(16);
  std::uniform_real_distribution<double> rise(-1, 2), log_gap(-12, 3);
  for (const ValueAxis axis : {ValueAxis::linear, ValueAxis::ratio}) {
    for (const Interpolation interpolation :
         {Interpolation::linear, Interpolation::smooth, Interpolation::stepped}) {
      for (int run = 0; run < 150; ++run) {
        const double sign = run % 2 ? 1 : -1;
        Chart chart;
        chart.interpolation = interpolation;
        chart.axis = axis;
        double x = 0, level = -sign * 3;
        for (int i = 0; i < 2 + run % 9; ++i) {
          chart.points.push_back({x, axis == ValueAxis::ratio ? std::exp(level) : level});
          x += std::exp(log_gap(random));  // neighbours of very different widths
          level += sign * std::max(0.0, rise(random));
        }
        const ChartPieces pieces(chart);
        double last = chart.points.front().y;
        for (std::size_t i = 0; i + 1 < chart.points.size(); ++i) {
          const ChartPoint &a = chart.points[i], &b = chart.points[i + 1];
          const double slack = 1e-14 * (std::abs(a.y) + std::abs(b.y));
          for (int k = 0; k <= 40; ++k) {
            const double at = k < 40 ? a.x + (b.x - a.x) * k / 40 : b.x;
            const double y = pieces.evaluate(at);
            EXPECT_GE(sign * (y - last), -slack);
            EXPECT_GE(sign * pieces.tangent(at), -1e-9 * (1 + std::abs(pieces.tangent(at))));
            EXPECT_GE(y, std::min(a.y, b.y) - slack);
            EXPECT_LE(y, std::max(a.y, b.y) + slack);
            last = y;
          }
        }
      }
    }
  }
}

TEST(ChartKinds, bounds_hold_everywhere) {
  std::mt19937 random(17);
  for (const Kind& kind : all_kinds()) {
    SCOPED_TRACE(text_of(kind));
    Chart chart = random_chart(random, kind, 8);
    chart.bounds = {0.5, 1.5};
    ASSERT_EQ(validate(chart), std::nullopt);
    const ChartPieces pieces(chart), back(chart.way_back());
    for (double x = -15; x < 25; x += 0.03) {
      for (const ChartPieces* p : {&pieces, &back}) {
        EXPECT_GE(p->evaluate(x), 0.5 - 1e-12);
        EXPECT_LE(p->evaluate(x), 1.5 + 1e-12);
      }
    }
    EXPECT_NEAR(chart.integral(-3, 4), quadrature(chart, -3, 4), 1e-10);
  }
}

TEST(ChartKinds, loops_enclose_the_area_between_both_ways) {
  std::mt19937 random(18);
  for (const Kind& kind : all_kinds()) {
    SCOPED_TRACE(text_of(kind));
    const Chart loop = random_chart(random, kind, 6);
    EXPECT_TRUE(loop.has_loop());
    EXPECT_FALSE(loop.way_back().has_loop());
    Chart there = loop, back = loop.way_back();
    there.extension = back.extension = Extension::clamped;
    const double a = loop.first_x(), b = loop.last_x();
    EXPECT_NEAR(loop.loop_area(), quadrature(there, a, b) - quadrature(back, a, b), 1e-9);
    if (kind.extension == Extension::clamped) {
      for (const ChartPoint& p : loop.back) {
        EXPECT_NEAR(loop.way_back().evaluate(p.x), p.y, 1e-13 * std::abs(p.y));
      }
    }
  }
  Chart square{{{0, 1}, {2, 1}}, Interpolation::linear};
  EXPECT_EQ(square.loop_area(), 0);
  EXPECT_EQ(square.way_back(), square);
  square.back = {{0, 0}, {2, 0}};
  EXPECT_DOUBLE_EQ(square.loop_area(), 2);
}

TEST(ChartKinds, many_at_once_are_the_same_bits) {
  std::mt19937 random(19);
  std::uniform_real_distribution<double> anywhere(-20, 20);
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double inf = std::numeric_limits<double>::infinity();
  for (const Kind& kind : all_kinds()) {
    SCOPED_TRACE(text_of(kind));
    const ChartPieces pieces(random_chart(random, kind, 9));
    std::vector<double> x = {nan, inf, -inf, 1e300, -1e300, 0};
    for (int i = 0; i < 500; ++i) x.push_back(i < 250 ? anywhere(random) : -20 + 0.16 * (i - 250));
    std::vector<double> y(x.size());
    pieces.evaluate_many(x, y);
    std::vector<float> shift(x.begin(), x.end()), shifted(x.size()), floats(x.size());
    pieces.evaluate_shifted(2.5, shift, shifted);
    pieces.evaluate_many(shift, floats);
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_EQ(y[i], pieces.evaluate(x[i])) << x[i];
      EXPECT_EQ(shifted[i], static_cast<float>(pieces.evaluate(2.5 - double{shift[i]})));
      EXPECT_EQ(floats[i], static_cast<float>(pieces.evaluate(double{shift[i]})));
    }
    pieces.evaluate_many(x, x);  // in place
    EXPECT_EQ(x, y);
  }
}

TEST(ChartKinds, marks_are_kept_by_name) {
  Chart chart = Chart::constant(1);
  EXPECT_EQ(chart.mark("elastic"), std::nullopt);
  chart.set_mark("fracture", 10);
  chart.set_mark("elastic", 1);
  chart.set_mark("middle", 4);
  chart.set_mark("elastic", 2);
  EXPECT_EQ(chart.mark(elastic_mark), 2);
  EXPECT_EQ(chart.mark("fracture"), 10);
  EXPECT_EQ(chart.mark("mid"), std::nullopt);
  EXPECT_EQ(chart.marks.size(), 3u);
  EXPECT_EQ(validate(chart), std::nullopt);
  Chart other = Chart::constant(1);
  for (const char* name : {"middle", "fracture", "elastic"}) other.set_mark(name, 0);
  other.set_mark("elastic", 2);
  other.set_mark("fracture", 10);
  other.set_mark("middle", 4);
  EXPECT_EQ(chart, other);
}

// --- what nobody would draw

std::vector<double> odd_places() {
  return {0,      -0.0,  1,       5e-324,   -5e-324, 1e-310, 0.5,  1e-300, 1e9,
          -1e300, 1e300, 1.5e308, -1.5e308, 3.25,    -7,     1e16, 2e-308};
}

void expect_finite_everywhere(const Chart& chart) {
  ASSERT_EQ(validate(chart), std::nullopt);
  const ChartPieces pieces(chart);
  for (const double x : odd_places()) {
    EXPECT_TRUE(std::isfinite(pieces.evaluate(x))) << x;
    EXPECT_TRUE(std::isfinite(pieces.tangent(x))) << x;
    for (const double b : odd_places()) {
      EXPECT_TRUE(std::isfinite(pieces.integral(x, b))) << x << " to " << b;
    }
  }
}

TEST(HostileCharts, have_finite_answers_everywhere) {
  const std::vector<std::vector<ChartPoint>> drawings = {
      {{0, 1}},
      {{1e300, 1e300}},
      {{0, 1e300}, {5e-324, 1e-300}},
      {{-1e300, 1e-300}, {1e300, 1e300}},
      {{0, 1e-300}, {1e-320, 1e300}, {1, 1e-300}, {1e300, 1e300}},
      {{1, 1}, {std::nextafter(1, 2), 2}, {2, 1e300}},
      {{1e16, 3}, {1e16 + 2, 1}, {1e16 + 4, 7}},
      {{0, 1e300}, {1, 1e300}, {2, 1e-300}, {3, 1e-300}},
  };
  for (const Kind& kind : all_kinds()) {
    SCOPED_TRACE(text_of(kind));
    for (const auto& points : drawings) {
      Chart chart;
      chart.points = points;
      chart.interpolation = kind.interpolation;
      chart.axis = kind.axis;
      chart.extension = kind.extension;
      if (kind.gap) chart.period = std::min(1e300, 1.5 * (chart.last_x() - chart.first_x()));
      if (validate(chart)) chart.period = 0;
      expect_finite_everywhere(chart);
      if (kind.axis == ValueAxis::ratio) continue;
      for (std::size_t i = 0; i < chart.points.size(); i += 2) chart.points[i].y *= -1;
      expect_finite_everywhere(chart);
    }
  }
}

TEST(HostileCharts, many_points_stay_quick_and_exact) {
  Chart chart;
  for (int i = 0; i <= 200000; ++i) chart.points.push_back({i * 1e-3, std::sin(i * 1e-3)});
  const ChartPieces pieces(chart);
  for (double x = 0.05; x < 200; x += 0.37) EXPECT_NEAR(pieces.evaluate(x), std::sin(x), 1e-6);
  EXPECT_NEAR(pieces.integral(0.1, 187.3), std::cos(0.1) - std::cos(187.3), 1e-5);
}

TEST(HostileCharts, are_refused_with_the_place) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double inf = std::numeric_limits<double>::infinity();
  const auto expect = [](const std::function<void(Chart&)>& spoil, const std::string& words) {
    Chart chart{{{0, 1}, {1, 2}, {2, 3}}};
    ASSERT_EQ(validate(chart), std::nullopt);
    spoil(chart);
    const std::optional<std::string> wrong = validate(chart);
    ASSERT_TRUE(wrong) << words;
    EXPECT_NE(wrong->find(words), std::string::npos) << *wrong;
  };
  expect([](Chart& c) { c.points.clear(); }, "at least one point");
  expect([](Chart& c) { c.points[1].x = nan; }, "point 1 of the chart is not finite");
  expect([](Chart& c) { c.points[2].y = inf; }, "point 2 of the chart is not finite");
  expect([](Chart& c) { c.points[2].y = -2e300; }, "point 2 of the chart is beyond 1e+300");
  expect([](Chart& c) { c.points[2].x = 1; }, "point 2");
  expect([](Chart& c) { c.axis = ValueAxis::ratio, c.points[1].y = 0; },
         "a ratio must be above 0, but point 1 of the chart is 0");
  expect([](Chart& c) { c.axis = ValueAxis::ratio, c.points[2].y = -1; }, "point 2");
  expect([](Chart& c) { c.axis = ValueAxis::ratio, c.points[2].y = 5e-324; }, "point 2");
  expect([](Chart& c) { c.extension = Extension::cyclic, c.period = 1.9; }, "shorter");
  expect([](Chart& c) { c.period = -1; }, "period");
  expect([](Chart& c) { c.period = nan; }, "period");
  expect([](Chart& c) { c.back = {{0, 1}}; }, "at least two points");
  expect([](Chart& c) { c.back = {{0, 1}, {3, 1}}; }, "from 0 to 2");
  expect([](Chart& c) { c.back = {{0, 1}, {1, nan}, {2, 1}}; }, "point 1 of the way back");
  expect(
      [](Chart& c) {
        c.axis = ValueAxis::ratio, c.back = {{0, 1}, {2, -1}};
      },
      "point 1 of the way back is -1");
  expect([](Chart& c) { c.set_mark("", 1); }, "name");
  expect([](Chart& c) { c.set_mark(std::string(101, 'a'), 1); }, "name");
  expect([](Chart& c) { c.set_mark("here", nan); }, "'here'");
  expect([](Chart& c) { c.marks = {{"b", 1}, {"a", 1}}; }, "'a'");
  expect([](Chart& c) { c.bounds = {2, 1}; }, "bounds");
  expect([](Chart& c) { c.bounds = {nan, 1}; }, "bounds");
  expect([](Chart& c) { c.axis = ValueAxis::ratio, c.bounds = {0, 1}; }, "lower bound is 0");
}

}  // namespace
}  // namespace sinew
