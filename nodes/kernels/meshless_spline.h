// A meshless body between its frames [Adams10, section 6.1].
//
//   y_i(t) = c(t) + R(t) (x_i - c0 + d_i(t))
// with R by shape matching of the frame against the rest (mass-weighted) and a spherical spline
// (rotation_spline.h); c, the middle, and d, what is left, by cubic splines at uneven times
// (spline_weights.h). The paper leaves d in the world (eq. 16); here it turns with the body, so
// that a body that keeps any pose and moves rigidly is found exactly, not only one at rest.
// Velocities, which in the paper (eq. 17) lack the middle's:
//   y_i' = c' + omega x (y_i - c) + R d_i'
//
// Where a frame tells its velocities, c', omega (by angular momentum about c) and d_i' follow from
// them, and are the tangents there.
#pragma once

#include <span>
#include <vector>

#include "nodes/geometry/meshless_motion.h"
#include "nodes/kernels/rotation_spline.h"
#include "nodes/kernels/spline_weights.h"

namespace sinew::kernels {

// c, R and their rates: how the body moves as a whole.
struct RigidMoment {
  Vec3d middle{0, 0, 0}, drift{0, 0, 0};  // m, m/s
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
  Vec3d spin{0, 0, 0};  // rad/s

  Vec3d velocity_at(const Vec3d& place) const { return drift + spin.cross(place - middle); }
};

class BodySpline {
 public:
  // Frames of the same body; at least one.
  explicit BodySpline(const BodyMotion& motion);

  double first() const { return knots_.front().time; }
  double last() const { return knots_.back().time; }
  std::size_t bytes() const;

  // Before the first and after the last frame it stands still. Velocities may be empty.
  void at(double time, std::span<Vec3d> places, std::span<Vec3d> velocities = {}) const;
  RigidMoment rigid_at(double time) const;

 private:
  RigidMoment rigid(const SplineBlend& blend, double time) const;

  std::vector<SplineKnot> knots_;
  std::vector<KnotTangents> tangents_;
  RotationSpline turning_;
  std::vector<Vec3d> rest_;                         // x_i - c0
  std::vector<Vec3d> middles_, middle_rates_;       // per knot
  std::vector<NodePlaces> details_, detail_rates_;  // per knot; rates where they are told
};

}  // namespace sinew::kernels
