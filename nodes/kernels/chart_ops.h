// Charts from formulas and from other charts.
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
// is a + (b - a) factor. The result is exact where it is linear. It takes a's interpolation,
// extension and units. It is cyclic only if both are and have the same period; otherwise clamped,
// over the union of both ranges. Products of linear pieces are curved: `extra` controls how
// closely.
Chart combine_charts(ChartOp op, const Chart& a, const Chart& b, double factor = 0.5,
                     int extra = 3);

// y -> scale y + offset.
Chart scale_y(const Chart& chart, double scale, double offset);
// x -> scale x + shift; scale must not be 0, a negative one mirrors (a stepped chart then keeps its
// points, each step reaching to the next mirrored point).
Chart scale_x(const Chart& chart, double scale, double shift);
// y -> 1 / y at the points; y = 0 is refused with std::invalid_argument.
Chart reciprocal(const Chart& chart);
// y -> low + high - y, where these are the least and the greatest value of the points.
Chart flip_y(const Chart& chart);
// The inverse function x(y), if y is strictly monotone over the points (std::invalid_argument
// otherwise). Exact for linear charts.
Chart inverse(const Chart& chart);

}  // namespace sinew::kernels
