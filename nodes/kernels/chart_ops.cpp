#include "nodes/kernels/chart_ops.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace sinew::kernels {

namespace {

// One period of a shape over u in [0, 1), without the closing point.
std::vector<ChartPoint> wave_points(const WaveOptions& options) {
  const int n = std::max(options.points, 4);
  const double duty = options.duty;
  std::vector<ChartPoint> points;
  switch (options.shape) {
    case WaveShape::sine:
      for (int i = 0; i < n; ++i) {
        const double u = static_cast<double>(i) / n;
        points.push_back({u, std::sin(2 * std::numbers::pi * u)});
      }
      break;
    case WaveShape::triangle:
      points = {{0, 0}, {0.25, 1}, {0.5, 0}, {0.75, -1}};
      break;
    case WaveShape::square:
      points = {{0, 1}, {duty, -1}};
      break;
    case WaveShape::pulse:
      points = {{0, 1}, {duty, 0}};
      break;
    case WaveShape::saw:
      points = {{0, -1}, {1, 1}};
      break;
    case WaveShape::bell: {
      // Half height at a distance of duty / 2 from the middle, before the ends are drawn to 0.
      const auto bell = [&](double u) {
        const double z = (u - 0.5) / (duty / 2);
        return std::exp2(-z * z);
      };
      const double end = bell(0);
      for (int i = 0; i < n; ++i) {
        const double u = static_cast<double>(i) / n;
        points.push_back({u, (bell(u) - end) / (1 - end)});
      }
      break;
    }
  }
  return points;
}

bool same_period(const Chart& a, const Chart& b) {
  const double p = a.cycle(), q = b.cycle();
  return p > 0 && q > 0 && std::abs(p - q) <= 1e-9 * p;
}

double apply(ChartOp op, double a, double b, double factor) {
  switch (op) {
    case ChartOp::add:
      return a + b;
    case ChartOp::subtract:
      return a - b;
    case ChartOp::multiply:
      return a * b;
    case ChartOp::minimum:
      return std::min(a, b);
    case ChartOp::maximum:
      return std::max(a, b);
    case ChartOp::mix:
      return a + (b - a) * factor;
  }
  return a;
}

// Sorted, with values closer than `gap` taken as one.
void sort_unique(std::vector<double>& xs, double gap) {
  std::sort(xs.begin(), xs.end());
  xs.erase(std::unique(xs.begin(), xs.end(), [gap](double l, double r) { return r - l <= gap; }),
           xs.end());
}

// x of all points of both charts, in one cycle from a's first point on if they are cyclic.
std::vector<double> union_of_points(const Chart& a, const Chart& b, bool cyclic) {
  std::vector<double> xs;
  const double start = a.first_x(), period = a.cycle();
  for (const Chart* chart : {&a, &b}) {
    for (const ChartPoint& p : chart->points) {
      double x = p.x;
      if (cyclic) {
        x -= std::floor((x - start) / period) * period;
        if (x >= start + period * (1 - 1e-12)) x = start;
      }
      xs.push_back(x);
    }
  }
  const double span = *std::max_element(xs.begin(), xs.end()) - start;
  sort_unique(xs, 1e-12 * std::max(std::abs(span), period));
  return xs;
}

void require_points(const Chart& chart) {
  if (const auto problem = validate(chart)) throw std::invalid_argument(*problem);
}

}  // namespace

Chart make_wave(const WaveOptions& options) {
  if (!(options.period > 0) || !std::isfinite(options.period)) {
    throw std::invalid_argument(
        fmt::format("the period must be positive, but is {}", options.period));
  }
  if (!(options.duty > 0 && options.duty < 1)) {
    throw std::invalid_argument(
        fmt::format("duty must be between 0 and 1, but is {}", options.duty));
  }
  const bool steps = options.shape == WaveShape::square || options.shape == WaveShape::pulse;
  const bool corners = options.shape == WaveShape::triangle || options.shape == WaveShape::saw;
  Chart chart;
  chart.interpolation = steps     ? Interpolation::stepped
                        : corners ? Interpolation::linear
                                  : Interpolation::smooth;
  chart.extension = Extension::cyclic;
  const double phase = options.phase - std::floor(options.phase);
  // A saw starts where it jumps, since only the seam of a linear chart can; others start at 0.
  const bool saw = options.shape == WaveShape::saw;
  for (ChartPoint p : wave_points(options)) {
    p.x -= phase;
    if (!saw && p.x < 0) p.x += 1;
    chart.points.push_back({p.x * options.period, options.offset + options.amplitude * p.y});
  }
  std::sort(chart.points.begin(), chart.points.end(),
            [](const ChartPoint& l, const ChartPoint& r) { return l.x < r.x; });
  if (!saw) chart.period = options.period;
  return chart;
}

