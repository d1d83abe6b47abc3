// A soft body that its own tissue moves. [Ijiri09, section 5]
#include "nodes/kernels/shape_match.h"

#include <algorithm>
#include <cmath>

#include "graph/document.h"
#include "nodes/kernels/tet_measure.h"
#include "nodes/soft_hand.h"
#include "nodes/soft_lead.h"
#include "nodes/soft_neighbours.h"
#include "nodes/soft_pins.h"
#include "nodes/soft_words.h"

namespace sinew {
namespace {

SoftWords soft;
In<VectorField> force;
SoftPins pins;
In<Colliders> felt;
SoftLead lead;
SoftNeighbours neighbours;
SoftHand hand;
Out<TetMesh> out;
Out<Mesh> surface;
Out<Field> signal, strain;
Out<VectorField> velocity;
Out<Vec3> centre, momentum, impulse;

struct State {
  kernels::SoftState body;
  Colliders obstacles;                      // of the last frame
  std::vector<Neighbour> others;            // of the last frame
  std::vector<std::vector<Touch>> touches;  // felt, by response
  std::vector<Held> held;                   // by the hand; empty: nothing
  std::vector<Vec3f> led;                   // where it was led in the last frame; empty: nowhere
  std::vector<float> firm;                  // how firmly, Hz
  std::vector<Pinned> pinned;
  std::vector<Vec3f> pins_at;  // where pins hold in the last frame, if a pose says so

