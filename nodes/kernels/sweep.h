// Shapes bent along a curve.
//
// The curve is a line of closely spaced points with a frame at each: its direction and two vectors
// across it, carried along without twist by the double reflection method [Wang08]. A shape that
// was made around the y axis is bent so that its height becomes the length along the curve:
//   (x, y, z) -> c(y) + x a(y) + z b(y),   (a, t, b) right-handed.
// The bend has no fold as long as the shape's radius stays below the curve's radius of curvature.
#pragma once

#include <span>
#include <vector>

#include "nodes/geometry/mesh.h"

namespace sinew::kernels {

struct CurveFrame {
  Vec3d origin{0, 0, 0};
  Vec3d x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};  // orthonormal, right-handed; y along the curve
};

class Curve {
 public:
  // At least two points, of which neighbours differ. `up` chooses the x axis at the start as far
  // as it is across the curve.
  explicit Curve(std::vector<Vec3d> points, const Vec3d& up = Vec3d::UnitX());

  double length() const { return lengths_.back(); }  // metres
  // At a length along the curve; straight on beyond its ends.
  CurveFrame at(double length) const;

 private:
  std::vector<Vec3d> points_;
  std::vector<double> lengths_;  // from the start to each point
  std::vector<CurveFrame> frames_;
};

// A point of the straight shape where it comes to lie.
Vec3d bent(const Curve& curve, const Vec3d& point);
std::vector<Vec3f> bend(const Curve& curve, std::span<const Vec3f> points);

}  // namespace sinew::kernels
