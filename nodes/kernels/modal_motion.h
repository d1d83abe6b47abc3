// How a body that moves by modes goes on in time [Faloutsos97, sections 4.4 to 6.1].
//
// In flight, where nothing touches or pulls at single places, the equations of motion
//   M q'' = Q - bias - K (q - q0) - D q' + Qu,   Qu = -(C (gamma - u) + D_u gamma')
// are integrated by the embedded pair of orders 5 and 4 of [Dormand80] with as many steps as keep
// the estimated error below `flight_error`: energy and momenta are kept, not damped by the method.
//
// Else a step of length h is implicit in stiffness, damping, control and contacts:
//   (M + h D + h^2 K + h sum J^T W J) dq' = h (Q - bias - K (q + h q' - q0) - D q' + sum J^T f)
// Contacts ask for velocities. With n the obstacle's normal, d the distance of a point (negative
// inside) and v its velocity after the step, the ground pushes with
//   Fn = w (v* - n.v) where that is above 0,  v* = -d / h outside, -d / (h + tau) inside
// so that a point arrives on the surface and no deeper, and one that is inside leaves it within
// about tau. w = hardness m / h. Tangentially it is drawn to the place a where it entered, with
//   Ft = w (v*_t - v_t), v*_t = (a - x)_t / (h + tau), |Ft| <= mu Fn,
// by lowering w until the bound holds; then it slides, and takes its anchor along. Which contacts
// push follows from a convex function that a step minimises; how firmly they hold, from repeating
// that. Amplitudes stop at +-limit in the
// same way; pins are contacts that hold in all directions.
//
// What is explicit in such a step (bias) could feed it: kinetic energy that the forces of a step
// did not give is taken away at the next.
//
// Modes that rest are left out of the equations, and come back when what holds them still would
// accelerate them by more than a threshold.
//
// Steps have their own clock: a frame ends between two of them, and shows what lies between.
//
// Everything is double precision, allocates nothing after the first steps with a room, and uses one
// thread, so that the same bits come out everywhere.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "nodes/geometry/body_forces.h"
#include "nodes/geometry/colliders.h"
#include "nodes/geometry/pose_graph.h"
#include "nodes/kernels/modal_model.h"

namespace sinew::kernels {

// A point that touches an obstacle.
struct ModalGrip {
  uint32_t point = 0;     // of the model's touching points
  uint32_t collider = 0;  // of the list
  Vec3d anchor{0, 0, 0};  // where it is held, in the obstacle's own coordinates
  Vec3d place{0, 0, 0};   // m, in the world
  Vec3d force{0, 0, 0};   // N, of the obstacle on the body, at the last step
  double hold = 1;        // of the tangential w: 1 sticks, less slides
};

// What a motion has cost and done since it began.
struct ModalBooks {
  double effort = 0;       // J: integral of |Qu . gamma'|, mode by mode
  double work = 0;         // J: integral of Qu . gamma'
  double last_effort = 0;  // W: sum of |Qu gamma'| now, the paper's E_c
  double deepest = 0;      // m: how far a point ever was inside of an obstacle
  uint64_t steps = 0;      // of any kind
  uint64_t solved = 0;     // rows of the systems of equations that were solved
};

// Where a body is and how it moves there.
struct ModalMoment {
  Vec3d place{0, 0, 0};  // t, m
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
  Vec3d velocity{0, 0, 0}, spin{0, 0, 0};  // m/s and rad/s, in the world's axes
  std::vector<double> amplitudes, rates;   // gamma and gamma', by mode
  double effort = 0;                       // J, of the books
};

struct ModalState {
  Vec3d place{0, 0, 0};  // t, m
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
  Vec3d velocity{0, 0, 0}, spin{0, 0, 0};  // m/s and rad/s, in the world's axes
  std::vector<double> amplitudes, rates;   // gamma and gamma', by mode
  std::vector<uint8_t> asleep;             // by mode
  std::vector<float> still;                // s, for which a mode has been at rest
  std::vector<ModalGrip> grips;            // by point, increasing
  // J: what kinetic energy can have become by what acted in the last step; more than that is an
  // error of the step, and is taken away.
  double bound = std::numeric_limits<double>::infinity();
  uint8_t flight_steps = 1;  // that the last flight took for one step
  double time = 0;           // s, since it began
  double ahead = 0;          // s, by which it is later than the frame
  ModalMoment before;        // where that is more than 0: one step earlier,
  double before_by = 0;      // so many s
  ModalBooks books;

