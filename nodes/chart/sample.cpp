// One value of a chart.
#include "nodes/node.h"

namespace sinew {
namespace {

In<Chart> chart;
In<float> x;
Out<float> y, slope;

void declare(Declaration& d) {
  d.id("chart.sample", 1).label("Sample Chart").category("Chart");
  d.doc("Reads a chart at one place: link the time to x to play it.");
  d.in(chart, "chart", identity_chart()).doc("The chart to read.");
  d.in(x, "x", 0).range(-1e9, 1e9).doc("Where to read it.");
  d.out(y, "y").doc("The value there.");
  d.out(slope, "slope").doc("How steep it is there.");
}

void exec(Exec& e) {
  e.set(y, static_cast<float>(e.get(chart).evaluate(e.get(x))));
  e.set(slope, static_cast<float>(e.get(chart).tangent(e.get(x))));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(chart_sample, declare, exec)
