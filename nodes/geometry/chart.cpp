#include "nodes/geometry/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

struct Slopes {
  std::vector<double> secant;  // of each interval
  std::vector<double> at;      // of each knot
};

double sign(double v) { return v < 0 ? -1.0 : 1.0; }

// The slope at a knot between two intervals [Steffen90]: that of the parabola through the
// three points, limited so that both sides stay monotone.
double limited_slope(double h_left, double s_left, double h_right, double s_right) {
  const double parabola = (s_left * h_right + s_right * h_left) / (h_left + h_right);
  return (sign(s_left) + sign(s_right)) *
         std::min({std::abs(s_left), std::abs(s_right), 0.5 * std::abs(parabola)});
}

// The slope at an end, from the nearest two intervals [Steffen90].
double end_slope(double h, double s, double h_next, double s_next) {
  const double share = h / (h + h_next);
  const double parabola = s * (1 + share) - s_next * share;
  if (parabola * s <= 0) return 0;
  if (std::abs(parabola) > 2 * std::abs(s)) return 2 * s;
  return parabola;
}

Slopes smooth_slopes(const std::vector<ChartPoint>& knots, bool cyclic) {
  const std::size_t intervals = knots.size() - 1;
  Slopes slopes;
  slopes.secant.resize(intervals);
  slopes.at.resize(knots.size());
  const auto width = [&](std::size_t i) { return knots[i + 1].x - knots[i].x; };
  for (std::size_t i = 0; i < intervals; ++i) {
    slopes.secant[i] = (knots[i + 1].y - knots[i].y) / width(i);
  }
  const std::vector<double>& s = slopes.secant;
  for (std::size_t i = 1; i < intervals; ++i) {
    slopes.at[i] = limited_slope(width(i - 1), s[i - 1], width(i), s[i]);
  }
  const std::size_t last = intervals - 1;
  if (cyclic) {
    slopes.at[0] = slopes.at[intervals] = limited_slope(width(last), s[last], width(0), s[0]);
  } else if (intervals == 1) {
    slopes.at[0] = slopes.at[1] = s[0];
  } else {
    slopes.at[0] = end_slope(width(0), s[0], width(1), s[1]);
    slopes.at[intervals] = end_slope(width(last), s[last], width(last - 1), s[last - 1]);
  }
  return slopes;
}

}  // namespace

Chart Chart::constant(double y) {
  Chart chart;
  chart.points = {{0, y}};
  return chart;
}

double Chart::cycle() const {
  if (extension == Extension::clamped || points.size() < 2) return 0;
  return std::max(period, last_x() - first_x());
}

double Chart::evaluate(double x) const { return ChartPieces(*this).evaluate(x); }
double Chart::tangent(double x) const { return ChartPieces(*this).tangent(x); }
double Chart::integral(double a, double b) const { return ChartPieces(*this).integral(a, b); }

std::optional<std::string> validate(const Chart& chart) {
  if (chart.points.empty()) return "a chart needs at least one point";
  for (std::size_t i = 0; i < chart.points.size(); ++i) {
    const ChartPoint& p = chart.points[i];
    if (!std::isfinite(p.x) || !std::isfinite(p.y)) {
      return fmt::format("point {} of the chart is not finite", i);
    }
    if (i > 0 && !(p.x > chart.points[i - 1].x)) {
      return fmt::format("x must increase from point to point, but point {} is at {} after {}", i,
                         p.x, chart.points[i - 1].x);
    }
  }
  if (!std::isfinite(chart.period) || chart.period < 0) {
    return "the period must be 0 (from the first point to the last) or positive";
  }
  const double span = chart.last_x() - chart.first_x();
  if (chart.extension == Extension::cyclic && chart.period > 0 && chart.period < span) {
    return fmt::format("the period {} is shorter than the {} from the first point to the last",
                       chart.period, span);
  }
  return std::nullopt;
}

std::size_t byte_size(const Chart& chart) {
  return sizeof(Chart) + bytes_of(chart.points).size() + chart.x_unit.size() + chart.y_unit.size();
}

