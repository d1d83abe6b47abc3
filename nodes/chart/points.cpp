// A chart drawn by hand.
#include "nodes/node.h"

namespace sinew {
namespace {

In<Chart> chart;
Out<Chart> out;

void declare(Declaration& d) {
  d.id("chart.points", 1).label("Chart").category("Chart");
  d.doc("A curve drawn through points, for as many nodes as it is linked to.");
  d.in(chart, "chart", identity_chart())
      .doc("The points, how they are joined, and whether the curve repeats.");
  d.out(out, "chart").doc("The chart.");
}

void exec(Exec& e) { e.forward(out, chart); }

}  // namespace
}  // namespace sinew

SINEW_NODE(chart_points, declare, exec)
