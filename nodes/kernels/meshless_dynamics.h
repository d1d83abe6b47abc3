// Meshless bodies that swing about the motion that leads them, or move by themselves
// [Adams10, section 7].
//
// Unknown are the places y of the nodes. Lengths are metres; the mass of a body is 1, so that all
// stiffnesses are squares of frequencies and nothing depends on size or mass. With
// M = sum V Phi Phi^T over the samples, each step of length h looks for the least of
//   1/(2 e^2) |y - y*|_M^2                                            inertia
//   + k sum V |F^T F - T|^2 + k v sum V (det F - 1)^2                 strain and volume
//   + w^2/2 |y - g|_W^2 + z w / e |y - y^ - e g'|_W^2                 what leads it
//   + q/2 sum_p max(0, margin - d(p))^2 + friction                    obstacles; other bodies
// by L-BFGS in variables in which the Hessian of a body that resists every change of F alike is the
// identity. A step that is the least of something cannot blow up. The paper steps explicitly.
//
// In time it is BDF2 (e = 2h/3; y^ = (4 y0 - y-)/3, y* = y^ + e v^ + e^2 g, v^ as y^), at uneven
// steps with their weights: of second order, and swings of a tenth of the step rate lose a few per
// cent a period. A step begins anew by implicit Euler (e = h) where something is newly touched,
// since differences across an impact would make bodies jump; and where there is no step before it,
// one is made up as if only gravity had acted, so that free flight is a parabola from the start.
//
// - k follows from the stiffness, the frequency in Hz with which the body swings as a whole:
//   k lambda = (2 pi f)^2, lambda the least eigenvalue of the rest's Hessian (with v = 1) against M
//   but for rigid motions.
// - Damping is a ratio of that swing, 1: critical. It acts on the rate of F^T F, so rigid motions
//   are not damped: 2 z k/(w1 e) |F^T F - S^|^2, S^ as y^, goes into T and k above.
// - The pull is w^2 = gain / (0.01 s)^2, in W = sum V (1 - loose) Phi Phi^T, and damped by the same
//   ratio, or by the gain where that is more: at 1 it is critical and nearly snaps.
// - What is led, lead = min(1, gain / 0.02) times 1 - loose, is also carried: gravity does not act
//   on it. So it does not sag from where it is led, and what is loose hangs from it.
// - While it is led, its rest is lead keeps of the led shape, by the metric
//   (1 - keeps) I + keeps F_g^T F_g: any blend of such metrics is one, whatever F_g is. Damping
//   then acts on what the metric changes beside the led one.
// - A body that is let go of is free at once, but has the led shape as its rest still, which goes
//   over to its own at an even pace within the time `blend`: a rest that changed at once would
//   throw its limbs. One that is caught is pulled by gain c^2, c going from 0 to 1 in that time, so
//   that the frequency of the pull grows evenly; so is one that is led more firmly than before,
//   from the c at which the pull was. A pull that grew from nothing would throw the body past the
//   motion and back, so it is damped by 1 - c^4 at least. What is loose and is led again goes over
//   in the same time.
// - A body that comes from elsewhere begins with that part of the led shape as its rest which fits
//   its shape best, and with c = 1 / (1 + d / 0.005), d being how far off it is in sizes, a tenth
//   of a second of its speed against g included: a motion that takes it from where it is has it.
// - Aligned, what is led is taken along by how the whole of g moves (the paper's shape matching):
//   y* for it is made in a frame that moves with g, with no force from that frame's acceleration;
//   y* for what is loose is made in the world. The two meet in y* by W. So the body as a whole does
//   not lag, and a loose belly still feels each start, stop and turn. Not aligned, all is made in
//   the world.
// - Contacts: q is a multiple of what stops the body within a step, more where it has gone too
// deep.
//   Friction is Coulomb's with the normal forces of the last pass, smooth below a creeping speed
//   [Li20, section 5]. Bodies push each other apart (meshless_collide.h) and rub; they weigh as
//   their volumes do.
//
// Results do not depend on threads. Scaled bodies in scaled gravity move the same, scaled.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "nodes/geometry/meshless_keys.h"
#include "nodes/geometry/meshless_motion.h"
#include "nodes/kernels/meshless_spline.h"

