// Small pieces of vector geometry that several kernels need.
#pragma once

#include <algorithm>

#include "nodes/geometry/types.h"

namespace sinew::kernels {

// A unit vector at a right angle to v, which must not be 0. It jumps where the smallest component
// of v changes, as any such choice must somewhere.
inline Vec3d any_perpendicular(const Vec3d& v) {
  int least = 0;
  v.cwiseAbs().minCoeff(&least);
  return v.cross(Vec3d::Unit(least)).normalized();
}

// The square of the distance from p to the closest point between a and b, which may be equal.
inline double segment_distance2(const Vec3d& p, const Vec3d& a, const Vec3d& b) {
  const Vec3d ab = b - a;
  const double length2 = ab.squaredNorm();
  const double t = length2 > 0 ? std::clamp((p - a).dot(ab) / length2, 0.0, 1.0) : 0.0;
  return (p - a - t * ab).squaredNorm();
}

}  // namespace sinew::kernels
