// Handles on meshless bodies, for tests and benchmarks of poses.
#pragma once

#include <Eigen/Geometry>
#include <vector>

#include "nodes/kernels/meshless_pose.h"

namespace sinew::test {

inline kernels::PoseHandle handle_at(const MeshlessBody& body, const Vec3d& at, double radius,
                                     const Vec3d& by = {0, 0, 0}) {
  kernels::PoseHandle handle;
  handle.vertices = kernels::handle_vertices(body.rest, at, radius);
  handle.middle = at;
  handle.by = by;
  return handle;
}

// Two handles at the ends along the longest side.
inline std::vector<kernels::PoseHandle> two_ends(const MeshlessBody& body) {
  Eigen::AlignedBox3f box;
  for (const Vec3f& p : body.rest.positions) box.extend(p);
  int axis = 0;
  box.sizes().maxCoeff(&axis);
  Vec3f low = body.rest.positions[0], high = low;
  for (const Vec3f& p : body.rest.positions) {
    if (p[axis] < low[axis]) low = p;
    if (p[axis] > high[axis]) high = p;
  }
  return {handle_at(body, low.cast<double>(), 0.1 * body.size),
          handle_at(body, high.cast<double>(), 0.1 * body.size)};
}

}  // namespace sinew::test
