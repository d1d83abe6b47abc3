// The moment that the graph is evaluated at.
#include <algorithm>
#include <cmath>

#include "nodes/geometry/frame_slack.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<float> period;
Out<int> frame;
Out<float> seconds, cycle;

void declare(Declaration& d) {
  d.id("time", 2).label("Time").category("Value").uses_frame().uses_dt();
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
  // Where a cycle is so many frames long, but for what was rounded, it goes by frames.
  const double length = shortest_decimal(e.get(period));
  const double frames = length * e.fps(), whole = std::round(frames), now = e.frame();
  double part = 0;
  if (std::abs(frames - whole) * (std::abs(now) + whole) < frame_slack * whole) {
    part = now / whole - std::floor(now / whole);
  } else {
    part = e.seconds() / length - std::floor(e.seconds() / length);
  }
  e.set(frame, e.frame());
  e.set(seconds, static_cast<float>(e.seconds()));
  // Not 1, which no cycle comes to, by rounding up.
  e.set(cycle, std::min(static_cast<float>(part), std::nextafter(1.0f, 0.0f)));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(value_time, declare, exec)
