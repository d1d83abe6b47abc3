// Charts at places that come near where they should be, not to it, as times of frames do: what
// jumps up to `ahead` after x has jumped. All else has the bits that ChartPieces gives.
#pragma once

#include "nodes/geometry/chart.h"

namespace sinew {

// Whether the last point of a cyclic chart is the first of the next cycle.
bool meets_next_cycle(const Chart& chart);
// Whether a linear chart jumps there.
bool jumps_at_seam(const Chart& chart);

// The value at x. `pieces` are those of the chart.
double evaluate_ahead(const Chart& chart, const ChartPieces& pieces, double x, double ahead);
// The slope at x: of a linear chart with a kink up to `ahead` after x, the slope behind the kink.
double tangent_ahead(const Chart& chart, const ChartPieces& pieces, double x, double ahead);

}  // namespace sinew
