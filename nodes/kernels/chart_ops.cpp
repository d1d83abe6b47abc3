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

double apply(ChartOp op, double a, double b, double factor, bool ratios) {
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
      return ratios ? a * std::pow(b / a, factor) : a + (b - a) * factor;
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

// Calls change(y) for each value of both ways.
template <class Change>
void for_each_y(Chart& chart, const Change& change) {
  for (ChartPoint& p : chart.points) change(p.y);
  for (ChartPoint& p : chart.back) change(p.y);
}

// Calls change(slope, y) for each drawn slope, with the value at its point.
template <class Change>
void for_each_slope(Chart& chart, const Change& change) {
  for (std::size_t i = 0; i < chart.tangents.size(); ++i) {
    for (std::optional<double>* slope : {&chart.tangents[i].in, &chart.tangents[i].out}) {
      if (!*slope) continue;
      change(**slope, chart.points[i].y);
      **slope = std::clamp(**slope, -1e300, 1e300);
    }
  }
}

void leave_ratios_if_needed(Chart& chart) {
  for_each_y(chart, [&](double y) {
    if (!(y > 0)) chart.axis = ValueAxis::linear;
  });
}

// Bounds that are lost when both ends meet.
void set_bounds(Chart& chart, double a, double b) {
  chart.bounds.reset();
  if (a != b) chart.bounds = ChartBounds{std::min(a, b), std::max(a, b)};
}

// The points of the chart and `extra` more in each interval, to the end of the cycle.
std::vector<double> refined(const Chart& chart, int extra) {
  std::vector<double> knots;
  for (const ChartPoint& p : chart.points) knots.push_back(p.x);
  const double seam = chart.first_x() + chart.cycle();
  if (seam > knots.back()) knots.push_back(seam);
  std::vector<double> xs;
  for (std::size_t i = 0; i + 1 < knots.size(); ++i) {
    for (int k = 0; k <= extra; ++k) {
      const double x = knots[i] + (knots[i + 1] - knots[i]) * k / (extra + 1);
      if (xs.empty() || x > xs.back()) xs.push_back(x);
    }
  }
  if (xs.empty() || knots.back() > xs.back()) xs.push_back(knots.back());
  return xs;
}

// The form that a chart derived from another starts with.
Chart derived_from(const Chart& chart) {
  Chart result = chart;
  result.points.clear();
  result.tangents.clear();
  result.back.clear();
  result.bounds.reset();
  result.axis = ValueAxis::linear;
  return result;
}

Chart combine_one_way(ChartOp op, const Chart& a, const Chart& b, double factor, int extra);

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
  Chart result = combine_one_way(op, a, b, factor, extra);
  if ((a.has_loop() || b.has_loop()) && result.extension == Extension::clamped) {
    result.back = combine_one_way(op, a.way_back(), b.way_back(), factor, extra).points;
  }
  leave_ratios_if_needed(result);
  return result;
}

