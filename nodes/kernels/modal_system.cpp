#include "nodes/kernels/modal_system.h"

#include <algorithm>
#include <cmath>

namespace sinew::kernels {

void choose_awake(const ModalModel& model, const ModalState& state, ModalStepper::Room& room) {
  room.modes = model.modes();
  room.awake.clear();
  room.locals_awake = false;
  for (uint32_t m = 0; m < room.modes; ++m) {
    if (state.asleep[m]) continue;
    room.awake.push_back(m);
    room.locals_awake = room.locals_awake || m < model.space->local_modes();
  }
  room.n = 6 + room.awake.size();
  room.ways.resize(3 * room.modes);
  room.matrix.resize(room.n * room.n);
  room.right.resize(room.n);
  room.bias.resize(room.n);
  room.solved.resize(room.n);
  room.velocity.resize(room.n);
  room.mass_rows.resize(3 * room.n * model.masses.size());
  room.mass_bias.resize(model.masses.size());
}

ModalPoints::Point fill_rows(const ModalPoints& points, std::size_t i,
                             std::span<const double> amplitudes, std::span<const double> rates,
                             ModalPoints::Room& point_room, ModalStepper::Room& room,
                             double* rows) {
  const std::size_t n = room.n;
  // Where all modes are awake, their columns are written where they belong.
  const bool direct = room.awake.size() == room.modes;
  double* const from = direct ? rows + 6 : room.ways.data();
  const std::size_t stride = direct ? n : room.modes;
  double* const ways[3] = {from, from + stride, from + 2 * stride};
  point_room.with_locals = room.locals_awake;
  const ModalPoints::Point point = points.derivatives(i, amplitudes, rates, point_room, ways);
  const Vec3d& p = point.place;
  const double rigid[3][6] = {
      {1, 0, 0, 0, p.z(), -p.y()}, {0, 1, 0, -p.z(), 0, p.x()}, {0, 0, 1, p.y(), -p.x(), 0}};
  for (std::size_t a = 0; a < 3; ++a) {
    double* row = rows + a * n;
    std::copy_n(rigid[a], 6, row);
    for (std::size_t k = 0; !direct && k < room.awake.size(); ++k) {
      row[6 + k] = ways[a][room.awake[k]];
    }
  }
  return point;
}

double product(std::size_t n, std::span<const double> matrix, std::span<const double> a,
               std::span<const double> b) {
  double sum = 0;
  for (std::size_t r = 0; r < n; ++r) {
    const double* row = matrix.data() + r * n;
    for (std::size_t k = 0; k < r; ++k) sum += row[k] * (a[r] * b[k] + a[k] * b[r]);
    sum += row[r] * a[r] * b[r];
  }
  return sum;
}

void add_weight(std::size_t n, const double* rows, double w, std::vector<double>& matrix) {
  const double *x = rows, *y = rows + n, *z = rows + 2 * n;
  for (std::size_t r = 0; r < n; ++r) {
    const double a = w * x[r], b = w * y[r], c = w * z[r];
    double* out = matrix.data() + r * n;
    for (std::size_t k = 0; k <= r; ++k) out[k] += a * x[k] + b * y[k] + c * z[k];
  }
}

void add_weight(std::size_t n, const double* rows, const Vec3d& normal, double along, double across,
                std::vector<double>& matrix) {
  const double *x = rows, *y = rows + n, *z = rows + 2 * n;
  const double more = along - across;
  for (std::size_t r = 0; r < n; ++r) {
    const double up = more * (normal[0] * x[r] + normal[1] * y[r] + normal[2] * z[r]);
    const double a = across * x[r] + up * normal[0], b = across * y[r] + up * normal[1],
                 c = across * z[r] + up * normal[2];
    double* out = matrix.data() + r * n;
    for (std::size_t k = 0; k <= r; ++k) out[k] += a * x[k] + b * y[k] + c * z[k];
  }
}

void add_force(std::size_t n, const double* rows, const Vec3d& f, std::vector<double>& right) {
  for (std::size_t k = 0; k < n; ++k) {
    right[k] += rows[k] * f[0] + rows[n + k] * f[1] + rows[2 * n + k] * f[2];
  }
}

Vec3d point_velocity(std::size_t n, const double* rows, std::span<const double> velocity) {
  Vec3d v = Vec3d::Zero();
  for (std::size_t k = 0; k < n; ++k) {
    v += velocity[k] * Vec3d(rows[k], rows[n + k], rows[2 * n + k]);
  }
  return v;
}

void assemble(const ModalModel& model, std::span<const double> amplitudes,
              std::span<const double> rates, const Vec3d& spin, const Vec3d& gravity,
              ModalStepper::Room& room) {
  const std::size_t n = room.n;
  std::fill(room.matrix.begin(), room.matrix.end(), 0.0);
  std::fill(room.right.begin(), room.right.end(), 0.0);
  std::fill(room.bias.begin(), room.bias.end(), 0.0);
  room.mass_points.with_locals = room.locals_awake;
  model.masses.set_moment(amplitudes, rates, room.mass_points);
  for (std::size_t i = 0; i < model.masses.size(); ++i) {
    double* rows = room.mass_rows.data() + 3 * n * i;
    const ModalPoints::Point point =
        fill_rows(model.masses, i, amplitudes, rates, room.mass_points, room, rows);
    Vec3d slip = Vec3d::Zero();  // P_gamma gamma'
    for (std::size_t k = 0; k < room.awake.size(); ++k) {
      const double rate = rates[room.awake[k]];
      slip += rate * Vec3d(rows[6 + k], rows[n + 6 + k], rows[2 * n + 6 + k]);
    }
    room.mass_bias[i] = spin.cross(spin.cross(point.place) + 2 * slip) + point.second;
    add_weight(n, rows, model.mass[i], room.matrix);
    add_force(n, rows, model.mass[i] * room.mass_bias[i], room.bias);
  }
  // sum m J^T g are the first three columns of M times g.
  for (std::size_t k = 0; k < n; ++k) {
    double weight = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      weight +=
          room.matrix[std::max(k, a) * n + std::min(k, a)] * gravity[static_cast<Eigen::Index>(a)];
    }
    room.right[k] = weight - room.bias[k];
  }
}

