// A body that translates, rotates and deforms by modes. [Faloutsos97, sections 4 and 5]
#include <cmath>
#include <numbers>

#include "graph/document.h"
#include "nodes/kernels/modal_carry.h"
#include "nodes/kernels/modes.h"
#include "nodes/modal_words.h"
#include "nodes/scratch_pool.h"

namespace sinew {
namespace {

ModalWords words;
In<bool> physics;
In<float> blend;
In<bool> grab;
In<Vec3> grab_at, grab_to;
In<float> grab_strength;
Out<Mesh> out;
Out<BodyForces> contact;
Out<Modes> modes_out;
Out<Vec3> centre, velocity;
Out<float> travelled, height, tilt, effort, energy;

struct State {
  kernels::ModalState body;
  kernels::ModalKeys keys;
  kernels::ModalOffset offset;
  bool led = false;
  std::shared_ptr<const std::vector<std::string>> modes;  // names of those that the body has
  Vec3d centre{0, 0, 0};                                  // of its mass at rest
  Vec3d begin{0, 0, 0};                                   // centre of mass at the start
  Colliders obstacles;
  BodyForces forces;
  int held = -1;  // vertex in the hand
  std::size_t bytes() const {
    return sizeof *this + body.bytes() + 4 * body.amplitudes.size() * sizeof(double) +
           byte_size(obstacles) + byte_size(forces);
  }
};

// Room for steps of one body, used again from frame to frame.
using Steppers = ScratchPool<std::optional<kernels::ModalStepper>>;

void declare(Declaration& d) {
  d.id("dffd.simulate", 2).label("Simulate Dynamic Body").category("Dynamic FFD");
  d.doc(
      "Moves a body by its modes: it falls, bounces, slides, and walks if a controller drives it. "
      "Where 'physics' is off it is led by keys, and goes over from one to the other without a "
      "jump. Where modes come or go while it moves, those that stay go on, known by their names; "
      "new ones begin at 0.");
  d.uses_dt();
  d.upgrade([](UpgradeStep& step) { step.params()["steps_fit"] = true; });
  words.declare_body(d, "Drives the active modes: how it walks and hops.");
  d.in(physics, "physics", true)
      .doc(
          "On: the body moves by itself. Off: it is led by 'position', 'rotation' and the "
          "amplitudes of its modes; pins then hold their places on the ground, several as well as "
          "moving and turning the body can.");
  d.in(blend, "blend", 0.5f)
      .range(0, 100)
      .unit("s")
      .doc("In which it finds back to its keys when 'physics' ends.");
  words.declare_world(d);
  d.in(grab, "grab", false).doc("Whether a hand pulls at it.");
  d.in(grab_at, "grab_at", Vec3{})
      .range(-1e6, 1e6)
      .unit("m")
      .doc("Where the hand takes hold: the closest vertex, when 'grab' begins.");
  d.in(grab_to, "grab_to", Vec3{})
      .range(-1e6, 1e6)
      .unit("m")
      .doc("Where the hand pulls to; from farther than ten sizes of the body as from there.");
  d.in(grab_strength, "grab_strength", 3.0f)
      .range(0.1, 100)
      .unit("Hz")
      .doc("With which the body swings in the hand.");
  d.hand(grab, grab_at, grab_to);
  d.handle(HandleKind::vector, "hand").at(grab_at).to(grab_to).when(grab);
  d.out(out, "mesh").doc("The body as it is now.");
  d.out(contact, "contact")
      .doc(
          "Forces of the ground and of obstacles on it, where they act now; per mass of the body.");
  d.out(modes_out, "modes").doc("Its modes with their amplitudes as they are now.");
  d.out(centre, "centre").doc("Of mass.");
  d.out(velocity, "velocity").doc("Of the centre of mass, in m/s.");
  d.out(travelled, "travelled").doc("How far the centre of mass is from where it began, in m.");
  d.out(height, "height").doc("How much higher the centre of mass is than where it began, in m.");
  d.out(tilt, "tilt").doc("Between its own y axis and that of the world, in degrees.");
  d.out(effort, "effort").doc("What the controller has spent since the start, in J.");
  d.out(energy, "energy").doc("Of motion, of deformation and of height together, in J.");
}

BodyForces forces_of(const Exec& e) {
  const BodyForces* given = e.get_if<BodyForces>(words.forces);
  return given ? *given : BodyForces();
}
Colliders obstacles_of(const Exec& e) {
  const Colliders* given = e.get_if<Colliders>(words.colliders);
  return given ? *given : Colliders();
}

constexpr double off_its_pin = 0.01;  // in sizes: worth a word

// Where keys lead the body now. Pins hold their places while the body deforms and turns, as
// keyframing with feet on the ground asks for.
kernels::ModalKey key_of(Exec& e, const kernels::ModalModel& model, const BodyForces& forces,
                         bool leads) {
  kernels::ModalKey key{model.space->centre() + to_eigen(e.get(words.position)).cast<double>(),
                        turn_of(e.get(words.rotation)), model.rest};
  std::vector<Vec3f> at;
  std::vector<Vec3d> own, to;
  for (const BodyForce& force : forces.list) {
    if (force.kind != BodyForceKind::pin) continue;
    at.push_back(force.at);
    to.push_back(force.to.cast<double>());
  }
  if (at.empty()) return key;
  const kernels::ModalPoints points(model.space, at);
  const std::vector<double> still(key.amplitudes.size(), 0.0);
  kernels::ModalPoints::Room room;
  Eigen::Matrix3Xd places;
  points.set_moment(key.amplitudes, still, room);
  points.places(key.amplitudes, room, places);
  for (const auto& place : places.colwise()) own.push_back(place);
  const double off = kernels::hold_key(own, to, key);
  if (leads && off > off_its_pin * model.size) {
    e.warning(
        "{} pins hold it, but moving and turning it does not bring all of them where they belong: "
        "one is off by {:.3g} m, since on the body as it is they are not as far apart; give them "
        "other places, or take one away",
        at.size(), off);
  }
  return key;
}

State begin(Exec& e, const kernels::ModalModel& model) {
  State state;
  state.body = words.start(e, model);
  state.led = !e.get(physics);
  state.keys.add(key_of(e, model, forces_of(e), state.led));
  state.modes = std::make_shared<const std::vector<std::string>>(model.names);
  state.centre = model.space->centre();
  if (state.led) {
    state.body.place = state.keys.last[0].place;
    state.body.turn = state.keys.last[0].turn;
  }
  state.begin = kernels::modal_energy(model, state.body, Vec3d::Zero()).centre;
  state.obstacles = obstacles_of(e);
  state.forces = forces_of(e);
  return state;
}

State init(Exec& e) { return begin(e, *words.prepare(e)); }

// What goes on with the modes that the body has now.
State carried(const State& last, const kernels::ModalModel& model) {
  State state = last;
  if (*last.modes == model.names) return state;
  const kernels::ModeChange change(*last.modes, model.names);
  const Vec3d moved = model.space->centre() - last.centre;
  kernels::carry_over(change, model.modes(), moved, state.body);
  kernels::carry_over(change, model.rest, moved, state.keys);
  kernels::carry_over(change, model.modes(), state.offset);
  state.modes = std::make_shared<const std::vector<std::string>>(model.names);
  state.centre = model.space->centre();
  return state;
}

std::vector<Vec3f> vertices_now(Exec& e, const kernels::ModalModel& model,
                                const kernels::ModalState& state);

// The hand is a spring at the vertex that it took.
void pull_by_hand(Exec& e, const kernels::ModalModel& model, State& state, BodyForces& forces) {
  if (!e.get(grab)) {
    state.held = -1;
    return;
  }
  const std::vector<Vec3f>& rest = e.get(words.body).mesh->positions;
  if (state.held < 0 || static_cast<std::size_t>(state.held) >= rest.size()) {
    const std::vector<Vec3f> now = vertices_now(e, model, kernels::modal_at_frame(state.body));
    const Vec3f hand = to_eigen(e.get(grab_at));
    state.held = 0;
    for (std::size_t i = 1; i < now.size(); ++i) {
      if ((now[i] - hand).squaredNorm() <
          (now[static_cast<std::size_t>(state.held)] - hand).squaredNorm()) {
        state.held = static_cast<int>(i);
      }
    }
  }
  if (rest.empty()) return;
  forces.list.push_back({BodyForceKind::spring, rest[static_cast<std::size_t>(state.held)],
                         to_eigen(e.get(grab_to)), e.get(grab_strength), 0.5f});
}

State step(const State& last, Exec& e) {
  const auto model = words.prepare(e);
  State state = carried(last, *model);
  BodyForces forces = forces_of(e);
  if (e.get(physics)) {
    kernels::ModalSettings settings = words.settings(e);
    pull_by_hand(e, *model, state, forces);
    const kernels::ModalPulls pulls(*model, forces, last.forces);
    const PoseGraph* graph = e.get_if<PoseGraph>(words.controller);
    const kernels::ModalControl control = words.control(e, *model, graph);
    settings.colliders_before = &last.obstacles;
    settings.pulls = &pulls;
    settings.control = &control;
    const auto steppers = e.prepared<Steppers>(
        "modal steppers", [] { return Steppers(); }, words.body);
    const auto stepper = steppers->take();
    if (!*stepper) stepper->emplace(model);
    const bool sound = stoppable(e, [&](CancelView stop) {
      settings.stop = stop;
      return (*stepper)->advance(settings, e.dt(), state.body);
    });
    if (!sound) e.warning("the motion got out of hand, and was stopped where it was");
    state.keys.add(key_of(e, *model, forces_of(e), false));
    state.led = false;
  } else {
    if (!last.led) {
      state.body = kernels::modal_at_frame(state.body);
      state.offset = kernels::offset_of(state.body, state.keys, e.dt(), double{e.get(blend)});
    }
    state.keys.add(key_of(e, *model, forces, true));
    kernels::follow_keys(state.keys, e.dt(), state.offset, state.body);
    state.led = true;
  }
  state.obstacles = obstacles_of(e);
  state.forces = std::move(forces);
  return state;
}

struct Parts {
  kernels::ModeParts parts;
  std::size_t bytes() const {
    std::size_t sum = sizeof *this;
    for (const auto& list : parts.inside) sum += list.size() * sizeof(uint32_t);
    return sum;
  }
};

std::vector<Vec3f> vertices_now(Exec& e, const kernels::ModalModel& model,
                                const kernels::ModalState& state) {
  const ModalBody& body = e.get(words.body);
  const std::vector<Vec3f>& rest = body.mesh->positions;
  std::vector<Vec3f> moved(rest.size());
  const auto parts = e.prepared<Parts>(
      "modal parts", [&] { return Parts{kernels::ModeParts(*body.modes, rest)}; }, words.body);
  kernels::deform_by_modes(*body.modes, state.amplitudes, parts->parts, {}, rest, moved);
  kernels::place_points(model, state, moved, moved);
  return moved;
}

void read(const State& last, Exec& e) {
  const auto model = words.prepare(e);
  const State state = carried(last, *model);
  const kernels::ModalState at = kernels::modal_at_frame(state.body);
  const ModalBody& body = e.get(words.body);
  const kernels::ModalEnergy now =
      kernels::modal_energy(*model, at, to_eigen(e.get(words.gravity)).cast<double>());

  BodyForces pushes;
  for (const kernels::ModalGrip& grip : at.grips) {
    if (pushes.list.size() == most_body_forces) break;
    pushes.list.push_back({BodyForceKind::force, grip.place.cast<float>(),
                           (grip.force / model->total).cast<float>()});
  }
  Modes modes = *body.modes;
  std::size_t n = 0;
  for (ModeLattice& lattice : modes.lattices) {
    for (DeformMode& mode : lattice.modes) {
      mode.amplitude = std::clamp(at.amplitudes[n++], -largest_amplitude, largest_amplitude);
    }
  }
  const double lean = (at.turn * Vec3d(0, 1, 0)).y();
  e.set(contact, std::move(pushes));
  e.set(modes_out, std::move(modes));
  e.set(centre, from_eigen(now.centre.cast<float>()));
  e.set(velocity, from_eigen(now.velocity.cast<float>()));
  e.set(travelled, to_float((now.centre - state.begin).norm()));
  e.set(height, to_float(now.centre.y() - state.begin.y()));
  e.set(tilt, to_float(std::acos(std::clamp(lean, -1.0, 1.0)) * 180 / std::numbers::pi));
  e.set(effort, to_float(at.books.effort));
  e.set(energy, to_float(now.total()));
  e.set(out, body.mesh->with_positions(vertices_now(e, *model, at)));
}

}  // namespace
}  // namespace sinew

SINEW_SIMULATION(dffd_simulate, declare, init, step, read)
