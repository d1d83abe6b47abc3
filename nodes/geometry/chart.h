// A drawn curve y(x): points, an interpolation, and what happens outside of them. One kind of chart
// for all that is drawn: deformation over time, stress over strain, damping, creep, momentum.
//
// On a `linear` value axis every interpolation is a cubic polynomial on each interval between two
// points (a constant for `stepped`), so value, tangent and integral are all exact. `smooth` is the
// monotone cubic of [Steffen90]: the slope at a point depends on its two neighbours only, the curve
// passes through every point, is continuously differentiable, and never overshoots: between two
// points it stays between their values.
//
// The slopes of a smooth chart can also be drawn: each side of a point is automatic, as above, or a
// number of its own. With drawn slopes the curve is still one cubic between two points, but it can
// bend at a point, and it can leave the range between two points' values, though not the bounds:
// where it would, it stays at the bound. At the seam of a cycle the slopes of the first point
// count. The way back has automatic slopes only.
//
// On a `ratio` axis the values are factors above 0, and what is interpolated is log y: x2 and x1/2
// are as far from x1, half way between x1 and x4 is x2, and y^p of a chart is exact everywhere when
// it is exact at the points (so that products of charts over the same x can be kept at 1). Values
// and tangents are exact. Drawn slopes are those of log y: 1 means that y grows e-fold where x
// grows by 1, and a power of the chart has slopes so many times as steep. Integrals are exact for
// stepped and linear; the integral of exp(cubic) is not elementary and is taken by Gauss-Legendre
// quadrature of 16 points on spans over which the ratio changes by at most e: to a few units of the
// last place.
//
// Outside: `clamped` holds the first and the last value. `cyclic` repeats with the period
//   P = period, if that is > 0: it must be at least last.x - first.x, and the curve runs from the
//       last point to the first one of the next cycle;
//   P = last.x - first.x otherwise: the last point and the first point of the next cycle are the
//       same moment, and the first point's value counts there. A `linear` chart may jump at that
//       seam (a saw wave); a `smooth` one takes the first point's value at both ends, so that it
//       is continuously differentiable at the seam, too.
//
// A chart can have a way back (hysteresis): other points over the same range of x, for when x
// falls. It can have marks, which are named places on the x axis, and bounds of its values: a point
// beyond them counts as at the bound, and so does the whole curve.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nodes/geometry/types.h"

namespace sinew {

enum class Interpolation : uint8_t { linear, smooth, stepped };
enum class Extension : uint8_t { clamped, cyclic };
enum class ValueAxis : uint8_t { linear, ratio };

struct ChartPoint {
  double x = 0;
  double y = 0;
  bool operator==(const ChartPoint&) const = default;
};

// The slopes of the curve as it comes to a point and as it leaves it; nothing: automatic.
struct ChartTangent {
  std::optional<double> in = {}, out = {};
  bool drawn() const { return in || out; }
  bool operator==(const ChartTangent&) const = default;
};

struct ChartMark {
  std::string name;
  double x = 0;
  bool operator==(const ChartMark&) const = default;
};

// The marks of a stress/strain chart: up to `elastic` a body springs back, from `fracture` on it is
// broken.
inline constexpr std::string_view elastic_mark = "elastic";
inline constexpr std::string_view fracture_mark = "fracture";

struct ChartBounds {
  double low = 0;
  double high = 0;
  bool operator==(const ChartBounds&) const = default;
};

struct Chart {
  std::vector<ChartPoint> points = {};  // x strictly increasing
  Interpolation interpolation = Interpolation::smooth;
  Extension extension = Extension::clamped;
  double period = 0;  // cyclic only; 0: from the first point to the last
  std::string x_unit = {};
  std::string y_unit = {};
  ValueAxis axis = ValueAxis::linear;
  std::vector<ChartPoint> back = {};  // the way back, if there is one: x increasing here, too
  std::vector<ChartMark> marks = {};  // by name; see set_mark
  std::optional<ChartBounds> bounds = {};
  // Of a smooth chart: one for each point, or none at all if all are automatic.
  std::vector<ChartTangent> tangents = {};

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
  // The integral of y from a to b; negative of that from b to a.
  double integral(double a, double b) const;

  bool has_loop() const { return !back.empty(); }
  // The way back as a chart of its own; without one, the way there: both ways are the same.
  Chart way_back() const;
  // The area between the way there and the way back, from the first point to the last: what is
  // lost in one round. Positive if the way back is below; 0 without a way back.
  double loop_area() const;

  // Where a mark is, or nothing.
  std::optional<double> mark(std::string_view name) const;
  // Adds or moves a mark.
  void set_mark(std::string_view name, double x);

  bool operator==(const Chart&) const = default;
};

// What is wrong, or nothing: no points, x not strictly increasing, a number that is not finite or
// beyond 1e300, a ratio that is not above 0, a period that is shorter than the points, a way back
// over another range, slopes that are not one for each point, a mark without a name or out of
// order, bounds the wrong way round.
std::optional<std::string> validate(const Chart& chart);

std::size_t byte_size(const Chart& chart);

// A chart compiled to its polynomials, to be asked many times: O(log n) for each look-up (less for
// points that are evenly spread), without allocation. Every answer is finite: what would be beyond
// the numbers is the largest number.
class ChartPieces {
 public:
  // The way there; for the way back, give chart.way_back().
  explicit ChartPieces(const Chart& chart);

