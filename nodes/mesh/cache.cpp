// A mesh that moves as a file from another tool says.
#include <cmath>

#include "nodes/geometry/frame_slack.h"
#include "nodes/point_cache_words.h"

namespace sinew {
namespace {

In<Mesh> mesh;
CacheSockets source;
In<float> delay, speed;
In<bool> repeat;
Out<Mesh> out;

void declare(Declaration& d) {
  d.id("mesh.cache", 2).label("Play Point Cache").category("Mesh");
  d.doc(
      "A mesh whose vertices go where a point cache or a glTF clip of another tool has them. "
      "Between "
      "two samples they go straight. Since version 2, samples and rounds are at their frames to "
      "the last bit.");
  d.upgrade([](UpgradeStep&) {});
  d.in(mesh, "mesh").doc("The mesh that the file was made for.");
  source.declare(d);
  d.in(delay, "delay", 0).range(-1e4, 1e4).unit("s").doc("How much later it is played.");
  d.in(speed, "speed", 1).range(-100, 100).doc("2 is twice as fast; -1 is backwards.");
  d.in(repeat, "repeat", false).doc("Whether it begins again at its end.");
  d.uses_frame();
  d.uses_dt();
  d.out(out, "mesh").doc("The mesh as it is at this frame.");
}

void exec(Exec& e) {
  const auto file = source.read(e, e.get(mesh).vertex_count());
  if (!file) return;
  const std::vector<double>& times = file->seconds;
  double time =
      (e.seconds() - static_cast<double>(e.get(delay))) * static_cast<double>(e.get(speed));
  const double length = times.back() - times.front();
  if (e.get(repeat) && length > 0) {
    const double since = time - times.front();
    const double slack = seconds_at(frame_slack, e.fps()) * std::abs(double{e.get(speed)});
    time = times.front() + since - length * rounds_over(since, length, slack);
  }
  e.set(out, e.get(mesh).with_positions(file->at(time)));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(mesh_cache, declare, exec)
