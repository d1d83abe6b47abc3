// Implicit steps with contacts, springs, pins and wind (modal_motion.h).
#include <algorithm>
#include <cmath>

#include "nodes/kernels/collide.h"
#include "nodes/kernels/modal_system.h"

namespace sinew::kernels {
namespace {

constexpr int most_friction_rounds = 6, most_newton_steps = 16, most_bisections = 12;
constexpr std::size_t most_wind_points = 48;
constexpr double gentlest_rate = 2;   // amplitudes per second
constexpr double farthest_pull = 10;  // sizes of the body: a spring is not stretched farther

const Collider& obstacle(const ModalSettings& settings, const ModalStepper::Room& room,
                         std::size_t c) {
  return room.obstacles.list.empty() ? settings.colliders->list[c] : room.obstacles.list[c];
}

Vec3d to_world(const Collider& collider, const Vec3d& own) {
  return collider.position.cast<double>() + collider.rotation.cast<double>() * own;
}
Vec3d to_own(const Collider& collider, const Vec3d& world) {
  return collider.rotation.cast<double>().conjugate() * (world - collider.position.cast<double>());
}

// Obstacles that move, where they are at a part of the frame.
void place_obstacles(double part, ModalStepper::Room& room) {
  if (!room.moves) return room.obstacles.list.clear();
  room.world.at(static_cast<float>(part), room.obstacles);
}

// Of an obstacle's material, where a point is now.
Vec3d obstacle_velocity(const ModalStepper::Room& room, std::size_t c, const Vec3d& place,
                        double frame) {
  if (!room.moves || !(frame > 0)) return Vec3d::Zero();
  return room.world.moved(c, room.obstacles.list[c], place) / frame;
}

// A penetration that nobody could avoid (a body that is set into the ground) is left at a speed
// that throws nothing into the air.
double gentlest(const ModalModel& model, const ModalSettings& settings) {
  return 0.3 * std::sqrt(settings.gravity.norm() * model.size) + 0.1 * model.size;
}

void add_contact(const ModalModel& model, const ModalSettings& settings, double h, double frame,
                 const SurfaceDistance& near, std::size_t c, uint32_t point, const Vec3d& place,
                 ModalStepper::Room& room, const ModalState& state) {
  ModalContact contact;
  contact.point = point;
  contact.collider = static_cast<uint32_t>(c);
  contact.place = place;
  const Eigen::Quaterniond to_body = state.turn.conjugate();
  contact.normal = to_body * near.normal;
  contact.drift = -(to_body * obstacle_velocity(room, c, place, frame));
  contact.depth = -near.distance;
  contact.rise = near.distance > 0 ? -near.distance / h
                                   : std::min(-near.distance / (h + settings.recovery),
                                              gentlest(model, settings));
  contact.friction = settings.friction * double{obstacle(settings, room, c).friction};
  auto grip =
      std::lower_bound(state.grips.begin(), state.grips.end(), point,
                       [](const ModalGrip& g, uint32_t wanted) { return g.point < wanted; });
  // A point may touch several obstacles.
  while (grip != state.grips.end() && grip->point == point && grip->collider != c) ++grip;
  if (grip != state.grips.end() && grip->point == point) {
    contact.is_new = false;
    contact.grips = true;
    contact.hold = grip->hold;
    contact.anchor = to_world(obstacle(settings, room, c), grip->anchor);
    Vec3d back = to_body * (contact.anchor - place);
    back -= contact.normal * contact.normal.dot(back);
    contact.wanted = back / (h + settings.recovery);
  }
  room.contacts.push_back(contact);
}

// Rows, and the velocities before the step.
void prepare_contacts(const ModalModel& model, ModalStepper::Room& room, const ModalState& state) {
  room.contact_rows.resize(3 * room.n * room.contacts.size());
  for (std::size_t i = 0; i < room.contacts.size(); ++i) {
    double* rows = room.contact_rows.data() + 3 * room.n * i;
    fill_rows(model.touching, room.contacts[i].point, state.amplitudes, state.rates,
              room.touch_points, room, rows);
    room.contacts[i].before += point_velocity(room.n, rows, room.velocity);
  }
}

struct Step {
  const ModalModel& model;
  const ModalSettings& settings;
  double h;
  double part, frame;
  ModalStepper::Room& room;
  double weight() const { return settings.hardness * model.total / h; }
};

void add_pulls(const Step& s, const ModalState& state) {
  if (!s.settings.pulls || s.settings.pulls->empty()) return;
  const ModalPoints& points = s.settings.pulls->points();
  ModalStepper::Room& room = s.room;
  room.pull_rows.resize(3 * room.n);
  room.pull_points.with_locals = room.locals_awake;
  points.set_moment(state.amplitudes, state.rates, room.pull_points);
  const Eigen::Quaterniond to_body = state.turn.conjugate();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ModalPull& pull = s.settings.pulls->list()[i];
    const ModalPoints::Point point = fill_rows(points, i, state.amplitudes, state.rates,
                                               room.pull_points, room, room.pull_rows.data());
    const double* rows = room.pull_rows.data();
    const Vec3d to = pull.from + s.part * (pull.to - pull.from);
    if (pull.kind == BodyForceKind::force) {
      add_force(room.n, rows, s.h * (to_body * to), room.base_right);
      continue;
    }
    Vec3d way = to_body * (to - state.place) - point.place;
    const Vec3d v = point_velocity(room.n, rows, room.velocity);
    if (pull.kind == BodyForceKind::pin) {
      const double w = s.weight();
      const double most = 5 * gentlest(s.model, s.settings) + 5 * s.model.size;
      Vec3d wanted = way / s.h;
      if (wanted.norm() > most) wanted *= most / wanted.norm();
      const Vec3d led = to_body * ((pull.to - pull.from) / s.frame);
      if (wanted.norm() < led.norm()) wanted = way / s.h;
      add_weight(room.n, rows, s.h * w, room.base_matrix);
      add_force(room.n, rows, s.h * w * (wanted - v), room.base_right);
    } else {
      // From far away a spring pulls as from nearer: nothing is thrown about by it.
      const double most = farthest_pull * s.model.size;
      if (way.norm() > most) way *= most / way.norm();
      const double k = pull.stiffness, c = pull.damping;
      add_weight(room.n, rows, s.h * (s.h * k + c), room.base_matrix);
      add_force(room.n, rows, s.h * (k * (way - s.h * v) - c * v), room.base_right);
    }
  }
}

// Every so many of the touching points catches the wind, together as much as all would.
void add_wind(const Step& s, const ModalState& state) {
  const std::size_t count = s.model.touching.size();
  if (!(s.settings.air > 0) || count == 0) return;
  ModalStepper::Room& room = s.room;
  room.wind_rows.resize(3 * room.n);
  const std::size_t stride = (count + most_wind_points - 1) / most_wind_points;
  const double taken = static_cast<double>((count + stride - 1) / stride);
  const Vec3d wind = state.turn.conjugate() * s.settings.wind;
  for (std::size_t i = 0; i < count; i += stride) {
    double* rows = room.wind_rows.data();
    fill_rows(s.model.touching, i, state.amplitudes, state.rates, room.touch_points, room, rows);
    const double c = s.settings.air * s.model.total / taken;
    add_weight(room.n, rows, s.h * c, room.base_matrix);
    add_force(room.n, rows, s.h * c * (wind - point_velocity(room.n, rows, room.velocity)),
              room.base_right);
  }
}

// M + h D + h^2 K, and h (Q - bias - K (q + h q' - q0) - D q').
void add_modes(const Step& s, const ModalState& state) {
  ModalStepper::Room& room = s.room;
  const std::size_t n = room.n;
  for (double& r : room.base_right) r *= s.h;
  for (std::size_t k = 0; k < room.awake.size(); ++k) {
    const uint32_t m = room.awake[k];
    const double stiff = s.model.stiffness[m] + room.control_k[m];
    const double damp = s.model.damping[m] + room.control_d[m];
    room.base_matrix[(6 + k) * n + 6 + k] += s.h * damp + s.h * s.h * stiff;
    room.base_right[6 + k] +=
        s.h * (modal_force(s.model, room, m, state.amplitudes[m], state.rates[m]) -
               s.h * stiff * state.rates[m]);
  }
}

// The velocity at which an amplitude reaches its limit, beyond which it must not go.
double limit_speed(const Step& s, double amplitude, int side) {
  const double left = side * s.settings.limit - amplitude;
  if (side * left > 0) return left / s.h;
  // One that was forced beyond comes back without a kick.
  return std::clamp(left / (s.h + s.settings.recovery), -gentlest_rate, gentlest_rate);
}

// Which limit an amplitude would pass; 0: none.
int8_t passed_limit(const Step& s, double amplitude, double rate) {
  for (const int8_t side : {int8_t{-1}, int8_t{1}}) {
    if (side * (rate - limit_speed(s, amplitude, side)) > 0) return side;
  }
  return 0;
}
double stop_weight(const Step& s, uint32_t mode) {
  return s.settings.hardness * s.model.inertia[mode];
}

// What a step minimises is convex: with x = dq', A and b those without contacts,
//   x.A x / 2 - b.x + h w / 2 sum max(0, v* - n.v)^2 + h w / 2 sum hold |v*_t - v_t|^2
// and the same for limits; contacts that hold (friction of the last round) have the last term.
// Newton's method with a search along its steps finds the least value and never goes round in
// circles.
void add_contacts(const Step& s, const ModalState& state) {
  ModalStepper::Room& room = s.room;
  const double w = s.weight();
  for (std::size_t i = 0; i < room.contacts.size(); ++i) {
    const ModalContact& c = room.contacts[i];
    if (!c.pushes && !c.grips) continue;
    const double* rows = room.contact_rows.data() + 3 * room.n * i;
    const double along = c.pushes ? w : 0, across = c.grips ? w * c.hold : 0;
    const double up = c.normal.dot(c.before);
    const Vec3d sideways = c.before - up * c.normal;
    add_weight(room.n, rows, c.normal, s.h * along, s.h * across, room.matrix);
    add_force(room.n, rows,
              s.h * (along * (c.rise - up) * c.normal + across * (c.wanted - sideways)),
              room.right);
  }
  for (std::size_t k = 0; k < room.awake.size(); ++k) {
    if (room.stops[k] == 0) continue;
    const uint32_t m = room.awake[k];
    const double weight = stop_weight(s, m);
    room.matrix[(6 + k) * room.n + 6 + k] += weight;
    room.right[6 + k] +=
        weight * (limit_speed(s, state.amplitudes[m], room.stops[k]) - state.rates[m]);
  }
}

// The slope of what is minimised along room.way from room.found, at t.
double slope_at(const Step& s, const ModalState& state, double t, double base, double curve) {
  const ModalStepper::Room& room = s.room;
  const double w = s.h * s.weight();
  double slope = base + t * curve;
  for (const ModalContact& c : room.contacts) {
    const double up = c.normal.dot(c.now), by = c.normal.dot(c.step);
    slope -= w * std::max(0.0, c.rise - up - t * by) * by;
    if (!c.grips) continue;
    const Vec3d side = c.step - by * c.normal;
    slope -= w * c.hold * (c.wanted - (c.now - up * c.normal) - t * side).dot(side);
  }
  for (std::size_t k = 0; k < room.awake.size(); ++k) {
    const uint32_t m = room.awake[k];
    const double rate = state.rates[m] + room.found[6 + k] + t * room.way[6 + k];
    const int8_t side = passed_limit(s, state.amplitudes[m], rate);
    if (side == 0) continue;
    slope +=
        stop_weight(s, m) * (rate - limit_speed(s, state.amplitudes[m], side)) * room.way[6 + k];
  }
  return slope;
}

// How far to go from room.found towards room.solved; the way is put into room.way.
double step_length(const Step& s, const ModalState& state) {
  ModalStepper::Room& room = s.room;
  for (std::size_t k = 0; k < room.n; ++k) room.way[k] = room.solved[k] - room.found[k];
  for (std::size_t i = 0; i < room.contacts.size(); ++i) {
    room.contacts[i].step =
        point_velocity(room.n, room.contact_rows.data() + 3 * room.n * i, room.way);
  }
  double base = product(room.n, room.base_matrix, room.found, room.way);
  for (std::size_t k = 0; k < room.n; ++k) base -= room.base_right[k] * room.way[k];
  const double curve = product(room.n, room.base_matrix, room.way, room.way);
  double low = 0, high = 1;
  const double start = std::abs(slope_at(s, state, 0, base, curve));
  if (!(slope_at(s, state, 1, base, curve) > 1e-9 * start)) return 1;
  for (int k = 0; k < most_bisections; ++k) {
    const double t = (low + high) / 2;
    (slope_at(s, state, t, base, curve) > 0 ? high : low) = t;
  }
  return (low + high) / 2;
}

// Who pushes, and which amplitudes are at their limits, at room.found; whether that changed.
bool choose_pushing(const Step& s, const ModalState& state) {
  ModalStepper::Room& room = s.room;
  bool changed = false;
  for (ModalContact& c : room.contacts) {
    const bool pushes = c.rise > c.normal.dot(c.now);
    changed = changed || pushes != c.pushes;
    c.pushes = pushes;
  }
  for (std::size_t k = 0; k < room.awake.size(); ++k) {
    const uint32_t m = room.awake[k];
    const int8_t side = passed_limit(s, state.amplitudes[m], state.rates[m] + room.found[6 + k]);
    changed = changed || side != room.stops[k];
    room.stops[k] = side;
  }
  return changed;
}

// Forces by what was found, and how firmly each contact holds; whether that changed enough to
// matter.
bool judge_friction(const Step& s) {
  const double w = s.weight();
  bool changed = false;
  for (ModalContact& c : s.room.contacts) {
    const double up = c.normal.dot(c.now), push = w * (c.rise - up);
    const bool had = c.grips;
    c.grips = c.pushes && c.friction > 0;
    c.force = c.pushes ? Vec3d(push * c.normal) : Vec3d::Zero();
    c.slides = true;
    if (!c.grips) continue;
    const Vec3d sideways = w * c.hold * (c.wanted - (c.now - up * c.normal));
    const double bound = c.friction * push, drag = sideways.norm();
    const double hold = drag > 0 ? std::clamp(c.hold * bound / drag, 1e-9, 1.0) : 1;
    changed = changed || !had || std::abs(hold - c.hold) > 0.02 * c.hold;
    c.slides = drag >= 0.999 * bound;
    if (had) c.force += (drag > bound ? bound / drag : 1) * sideways;
    c.hold = hold;
  }
  return changed;
}

void keep_grips(const Step& s, ModalState& state) {
  ModalStepper::Room& room = s.room;
  room.grips.clear();
  for (std::size_t i = 0; i < room.contacts.size(); ++i) {
    const ModalContact& c = room.contacts[i];
    if (!c.pushes) continue;
    const double* rows = room.contact_rows.data() + 3 * room.n * i;
    const Vec3d after = c.place + s.h * (state.turn * point_velocity(room.n, rows, room.velocity));
    const Collider& on = obstacle(s.settings, room, c.collider);
    // The obstacle is known where the step begins: what moves along with it is taken back there.
    const Vec3d held =
        c.is_new || c.slides ? Vec3d(after + s.h * (state.turn * c.drift)) : c.anchor;
    room.grips.push_back(
        {c.point, c.collider, to_own(on, held), c.place, state.turn * c.force, c.hold});
  }
}

// The new velocities stand in room.velocity.
void move_on(const Step& s, ModalState& state) {
  ModalStepper::Room& room = s.room;
  keep_grips(s, state);
  state.velocity = state.turn * Vec3d(room.velocity[0], room.velocity[1], room.velocity[2]);
  state.spin = state.turn * Vec3d(room.velocity[3], room.velocity[4], room.velocity[5]);
  state.place += s.h * state.velocity;
  state.turn = (turned_by(s.h * state.spin) * state.turn).normalized();
  for (std::size_t k = 0; k < room.awake.size(); ++k) {
    const uint32_t m = room.awake[k];
    state.rates[m] = room.velocity[6 + k];
    state.amplitudes[m] += s.h * state.rates[m];
  }
  std::swap(state.grips, room.grips);
  state.books.steps += 1;
}

}  // namespace

