// The moment that the graph is evaluated at.
#include <algorithm>
#include <cmath>

#include "nodes/node.h"

namespace sinew {
namespace {

In<float> period;
Out<int> frame;
Out<float> seconds, cycle;

void declare(Declaration& d) {
  d.id("time", 2).label("Time").category("Value").uses_frame();
  d.doc(
      "The current moment of the timeline. Since version 2, a cycle of so many frames begins at "
      "its "
      "frame, never one later.");
  d.upgrade([](UpgradeStep&) {});
  d.in(period, "period", 1).range(1e-3, 1e6).unit("s").doc("How long one cycle takes.");
  d.out(frame, "frame").doc("The number of the frame.");
  d.out(seconds, "seconds").doc("The time since frame 0.");
  d.out(cycle, "cycle").doc("Goes from 0 to 1 in each period, again and again.");
}

void exec(Exec& e) {
  // Where a cycle is so many frames long, it begins at a frame, whatever was rounded.
  constexpr double same = 1e-9;
  double turns = e.seconds() / shortest_decimal(e.get(period));
  if (std::abs(turns - std::round(turns)) < same * std::max(1.0, std::abs(turns))) {
    turns = std::round(turns);
  }
  e.set(frame, e.frame());
  e.set(seconds, static_cast<float>(e.seconds()));
  e.set(cycle, static_cast<float>(turns - std::floor(turns)));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(value_time, declare, exec)
