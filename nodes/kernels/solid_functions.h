// Distances to simple solids, negative inside, to be joined to larger ones: metres.
//
// Exact unless it is said otherwise.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "nodes/geometry/types.h"

namespace sinew::kernels {

// The distance to a rectangle, or to what is as high over a plane shape, from the distances to its
// two pairs of sides.
inline double box_distance(const Vec2d& beyond) {
  return beyond.cwiseMax(0.0).norm() + std::min(beyond.maxCoeff(), 0.0);
}
// About the x axis.
inline double rounded_disc(const Vec3d& p, double radius, double half_width, double rounding) {
  const Vec2d beyond(std::hypot(p.y(), p.z()) - radius + rounding,
                     std::abs(p.x()) - half_width + rounding);
  return box_distance(beyond) - rounding;
}
inline double segment_distance(const Vec3d& p, const Vec3d& a, const Vec3d& b) {
  const Vec3d way = b - a;
  const double t = std::clamp((p - a).dot(way) / way.squaredNorm(), 0.0, 1.0);
  return (p - a - t * way).norm();
}
// A round stick whose radius changes linearly; slightly too large off a steep taper.
inline double tapered_stick(const Vec3d& p, const Vec3d& a, const Vec3d& b, double radius_a,
                            double radius_b) {
  const Vec3d way = b - a;
  const double t = std::clamp((p - a).dot(way) / way.squaredNorm(), 0.0, 1.0);
  return (p - a - t * way).norm() - ((1 - t) * radius_a + t * radius_b);
}
// A cone with its axis along y from `low` to `high`, cut flat at both ends.
double cut_cone(const Vec3d& p, double low, double high, double radius_low, double radius_high);

// A closed polygon as a plane shape. A tree of boxes over its segments, so that outlines of many
// points cost little.
class PlaneShape {
 public:
  explicit PlaneShape(std::vector<Vec2d> outline);
  double distance(const Vec2d& p) const;

 private:
  struct Node {
    Eigen::AlignedBox2d box;
    uint32_t first, last;  // segments
    uint32_t right;        // 0 for a leaf; the left child is the next node
  };
  void build(uint32_t first, uint32_t last);
  std::vector<Vec2d> outline_;
  std::vector<Node> nodes_;
};

}  // namespace sinew::kernels