void solve(ModalStepper::Room& room) {
  const std::size_t n = room.n;
  room.factor = room.matrix;
  double* const l = room.factor.data();
  double* const x = room.solved.data();
  for (std::size_t r = 0; r < n; ++r) {
    double* const row = l + r * n;
    double sum = room.right[r];
    for (std::size_t k = 0; k < r; ++k) {
      const double* const other = l + k * n;
      double dot = row[k];
      for (std::size_t c = 0; c < k; ++c) dot -= row[c] * other[c];
      row[k] = dot * other[k];  // the diagonal holds reciprocals
      sum -= row[k] * x[k];
    }
    double pivot = row[r];
    const double least = 1e-13 * std::abs(pivot) + 1e-300;
    for (std::size_t c = 0; c < r; ++c) pivot -= row[c] * row[c];
    row[r] = 1 / std::sqrt(std::max(pivot, least));
    x[r] = sum * row[r];
  }
  for (std::size_t r = n; r-- > 0;) {
    x[r] *= l[r * n + r];
    for (std::size_t c = 0; c < r; ++c) x[c] -= l[r * n + c] * x[r];
  }
}

void set_control(const ModalModel& model, const ModalSettings& settings, double time,
                 ModalStepper::Room& room) {
  room.wanted.assign(model.modes(), 0);
  room.control_k.assign(model.modes(), 0);
  room.control_d.assign(model.modes(), 0);
  const ModalControl* control = settings.control;
  if (!control || !control->graph || control->graph->poses.empty()) return;
  const std::vector<double>& pose = control->graph->at(time);
  for (std::size_t c = 0; c < control->modes.size(); ++c) {
    const uint32_t m = control->modes[c];
    if (m >= model.modes()) continue;
    room.wanted[m] = pose[c];
    room.control_k[m] = control->stiffness[c];
    room.control_d[m] = control->damping[c];
  }
}

double modal_force(const ModalModel& model, const ModalStepper::Room& room, std::size_t mode,
                   double amplitude, double rate) {
  return -model.stiffness[mode] * (amplitude - model.rest[mode]) - model.damping[mode] * rate -
         room.control_k[mode] * (amplitude - room.wanted[mode]) - room.control_d[mode] * rate;
}

bool wake_modes(const ModalModel& model, const ModalSettings& settings, const Vec3d& gravity,
                std::span<const double> acceleration, ModalStepper::Room& room, ModalState& state) {
  if (room.awake.size() == room.modes) return false;
  const std::size_t n = room.n;
  bool woke = false;
  // What would be left over at each mass point: m (g - a).
  room.mass_rest.resize(model.masses.size());
  for (std::size_t i = 0; i < model.masses.size(); ++i) {
    const Vec3d a =
        point_velocity(n, room.mass_rows.data() + 3 * n * i, acceleration) + room.mass_bias[i];
    room.mass_rest[i] = model.mass[i] * (gravity - a);
  }
  for (uint32_t m = 0; m < room.modes; ++m) {
    if (!state.asleep[m]) continue;
    double force = modal_force(model, room, m, state.amplitudes[m], 0);
    for (std::size_t i = 0; i < model.masses.size(); ++i) {
      force += model.masses.way(m, i).dot(room.mass_rest[i]);
    }
    for (const ModalContact& contact : room.contacts) {
      if (contact.pushes) force += model.touching.way(m, contact.point).dot(contact.force);
    }
    const double at_limit = std::abs(state.amplitudes[m]) >= settings.limit ? 2 : 1;
    if (std::abs(force) <= at_limit * ModalSleep::wake * model.inertia[m]) continue;
    state.asleep[m] = 0;
    state.still[m] = 0;
    woke = true;
  }
  return woke;
}

}  // namespace sinew::kernels