double fastest_point(const ModalModel& model, const ModalState& state) {
  double bent = 0, rate = 0;
  for (std::size_t m = 0; m < model.modes(); ++m) {
    bent += std::abs(state.amplitudes[m]) * model.reach[m];
    rate += std::abs(state.rates[m]) * model.reach[m];
  }
  return state.velocity.norm() + state.spin.norm() * (model.radius + bent) + rate;
}

void find_contacts(const ModalModel& model, const ModalSettings& settings, double h, double part,
                   double frame, ModalStepper::Room& room, const ModalState& state) {
  room.contacts.clear();
  if (!settings.colliders || settings.colliders->empty() || model.touching.size() == 0) return;
  // Where the step begins: what they move by until it ends is part of the velocities.
  const double begin = frame > 0 ? std::max(0.0, part - h / frame) : part;
  place_obstacles(begin, room);
  double bent = model.radius;
  for (std::size_t m = 0; m < model.modes(); ++m) {
    bent += std::abs(state.amplitudes[m]) * model.reach[m];
  }
  const double travel =
      1.5 * h * (fastest_point(model, state) + 2 * h * settings.gravity.norm()) + 1e-6 * model.size;
  bool placed = false;
  const Eigen::Matrix3d turn = state.turn.toRotationMatrix();
  for (std::size_t c = 0; c < settings.colliders->list.size(); ++c) {
    const Collider& on = obstacle(settings, room, c);
    double near = travel;
    if (room.moves && frame > 0 && room.world.goes_on(c)) {
      const double turned = double{settings.colliders_before->list[c].rotation.angularDistance(
          settings.colliders->list[c].rotation)};
      near += h * (obstacle_velocity(room, c, state.place, frame).norm() + turned / frame * bent);
    }
    if (signed_distance(on, state.place).distance > bent + near &&
        on.shape != ColliderShape::terrain) {
      continue;
    }
    if (!placed) {
      model.touching.set_moment(state.amplitudes, state.rates, room.touch_points);
      model.touching.places(state.amplitudes, room.touch_points, room.places);
      placed = true;
    }
    // Planes are the most common obstacle, and one product each tells who is near.
    const bool flat = on.shape == ColliderShape::plane;
    const Vec3d up = on.rotation.cast<double>() * Vec3d(0, 1, 0);
    const Vec3d own_up = turn.transpose() * up;
    const double height = up.dot(state.place - on.position.cast<double>());
    for (std::size_t i = 0; i < model.touching.size(); ++i) {
      const auto p = room.places.col(static_cast<Eigen::Index>(i));
      if (flat && height + own_up.dot(p) > near) continue;
      const Vec3d place = state.place + turn * p;
      const SurfaceDistance found = signed_distance(on, place);
      if (found.distance > near) continue;
      add_contact(model, settings, h, frame, found, c, static_cast<uint32_t>(i), place, room,
                  state);
    }
  }
  // Grips are looked up by point, and kept in that order.
  std::stable_sort(room.contacts.begin(), room.contacts.end(),
                   [](const ModalContact& a, const ModalContact& b) { return a.point < b.point; });
}

