// Implicit steps with contacts, springs, pins and wind (modal_motion.h).
#include <algorithm>
#include <cmath>

#include "nodes/kernels/collide.h"
#include "nodes/kernels/modal_system.h"

namespace sinew::kernels {
namespace {

// Contacts may go round in circles: after so many repetitions none is let go any more. A point that
// is drawn for one step is better than one that sinks in.
constexpr int free_repetitions = 8, most_repetitions = 24;
constexpr std::size_t most_wind_points = 48;

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

bool moves(const ModalSettings& settings) {
  return settings.colliders && settings.colliders_before &&
         settings.colliders_before->list.size() == settings.colliders->list.size() &&
         !(*settings.colliders_before == *settings.colliders);
}

// Obstacles that move, where they are within the frame.
void place_obstacles(const ModalSettings& settings, double part, ModalStepper::Room& room) {
  if (!moves(settings)) return room.obstacles.list.clear();
  room.obstacles = *settings.colliders;
  const auto f = static_cast<float>(part);
  for (std::size_t c = 0; c < room.obstacles.list.size(); ++c) {
    const Collider& before = settings.colliders_before->list[c];
    Collider& now = room.obstacles.list[c];
    now.position = before.position + f * (now.position - before.position);
    now.rotation = before.rotation.slerp(f, now.rotation).normalized();
  }
}

// Of an obstacle's material, where a point is now.
Vec3d obstacle_velocity(const ModalSettings& settings, const ModalStepper::Room& room,
                        std::size_t c, const Vec3d& place, double frame) {
  if (room.obstacles.list.empty() || !(frame > 0)) return Vec3d::Zero();
  const Vec3d own = to_own(room.obstacles.list[c], place);
  return (to_world(settings.colliders->list[c], own) -
          to_world(settings.colliders_before->list[c], own)) /
         frame;
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
  contact.drift = -(to_body * obstacle_velocity(settings, room, c, place, frame));
  contact.depth = -near.distance;
  contact.rise = near.distance > 0 ? -near.distance / h
                                   : std::min(-near.distance / (h + settings.recovery),
                                              gentlest(model, settings));
  contact.friction = settings.friction * double{obstacle(settings, room, c).friction};
  contact.pushes = near.distance <= 0;
  const auto grip =
      std::lower_bound(state.grips.begin(), state.grips.end(), point,
                       [](const ModalGrip& g, uint32_t wanted) { return g.point < wanted; });
  if (grip != state.grips.end() && grip->point == point && grip->collider == c) {
    contact.is_new = false;
    contact.pushes = true;
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
    const Vec3d way = to_body * (to - state.place) - point.place;
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
  return side * left > 0 ? left / s.h : left / (s.h + s.settings.recovery);
}

void add_stops(const Step& s, const ModalState& state) {
  ModalStepper::Room& room = s.room;
  for (std::size_t k = 0; k < room.awake.size(); ++k) {
    if (room.stops[k] == 0) continue;
    const uint32_t m = room.awake[k];
    const double w = s.settings.hardness * s.model.inertia[m];
    room.matrix[(6 + k) * room.n + 6 + k] += w;
    room.right[6 + k] += w * (limit_speed(s, state.amplitudes[m], room.stops[k]) - state.rates[m]);
  }
}

// Which amplitudes are held at a limit; whether that changed.
bool judge_stops(const Step& s, const ModalState& state) {
  ModalStepper::Room& room = s.room;
  bool changed = false;
  for (std::size_t k = 0; k < room.awake.size(); ++k) {
    const uint32_t m = room.awake[k];
    const double rate = state.rates[m] + room.solved[6 + k];
    int8_t held = 0;
    for (const int8_t side : {int8_t{-1}, int8_t{1}}) {
      if (side * (rate - limit_speed(s, state.amplitudes[m], side)) > 0) held = side;
    }
    changed = changed || held != room.stops[k];
    room.stops[k] = held;
  }
  return changed;
}

void add_contacts(const Step& s) {
  ModalStepper::Room& room = s.room;
  const double w = s.weight();
  for (std::size_t i = 0; i < room.contacts.size(); ++i) {
    const ModalContact& c = room.contacts[i];
    if (!c.pushes) continue;
    const double* rows = room.contact_rows.data() + 3 * room.n * i;
    const double across = w * c.hold;
    const double up = c.normal.dot(c.before);
    const Vec3d sideways = c.before - up * c.normal;
    add_weight(room.n, rows, c.normal, s.h * w, s.h * across, room.matrix);
    add_force(room.n, rows, s.h * (w * (c.rise - up) * c.normal + across * (c.wanted - sideways)),
              room.right);
  }
}

// Forces of the contacts by the solution, and what that changes; whether it matters. `tighten`:
// only more contacts, and less friction.
bool judge_contacts(const Step& s, bool tighten) {
  ModalStepper::Room& room = s.room;
  const double w = s.weight();
  bool changed = false;
  for (std::size_t i = 0; i < room.contacts.size(); ++i) {
    ModalContact& c = room.contacts[i];
    const double* rows = room.contact_rows.data() + 3 * room.n * i;
    const Vec3d v = c.before + point_velocity(room.n, rows, room.solved);
    const double up = c.normal.dot(v), push = w * (c.rise - up);
    if ((push > 0) != c.pushes && !(tighten && c.pushes)) {
      c.pushes = push > 0;
      changed = true;
    }
    if (!c.pushes) {
      c.force.setZero();
      continue;
    }
    const Vec3d sideways = w * c.hold * (c.wanted - (v - up * c.normal));
    const double bound = c.friction * std::max(push, 0.0), drag = sideways.norm();
    double hold = drag > 0 ? std::clamp(c.hold * bound / drag, 1e-9, 1.0) : 1;
    if (tighten) hold = std::min(hold, c.hold);
    changed = changed || std::abs(hold - c.hold) > 0.02 * c.hold;
    c.slides = drag >= 0.999 * bound;
    c.force = push * c.normal + (drag > bound ? bound / drag : 1) * sideways;
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
    const Vec3d held = c.is_new || c.slides ? after : c.anchor;
    room.grips.push_back(
        {c.point, c.collider, to_own(on, held), c.place, state.turn * c.force, c.hold});
  }
}

Eigen::Quaterniond turned(const Eigen::Quaterniond& turn, const Vec3d& by) {
  const double angle = by.norm();
  if (!(angle > 0)) return turn;
  return (Eigen::Quaterniond(Eigen::AngleAxisd(angle, by / angle)) * turn).normalized();
}

// The new velocities stand in room.velocity.
void move_on(const Step& s, ModalState& state) {
  ModalStepper::Room& room = s.room;
  keep_grips(s, state);
  state.velocity = state.turn * Vec3d(room.velocity[0], room.velocity[1], room.velocity[2]);
  state.spin = state.turn * Vec3d(room.velocity[3], room.velocity[4], room.velocity[5]);
  state.place += s.h * state.velocity;
  state.turn = turned(state.turn, s.h * state.spin);
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
  place_obstacles(settings, part, room);
  const bool moving = !room.obstacles.list.empty();
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
    if (moving) {
      near += h * (obstacle_velocity(settings, room, c, state.place, frame).norm() + 1e-9);
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

// Contacts, limits and who pushes, repeated until nothing changes; room.solved is dq'.
void solve_step(const Step& s, ModalState& state) {
  ModalStepper::Room& room = s.room;
  for (ModalContact& c : room.contacts) c.before = c.drift;
  prepare_contacts(s.model, room, state);
  room.stops.assign(room.awake.size(), 0);
  for (int repetition = 0; repetition < most_repetitions; ++repetition) {
    room.matrix = room.base_matrix;
    room.right = room.base_right;
    add_contacts(s);
    add_stops(s, state);
    solve(room);
    state.books.solved += room.n;
    const bool contacts = judge_contacts(s, repetition >= free_repetitions);
    const bool stops = judge_stops(s, state);
    if (!contacts && !stops) break;
  }
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
