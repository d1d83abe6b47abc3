// A chain of particles that hangs from a point which may be moved. [Macklin16, Macklin19]
#include "nodes/kernels/spring_chain.h"
#include "nodes/kernels/tube.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<Vec3> anchor, direction, gravity;
In<int> count, substeps, segments;
In<float> length, mass, stiffness, damping, drag, radius;
Out<Mesh> out;
Out<Field> speed, stretch;
Out<Vec3> tip;

struct State {
  kernels::SpringChainState chain;
  Vec3f direction{0, 0, 0};  // that it began with
  size_t bytes() const { return sizeof *this + chain.positions.size() * 2 * sizeof(Vec3f); }
};

void declare(Declaration& d) {
  d.id("sim.chain", 2).label("Chain").category("Simulation").uses_dt();
  d.doc(
      "A chain that hangs from a point and swings when the point is moved. Its springs hold at ten "
      "times their length, whatever pulls.");
  d.upgrade([](UpgradeStep&) {});  // longer springs than that are rare
  d.in(anchor, "anchor", Vec3{0, 1, 0})
      .range(-1e3, 1e3)
      .unit("m")
      .doc("The point that it hangs from; animate or link it to move the chain.");
  d.in(direction, "direction", Vec3{1, 0, 0})
      .range(-1, 1)
      .doc("Where the chain is stretched out to at the start.");
  d.in(count, "count", 24).range(1, 512).doc("How many particles, at the start.");
  d.in(length, "length", 1).range(0.01, 100).unit("m").doc("When nothing pulls at it.");
  d.in(mass, "mass", 1).range(0.001, 1000).unit("kg").doc("Of the whole chain.");
  d.in(stiffness, "stiffness", 2000)
      .range(0.1, 1e7)
      .unit("N/m")
      .doc("Of the spring between two particles.");
  d.in(damping, "damping", 2).range(0, 1000).unit("1/s").doc("How fast its stretching dies down.");
  d.in(drag, "drag", 0.3f).range(0, 100).unit("1/s").doc("How fast the air slows it.");
  d.in(gravity, "gravity", Vec3{0, -9.81f, 0}).range(-100, 100).unit("m/s^2").doc("What pulls it.");
  d.in(substeps, "substeps", 16)
      .range(1, 200)
      .doc("Steps in a frame: more are stiffer and slower.");
  d.in(radius, "radius", 0.02f)
      .range(1e-4, 10)
      .unit("m")
      .only_read()
      .doc("Of the tube that shows it.");
  d.in(segments, "segments", 10).range(3, 64).only_read().doc("Quads around the tube.");
  d.handle(HandleKind::vector, "anchor").at(anchor).along(direction);
  d.out(out, "mesh").doc("A tube along the chain, watertight.");
  d.out(speed, "speed").on(out).doc("How fast each vertex of the tube moves, in m/s.");
  d.out(stretch, "stretch")
      .on(out)
      .doc("How much the spring above each vertex is stretched: 0 at rest.");
  d.out(tip, "tip").doc("Where the last particle is.");
}

kernels::SpringChainParams params_of(const Exec& e) {
  return {.length = e.get(length),
          .mass = e.get(mass),
          .stiffness = e.get(stiffness),
          .damping = e.get(damping),
          .drag = e.get(drag),
          .gravity = to_eigen(e.get(gravity)),
          .substeps = e.get(substeps)};
}

State init(Exec& e) {
  const Vec3f along = to_eigen(e.get(direction));
  return {kernels::make_spring_chain(e.get(count), to_eigen(e.get(anchor)), along, params_of(e)),
          along};
}

State step(const State& state, Exec& e) {
  const std::size_t began_with = state.chain.positions.size();
  if (static_cast<std::size_t>(e.get(count)) != began_with) {
    e.warning("it has the {} particles that it began with; another 'count' later has no effect",
              began_with);
  }
  if (to_eigen(e.get(direction)) != state.direction) {
    e.warning("another 'direction' has no effect later: it says how the chain begins");
  }
  return {kernels::step_spring_chain(state.chain, to_eigen(e.get(anchor)),
                                     static_cast<float>(e.dt()), params_of(e)),
          state.direction};
}

void read(const State& state, Exec& e) {
  const kernels::SpringChainState& chain = state.chain;
  std::vector<Vec3f> points = {chain.anchor};
  points.insert(points.end(), chain.positions.begin(), chain.positions.end());
  const int around = e.get(segments);
  e.set(out, kernels::make_tube(points, {.radius = e.get(radius), .segments = around}));

  // One value per ring; the two vertices that close the ends are those of the first and last ring.
  const float rest = e.get(length) / static_cast<float>(chain.positions.size());
  std::vector<float> speeds, stretches;
  auto add = [&](size_t ring, int times) {
    const bool held = ring == 0;  // by the anchor
    speeds.insert(speeds.end(), times, held ? 0.0f : chain.velocities[ring - 1].norm());
    const size_t end = held ? 1 : ring;
    stretches.insert(stretches.end(), times, (points[end] - points[end - 1]).norm() / rest - 1);
  };
  for (size_t ring = 0; ring < points.size(); ++ring) add(ring, around);
  add(0, 1);
  add(points.size() - 1, 1);
  e.set(speed, Field(Domain::vertex, std::move(speeds), {.unit = "m/s"}));
  e.set(stretch, Field(Domain::vertex, std::move(stretches), {.kind = FieldKind::strain}));
  e.set(tip, from_eigen(points.back()));
}

}  // namespace
}  // namespace sinew

SINEW_SIMULATION(sim_chain, declare, init, step, read)
