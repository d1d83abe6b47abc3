// Many soft bodies of one kind, each at its own moment, that push each other apart. [Ijiri09]
#include <algorithm>
#include <string>

#include "nodes/kernels/soft_crowd.h"
#include "nodes/soft_words.h"

namespace sinew {
namespace {

SoftWords soft;
In<int> count, seed;
In<Vec3> area;
In<Mesh> places;
In<float> size_spread, delay_spread, turn, tilt;
Out<TetMesh> out;
Out<Field> signal;
Out<VectorField> velocity;
Out<Vec3> centre, momentum, impulse;

// What says how a crowd begins.
struct Beginning {
  kernels::CrowdPlacing placing;
  std::vector<Vec3f> places;  // that were given, m
  bool operator==(const Beginning&) const = default;
};

struct State {
  std::vector<kernels::SoftState> bodies;
  std::vector<kernels::CrowdMember> members;
  Beginning began;
  Colliders obstacles;  // of the last frame

  size_t bytes() const {
    size_t sum = sizeof *this + members.size() * sizeof(kernels::CrowdMember) +
                 began.places.size() * sizeof(Vec3f) + byte_size(obstacles);
    for (const kernels::SoftState& body : bodies) sum += body.bytes();
    return sum;
  }
};

struct Repeated {
  std::shared_ptr<const TetTopology> topology;
  std::size_t bytes() const { return byte_size(TetMesh(topology, {})); }
};

void declare(Declaration& d) {
  d.id("sim.crowd", 2).label("Crowd").category("Simulation").uses_dt();
  d.doc(
      "Many soft bodies of one kind, each with its own place, size and moment, that push each "
      "other apart.");
  d.upgrade([](UpgradeStep&) {});  // the same but for obstacles that swell or jump
  soft.declare_body(d);
  d.in(count, "count", 12).range(1, 1000).doc("How many.");
  d.in(area, "area", Vec3{2, 0, 2})
      .range(0, 1e4)
      .unit("m")
      .doc("The box over which they are spread, about where the body is at rest.");
  d.in(places, "places")
      .optional()
      .doc("They are put at vertices of this mesh instead of into a box.");
  d.in(seed, "seed", 1).range(0, 1e6).doc("Another number is another crowd.");
  d.in(size_spread, "size_spread", 0.2f)
      .range(0, 0.9)
      .doc("How much larger or smaller some of them are.");
  d.in(delay_spread, "delay_spread", 1)
      .range(0, 1000)
      .unit("s")
      .doc("How far behind the activation the latest of them is.");
  d.in(turn, "turn", 180)
      .range(0, 180)
      .unit("deg")
      .doc("How far they are turned about y, either way.");
  d.in(tilt, "tilt", 0).range(0, 180).unit("deg").doc("How far they lean over.");
  soft.declare_world(d);
  d.out(out, "solid").doc("All bodies as one, with their skins.");
  d.out(signal, "signal")
      .on(out)
      .doc("What the tissue wants along the primary direction: contraction below 0.");
  d.out(velocity, "velocity").on(out).doc("Of each vertex of the solids, in m/s.");
  d.out(centre, "centre").doc("Of the mass of all.");
  d.out(momentum, "momentum").doc("Of all together, in kg m/s.");
  d.out(impulse, "impulse")
      .doc("All momentum that the world has given them since the start, in kg m/s.");
}

// How many bodies the inputs ask for.
std::size_t wanted_bodies(const Exec& e) {
  const std::size_t asked = static_cast<std::size_t>(e.get(count));
  const Mesh* given = e.get_if<Mesh>(places);
  return given ? std::min(given->vertex_count(), asked) : asked;
}

Beginning beginning_of(const Exec& e) {
  constexpr float per_degree = 3.14159265f / 180;
  Beginning begins;
  begins.placing = {
      .count = static_cast<int>(wanted_bodies(e)),
      .area = to_eigen(e.get(area)),
      .size_spread = e.get(size_spread),
      .delay_spread = e.get(delay_spread),
      .turn = e.get(turn) * per_degree,
      .tilt = e.get(tilt) * per_degree,
      .seed = static_cast<uint32_t>(e.get(seed)),
  };
  const Mesh* given = e.get_if<Mesh>(places);
  if (!given) return begins;
  // So many of its vertices, evenly through their list; each once.
  const std::size_t there = given->vertex_count(), wanted = wanted_bodies(e);
  for (std::size_t i = 0; i < wanted; ++i) {
    begins.places.push_back(given->positions[i * there / wanted]);
  }
  return begins;
}

std::vector<kernels::CrowdMember> members_of(const Exec& e, const Beginning& begins,
                                             const kernels::SoftBody& body) {
  if (!e.get_if<Mesh>(places)) return kernels::place_crowd(begins.placing);
  std::vector<Vec3f> shifts = begins.places;
  for (Vec3f& shift : shifts) shift -= body.match().rest_centre().cast<float>();
  return kernels::place_crowd(begins.placing, shifts);
}

// More is no crowd that plays.
constexpr std::size_t most_vertices = 400'000;

State begin(Exec& e, const PreparedSoftBody& body) {
  State state;
  state.began = beginning_of(e);
  state.members = members_of(e, state.began, body.body);
  if (state.members.size() * body.body.count() > most_vertices) {
    e.error("{} bodies of {} vertices are more than {} vertices; use a coarser solid or fewer",
            state.members.size(), body.body.count(), most_vertices);
    return {};
  }
  for (const kernels::CrowdMember& member : state.members) {
    state.bodies.push_back(
        kernels::rest_state(body.body, e.get(soft.solid), member.size, member.turn, member.shift));
  }
  if (const Colliders* obstacles = e.get_if<Colliders>(soft.colliders)) {
    state.obstacles = *obstacles;
  }
  return state;
}

State init(Exec& e) {
  if (!soft.fits(e)) return {};
  return begin(e, *soft.prepare(e));
}

// Whether the inputs still ask for the crowd that is running.
bool goes_on(const Exec& e, const State& state, const PreparedSoftBody& body) {
  const std::size_t wanted = wanted_bodies(e);
  return state.bodies.size() == wanted &&
         (wanted == 0 || state.bodies[0].positions.size() == body.body.count());
}

State step(const State& last, Exec& e) {
  if (!soft.fits(e)) return last;
  const std::shared_ptr<const PreparedSoftBody> body = soft.prepare(e);
  const bool same = goes_on(e, last, *body);
  if (!same && !last.bodies.empty()) e.warning("{}", begins_anew);
  if (same && last.began != beginning_of(e)) {
    e.warning(
        "where its bodies begin, how large they are and how late is settled when they begin: "
        "'area', 'places', 'seed', 'size_spread', 'delay_spread', 'turn' and 'tilt' have no effect "
        "later");
  }
  State state = same ? last : begin(e, *body);
  if (e.failed()) return state;
  const std::shared_ptr<const kernels::ContactShape> contact = soft.prepare_contact(e);
  kernels::SoftSettings settings = soft.settings(e);
  settings.colliders_before = &last.obstacles;
  const auto rooms = soft.rooms<kernels::CrowdScratch>(e, "crowd rooms");
  const auto room = rooms->take();
  stoppable(e, [&](CancelView stop) {
    return kernels::step_crowd(
        {&body->body, contact.get(), body->inverse_masses}, state.members,
        e.get_if<Activation>(soft.activation), settings, e.get(soft.body_friction), e.dt(),
        soft.steps(e, body->body, 1 - e.get(size_spread)), *room, state.bodies, stop);
  });
  state.obstacles = settings.colliders ? *settings.colliders : Colliders{};
  return state;
}

void read(const State& last, Exec& e) {
  if (!soft.fits(e)) return;
  const std::shared_ptr<const PreparedSoftBody> body = soft.prepare(e);
  // Another crowd that has not been stepped yet is seen as it begins.
  const bool same = goes_on(e, last, *body);
  const State begun = same ? State() : begin(e, *body);
  if (e.failed()) return;
  const State& state = same ? last : begun;
  const TetMesh& solid = e.get(soft.solid);
  const std::size_t each = solid.vertex_count(), bodies = state.bodies.size();
  const auto repeated = e.prepared<Repeated>(
      "crowd topology " + std::to_string(bodies),
      [&] {
        return Repeated{
            std::make_shared<const TetTopology>(kernels::repeat_topology(solid, bodies))};
      },
      soft.solid);
  std::vector<Vec3f> positions, velocities;
  std::vector<float> wanted(each * bodies, 0);
  kernels::ActivationScratch scratch;
  const Activation* acts = e.get_if<Activation>(soft.activation);
  kernels::SoftMotion whole;
  Vec3d given = Vec3d::Zero();
  for (std::size_t i = 0; i < bodies; ++i) {
    const kernels::SoftState& one = state.bodies[i];
    positions.insert(positions.end(), one.positions.begin(), one.positions.end());
    velocities.insert(velocities.end(), one.velocities.begin(), one.velocities.end());
    if (acts) {
      kernels::activation_signal(*acts, state.members[i].delay, {}, scratch,
                                 std::span(wanted).subspan(i * each, each));
    }
    const kernels::SoftMotion motion = kernels::soft_motion(body->body, one, state.members[i].size);
    whole.mass += motion.mass;
    whole.centre += motion.mass * motion.centre;
    whole.momentum += motion.momentum;
    given += one.books.total();
  }
  if (whole.mass > 0) whole.centre /= whole.mass;
  e.set(out, TetMesh(repeated->topology, std::move(positions)));
  e.set(signal, Field(Domain::vertex, std::move(wanted), {.kind = FieldKind::strain}));
  e.set(velocity, VectorField{Domain::vertex, std::move(velocities), "m/s"});
  e.set(centre, from_eigen(whole.centre.cast<float>()));
  e.set(momentum, from_eigen(whole.momentum.cast<float>()));
  e.set(impulse, from_eigen(given.cast<float>()));
}

}  // namespace
}  // namespace sinew

SINEW_SIMULATION(sim_crowd, declare, init, step, read)
