// A chart that goes one way and comes back another.
#include "nodes/kernels/chart_ops.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<Chart> there, back;
In<bool> closed;
Out<Chart> out;
Out<float> area;

Chart standard_back() {
  Chart chart = identity_chart();
  chart.points = {{0, 0}, {0.5, 0.25}, {1, 1}};
  return chart;
}

void declare(Declaration& d) {
  d.id("chart.loop", 1).label("Loop").category("Chart");
  d.doc("Joins two charts to a loop (hysteresis): one for the way there, one for the way back.");
  d.in(there, "there", identity_chart()).doc("While x rises: loading.");
  d.in(back, "back", standard_back())
      .doc("While x falls: unloading. It is stretched to the range of the other.");
  d.in(closed, "closed", true).doc("Lets both ways meet at the right end.");
  d.out(out, "chart").doc("The loop; its form is that of the way there.");
  d.out(area, "area").doc("The area inside: what is lost in one round.");
}

void exec(Exec& e) {
  Chart loop = kernels::make_loop(e.get(there), e.get(back), e.get(closed));
  e.set(area, to_float(loop.loop_area()));
  e.set(out, std::move(loop));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(chart_loop, declare, exec)
