// The equations of motion of a body that moves by modes, as numbers: what flight and contact steps
// share (modal_motion.h). Unknowns are those of the body's own axes: acceleration, angular
// acceleration, and those of the amplitudes that are awake, n = 6 + awake modes in all.
#pragma once

#include <span>
#include <vector>

#include "nodes/kernels/modal_motion.h"
#include "nodes/kernels/moving_obstacles.h"

namespace sinew::kernels {

// A contact, a pin or a spring within one step. Vectors are in the body's own axes.
struct ModalContact {
  uint32_t point = 0, collider = 0;
  Vec3d place = Vec3d::Zero();   // m, in the world
  Vec3d normal = Vec3d::Zero();  // of the obstacle
  Vec3d drift = Vec3d::Zero();   // less the velocity of the obstacle there
  Vec3d before = Vec3d::Zero();  // velocity of the point before the step, relative to the obstacle
  double depth = 0;              // m, how far it is inside; below 0 outside
  Vec3d wanted = Vec3d::Zero();  // v*_t
  double rise = 0;               // v*
  double friction = 0;           // mu
  double hold = 1;               // of the tangential w
  bool pushes = false;           // n.v < v*
  bool grips = false;            // friction acts
  bool slides = false;
  bool is_new = true;            // it was not there at the step before
  Vec3d anchor = Vec3d::Zero();  // m, in the world
  Vec3d now = Vec3d::Zero();     // its velocity by what was found so far
  Vec3d step = Vec3d::Zero();    // the change of that by a step of the search
  Vec3d force = Vec3d::Zero();   // N
};

struct ModalStepper::Room {
  std::size_t modes = 0;
  std::vector<uint32_t> awake;  // modes that are in the equations
  std::size_t n = 0;            // unknowns
  bool locals_awake = false;

