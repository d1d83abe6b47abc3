// Bodies that swing about the motion that leads them, or move by themselves. [Adams10, section 7]
#include "nodes/kernels/meshless_dynamics.h"

#include <algorithm>

#include "graph/document.h"
#include "nodes/meshless_words.h"
#include "nodes/scratch_pool.h"

namespace sinew {
namespace {

using kernels::DynamicsSettings;
using kernels::DynamicsState;
using kernels::MeshlessDynamics;

In<Motion> motion;
In<BodyStates> before;
In<float> gain, stiffness, volume, damping, keeps, blend;
In<bool> align;
In<Field> loose;
In<Vec3> gravity;
In<Colliders> obstacles;
In<bool> collide;
In<float> friction;
In<int> rate;
Out<Mesh> out;
Out<BodyStates> state_out;
Out<float> strain;

struct State {
  bool waits = false;  // for the first time of the motion
  DynamicsState moves;
  Colliders obstacles;  // of the last frame
  std::size_t bytes() const { return sizeof *this + moves.bytes() + byte_size(obstacles); }
};

struct Prepared {
  MeshlessDynamics dynamics;
  JoinedBodies joined;
  std::size_t vertices = 0;

  explicit Prepared(const Motion& of) : dynamics(of), joined(bodies_of(of)) {
    for (const auto& body : joined.bodies) vertices += body->rest.vertex_count();
  }
  std::size_t bytes() const { return dynamics.bytes() + joined.bytes(); }
};
using Rooms = ScratchPool<kernels::DynamicsRoom>;

void declare_body(Declaration& d) {
  d.in(gain, "gain", 0.05f)
      .range(0, 1)
      .doc(
          "How much the motion leads it: 1 nearly as it is told, 0.05 swings about it, 0 lets it "
          "go. "
          "Animate it to let go, and to catch again.");
  d.in(stiffness, "stiffness", 3)
      .range(0.1, 100)
      .unit("Hz")
      .best_from("material.feel", "frequency")
      .doc("With which the body wobbles as a whole when nothing holds it.");
  d.in(volume, "volume", 1).range(0, 100).doc("How strongly it keeps its volume.");
  d.in(damping, "damping", 0.1f)
      .range(0, 2)
      .best_from("material.feel", "damping")
      .doc("Of the wobble: 0 goes on for long, 1 does not swing at all.");
  d.in(keeps, "keeps", 1)
      .range(0, 1)
      .doc(
          "How much of the led shape is the shape at rest while it is led: at 1 it wobbles about "
          "the led pose, at 0 it wants back to its own shape. What is let go has its own.");
  d.in(blend, "blend", 0.5f)
      .range(0, 100)
      .unit("s")
      .doc(
          "In which it finds back to its own shape when it is let go of, and is drawn to the "
          "motion when it is caught again, comes from elsewhere or is led more firmly; 0 is at "
          "once, which throws its limbs.");
  d.in(align, "align", true)
      .doc(
          "Takes what is led along with the motion as a whole, so that it does not lag; what is "
          "loose feels each start and stop.");
  d.in(loose, "loose", Field::constant(0))
      .range(0, 1)
      .doc("Where nothing leads it: 0 is led, 1 swings freely from what is led.");
}

void declare(Declaration& d) {
  d.id("meshless.dynamics", 2).label("Simulate Meshless Bodies").category("Meshless");
  d.doc(
      "Adds what swings and jiggles to a motion, or lets its bodies fall, bounce and slide by "
      "themselves. It cannot blow up.");
  // Version 1 let go and caught at once.
  d.upgrade([](UpgradeStep& u) { u.params().try_emplace("blend", 0); });
  d.uses_dt().uses_frame();
  d.in(motion, "motion").doc("What leads the bodies; after its end it stands still.");
  d.in(before, "before")
      .optional()
      .doc(
          "How the bodies come: until the motion begins they are handed on, then they go on from "
          "there with these places and velocities, and are drawn to the motion within 'blend'.");
  declare_body(d);
  d.in(gravity, "gravity", Vec3{0, -9.81f, 0})
      .range(-1e4, 1e4)
      .unit("m/s2")
      .doc("Acceleration of what is not led; what is led is carried.");
  d.in(obstacles, "obstacles").optional().doc("What they fall on and bump into; it may move.");
  d.in(collide, "collide", true).doc("Whether the bodies push each other apart.");
  d.in(friction, "friction", 0.5f)
      .range(0, 10)
      .doc("Between the bodies; obstacles have their own.");
  d.in(rate, "steps", 100)
      .range(10, 2000)
      .unit("1/s")
      .doc("In a second. More is finer and slower; stiff bodies swing longer.");
  d.out(out, "mesh").doc("All bodies as one mesh.");
  d.out(state_out, "state").doc("Where the bodies are, and how fast they move.");
  d.out(strain, "strain").doc("How much the most strained body is strained; 0 at rest.");
}

std::shared_ptr<const Prepared> prepare(Exec& e) {
  return e.prepared<Prepared>(
      "meshless dynamics", [&] { return Prepared(e.get(motion)); }, motion);
}

bool fits(Exec& e, const Prepared& prepared) {
  const BodyStates* from = e.get_if<BodyStates>(before);
  if (from && !prepared.dynamics.fits(*from)) {
    return e.error("'before' has other bodies than the motion"), false;
  }
  return fits_vertices(e, "loose", e.get(loose), prepared.vertices);
}

bool fits(const MeshlessDynamics& dynamics, const DynamicsState& state) {
  if (state.bodies.size() != dynamics.size()) return false;
  for (std::size_t b = 0; b < dynamics.size(); ++b) {
    if (state.bodies[b].places.size() != dynamics.body(b).node_count()) return false;
  }
  return true;
}

State begin(Exec& e, const Prepared& prepared) {
  State state;
  const MeshlessDynamics& dynamics = prepared.dynamics;
  const BodyStates* from = e.get_if<BodyStates>(before);
  const bool comes = from && dynamics.fits(*from);
  state.waits = e.seconds() < dynamics.first_time() - 1e-9;
  state.moves = comes ? dynamics.begin(e.seconds(), *from) : dynamics.begin(e.seconds());
  if (const Colliders* given = e.get_if<Colliders>(obstacles)) state.obstacles = *given;
  return state;
}

State init(Exec& e) {
  const auto prepared = prepare(e);
  if (!fits(e, *prepared)) return {};
  return begin(e, *prepared);
}

DynamicsSettings settings_of(const Exec& e) {
  DynamicsSettings s;
  s.gain = double{e.get(gain)};
  s.stiffness = double{e.get(stiffness)};
  s.volume = double{e.get(volume)};
  s.damping = double{e.get(damping)};
  s.keeps = double{e.get(keeps)};
  s.blend = double{e.get(blend)};
  s.align = e.get(align);
  s.gravity = to_eigen(e.get(gravity)).cast<double>();
  s.collide = e.get(collide);
  s.friction = double{e.get(friction)};
  s.rate = static_cast<double>(e.get(rate));
  return s;
}

constexpr const char* begins_anew =
    "bodies with other nodes, or another number of bodies, came while it ran: it begins anew, "
    "where "
    "'before' or the motion has them now";

// For each body and node; nothing where all is led.
std::vector<std::vector<double>> loose_parts(const Exec& e, const Prepared& prepared) {
  std::vector<std::vector<double>> parts;
  const Field& field = e.get(loose);
  if (field.is_constant() && field.at(0) <= 0) return parts;
  const std::vector<float> values = field.expanded(prepared.vertices);
  std::size_t first = 0;
  for (const auto& body : prepared.joined.bodies) {
    const std::size_t count = body->rest.vertex_count();
    parts.push_back(kernels::field_at_nodes(*body, std::span(values).subspan(first, count)));
    for (double& part : parts.back()) part = std::clamp(part, 0.0, 1.0);
    first += count;
  }
  return parts;
}

State step(const State& last, Exec& e) {
  const auto prepared = prepare(e);
  if (!fits(e, *prepared)) return last;
  const MeshlessDynamics& dynamics = prepared->dynamics;
  // Another motion under a running simulation begins anew.
  const bool same = fits(dynamics, last.moves);
  if (!same && !last.waits && !last.moves.bodies.empty()) e.warning("{}", begins_anew);
  if (last.waits || !same) return begin(e, *prepared);
  State state = last;
  DynamicsSettings settings = settings_of(e);
  const std::vector<std::vector<double>> parts = loose_parts(e, *prepared);
  kernels::DynamicsWorld world;
  const Colliders* given = e.get_if<Colliders>(obstacles);
  if (given) {
    world.now = given;
    if (last.obstacles.list.size() == given->list.size()) world.before = &last.obstacles;
  }
  world.loose = parts;
  const auto rooms = e.prepared<Rooms>(
      "meshless dynamics rooms", [] { return Rooms(); }, motion);
  const auto room = rooms->take();
  const bool sound = stoppable(e, [&](CancelView stop) {
    settings.stop = stop;
    return dynamics.advance(state.moves, e.seconds(), settings, world, *room).sound;
  });
  if (!sound) e.warning("the motion got out of hand, and was stopped where it was");
  state.obstacles = given ? *given : Colliders();
  return state;
}

void read(const State& last, Exec& e) {
  const auto prepared = prepare(e);
  if (!fits(e, *prepared)) return;
  const MeshlessDynamics& dynamics = prepared->dynamics;
  const bool same = fits(dynamics, last.moves);
  const State begun = same ? State() : begin(e, *prepared);
  BodyStates states = dynamics.states(same ? last.moves : begun.moves);
  double most = 0;
  for (std::size_t b = 0; b < dynamics.size(); ++b) {
    most = std::max(most, dynamics.strain(b, states.list[b].places));
  }
  e.set(out, prepared->joined.mesh(states));
  e.set(state_out, std::move(states));
  e.set(strain, to_float(most));
}

}  // namespace
}  // namespace sinew

SINEW_SIMULATION(meshless_dynamics, declare, init, step, read)