  std::size_t bytes() const;
};

// As the body stands at rest, with the amplitudes that its modes rest at.
ModalState modal_rest(const ModalModel& model);

// The state at the frame: between the last two steps where one is ahead of it.
ModalState modal_at_frame(const ModalState& state);

// Forces at single places, with what they need to know of the body.
struct ModalPull {
  BodyForceKind kind = BodyForceKind::spring;
  Vec3d from{0, 0, 0}, to{0, 0, 0};   // m in the world at the begin and the end of the frame; N
  double stiffness = 0, damping = 0;  // N/m, N s/m, of a spring
};
class ModalPulls {
 public:
  ModalPulls() = default;
  // `before`: the same list at the frame before, for ends that move; of other length: none.
  ModalPulls(const ModalModel& model, const BodyForces& now, const BodyForces& before);

  const ModalPoints& points() const { return points_; }
  std::span<const ModalPull> list() const { return list_; }
  bool empty() const { return list_.empty(); }

 private:
  ModalPoints points_;
  std::vector<ModalPull> list_;
};

// A controller that knows its modes.
struct ModalControl {
  std::vector<uint32_t> modes;  // of the body; -1 where it has none of that name, or a passive one
  std::vector<double> stiffness, damping;
  const PoseGraph* graph = nullptr;  // nullptr: no controller

  ModalControl() = default;
  ModalControl(const ModalModel& model, const Modes& modes, const PoseGraph& graph);
};

struct ModalSettings {
  Vec3d gravity{0, -9.81, 0};                   // m/s^2
  const Colliders* colliders = nullptr;         // at the end of the frame
  const Colliders* colliders_before = nullptr;  // at its begin; nullptr: the same (ObstacleFrame)
  double friction = 1;                          // times that of the obstacles: mu = tan theta
  const ModalPulls* pulls = nullptr;
  const ModalControl* control = nullptr;
  Vec3d wind{0, 0, 0};            // m/s
  double air = 0;                 // 1/s: how fast the body takes on the speed of the air
  double limit = 1;               // of amplitudes
  double steps_per_second = 240;  // more are taken where something happens fast
  // Steps are a little shorter, so that each frame ends with one. Else they go on evenly whatever
  // frames do, the last may be ahead of its frame, and the motion is the same at all frame rates.
  bool steps_fit = false;
  bool deactivate = true;
  CancelView stop = {};  // asked before each step

  double hardness = 1000;      // of contacts: w h / m
  double recovery = 0.02;      // tau, s
  double flight_error = 1e-9;  // in parts of the body's size and speeds
};

// Thresholds for modes that rest: rates below `rate` for `time` sleep; accelerations above `wake`
// wake them, in amplitudes per second and second squared.
struct ModalSleep {
  static constexpr double rate = 2e-3, time = 0.15, wake = 0.3;
  // In flight only what does not move at all sleeps: the rest would take its momentum along.
  static constexpr double rate_in_flight = 1e-9;
};

class ModalStepper {
 public:
  explicit ModalStepper(std::shared_ptr<const ModalModel> model);
  ~ModalStepper();

  const ModalModel& model() const { return *model_; }
  // Goes on by the duration of a frame, to or just beyond its end (modal_at_frame). The state stays
  // finite whatever it is given: false if that took stopping it where it was. Throws Stopped if it
  // is told to stop.
  bool advance(const ModalSettings& settings, double duration, ModalState& state);

  struct Room;  // modal_system.h

 private:
  std::shared_ptr<const ModalModel> model_;
  std::unique_ptr<Room> room_;
};

struct ModalEnergy {
  double kinetic = 0, elastic = 0, height = 0;  // J; height: -m g . x
  Vec3d momentum{0, 0, 0};                      // kg m/s
  Vec3d angular{0, 0, 0};                       // kg m^2/s, about the centre of mass
  Vec3d centre{0, 0, 0}, velocity{0, 0, 0};     // of mass
  double total() const { return kinetic + elastic + height; }
};
ModalEnergy modal_energy(const ModalModel& model, const ModalState& state, const Vec3d& gravity);

// The turn by a rotation vector, rad.
Eigen::Quaterniond turned_by(const Vec3d& vector);

// Where points that rest at `rest` are now, without their deformation: x = t + R (p - centre).
void place_points(const ModalModel& model, const ModalState& state, std::span<const Vec3f> bent,
                  std::span<Vec3f> out);

}  // namespace sinew::kernels
