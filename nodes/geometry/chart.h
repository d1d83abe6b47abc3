// A drawn curve y(x): points, an interpolation, and what happens outside of them.
//
// Every interpolation is a cubic polynomial on each interval between two points (a constant for
// `stepped`), so value, tangent and integral are all exact. `smooth` is the monotone cubic of
// [Steffen90]: the slope at a point depends on its two neighbours only, the curve passes through
// every point, is continuously differentiable, and never overshoots: between two points it stays
// between their values.
//
// Outside: `clamped` holds the first and the last value. `cyclic` repeats with the period
//   P = period, if that is > 0: it must be at least last.x - first.x, and the curve runs from the
//       last point to the first one of the next cycle;
//   P = last.x - first.x otherwise: the last point and the first point of the next cycle are the
//       same moment, and the first point's value counts there. A `linear` chart may jump at that
//       seam (a saw wave); a `smooth` one takes the first point's value at both ends, so that it
//       is continuously differentiable at the seam, too.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "nodes/geometry/types.h"

namespace sinew {

enum class Interpolation : uint8_t { linear, smooth, stepped };
enum class Extension : uint8_t { clamped, cyclic };

struct ChartPoint {
  double x = 0;
  double y = 0;
  bool operator==(const ChartPoint&) const = default;
};

struct Chart {
  std::vector<ChartPoint> points;  // x strictly increasing
  Interpolation interpolation = Interpolation::smooth;
  Extension extension = Extension::clamped;
  double period = 0;  // cyclic only; 0: from the first point to the last
  std::string x_unit;
  std::string y_unit;

  // The chart that is `y` everywhere.
  static Chart constant(double y);

  double first_x() const { return points.empty() ? 0 : points.front().x; }
  double last_x() const { return points.empty() ? 0 : points.back().x; }
  // The period of a cyclic chart; 0 if it is clamped or has only one moment.
  double cycle() const;

  // For one look-up. A chart with no points is 0; x that is not finite gives the first value.
  // Whoever asks many times builds ChartPieces once.
  double evaluate(double x) const;
  // dy/dx; at a kink the one from the right, at the end of a clamped chart the one from the left;
  // 0 where a clamped chart is constant, and everywhere for a stepped one.
  double tangent(double x) const;
  // The exact integral of y from a to b; negative of that from b to a.
  double integral(double a, double b) const;

  bool operator==(const Chart&) const = default;
};

// What is wrong, or nothing: no points, x not strictly increasing, a number that is not finite, a
// period that is shorter than the points.
std::optional<std::string> validate(const Chart& chart);

std::size_t byte_size(const Chart& chart);

// A chart compiled to its polynomials, to be asked many times: O(log n) for each look-up.
class ChartPieces {
 public:
  explicit ChartPieces(const Chart& chart);

  double evaluate(double x) const;
  double tangent(double x) const;
  double integral(double a, double b) const;

 private:
  // y(t) = c0 + c1 t + c2 t^2 + c3 t^3 for t = x - x0 in [0, width).
  struct Piece {
    double x0, width;
    double c0, c1, c2, c3;
    double before;  // integral from the first point to x0
    double value(double t) const { return c0 + t * (c1 + t * (c2 + t * c3)); }
    double slope(double t) const { return c1 + t * (2 * c2 + t * 3 * c3); }
    double area(double t) const { return t * (c0 + t * (c1 / 2 + t * (c2 / 3 + t * (c3 / 4)))); }
  };
  const Piece& piece_at(double x) const;
  double integral_within(double a, double b) const;
  double wrap(double x, double* cycles) const;

  std::vector<Piece> pieces_;
  double first_x_ = 0, last_x_ = 0;
  double first_y_ = 0, last_y_ = 0;
  double cycle_ = 0;  // 0: clamped
};

template <class Hash>
void visit_content(const Chart& chart, Hash&& hash) {
  const std::array<uint64_t, 5> head = {
      chart.points.size(), static_cast<uint64_t>(chart.interpolation),
      static_cast<uint64_t>(chart.extension), chart.x_unit.size(), chart.y_unit.size()};
  hash(bytes_of(head));
  hash(bytes_of(chart.points));
  hash(std::as_bytes(std::span(&chart.period, 1)));
  hash(bytes_of(chart.x_unit));
  hash(bytes_of(chart.y_unit));
}

}  // namespace sinew
