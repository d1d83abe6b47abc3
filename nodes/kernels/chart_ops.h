// Charts from formulas and from other charts. Drawn slopes go with the points where a chart is
// moved and scaled; where it is sampled anew, they are automatic.
#pragma once

#include <string_view>

#include "nodes/geometry/chart.h"

namespace sinew::kernels {

enum class WaveShape : uint8_t {
  sine,      // sin(2 pi u)
  triangle,  // 0 at u = 0, 1 at 1/4, -1 at 3/4
  square,    // 1 for u < duty, -1 after
  saw,       // from -1 to 1
  bell,      // exp of minus a square: 1 in the middle of the period, 0 at its ends, width `duty`
  pulse,     // 1 for u < duty, 0 after
};

struct WaveOptions {
  WaveShape shape = WaveShape::sine;
  double period = 1;  // > 0
  double amplitude = 1;
  double offset = 0;  // added to y
  double phase = 0;   // in periods: the wave starts at u = phase
  double duty = 0.5;  // 0 < duty < 1
  int points = 16;    // for sine and bell: points in a period, >= 4
};

// One period over x in [0, period], cyclic, as offset + amplitude w(x / period + phase), where w is
// the shape above. Shapes with corners have points exactly at these; square and pulse are stepped.
Chart make_wave(const WaveOptions& options);

enum class ChartOp : uint8_t { add, subtract, multiply, minimum, maximum, mix };

// a op b, sampled at all points of both, and `extra` (>= 0) more in each interval between them; mix
// is a + (b - a) factor, and between two charts of ratios a^(1 - factor) b^factor. The result is
// exact where it is linear (in log y for products of ratios). It takes a's interpolation,
// extension, units and marks; it is a chart of ratios if a is and all values are above 0. It is
// cyclic only if both are and have the same period; otherwise clamped, over the union of both
// ranges, and it has a way back if one of them has. Products of linear pieces are curved: `extra`
// controls how closely. Bounds are those of a drawing, and do not carry over.
Chart combine_charts(ChartOp op, const Chart& a, const Chart& b, double factor = 0.5,
                     int extra = 3);

// y -> scale y + offset. A chart of ratios stays one if all of its values stay above 0.
Chart scale_y(const Chart& chart, double scale, double offset);
// x -> scale x + shift; scale must not be 0, a negative one mirrors (a stepped chart then keeps its
// points, each step reaching to the next mirrored point).
Chart scale_x(const Chart& chart, double scale, double shift);
// x -> x / by, with the quotient's own bits, which a product with 1 / by does not have. by > 0.
Chart divide_x(const Chart& chart, double by);
// Backwards in its own range: x -> first + last - x.
Chart mirror_x(const Chart& chart);
// y -> 1 / y at the points; y = 0 is refused with std::invalid_argument.
Chart reciprocal(const Chart& chart);
// y -> low + high - y, where these are the least and the greatest value of the points; of ratios
// y -> low high / y.
Chart flip_y(const Chart& chart);
// The inverse function x(y), if y is strictly monotone over the points (std::invalid_argument
// otherwise). Exact for linear charts. Of the way there only.
Chart inverse(const Chart& chart);

// The same points on a ratio axis; std::invalid_argument names the point that is not above 0.
Chart as_ratio(const Chart& chart);
// y -> base^y: heights from -1 to 1 become ratios from 1/base to base. Exact everywhere, since a
// ratio axis interpolates the exponent. base > 0.
Chart exponential(const Chart& chart, double base);
// y -> y^exponent on a ratio axis, exact everywhere; the amplitude of [Ijiri09, 4.3].
Chart power(const Chart& chart, double exponent);

enum class VolumeMode : uint8_t {
  both,       // c2 = c3 = c1^(-1/2)
  secondary,  // c2 = 1 / c1, c3 = 1
};
struct VolumeCharts {
  Chart primary, secondary, tertiary;
};
// Three deformation charts with c1 c2 c3 = 1 at every moment [Ijiri09, 4.2], from the first, which
// is taken as ratios: then the product is 1 between the points, too.
VolumeCharts volume_preserving(const Chart& primary, VolumeMode mode);

// A chart whose way back is `back`, stretched to the range of `there`; form, units and marks are
// those of `there`; the way back has automatic slopes. `closed` lets both ways meet at the last
// point. Needs two points each.
Chart make_loop(const Chart& there, const Chart& back, bool closed);

// The slope of a chart as a chart over the same x, sampled with `extra` points in each interval;
// exact (and stepped) for linear pieces on a linear axis, where it jumps.
Chart slope_chart(const Chart& chart, int extra);
// The integral from the first point to x as a chart, over one round of a cyclic one, sampled with
// `extra` points in each interval, and exact at each of them.
Chart area_chart(const Chart& chart, int extra);

}  // namespace sinew::kernels