namespace {

Chart combine_one_way(ChartOp op, const Chart& a, const Chart& b, double factor, int extra) {
  Chart result = a;
  result.points.clear();
  result.tangents.clear();
  result.back.clear();
  result.bounds.reset();
  const bool ratios = a.axis == ValueAxis::ratio && b.axis == ValueAxis::ratio;
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
  const auto value = [&](double x) {
    return apply(op, fa.evaluate(x), fb.evaluate(x), factor, ratios);
  };
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

}  // namespace

Chart scale_y(const Chart& chart, double scale, double offset) {
  Chart result = chart;
  // As slopes of y; what becomes of a slope of log y is known when the axis is.
  const bool ratios = chart.axis == ValueAxis::ratio;
  for_each_slope(result, [=](double& slope, double y) { slope *= ratios ? scale * y : scale; });
  for_each_y(result, [=](double& y) { y = scale * y + offset; });
  if (chart.bounds) {
    set_bounds(result, scale * chart.bounds->low + offset, scale * chart.bounds->high + offset);
  }
  leave_ratios_if_needed(result);
  if (result.axis == ValueAxis::ratio && result.bounds && !(result.bounds->low > 0)) {
    result.axis = ValueAxis::linear;
  }
  if (result.axis == ValueAxis::ratio) {
    for_each_slope(result, [](double& slope, double y) { slope /= y; });
  }
  return result;
}

namespace {

// x -> move(x), where move is linear with this slope; a length of x becomes length(x).
template <class Move, class Length>
Chart moved_x(const Chart& chart, double scale, const Move& move, const Length& length) {
  Chart result = chart;
  for (std::vector<ChartPoint>* way : {&result.points, &result.back}) {
    for (ChartPoint& p : *way) p.x = move(p.x);
    if (scale < 0) std::reverse(way->begin(), way->end());
  }
  for_each_slope(result, [=](double& slope, double) { slope /= scale; });
  if (scale < 0) {
    std::reverse(result.tangents.begin(), result.tangents.end());
    for (ChartTangent& t : result.tangents) std::swap(t.in, t.out);
  }
  for (ChartMark& mark : result.marks) mark.x = move(mark.x);
  result.period = length(result.period);
  // Rounding must not make the period shorter than the points.
  if (result.extension == Extension::cyclic && result.period > 0) {
    result.period = std::max(result.period, result.last_x() - result.first_x());
  }
  return result;
}

}  // namespace

Chart scale_x(const Chart& chart, double scale, double shift) {
  if (scale == 0 || !std::isfinite(scale)) {
    throw std::invalid_argument("the scale of x must be finite and not 0");
  }
  return moved_x(
      chart, scale, [=](double x) { return scale * x + shift; },
      [=](double x) { return x * std::abs(scale); });
}

Chart divide_x(const Chart& chart, double by) {
  if (!(by > 0) || !std::isfinite(by)) {
    throw std::invalid_argument("x must be divided by a number above 0");
  }
  const auto divided = [=](double x) { return x / by; };
  return moved_x(chart, 1 / by, divided, divided);
}

Chart mirror_x(const Chart& chart) {
  Chart result = scale_x(chart, -1, chart.first_x() + chart.last_x());
  if (result.points.empty()) return result;
  // Exactly the same range, on both ways.
  result.points.front().x = chart.first_x();
  result.points.back().x = chart.last_x();
  if (result.has_loop()) {
    result.back.front().x = chart.first_x();
    result.back.back().x = chart.last_x();
  }
  return result;
}

Chart reciprocal(const Chart& chart) {
  Chart result = chart;
  for (const std::vector<ChartPoint>* way : {&chart.points, &chart.back}) {
    for (std::size_t i = 0; i < way->size(); ++i) {
      if ((*way)[i].y == 0) {
        throw std::invalid_argument(
            fmt::format("point {} of the chart is 0 and has no reciprocal", i));
      }
    }
  }
  const bool ratios = chart.axis == ValueAxis::ratio;
  for_each_slope(result,
                 [=](double& slope, double y) { slope = ratios ? -slope : -slope / y / y; });
  for_each_y(result, [](double& y) { y = 1 / y; });
  result.bounds.reset();
  if (chart.bounds && chart.bounds->low > 0) {
    set_bounds(result, 1 / chart.bounds->high, 1 / chart.bounds->low);
  }
  return result;
}

Chart flip_y(const Chart& chart) {
  if (chart.points.empty()) return chart;
  const auto [low, high] =
      std::minmax_element(chart.points.begin(), chart.points.end(),
                          [](const ChartPoint& l, const ChartPoint& r) { return l.y < r.y; });
  if (chart.axis == ValueAxis::linear) return scale_y(chart, -1, low->y + high->y);
  Chart result = reciprocal(chart);
  for_each_y(result, [product = low->y * high->y](double& y) { y *= product; });
  result.bounds.reset();
  return result;
}

Chart as_ratio(const Chart& chart) {
  Chart result = chart;
  result.axis = ValueAxis::ratio;
  require_points(result);
  if (chart.axis == ValueAxis::linear) {
    for_each_slope(result, [](double& slope, double y) { slope /= y; });
  }
  return result;
}

namespace {

// e^y, within what a ratio may be.
double ratio_from_log(double y) { return std::exp(std::clamp(y, -690.0, 690.0)); }

}  // namespace

Chart exponential(const Chart& chart, double base) {
  if (!(base > 0) || !std::isfinite(base)) {
    throw std::invalid_argument(fmt::format("the base must be above 0, but is {}", base));
  }
  if (chart.axis == ValueAxis::ratio) {
    throw std::invalid_argument("the chart has ratios already");
  }
  const double log_base = std::log(base);
  Chart result = chart;
  result.axis = ValueAxis::ratio;
  for_each_slope(result, [=](double& slope, double) { slope *= log_base; });
  for_each_y(result, [=](double& y) { y = ratio_from_log(y * log_base); });
  if (chart.bounds) {
    set_bounds(result, ratio_from_log(chart.bounds->low * log_base),
               ratio_from_log(chart.bounds->high * log_base));
  }
  return result;
}

Chart power(const Chart& chart, double exponent) {
  Chart result = as_ratio(chart);
  const auto raised = [=](double y) {
    // These two are right to the last place.
    if (exponent == -1) return 1 / y;
    if (exponent == -0.5) return 1 / std::sqrt(y);
    return std::clamp(std::pow(y, exponent), 1e-300, 1e300);
  };
  for_each_slope(result, [=](double& slope, double) { slope *= exponent; });
  for_each_y(result, [&](double& y) { y = raised(y); });
  if (chart.bounds) set_bounds(result, raised(chart.bounds->low), raised(chart.bounds->high));
  return result;
}

VolumeCharts volume_preserving(const Chart& primary, VolumeMode mode) {
  const Chart first = as_ratio(primary);
  if (mode == VolumeMode::both) {
    const Chart other = power(first, -0.5);
    return {first, other, other};
  }
  return {first, power(first, -1), power(first, 0)};
}

Chart make_loop(const Chart& there, const Chart& back, bool closed) {
  require_points(there);
  require_points(back);
  if (there.points.size() < 2 || back.points.size() < 2) {
    throw std::invalid_argument("a loop needs at least two points on each way");
  }
  Chart result = there;
  result.back = back.points;
  const double stretch = (there.last_x() - there.first_x()) / (back.last_x() - back.first_x());
  for (ChartPoint& p : result.back) {
    p.x = there.first_x() + (p.x - back.first_x()) * stretch;
  }
  result.back.front().x = there.first_x();
  result.back.back().x = there.last_x();
  if (closed) result.back.back().y = there.points.back().y;
  if (const auto problem = validate(result)) throw std::invalid_argument(*problem);
  return result;
}

Chart slope_chart(const Chart& chart, int extra) {
  require_points(chart);
  Chart result = derived_from(chart);
  const ChartPieces pieces(chart);
  const std::vector<double> knots = refined(chart, 0);
  const bool exact =
      chart.axis == ValueAxis::linear && chart.interpolation != Interpolation::smooth;
  if (exact) {
    result.interpolation = Interpolation::stepped;
    for (const double x : knots) result.points.push_back({x, pieces.tangent(x)});
    // The last point of a clamped chart begins what is constant.
    if (chart.cycle() == 0) result.points.back().y = 0;
  } else {
    const bool jumps = chart.interpolation != Interpolation::smooth;
    const std::vector<double> xs = refined(chart, extra);
    const double width = xs.back() - xs.front();
    for (std::size_t i = 0; i < xs.size(); ++i) {
      const double before = xs[i] - 1e-6 * width;
      if (jumps && i > 0 && before > xs[i - 1]) {
        result.points.push_back({before, pieces.tangent(before)});
      }
      result.points.push_back({xs[i], pieces.tangent(xs[i])});
    }
    if (jumps) result.interpolation = Interpolation::linear;
  }
  if (chart.cycle() > 0) result.period = 0;
  return result;
}

Chart area_chart(const Chart& chart, int extra) {
  require_points(chart);
  Chart result = derived_from(chart);
  const ChartPieces pieces(chart);
  double sum = 0, last = chart.first_x();
  for (const double x : refined(chart, extra)) {
    sum += pieces.integral(last, x);
    last = x;
    result.points.push_back({x, sum});
  }
  result.interpolation = Interpolation::smooth;
  result.extension = Extension::clamped;
  result.period = 0;
  return result;
}

Chart inverse(const Chart& chart) {
  require_points(chart);
  Chart result = chart;
  // A level slope has no inverse, and is automatic there.
  const bool ratios = chart.axis == ValueAxis::ratio;
  for_each_slope(result,
                 [=](double& slope, double y) { slope = 1 / (ratios ? slope * y : slope); });
  for (ChartTangent& t : result.tangents) {
    if (t.in && std::abs(*t.in) >= 1e300) t.in.reset();
    if (t.out && std::abs(*t.out) >= 1e300) t.out.reset();
  }
  for (ChartPoint& p : result.points) std::swap(p.x, p.y);
  if (result.points.front().x > result.points.back().x) {
    std::reverse(result.points.begin(), result.points.end());
    std::reverse(result.tangents.begin(), result.tangents.end());
    for (ChartTangent& t : result.tangents) std::swap(t.in, t.out);
  }
  for (std::size_t i = 1; i < result.points.size(); ++i) {
    if (!(result.points[i].x > result.points[i - 1].x)) {
      throw std::invalid_argument("the chart neither rises nor falls throughout: no inverse");
    }
  }
  result.extension = Extension::clamped;
  result.period = 0;
  result.axis = ValueAxis::linear;
  result.back.clear();
  result.marks.clear();
  result.bounds.reset();
  std::swap(result.x_unit, result.y_unit);
  return result;
}

}  // namespace sinew::kernels
