#include "nodes/kernels/modal_motion.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "nodes/kernels/modal_system.h"

namespace sinew::kernels {
namespace {

constexpr int most_steps_of_one = 32;
// How far anything may turn or deform in one step: radians, amplitudes.
constexpr double most_turn = 0.1;
// How far forces may make anything turn in one, rad.
constexpr double farthest_turn = 0.5;
// How deep a step may lead, in parts of the size.
constexpr double deepest_allowed = 0.003;

bool finite(const ModalState& state) {
  bool sound = state.place.allFinite() && state.turn.coeffs().allFinite() &&
               state.velocity.allFinite() && state.spin.allFinite();
  for (std::size_t m = 0; m < state.amplitudes.size(); ++m) {
    sound = sound && std::isfinite(state.amplitudes[m]) && std::isfinite(state.rates[m]);
  }
  return sound;
}

// Into how many a step must be cut so that nothing turns or deforms too far in one. What is not
// finite counts as too fast: comparisons are written so that it does.
int pieces(const ModalModel& model, const ModalState& state, double h) {
  double fastest = state.spin.norm();
  for (std::size_t m = 0; m < model.modes(); ++m) {
    if (!(std::abs(state.rates[m]) <= fastest)) fastest = std::abs(state.rates[m]);
  }
  const double wanted = std::ceil(h * fastest / most_turn);
  if (!(wanted < most_steps_of_one)) return most_steps_of_one;
  return static_cast<int>(std::max(wanted, 1.0));
}

double deepest_contact(const ModalStepper::Room& room) {
  double depth = 0;
  for (const ModalContact& contact : room.contacts) depth = std::max(depth, contact.depth);
  return depth;
}

bool near_limit(const ModalState& state, double limit) {
  return std::any_of(state.amplitudes.begin(), state.amplitudes.end(),
                     [&](double g) { return std::abs(g) > 0.95 * limit; });
}

// Energy that the controller gives, and modes that come to rest.
void keep_books(const ModalModel& model, const ModalSettings& settings, double h,
                const ModalStepper::Room& room, ModalState& state) {
  ModalBooks& books = state.books;
  books.last_effort = 0;
  const bool pulled = (settings.pulls && !settings.pulls->empty()) || settings.air > 0;
  for (std::size_t m = 0; m < model.modes(); ++m) {
    const double rate = state.rates[m];
    const double control =
        -room.control_k[m] * (state.amplitudes[m] - room.wanted[m]) - room.control_d[m] * rate;
    books.work += h * control * rate;
    books.last_effort += std::abs(control * rate);
    if (!settings.deactivate || pulled) {
      state.asleep[m] = 0;
      state.still[m] = 0;
      continue;
    }
    const bool flies = room.contacts.empty();
    const bool quiet = std::abs(rate) < (flies ? ModalSleep::rate_in_flight : ModalSleep::rate);
    state.still[m] = quiet ? state.still[m] + static_cast<float>(h) : 0;
    if (!state.asleep[m] && state.still[m] > static_cast<float>(ModalSleep::time)) {
      state.asleep[m] = 1;
      state.rates[m] = 0;
      // Exactly at rest, so that points of its lattice are known to be where they always are.
      if (std::abs(state.amplitudes[m] - model.rest[m]) < 1e-9) state.amplitudes[m] = model.rest[m];
    }
  }
  books.effort += h * books.last_effort;
  state.time += h;
}

}  // namespace

std::size_t ModalState::bytes() const {
  return sizeof *this + amplitudes.size() * (2 * sizeof(double) + 5) +
         2 * before.amplitudes.size() * sizeof(double) + grips.size() * sizeof(ModalGrip);
}

ModalState modal_rest(const ModalModel& model) {
  ModalState state;
  state.place = model.space->centre();
  state.amplitudes = model.rest;
  state.rates.assign(model.modes(), 0);
  state.asleep.assign(model.modes(), 0);
  state.still.assign(model.modes(), 0);
  return state;
}

ModalPulls::ModalPulls(const ModalModel& model, const BodyForces& now, const BodyForces& before) {
  std::vector<Vec3f> places;
  const bool same = before.list.size() == now.list.size();
  for (std::size_t i = 0; i < now.list.size(); ++i) {
    const BodyForce& force = now.list[i];
    places.push_back(force.at);
    const double omega = 2 * std::numbers::pi * double{force.frequency};
    ModalPull pull;
    pull.kind = force.kind;
    pull.to = force.to.cast<double>();
    pull.from = same && before.list[i].kind == force.kind && before.list[i].at == force.at
                    ? before.list[i].to.cast<double>()
                    : pull.to;
    if (force.kind == BodyForceKind::force) {
      pull.to *= model.total;
      pull.from = pull.to;
    }
    pull.stiffness = model.total * omega * omega;
    pull.damping = 2 * double{force.damping} * model.total * omega;
    list_.push_back(pull);
  }
  points_ = ModalPoints(model.space, places);
}

ModalControl::ModalControl(const ModalModel& model, const Modes& modes_of_body,
                           const PoseGraph& controller)
    : graph(&controller) {
  for (const std::string& name : controller.modes) {
    const int mode = modes_of_body.find(name);
    const auto m = static_cast<std::size_t>(std::max(mode, 0));
    const bool drives = mode >= 0 && model.active[m];
    modes.push_back(drives ? static_cast<uint32_t>(mode) : UINT32_MAX);
    const double f = controller.frequency, k = drives ? model.stiffness[m] : 0;
    stiffness.push_back(f * f * k);
    damping.push_back(drives ? 2 * controller.damping * f * std::sqrt(k * model.inertia[m]) : 0);
  }
}

ModalStepper::ModalStepper(std::shared_ptr<const ModalModel> model)
    : model_(std::move(model)), room_(std::make_unique<Room>()) {}
ModalStepper::~ModalStepper() = default;

namespace {

// The steps of a frame: how long one is, and how many begin before the frame ends.
struct FrameSteps {
  double length = 0;  // s, of a whole step
  double first = 0;   // where in the frame the first begins, in steps
  double all = 1;     // steps in a frame
  int count = 0;
};

constexpr double most_steps = 1e5;  // in a frame
constexpr double sliver = 1e-9;     // of a step: no time at all

FrameSteps steps_of(const ModalSettings& settings, double duration, double ahead) {
  FrameSteps steps;
  if (settings.steps_fit) {
    steps.count = static_cast<int>(
        std::clamp(std::ceil(duration * settings.steps_per_second - sliver), 1.0, most_steps));
    steps.length = duration / steps.count;
    steps.all = steps.count;
    return steps;
  }
  steps.length = std::max(1 / settings.steps_per_second, duration / most_steps);
  steps.first = ahead / steps.length;
  steps.all = duration / steps.length;
  steps.count = static_cast<int>(std::max(std::ceil(steps.all - steps.first - sliver), 0.0));
  return steps;
}

// Where it is before a step of that length.
void remember(double length, ModalState& state) {
  ModalMoment& before = state.before;
  before.place = state.place;
  before.turn = state.turn;
  before.velocity = state.velocity;
  before.spin = state.spin;
  before.amplitudes = state.amplitudes;
  before.rates = state.rates;
  before.effort = state.books.effort;
  state.before_by = length;
}

// Beyond their limits amplitudes are held by something firm but not endlessly so, and forces have
// no bounds: what a step leads farther out than that gives way ends there. A spin that the shortest
// steps could not follow would feed itself, since steps take its force from where they begin: none
// is made faster than that.
void stop_at_limits(double limit, double most_spin, const ModalState& before, ModalState& state) {
  constexpr double give = 1.05;
  for (std::size_t m = 0; m < state.amplitudes.size(); ++m) {
    const double most = std::max(give * limit, std::abs(before.amplitudes[m]));
    double& amplitude = state.amplitudes[m];
    if (!(std::abs(amplitude) > most)) continue;
    amplitude = std::copysign(most, amplitude);
    if (state.rates[m] * amplitude > 0) state.rates[m] = 0;
  }
  const double most = std::max(most_spin, before.spin.norm()), spin = state.spin.norm();
  if (spin > most) state.spin *= most / spin;
}

// Where in the frame it is: whole steps, and parts of one.
struct StepPlace {
  int step = 0;
  double done = 0;
  int cut = 1;  // into how many the step is cut
};

// All steps of a frame, or until the state is not finite.
void take_steps(const ModalModel& model, const ModalSettings& settings, double duration,
                const FrameSteps& steps, ModalStepper::Room& room, ModalState& state) {
  const double whole = steps.length;
  const bool held = (settings.pulls && !settings.pulls->empty()) || settings.air > 0;
  // What a step cannot foresee (a spin that begins in it) shows in how deep it has led: then it is
  // taken back, and cut.
  StepPlace at, last;
  int cut = pieces(model, state, whole);
  double allowed = INFINITY;
  for (;;) {
    settings.stop.check();
    const double h = whole / cut, end = std::min(1.0, at.done + 1.0 / cut);
    double part = (steps.first + at.step + end) / steps.all;
    if (settings.steps_fit) part = std::min(1.0, part);
    find_contacts(model, settings, h, part, duration, room, state);
    const double depth = deepest_contact(room);
    if (depth > allowed && last.cut < most_steps_of_one) {
      state = room.saved;
      at = last;
      cut = 2 * last.cut;
      allowed = INFINITY;
      continue;
    }
    if (at.step == steps.count) break;
    if (at.done == 0 && at.step + 1 == steps.count && !settings.steps_fit) remember(whole, state);
    room.saved = state;
    last = {at.step, at.done, cut};
    allowed = std::max(1.05 * depth, deepest_allowed * model.size);
    // The pose of the middle of the step: those that end exactly here are over.
    set_control(model, settings, state.time + h / 2, room);
    const bool untouched = !held && room.contacts.empty();
    const bool free = untouched && !near_limit(state, settings.limit);
    if (free) state.grips.clear();
    const bool flown = free && fly(model, settings, h, room, state);
    if (!flown) step_implicit(model, settings, h, part, duration, room, state);
    stop_at_limits(settings.limit, most_steps_of_one * farthest_turn / whole, room.saved, state);
    if (!finite(state)) return;
    // What version 1 of the node saved goes on as it was.
    if (untouched && !flown && !settings.steps_fit) {
      keep_momentum(model, settings.gravity, h, room, room.saved, state);
    }
    keep_books(model, settings, h, room, state);
    at.done = end;
    if (end > 1 - sliver) {
      at = {at.step + 1, 0};
      cut = pieces(model, state, whole);
    }
  }
}

}  // namespace

bool ModalStepper::advance(const ModalSettings& settings, double duration, ModalState& state) {
  const ModalState begun = state;
  const FrameSteps steps = steps_of(settings, duration, state.ahead);
  room_->world = {settings.colliders_before, settings.colliders, farthest_in_frame * model_->size};
  room_->moves = room_->world.moves();
  take_steps(*model_, settings, duration, steps, *room_, state);
  state.ahead = settings.steps_fit ? 0 : begun.ahead + steps.count * steps.length - duration;
  if (state.ahead < sliver * steps.length) state.ahead = 0;
  if (finite(state)) return true;
  // Nothing that can be given should lead here. If it does, the body stops where it was.
  state = begun;
  state.ahead = 0;
  state.time += duration;
  state.velocity.setZero();
  state.spin.setZero();
  std::fill(state.rates.begin(), state.rates.end(), 0.0);
  return false;
}

ModalState modal_at_frame(const ModalState& state) {
  ModalState now = state;
  now.ahead = 0;
  if (!(state.ahead > 0)) return now;
  const ModalMoment& before = state.before;
  const double back = std::min(state.ahead / state.before_by, 1.0);
  const auto between = [&](const auto& a, const auto& b) -> std::remove_cvref_t<decltype(a)> {
    return a + back * (b - a);
  };
  now.place = between(state.place, before.place);
  now.turn = state.turn.slerp(back, before.turn);
  now.velocity = between(state.velocity, before.velocity);
  now.spin = between(state.spin, before.spin);
  for (std::size_t m = 0; m < now.amplitudes.size(); ++m) {
    now.amplitudes[m] = between(state.amplitudes[m], before.amplitudes[m]);
    now.rates[m] = between(state.rates[m], before.rates[m]);
  }
  now.books.effort = between(state.books.effort, before.effort);
  now.time -= state.ahead;
  return now;
}

ModalEnergy modal_energy(const ModalModel& model, const ModalState& state, const Vec3d& gravity) {
  ModalEnergy energy;
  ModalPoints::Room room;
  std::vector<double> ways;
  std::vector<Vec3d> places, velocities;
  for_masses(model, state, room, ways, [&](std::size_t i, const Vec3d& arm, const Vec3d& v) {
    places.push_back(state.place + arm);
    velocities.push_back(v);
    energy.kinetic += model.mass[i] / 2 * v.squaredNorm();
    energy.height -= model.mass[i] * gravity.dot(places.back());
    energy.momentum += model.mass[i] * v;
    energy.centre += model.mass[i] * places.back();
  });
  energy.centre /= model.total;
  energy.velocity = energy.momentum / model.total;
  for (std::size_t i = 0; i < places.size(); ++i) {
    energy.angular += model.mass[i] * (places[i] - energy.centre).cross(velocities[i]);
  }
  for (std::size_t m = 0; m < model.modes(); ++m) {
    const double off = state.amplitudes[m] - model.rest[m];
    energy.elastic += model.stiffness[m] / 2 * off * off;
  }
  return energy;
}

Eigen::Quaterniond turned_by(const Vec3d& vector) {
  const double angle = vector.norm();
  if (!(angle > 0)) return Eigen::Quaterniond::Identity();
  return Eigen::Quaterniond(Eigen::AngleAxisd(angle, vector / angle));
}

void place_points(const ModalModel& model, const ModalState& state, std::span<const Vec3f> bent,
                  std::span<Vec3f> out) {
  const Eigen::Matrix3d turn = state.turn.toRotationMatrix();
  const Vec3d shift = state.place - turn * model.space->centre();
  for (std::size_t i = 0; i < bent.size(); ++i) {
    out[i] = (shift + turn * bent[i].cast<double>()).cast<float>();
  }
}

}  // namespace sinew::kernels