namespace {

// Velocities of the unknowns, in own axes.
void read_velocities(ModalStepper::Room& room, const ModalState& state) {
  const Vec3d velocity = state.turn.conjugate() * state.velocity;
  const Vec3d spin = state.turn.conjugate() * state.spin;
  for (int a = 0; a < 3; ++a) {
    room.velocity[static_cast<std::size_t>(a)] = velocity[a];
    room.velocity[static_cast<std::size_t>(a) + 3] = spin[a];
  }
  for (std::size_t k = 0; k < room.awake.size(); ++k) {
    room.velocity[6 + k] = state.rates[room.awake[k]];
  }
}

// M, bias and weights of this moment, with no more kinetic energy than there can be; which it
// returns.
double begin_step(const Step& s, const Vec3d& gravity, ModalState& state) {
  ModalStepper::Room& room = s.room;
  choose_awake(s.model, state, room);
  double energy = 0;
  for (int round = 0; round < 2; ++round) {
    read_velocities(room, state);
    assemble(s.model, state.amplitudes, state.rates, state.turn.conjugate() * state.spin, gravity,
             room);
    energy = product(room.n, room.matrix, room.velocity, room.velocity) / 2;
    const double bound = std::max(state.bound, 0.0);
    state.bound = std::numeric_limits<double>::infinity();
    if (energy <= bound) break;
    const double factor = std::sqrt(bound / energy);
    state.velocity *= factor;
    state.spin *= factor;
    for (double& rate : state.rates) rate *= factor;
  }
  return energy;
}

// Contacts, limits and friction; room.solved is dq'.
void solve_step(const Step& s, ModalState& state) {
  ModalStepper::Room& room = s.room;
  for (ModalContact& c : room.contacts) c.before = c.drift;
  prepare_contacts(s.model, room, state);
  for (ModalContact& c : room.contacts) c.now = c.before;
  room.found.assign(room.n, 0);
  room.way.assign(room.n, 0);
  room.stops.assign(room.awake.size(), 0);
  choose_pushing(s, state);
  for (int round = 0; round < most_friction_rounds; ++round) {
    for (int newton = 0; newton < most_newton_steps; ++newton) {
      room.matrix = room.base_matrix;
      room.right = room.base_right;
      add_contacts(s, state);
      solve(room);
      state.books.solved += room.n;
      const double t = step_length(s, state);
      for (std::size_t k = 0; k < room.n; ++k) room.found[k] += t * room.way[k];
      for (ModalContact& c : room.contacts) c.now += t * c.step;
      if (!choose_pushing(s, state) && t == 1) break;
    }
    if (!judge_friction(s)) break;
  }
  room.solved = room.found;
}

}  // namespace