ChartPieces::ChartPieces(const Chart& chart) {
  if (chart.points.empty()) return;
  std::vector<ChartPoint> knots = chart.points;
  const bool smooth = chart.interpolation == Interpolation::smooth;
  cycle_ = chart.cycle();
  first_x_ = knots.front().x;
  first_y_ = knots.front().y;
  if (cycle_ > 0) {
    // A gap of rounding errors between the last point and the seam is none.
    if (cycle_ - (knots.back().x - first_x_) > 1e-12 * cycle_) {
      knots.push_back({first_x_ + cycle_, first_y_});
    } else if (smooth) {
      knots.back().y = first_y_;
    }
  }
  last_x_ = knots.back().x;
  last_y_ = knots.back().y;
  if (knots.size() < 2) return;

  const Slopes slopes = smooth ? smooth_slopes(knots, cycle_ > 0) : Slopes{};
  double before = 0;
  pieces_.reserve(knots.size() - 1);
  for (std::size_t i = 0; i + 1 < knots.size(); ++i) {
    const double h = knots[i + 1].x - knots[i].x;
    Piece piece{knots[i].x, h, knots[i].y, 0, 0, 0, before};
    if (smooth) {
      const double s = slopes.secant[i], d0 = slopes.at[i], d1 = slopes.at[i + 1];
      piece.c1 = d0;
      piece.c2 = (3 * s - 2 * d0 - d1) / h;
      piece.c3 = (d0 + d1 - 2 * s) / (h * h);
    } else if (chart.interpolation == Interpolation::linear) {
      piece.c1 = (knots[i + 1].y - knots[i].y) / h;
    }
    before += piece.area(h);
    pieces_.push_back(piece);
  }
}

const ChartPieces::Piece& ChartPieces::piece_at(double x) const {
  const auto after = std::upper_bound(pieces_.begin(), pieces_.end(), x,
                                      [](double v, const Piece& piece) { return v < piece.x0; });
  return after == pieces_.begin() ? *after : *(after - 1);
}

double ChartPieces::wrap(double x, double* cycles) const {
  const double offset = x - first_x_;
  double k = std::floor(offset / cycle_);
  double rest = offset - k * cycle_;
  // Rounding can put the rest on the wrong side of a period's end.
  if (rest < 0) rest = 0;
  if (rest >= cycle_) {
    rest = 0;
    k += 1;
  }
  *cycles = k;
  return first_x_ + rest;
}

double ChartPieces::evaluate(double x) const {
  if (pieces_.empty() || !std::isfinite(x)) return first_y_;
  if (cycle_ > 0) {
    double cycles;
    x = wrap(x, &cycles);
  } else if (x <= first_x_) {
    return first_y_;
  } else if (x >= last_x_) {
    return last_y_;
  }
  const Piece& piece = piece_at(x);
  return piece.value(x - piece.x0);
}

double ChartPieces::tangent(double x) const {
  if (pieces_.empty() || !std::isfinite(x)) return 0;
  if (cycle_ > 0) {
    double cycles;
    x = wrap(x, &cycles);
  } else if (x < first_x_ || x > last_x_) {
    return 0;
  }
  const Piece& piece = piece_at(x);
  return piece.slope(x - piece.x0);
}

// For first_x <= a <= b <= last_x.
double ChartPieces::integral_within(double a, double b) const {
  const Piece& left = piece_at(a);
  const Piece& right = piece_at(b);
  return (right.before - left.before) + right.area(b - right.x0) - left.area(a - left.x0);
}

double ChartPieces::integral(double a, double b) const {
  if (!std::isfinite(a) || !std::isfinite(b)) return 0;
  if (b < a) return -integral(b, a);
  if (pieces_.empty()) return first_y_ * (b - a);
  if (cycle_ > 0) {
    double cycles_a, cycles_b;
    const double start = wrap(a, &cycles_a), end = wrap(b, &cycles_b);
    const double whole = integral_within(first_x_, last_x_);
    if (cycles_a == cycles_b) return integral_within(start, std::max(start, end));
    return integral_within(start, last_x_) + (cycles_b - cycles_a - 1) * whole +
           integral_within(first_x_, end);
  }
  double sum = 0;
  if (a < first_x_) sum += first_y_ * (std::min(b, first_x_) - a);
  if (b > last_x_) sum += last_y_ * (b - std::max(a, last_x_));
  const double low = std::clamp(a, first_x_, last_x_), high = std::clamp(b, first_x_, last_x_);
  if (high > low) sum += integral_within(low, high);
  return sum;
}

}  // namespace sinew
