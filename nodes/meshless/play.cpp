// A motion at this frame. [Adams10, section 6.1]
#include "nodes/kernels/meshless_spline.h"
#include "nodes/meshless_words.h"

namespace sinew {
namespace {

In<Motion> motion;
In<float> delay, speed;
Out<Mesh> out;
Out<BodyStates> state;

void declare(Declaration& d) {
  d.id("meshless.play", 1).label("Play Motion").category("Meshless");
  d.doc("The bodies of a motion as they are at this frame.");
  d.in(motion, "motion").doc("What to play.");
  d.in(delay, "delay", 0).range(-1e4, 1e4).unit("s").doc("How much later it is played.");
  d.in(speed, "speed", 1).range(-100, 100).doc("2 is twice as fast; -1 is backwards.");
  d.uses_frame();
  d.out(out, "mesh").doc("All bodies as one mesh.");
  d.out(state, "state").doc("Where the bodies are, and how fast they move.");
}

// Splines through all frames of all bodies, made once for a motion.
struct Splines {
  std::vector<kernels::BodySpline> list;
  JoinedBodies joined;

  explicit Splines(const Motion& of) : joined(bodies_of(of)) {
    for (const BodyMotion& b : of.bodies) list.emplace_back(b);
  }
  std::size_t bytes() const {
    std::size_t sum = joined.bytes();
    for (const kernels::BodySpline& s : list) sum += s.bytes();
    return sum;
  }
};

void exec(Exec& e) {
  const auto splines = e.prepared<Splines>(
      "meshless splines", [&] { return Splines(e.get(motion)); }, motion);
  const double rate = static_cast<double>(e.get(speed));
  const double time = (e.seconds() - static_cast<double>(e.get(delay))) * rate;
  BodyStates states;
  for (std::size_t b = 0; b < splines->list.size(); ++b) {
    BodyStates::One one{splines->joined.bodies[b], {}, {}};
    one.places.resize(one.body->node_count());
    one.velocities.resize(one.body->node_count());
    splines->list[b].at(time, one.places, one.velocities);
    for (Vec3d& v : one.velocities) v *= rate;
    states.list.push_back(std::move(one));
  }
  e.set(out, splines->joined.mesh(states));
  e.set(state, std::move(states));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(meshless_play, declare, exec)
