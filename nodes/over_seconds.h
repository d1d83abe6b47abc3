// Numbers over time as charts over seconds, for nodes that know all of a parameter's animation.
#pragma once

#include <vector>

#include "nodes/node.h"

namespace sinew {

// The numbers of an input that was declared with .whole_time(), one chart over seconds for each;
// a constant one where it does not change. The node uses dt.
std::vector<Chart> charts_over_seconds(const Exec& e, const In<float>& in);
std::vector<Chart> charts_over_seconds(const Exec& e, const In<Vec3>& in);
// A chart over time, in seconds whatever it was drawn in.
Chart over_seconds(Chart chart, double dt);
// Whether a chart is this number at all times.
bool is_always(const Chart& chart, double y);

}  // namespace sinew