  ModalPoints::Room mass_points, touch_points, pull_points;
  std::vector<double> ways;                     // 3 x D: P_gamma of the point at hand
  std::vector<double> matrix, factor;           // n x n, by rows; the lower triangle counts
  std::vector<double> bias;                     // n: sum J^T m (bias of a point)
  std::vector<double> right, solved, velocity;  // n
  std::vector<double> mass_matrix;              // M alone
  std::vector<double> base_matrix, base_right;  // without contacts
  std::vector<double> mass_rows;                // 3 x n for each mass point
  std::vector<Vec3d> mass_bias;                 // their accelerations beside those of the unknowns
  std::vector<Vec3d> mass_rest;                 // m (g - a) of each mass point
  Eigen::Matrix3Xd places;                      // of the touching points, own axes
  std::vector<ModalContact> contacts;
  std::vector<double> found, way;    // n: dq' so far, and the way that is searched
  std::vector<double> contact_rows;  // 3 x n for each
  std::vector<double> pull_rows;
  std::vector<double> wind_rows;
  std::vector<int8_t> stops;   // of each awake mode: -1, 0, 1: at which limit it is held
  std::vector<double> wanted;  // u of each mode, where a controller drives it
  std::vector<double> control_k, control_d;  // C and D_u of each mode, 0 where none
  ObstacleFrame world;                       // the obstacles of the frame
  bool moves = false;                        // something of them does
  Colliders obstacles;                       // within the frame, where they move
  std::vector<ModalGrip> grips;              // of the next state
  ModalState saved;                          // before the last step
  // Flight: states and derivatives of the stages.
  std::vector<double> start, trial, next, stages[7];
  std::vector<double> trial_amplitudes, trial_rates;
};

// visit(i, arm, velocity) of each mass point: from the place of the body, m, and m/s, in the axes
// of the world. `ways` is scratch memory.
template <class Visit>
void for_masses(const ModalModel& model, const ModalState& state, ModalPoints::Room& room,
                std::vector<double>& ways, const Visit& visit) {
  const std::size_t d = model.modes();
  ways.resize(3 * d);
  double* const rows[3] = {ways.data(), ways.data() + d, ways.data() + 2 * d};
  room.with_locals = true;
  model.masses.set_moment(state.amplitudes, state.rates, room);
  for (std::size_t i = 0; i < model.masses.size(); ++i) {
    const Vec3d p = model.masses.derivatives(i, state.amplitudes, state.rates, room, rows).place;
    Vec3d slip = Vec3d::Zero();
    for (std::size_t m = 0; m < d; ++m) {
      slip += state.rates[m] * Vec3d(rows[0][m], rows[1][m], rows[2][m]);
    }
    const Vec3d arm = state.turn * p;
    visit(i, arm, Vec3d(state.velocity + state.spin.cross(arm) + state.turn * slip));
  }
}

// Which modes are in the equations.
void choose_awake(const ModalModel& model, const ModalState& state, ModalStepper::Room& room);

// J of one point: 3 rows of n.
ModalPoints::Point fill_rows(const ModalPoints& points, std::size_t i,
                             std::span<const double> amplitudes, std::span<const double> rates,
                             ModalPoints::Room& point_room, ModalStepper::Room& room, double* rows);

// matrix = M, right = sum J^T m (g - bias), in own axes; keeps the rows of the mass points.
void assemble(const ModalModel& model, std::span<const double> amplitudes,
              std::span<const double> rates, const Vec3d& spin, const Vec3d& gravity,
              ModalStepper::Room& room);

// a^T M b with the lower triangle of `matrix`.
double product(std::size_t n, std::span<const double> matrix, std::span<const double> a,
               std::span<const double> b);

// matrix += w J^T J of one point; the lower triangle.
void add_weight(std::size_t n, const double* rows, double w, std::vector<double>& matrix);
// matrix += J^T W J with W = along n n^T + across (1 - n n^T).
void add_weight(std::size_t n, const double* rows, const Vec3d& normal, double along, double across,
                std::vector<double>& matrix);
// right += J^T f.
void add_force(std::size_t n, const double* rows, const Vec3d& f, std::vector<double>& right);
// J q'.
Vec3d point_velocity(std::size_t n, const double* rows, std::span<const double> velocity);

// solved = matrix^-1 right by Cholesky. Pivots that rounding has eaten are raised.
void solve(ModalStepper::Room& room);

// Sets what a controller wants at a time; nothing without one.
void set_control(const ModalModel& model, const ModalSettings& settings, double time,
                 ModalStepper::Room& room);
// -K (gamma - gamma_0) - D gamma' + Qu of a mode.
double modal_force(const ModalModel& model, const ModalStepper::Room& room, std::size_t mode,
                   double amplitude, double rate);

// Wakes modes that what acts now would accelerate, given the solution `acceleration` of the others
// and the forces of contacts and pulls; returns whether there was one.
bool wake_modes(const ModalModel& model, const ModalSettings& settings, const Vec3d& gravity,
                std::span<const double> acceleration, ModalStepper::Room& room, ModalState& state);

// One step of each kind. Flight: false if it is too stiff for that; the state is as before then.
bool fly(const ModalModel& model, const ModalSettings& settings, double h, ModalStepper::Room& room,
         ModalState& state);
// `part`: where in the frame the step ends, 0 to 1; `frame`: its duration, s.
void step_implicit(const ModalModel& model, const ModalSettings& settings, double h, double part,
                   double frame, ModalStepper::Room& room, ModalState& state);

// After a step of length h in which nothing but gravity acted from outside: gives the body as a
// whole what it lacks of its momentum, its angular momentum and the way of its centre. What drives
// or stops its modes firmly is stepped implicitly, with the masses where they were before:
// amplitudes that changed much then pushed the body through empty space (a table with a hard
// controller: from rest to 2.9 m/s within 4 s).
void keep_momentum(const ModalModel& model, const Vec3d& gravity, double h,
                   ModalStepper::Room& room, const ModalState& before, ModalState& state);

// Contacts that a step of length h may meet; into room.contacts, without their rows.
void find_contacts(const ModalModel& model, const ModalSettings& settings, double h, double part,
                   double frame, ModalStepper::Room& room, const ModalState& state);
// How fast any point of the body can be, m/s.
double fastest_point(const ModalModel& model, const ModalState& state);

}  // namespace sinew::kernels
