// Free flight by the embedded Runge-Kutta pair of [Dormand80], table 2.
#include <algorithm>
#include <cmath>

#include "nodes/kernels/modal_system.h"

namespace sinew::kernels {
namespace {

constexpr int stages = 7;
constexpr double coefficient[stages][6] = {
    {},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
// Fifth order less fourth order.
constexpr double difference[stages] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                       -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
constexpr int most_flight_steps = 8;
// Where a point crosses the border of a lattice, second derivatives leap, and no step is short
// enough: then so many times the allowed error will do.
constexpr double at_borders = 300;

// y = (t: 3, quaternion wxyz: 4, v: 3, spin in own axes: 3, gamma: D, gamma': D)
constexpr std::size_t at_turn = 3, at_velocity = 7, at_spin = 10, at_amplitudes = 13;

Eigen::Quaterniond turn_of(std::span<const double> y) {
  return Eigen::Quaterniond(y[at_turn], y[at_turn + 1], y[at_turn + 2], y[at_turn + 3])
      .normalized();
}

void derive(const ModalModel& model, const ModalSettings& settings, std::span<const double> y,
            ModalStepper::Room& room, std::span<double> out) {
  const std::size_t d = model.modes();
  const std::span<const double> amplitudes = y.subspan(at_amplitudes, d);
  const std::span<const double> rates = y.subspan(at_amplitudes + d, d);
  const Eigen::Quaterniond turn = turn_of(y);
  const Vec3d spin(y[at_spin], y[at_spin + 1], y[at_spin + 2]);
  const Vec3d gravity = turn.conjugate() * settings.gravity;
  assemble(model, amplitudes, rates, spin, gravity, room);
  for (std::size_t k = 0; k < room.awake.size(); ++k) {
    const uint32_t m = room.awake[k];
    room.right[6 + k] += modal_force(model, room, m, amplitudes[m], rates[m]);
  }
  solve(room);
  const Vec3d acceleration = turn * Vec3d(room.solved[0], room.solved[1], room.solved[2]);
  const Eigen::Quaterniond change = turn * Eigen::Quaterniond(0, spin[0], spin[1], spin[2]);
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t a = 0; a < 3; ++a) {
    const auto axis = static_cast<Eigen::Index>(a);
    out[a] = y[at_velocity + a];
    out[at_velocity + a] = acceleration[axis];
    out[at_spin + a] = room.solved[3 + a];
    out[at_turn + 1 + a] = change.vec()[axis] / 2;
  }
  out[at_turn] = change.w() / 2;
  for (std::size_t k = 0; k < room.awake.size(); ++k) {
    const uint32_t m = room.awake[k];
    out[at_amplitudes + m] = rates[m];
    out[at_amplitudes + d + m] = room.solved[6 + k];
  }
}

// One step from room.next, in place; the error in parts of what is allowed.
double step_once(const ModalModel& model, const ModalSettings& settings, double h,
                 ModalStepper::Room& room) {
  const std::size_t size = room.next.size();
  for (int s = 0; s < stages; ++s) {
    room.trial = room.next;
    for (int k = 0; k < s; ++k) {
      const double c = h * coefficient[s][k];
      for (std::size_t i = 0; i < size && c != 0; ++i) room.trial[i] += c * room.stages[k][i];
    }
    derive(model, settings, room.trial, room, room.stages[s]);
  }
  // The last stage is at the new state itself.
  double worst = 0;
  const std::size_t d = model.modes();
  for (std::size_t i = 0; i < size; ++i) {
    double error = 0;
    for (int s = 0; s < stages; ++s) error += difference[s] * room.stages[s][i];
    double scale = 1 + std::abs(room.trial[i]);
    if (i < at_turn) scale = model.size;
    if (i >= at_velocity && i < at_spin) scale = model.size + std::abs(room.trial[i]);
    if (i >= at_amplitudes && i < at_amplitudes + d) scale = 1;
    worst = std::max(worst, std::abs(h * error) / scale);
  }
  std::swap(room.next, room.trial);
  return worst / settings.flight_error;
}

void write_state(const ModalState& state, std::vector<double>& y) {
  const std::size_t d = state.amplitudes.size();
  y.resize(at_amplitudes + 2 * d);
  const Vec3d spin = state.turn.conjugate() * state.spin;
  for (std::size_t a = 0; a < 3; ++a) {
    const auto axis = static_cast<Eigen::Index>(a);
    y[a] = state.place[axis];
    y[at_turn + 1 + a] = state.turn.vec()[axis];
    y[at_velocity + a] = state.velocity[axis];
    y[at_spin + a] = spin[axis];
  }
  y[at_turn] = state.turn.w();
  std::copy(state.amplitudes.begin(), state.amplitudes.end(), y.begin() + at_amplitudes);
  std::copy(state.rates.begin(), state.rates.end(),
            y.begin() + static_cast<std::ptrdiff_t>(at_amplitudes + d));
}

void read_state(std::span<const double> y, ModalState& state) {
  const std::size_t d = state.amplitudes.size();
  state.place = Vec3d(y[0], y[1], y[2]);
  state.turn = turn_of(y);
  state.velocity = Vec3d(y[at_velocity], y[at_velocity + 1], y[at_velocity + 2]);
  state.spin = state.turn * Vec3d(y[at_spin], y[at_spin + 1], y[at_spin + 2]);
  std::copy_n(y.begin() + at_amplitudes, d, state.amplitudes.begin());
  std::copy_n(y.begin() + static_cast<std::ptrdiff_t>(at_amplitudes + d), d, state.rates.begin());
}

}  // namespace

bool fly(const ModalModel& model, const ModalSettings& settings, double h, ModalStepper::Room& room,
         ModalState& state) {
  room.contacts.clear();
  for (;;) {
    choose_awake(model, state, room);
    write_state(state, room.start);
    for (std::vector<double>& stage : room.stages) stage.resize(room.start.size());
    if (room.awake.size() == room.modes) break;
    derive(model, settings, room.start, room, room.stages[0]);
    const Vec3d gravity = state.turn.conjugate() * settings.gravity;
    if (!wake_modes(model, settings, gravity, room.solved, room, state)) break;
  }
  for (int count = state.flight_steps; count <= most_flight_steps; count *= 2) {
    room.next = room.start;
    double worst = 0;
    const double good = count == most_flight_steps ? at_borders : 1;
    for (int k = 0; k < count && worst <= good; ++k) {
      worst = std::max(worst, step_once(model, settings, h / count, room));
    }
    if (!(worst <= good)) continue;
    for (const double value : room.next) {
      if (!std::isfinite(value)) return false;
    }
    read_state(room.next, state);
    state.bound = std::numeric_limits<double>::infinity();
    // Two steps for one are 32 times as good: one will do where these are far better than needed.
    state.flight_steps = static_cast<uint8_t>(count > 1 && worst < 1.0 / 64 ? count / 2 : count);
    state.books.steps += 1;
    state.books.solved += room.n;
    return true;
  }
  state.flight_steps = 1;
  return false;
}

}  // namespace sinew::kernels
