// The U of u_shape.h with a skeleton in it: a pelvis below the gap, and two legs that point up.
#pragma once

#include <Eigen/Geometry>
#include <numbers>

#include "nodes/geometry/skeleton.h"
#include "tests/kernels/u_shape.h"

namespace sinew::test {

enum UJoint : uint32_t {
  pelvis,
  left_hip,
  left_knee,
  left_foot,
  right_hip,
  right_knee,
  right_foot
};

inline Skeleton u_skeleton(double scale = 1) {
  const auto at = [&](double x, double y) { return Vec3d(scale * x, scale * y, scale * 0.5); };
  return {{{"pelvis", at(1.25, 0.5)},
           {"left hip", at(0.5, 0.5)},
           {"left knee", at(0.5, 2.25)},
           {"left foot", at(0.5, 4)},
           {"right hip", at(2, 0.5)},
           {"right knee", at(2, 2.25)},
           {"right foot", at(2, 4)}},
          {{"", {pelvis, left_hip}},
           {"left thigh", {left_hip, left_knee}},
           {"left shin", {left_knee, left_foot}},
           {"", {pelvis, right_hip}},
           {"right thigh", {right_hip, right_knee}},
           {"right shin", {right_knee, right_foot}}}};
}

inline Mesh u_body(int cells, double scale = 1) {
  const Mesh mesh = make_u_mesh({.cells = cells});
  std::vector<Vec3f> points = mesh.positions;
  for (Vec3f& p : points) p *= static_cast<float>(scale);
  return mesh.with_positions(std::move(points));
}

// One place turned about another, degrees.
inline Vec3d turned_about(const Vec3d& p, const Vec3d& centre, double degrees, const Vec3d& axis) {
  return centre + Eigen::AngleAxisd(degrees * std::numbers::pi / 180, axis) * (p - centre);
}

inline double angle_between(const Eigen::Matrix3d& a, const Eigen::Matrix3d& b) {
  return Eigen::AngleAxisd(Eigen::Quaterniond(a.transpose() * b).normalized()).angle();
}

}  // namespace sinew::test