  double evaluate(double x) const;
  double tangent(double x) const;
  double integral(double a, double b) const;
  // Of a ratio chart: log y, without the way through exp. It has no values elsewhere.
  double logarithm(double x) const;
  // out[i] = log y(x[i]); quickest for x within one cycle of the first point.
  void logarithm_many(std::span<const double> x, std::span<float> out) const;

  // out[i] = y(x[i]). `out` may be `x`.
  void evaluate_many(std::span<const double> x, std::span<double> out) const;
  void evaluate_many(std::span<const float> x, std::span<float> out) const;
  // out[i] = y(x - shift[i]): one moment for many that follow each other.
  void evaluate_shifted(double x, std::span<const float> shift, std::span<float> out) const;

  // The polynomials themselves, for whoever integrates something else of them: from y0 at x0 to y1
  // at x0 + width, y = y0 + u (a1 + u (a2 + u a3)) with u = (x - x0) / width. From the first point
  // to the last, or over one cycle; a chart without drawn slopes is monotone on each. None for a
  // chart of one moment, and none on a ratio axis.
  struct Cubic {
    double x0, width;
    double y0, y1, a1, a2, a3;
  };
  std::vector<Cubic> cubics() const;

 private:
  // With u = (x - x0) / width in [0, 1] and q(u) = u (a1 + u (a2 + u a3)): y = y0 + q(u), or, on a
  // ratio axis, y = y0 exp(q(u)). In u and not in x, so that widths may be as small as numbers are.
  struct Piece {
    double x0, width;
    double y0, a1, a2, a3;
    double before;  // integral from the first point to x0
    double log_y0;  // on a ratio axis
    double q(double u) const { return u * (a1 + u * (a2 + u * a3)); }
    double q_slope(double u) const { return a1 + u * (2 * a2 + u * 3 * a3); }
  };
  std::size_t bucket_of(double x) const;
  std::size_t index_at(double x) const;
  void add_piece(Piece piece, double end);
  void add_limited(const Piece& piece, double end, const ChartBounds& bounds);
  double value_in(const Piece& piece, double x) const;
  double area_in(const Piece& piece, double from, double to) const;
  double integral_within(double a, double b) const;
  double wrap(double x, double* cycles) const;
  template <class Number, class Where>
  void evaluate_each(std::span<Number> out, const Where& where) const;

  std::vector<Piece> pieces_;
  double area_ = 0;             // while they are added: of all so far
  std::vector<double> starts_;  // x0 of each piece, then infinity: what is searched
  // The range is cut into equal buckets, a few for each piece: first_in_[b] is the first
  // piece that starts in bucket b or later, so that a search looks at one bucket only.
  std::vector<uint32_t> first_in_;
  double buckets_per_x_ = 0;
  bool sparse_ = false;  // at most one piece starts in each bucket, so that one look finds it
  double first_x_ = 0, last_x_ = 0;
  double first_y_ = 0, last_y_ = 0;
  double first_log_ = 0, last_log_ = 0;  // on a ratio axis
  double cycle_ = 0;                     // 0: clamped
  // What rounding must not leave, where drawn slopes meet the bounds.
  double low_ = -std::numeric_limits<double>::infinity();
  double high_ = std::numeric_limits<double>::infinity();
  bool ratio_ = false;
};

template <class Hash>
void visit_content(const Chart& chart, Hash&& hash) {
  const std::array<uint64_t, 9> head = {chart.points.size(),
                                        static_cast<uint64_t>(chart.interpolation),
                                        static_cast<uint64_t>(chart.extension),
                                        chart.x_unit.size(),
                                        chart.y_unit.size(),
                                        static_cast<uint64_t>(chart.axis),
                                        chart.back.size(),
                                        chart.marks.size(),
                                        chart.bounds.has_value()};
  const ChartBounds bounds = chart.bounds.value_or(ChartBounds{});
  hash(bytes_of(head));
  hash(bytes_of(chart.points));
  hash(bytes_of(std::array{chart.period, bounds.low, bounds.high}));
  hash(bytes_of(chart.x_unit));
  hash(bytes_of(chart.y_unit));
  hash(bytes_of(chart.back));
  for (const ChartMark& mark : chart.marks) {
    hash(bytes_of(std::array{static_cast<uint64_t>(mark.name.size())}));
    hash(bytes_of(mark.name));
    hash(bytes_of(std::array{mark.x}));
  }
  // Nothing where there are none: charts from before there were any keep their keys.
  for (const ChartTangent& t : chart.tangents) {
    hash(bytes_of(std::array{t.in.value_or(0), t.out.value_or(0)}));
    hash(bytes_of(std::array{static_cast<uint64_t>(t.in.has_value()),
                             static_cast<uint64_t>(t.out.has_value())}));
  }
}

}  // namespace sinew