namespace sinew::kernels {

struct DynamicsSettings {
  double gain = 0.05;    // 0: free, 1: nearly as led
  double stiffness = 3;  // Hz
  double volume = 1;     // beside the strain
  double damping = 0.1;  // ratio
  double keeps = 1;      // of the led shape
  double blend = 0;      // s, in which it is let go and caught
  bool align = true;
  Vec3d gravity{0, -9.81, 0};  // m/s^2
  bool collide = true;         // bodies with each other
  double friction = 0.5;       // between bodies; obstacles have their own
  double rate = 100;           // steps in a second
  double accuracy = 1e-6;      // of a step, in sizes
  CancelView stop;
};

// Places and velocities of a body, now and before the last step.
struct DynamicBody {
  NodePlaces places, velocities;                // m, m/s
  NodePlaces places_before, velocities_before;  // empty: it begins
  std::vector<double> loose;                    // of the last step; empty: all is led
};

struct DynamicsState {
  double time = 0;         // s
  double step_before = 0;  // s
  std::vector<DynamicBody> bodies;
  double kept = -1;    // how much of the led shape is the rest; below 0: it begins as it is led
  double pulled = -1;  // the root of the gain of the last step; below 0: it begins
  double caught = 1;   // c as it begins

  std::size_t bytes() const;
};

// What is around: obstacles as they are when an advance begins and ends.
struct DynamicsWorld {
  const Colliders* before = nullptr;
  const Colliders* now = nullptr;  // null: none
  // For each body, for each of its nodes: 0 led, 1 free. Empty: all are led.
  std::span<const std::vector<double>> loose;
};

struct DynamicsReport {
  bool sound = true;  // else it stopped before a step that had no end
  int steps = 0, iterations = 0, evaluations = 0;
  double depth = 0;  // the deepest in an obstacle, in sizes
};

// What follows from the body alone.
struct DynamicsSpace;

// Room for steps, used again. Nothing of a result depends on what is in it.
class DynamicsRoom {
 public:
  DynamicsRoom();
  ~DynamicsRoom();
  DynamicsRoom(DynamicsRoom&&) noexcept;
  struct Parts;
  Parts& parts() { return *parts_; }

 private:
  std::unique_ptr<Parts> parts_;
};

class MeshlessDynamics {
 public:
  explicit MeshlessDynamics(const Motion& motion);
  ~MeshlessDynamics();
  MeshlessDynamics(MeshlessDynamics&&) noexcept;

  std::size_t size() const { return spaces_.size(); }
  const MeshlessBody& body(std::size_t b) const;
  double first_time() const { return first_time_; }
  std::size_t bytes() const;

  // As it is led at that time; or as given, whose bodies must be those of the motion, and which
  // the motion catches from where they are.
  DynamicsState begin(double time) const;
  DynamicsState begin(double time, const BodyStates& from) const;
  bool fits(const BodyStates& from) const;
  BodyStates states(const DynamicsState& state) const;

  // To a later time. Stops with Stopped, the state being as of the last whole step.
  DynamicsReport advance(DynamicsState& state, double to, const DynamicsSettings& settings,
                         const DynamicsWorld& world, DynamicsRoom& room) const;

  // Of a body, per its mass: of motion, and of deformation from its rest, m^2/s^2.
  double motion_energy(std::size_t b, std::span<const Vec3d> velocities) const;
  double strain_energy(std::size_t b, std::span<const Vec3d> places,
                       const DynamicsSettings& settings) const;
  // The root of the mean square of F^T F - I over a body, halved: 0.1 is a tenth longer.
  double strain(std::size_t b, std::span<const Vec3d> places) const;

 private:
  std::vector<std::shared_ptr<const DynamicsSpace>> spaces_;  // equal for equal bodies
  std::vector<BodySpline> leads_;
  std::vector<double> weights_;  // of the bodies: volumes, the largest being 1
  double first_time_ = 0;
};

// The mean of a field over the vertices that each node moves.
std::vector<double> field_at_nodes(const MeshlessBody& body, std::span<const float> values);

}  // namespace sinew::kernels
