// The moment that the graph is evaluated at.
#include <cmath>

#include "nodes/node.h"

namespace sinew {
namespace {

In<float> period;
Out<int> frame;
Out<float> seconds, cycle;

void declare(Declaration& d) {
  d.id("time", 1).label("Time").category("Value").uses_frame();
  d.doc("The current moment of the timeline.");
  d.in(period, "period", 1).range(1e-3, 1e6).unit("s").doc("How long one cycle takes.");
  d.out(frame, "frame").doc("The number of the frame.");
  d.out(seconds, "seconds").doc("The time since frame 0.");
  d.out(cycle, "cycle").doc("Goes from 0 to 1 in each period, again and again.");
}

void exec(Exec& e) {
  const double turns = e.seconds() / e.get(period);
  e.set(frame, e.frame());
  e.set(seconds, static_cast<float>(e.seconds()));
  e.set(cycle, static_cast<float>(turns - std::floor(turns)));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(value_time, declare, exec)