void step_implicit(const ModalModel& model, const ModalSettings& settings, double h, double part,
                   double frame, ModalStepper::Room& room, ModalState& state) {
  const Step s{model, settings, h, part, frame, room};
  const Vec3d gravity = state.turn.conjugate() * settings.gravity;
  for (const ModalContact& c : room.contacts) {
    state.books.deepest = std::max(state.books.deepest, c.depth);
  }
  for (int wakings = 0;; ++wakings) {
    const double energy = begin_step(s, gravity, state);
    room.mass_matrix = room.matrix;
    room.base_matrix = room.matrix;
    room.base_right = room.right;
    room.touch_points.with_locals = room.locals_awake;
    model.touching.set_moment(state.amplitudes, state.rates, room.touch_points);
    add_modes(s, state);
    add_pulls(s, state);
    add_wind(s, state);
    solve_step(s, state);
    for (double& x : room.solved) x /= h;
    if (wakings < 8 && wake_modes(model, settings, gravity, room.solved, room, state)) continue;
    // Work of all that acted: h q' (M q'' + bias), with q' after the step.
    for (std::size_t k = 0; k < room.n; ++k) room.velocity[k] += h * room.solved[k];
    double work = product(room.n, room.mass_matrix, room.velocity, room.solved);
    for (std::size_t k = 0; k < room.n; ++k) work += room.velocity[k] * room.bias[k];
    state.bound = energy + h * work;
    break;
  }
  move_on(s, state);
}

}  // namespace sinew::kernels