Chart combine_charts(ChartOp op, const Chart& a, const Chart& b, double factor, int extra) {
  require_points(a);
  require_points(b);
  Chart result = a;
  result.points.clear();
  const bool cyclic = same_period(a, b);
  result.extension = cyclic ? Extension::cyclic : Extension::clamped;
  result.period = cyclic ? a.cycle() : 0;
  const bool stepped = a.interpolation == Interpolation::stepped;

  std::vector<double> xs = union_of_points(a, b, cyclic);
  const std::size_t knots = xs.size();
  for (std::size_t i = 0; i + (cyclic ? 0 : 1) < knots && !stepped; ++i) {
    const double left = xs[i], right = i + 1 < knots ? xs[i + 1] : xs[0] + result.period;
    for (int k = 1; k <= extra; ++k) xs.push_back(left + (right - left) * k / (extra + 1));
  }
  const double span = std::max(result.period, *std::max_element(xs.begin(), xs.end()) - xs[0]);
  sort_unique(xs, 1e-12 * span);

  const ChartPieces fa(a), fb(b);
  const auto value = [&](double x) { return apply(op, fa.evaluate(x), fb.evaluate(x), factor); };
  double largest = 0;
  for (const double x : xs) largest = std::max(largest, std::abs(value(x)));
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const double x = xs[i], right = value(x);
    const double left = value(x - 1e-9 * span);
    // A jump becomes a steep piece just before it; at the seam that piece ends the cycle.
    if (!stepped && std::abs(left - right) > 1e-6 * largest && (cyclic || i > 0)) {
      const double before = x - 1e-6 * span;
      if (i > 0)
        result.points.push_back({before, left});
      else
        result.points.push_back({before + result.period, left});
    }
    result.points.push_back({x, right});
  }
  std::sort(result.points.begin(), result.points.end(),
            [](const ChartPoint& l, const ChartPoint& r) { return l.x < r.x; });
  return result;
}

Chart scale_y(const Chart& chart, double scale, double offset) {
  Chart result = chart;
  for (ChartPoint& p : result.points) p.y = scale * p.y + offset;
  return result;
}

Chart scale_x(const Chart& chart, double scale, double shift) {
  if (scale == 0 || !std::isfinite(scale)) {
    throw std::invalid_argument("the scale of x must be finite and not 0");
  }
  Chart result = chart;
  for (ChartPoint& p : result.points) p.x = scale * p.x + shift;
  if (scale < 0) std::reverse(result.points.begin(), result.points.end());
  result.period *= std::abs(scale);
  return result;
}

Chart reciprocal(const Chart& chart) {
  Chart result = chart;
  for (std::size_t i = 0; i < result.points.size(); ++i) {
    if (result.points[i].y == 0) {
      throw std::invalid_argument(
          fmt::format("point {} of the chart is 0 and has no reciprocal", i));
    }
    result.points[i].y = 1 / result.points[i].y;
  }
  return result;
}

Chart flip_y(const Chart& chart) {
  if (chart.points.empty()) return chart;
  const auto [low, high] =
      std::minmax_element(chart.points.begin(), chart.points.end(),
                          [](const ChartPoint& l, const ChartPoint& r) { return l.y < r.y; });
  return scale_y(chart, -1, low->y + high->y);
}

Chart inverse(const Chart& chart) {
  require_points(chart);
  Chart result = chart;
  for (ChartPoint& p : result.points) std::swap(p.x, p.y);
  if (result.points.front().x > result.points.back().x) {
    std::reverse(result.points.begin(), result.points.end());
  }
  for (std::size_t i = 1; i < result.points.size(); ++i) {
    if (!(result.points[i].x > result.points[i - 1].x)) {
      throw std::invalid_argument("the chart neither rises nor falls throughout: no inverse");
    }
  }
  result.extension = Extension::clamped;
  result.period = 0;
  std::swap(result.x_unit, result.y_unit);
  return result;
}

}  // namespace sinew::kernels