  // Poses and tables of others are held by them, too.
  size_t bytes() const {
    size_t sum = sizeof *this + body.bytes() + held.size() * sizeof(Held) + byte_size(obstacles) +
                 others.size() * sizeof(Neighbour) + (led.size() + pins_at.size()) * sizeof(Vec3f) +
                 firm.size() * sizeof(float) + pinned.size() * sizeof(Pinned);
    for (const std::vector<Touch>& list : touches) {
      for (const Touch& touch : list) sum += sizeof touch + touch.distance->size() * sizeof(float);
    }
    return sum;
  }
};

struct Room {
  kernels::SoftScratch step;
  kernels::ActivationScratch activation;
  kernels::SymmetricArrays tensors;
  kernels::LaneFloats arranged;
  NeighbourRoom neighbours;
  LeadRoom lead;
  PinRoom pins;
  std::vector<kernels::Pull> pulls;
};

void declare(Declaration& d) {
  d.id("sim.shape_match", 2).label("Soft Body").category("Simulation").uses_dt();
  d.doc(
      "A body that its own tissue moves: local deformations become a motion of the whole, in a "
      "world that pushes back. It cannot blow up, nor be drawn out farther than to ten times "
      "its size.");
  // Version 1 let go and caught at once, and did not know of obstacles that swell or jump.
  d.upgrade([](UpgradeStep& u) { u.params().try_emplace("blend", 0); });
  soft.declare_body(d);
  soft.declare_world(d);
  d.in(force, "force").optional().doc("A push at each vertex of the solid, in newtons.");
  pins.declare(d);
  d.in(felt, "felt")
      .optional()
      .doc(
          "Obstacles whose touch is felt, for a stimulus that reacts to collisions; link them here "
          "instead of to 'colliders'.");
  lead.declare(d);
  neighbours.declare(d);
  hand.declare(d);
  d.out(out, "solid").doc("The body as it is now, with its skin.");
  d.out(surface, "mesh").doc("Its skin.");
  d.out(signal, "signal")
      .on(out)
      .doc("What the tissue wants along the primary direction: contraction below 0.");
  d.out(strain, "strain")
      .on(out)
      .doc("What it got along the primary direction: contraction below 0.");
  d.out(velocity, "velocity").on(out).doc("Of each vertex of the solid, in m/s.");
  d.out(centre, "centre").doc("Of mass.");
  d.out(momentum, "momentum").doc("Of the whole, in kg m/s.");
  d.out(impulse, "impulse")
      .doc("All momentum that the world has given it since the start, in kg m/s.");
}

// The obstacles and then those that are felt, in one list.
Colliders all_obstacles(const Exec& e, std::size_t& first_felt) {
  Colliders all;
  if (const Colliders* obstacles = e.get_if<Colliders>(soft.colliders)) all = *obstacles;
  first_felt = all.list.size();
  if (const Colliders* touching = e.get_if<Colliders>(felt)) {
    all.list.insert(all.list.end(), touching->list.begin(), touching->list.end());
  }
  return all;
}

State rest(Exec& e, const PreparedSoftBody& body) {
  State state;
  state.body = kernels::rest_state(body.body, e.get(soft.solid));
  // A body that is led begins where it is led, and stands still there.
  if (std::optional<std::vector<Vec3f>> places = lead.places(e, soft.solid)) {
    state.body.positions = *places;
    state.led = std::move(*places);
  }
  pins.begin(e, state.body.positions.size(), state.pinned);
  if (const TetMesh* pose = e.get_if<TetMesh>(pins.follow)) state.pins_at = pose->positions;
  std::size_t first_felt = 0;
  state.obstacles = all_obstacles(e, first_felt);
  return state;
}

// Whether all that is given per vertex is for this solid; an error if not.
bool fits(Exec& e) {
  if (!soft.fits(e)) return false;
  const std::size_t vertices = e.get(soft.solid).vertex_count();
  if (!pins.fits(e, vertices) || !lead.fits(e, soft.solid)) return false;
  const VectorField* push = e.get_if<VectorField>(force);
  if (push && !push->fits(Domain::vertex, vertices)) {
    return e.error("'force' has {} values per {}, but the solid has {} vertices", push->size(),
                   domain_name(push->domain), vertices),
           false;
  }
  return true;
}

State init(Exec& e) {
  if (!fits(e)) return {};
  return rest(e, *soft.prepare(e));
}

// Lets go of vertices and catches them, where they are held.
void hold_pins(const Exec& e, const std::optional<std::vector<Vec3f>>& led, State& state,
               Room& room) {
  const TetMesh* pose = e.get_if<TetMesh>(pins.follow);
  const std::vector<Vec3f>& now = pose ? pose->positions : led ? *led : e.get(soft.solid).positions;
  const std::vector<Vec3f>& last = pose ? state.pins_at : state.led;
  const bool moves = (pose || led) && last.size() == now.size();
  pins.step(e, {moves ? last : now, now}, state.body, state.pinned, room.pins);
  if (pose) state.pins_at = pose->positions;
}

// A collision that is felt begins a response, unless the last one was just now.
void feel(const Exec& e, const Activation& acts, uint32_t vertex, State& state) {
  state.touches.resize(acts.responses.size());
  std::shared_ptr<const std::vector<float>> distance;
  for (std::size_t j = 0; j < acts.responses.size(); ++j) {
    const ResponsePattern& pattern = *acts.responses[j].pattern;
    std::vector<Touch>& touches = state.touches[j];
    // One that is over is kept as long as it keeps others from being felt.
    if (!pattern.feels || (!touches.empty() && acts.time - touches.back().start < pattern.rest)) {
      continue;
    }
    if (!distance) {
      const TetMesh& solid = e.get(soft.solid);
      distance = kernels::touch_distance(
          solid, kernels::vertex_tets(solid.tets(), solid.vertex_count()), vertex);
    }
    std::erase_if(touches, [&](const Touch& t) {
      return acts.time - t.start > pattern.period + 1 / pattern.speed;
    });
    touches.push_back({acts.time, distance});
  }
}

// What the tissue does at this frame, as steps take it.
void read_activation(const Exec& e, const kernels::SoftBody& body, State& state, Room& room) {
  const Activation* acts = e.get_if<Activation>(soft.activation);
  if (!acts) return kernels::rest_tensors(body, room.arranged);
  state.touches.resize(acts->responses.size());
  kernels::evaluate_activation(*acts, 0, state.touches, room.activation, room.tensors);
  kernels::arrange_tensors(body, room.tensors, room.arranged);
}

// Where it is led. Fibres and bristles, which are given at rest, turn with the led shape.
const kernels::Led* read_lead(const Exec& e, const kernels::SoftBody& body, double h,
                              const kernels::Friction& friction, State& state,
                              const std::optional<std::vector<Vec3f>>& places, Room& room) {
  if (!places) return nullptr;
  lead.take_hold(e, static_cast<double>(e.get(pins.blend)), state.firm, room.lead);
  lead.read(h, state.led, *places, room.lead);
  kernels::Led& led = room.lead.led;
  led.holds_pins = !e.get_if<TetMesh>(pins.follow);
  const bool has_fibres = e.get_if<Activation>(soft.activation) != nullptr;
  if (has_fibres || friction.is_directed()) {
    kernels::led_turns(body.match(), led.now, room.step.match, room.lead.turns);
    led.turns = room.lead.turns;
    if (has_fibres) kernels::turn_tensors(body.match(), led.turns, room.arranged);
  }
  return &led;
}

State step(const State& last, Exec& e) {
  if (!fits(e)) return last;
  const std::shared_ptr<const PreparedSoftBody> body = soft.prepare(e);
  // Another solid under a running simulation begins anew.
  const bool same_solid = last.body.positions.size() == body->body.count();
  if (!same_solid && !last.body.positions.empty()) e.warning("{}", begins_anew);
  State state = same_solid ? last : rest(e, *body);
  const auto rooms = soft.rooms<Room>(e, "shape match rooms");
  const auto room = rooms->take();
  const VectorField* push = e.get_if<VectorField>(force);
  hand.read(e, body->body, state.body.positions, state.held, room->pulls);

  const Activation* acts = e.get_if<Activation>(soft.activation);
  read_activation(e, body->body, state, *room);
  const int steps = soft.steps(e, body->body);
  kernels::SoftSettings settings = soft.settings(e);
  std::optional<std::vector<Vec3f>> places = lead.places(e, soft.solid);
  hold_pins(e, places, state, *room);
  settings.led = read_lead(e, body->body, e.dt() / steps, settings.friction, state, places, *room);
  Colliders obstacles = all_obstacles(e, settings.first_felt);
  settings.colliders = &obstacles;
  settings.colliders_before = &last.obstacles;
  settings.pins = room->pins.pins;
  settings.pulls = room->pulls;
  if (push) settings.push = push->values;
  std::vector<Neighbour> others = neighbours.read(e, state.others);
  const std::shared_ptr<const kernels::ContactShape> contact =
      others.empty() ? nullptr : soft.prepare_contact(e);
  const kernels::ContactBody own = {contact.get(), state.body.positions, state.body.velocities,
                                    body->inverse_masses, 1};

  uint32_t first_touched = kernels::nothing_felt;
  for (int k = 0; k < steps; ++k) {
    e.stop_if_cancelled();
    settings.frame_from = static_cast<float>(k) / static_cast<float>(steps);
    settings.frame_to = static_cast<float>(k + 1) / static_cast<float>(steps);
    SoftPins::read(e.dt(), static_cast<double>(settings.frame_to), room->pins);
    const uint32_t touched =
        kernels::step_soft_body(body->body, settings, e.dt() / steps, room->arranged,
                                1.0f / static_cast<float>(steps - k), room->step, state.body);
    if (first_touched == kernels::nothing_felt) first_touched = touched;
    state.body.books.contact += stoppable(e, [&](CancelView stop) {
      return meet_neighbours(own, {state.others, others, e.dt(), e.dt() / steps}, settings.frame_to,
                             e.get(soft.body_friction), room->neighbours, stop);
    });
  }
  if (acts && first_touched != kernels::nothing_felt) feel(e, *acts, first_touched, state);
  state.obstacles = std::move(obstacles);
  state.others = std::move(others);
  state.led = places ? std::move(*places) : std::vector<Vec3f>();
  return state;
}

void read(const State& last, Exec& e) {
  if (!fits(e)) return;
  const TetMesh& solid = e.get(soft.solid);
  const std::shared_ptr<const PreparedSoftBody> body = soft.prepare(e);
  // Another solid that has not been stepped yet is seen at rest.
  const bool same = last.body.positions.size() == solid.vertex_count();
  const State begun = same ? State() : rest(e, *body);
  const State& state = same ? last : begun;
  const Activation* acts = e.get_if<Activation>(soft.activation);
  TetMesh now = solid.with_positions(state.body.positions);
  std::vector<float> wanted(solid.vertex_count(), 0);
  if (acts && state.touches.size() <= acts->responses.size()) {
    std::vector<std::vector<Touch>> touches = state.touches;
    touches.resize(acts->responses.size());
    kernels::ActivationScratch scratch;
    kernels::activation_signal(*acts, 0, touches, scratch, wanted);
  }
  const std::span<const Vec3f> primary = acts && acts->frames
                                             ? std::span<const Vec3f>(acts->frames->primary)
                                             : std::span<const Vec3f>();
  e.set(signal, Field(Domain::vertex, std::move(wanted), {.kind = FieldKind::strain}));
  e.set(strain,
        Field(Domain::vertex, kernels::measured_strain(body->body.match(), now.positions, primary),
              {.kind = FieldKind::strain}));
  e.set(velocity, VectorField{Domain::vertex, state.body.velocities, "m/s"});
  const kernels::SoftMotion motion = kernels::soft_motion(body->body, state.body);
  e.set(centre, from_eigen(motion.centre.cast<float>()));
  e.set(momentum, from_eigen(motion.momentum.cast<float>()));
  e.set(impulse, from_eigen(state.body.books.total().cast<float>()));
  e.set(surface, surface_of(now));
  e.set(out, std::move(now));
}

}  // namespace
}  // namespace sinew

SINEW_SIMULATION(sim_shape_match, declare, init, step, read)
