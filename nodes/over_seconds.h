// Numbers over time as charts over seconds, for nodes that know all of a parameter's animation. At
// the time of every whole frame, Context::seconds(), such a chart says what the parameter is at
// that frame, at any rate; what comes by a link goes evenly from frame to frame in between.
#pragma once

#include <vector>

#include "nodes/node.h"

namespace sinew {

// The numbers of an input that was declared with .whole_time(), one chart over seconds for each;
// a constant one where it does not change. The node uses dt.
std::vector<Chart> charts_over_seconds(const Exec& e, const In<float>& in);
std::vector<Chart> charts_over_seconds(const Exec& e, const In<Vec3>& in);
// The same of a switch: one half or more where it is on.
Chart chart_over_seconds(const Exec& e, const In<bool>& in);
// A chart over time, in seconds whatever it was drawn in.
Chart over_seconds(Chart chart, double fps);
// Whether a chart is this number at all times.
bool is_always(const Chart& chart, double y);

}  // namespace sinew
