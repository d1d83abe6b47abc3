// One ray against triangles and boxes, without gaps.
//
// [Woop13] Woop, Benthin and Wald, "Watertight ray/triangle intersection", Journal of Computer
// Graphics Techniques 2(1), 2013. Every corner is sheared along the ray into a plane, where the ray
// is the point 0; a triangle is hit if 0 lies on no wrong side of an edge. What a corner becomes
// depends on the corner and the ray alone, and the side of an edge is decided without rounding: so
// a shared edge is seen the same from both of its triangles, a shared vertex from all of them, and
// a ray at one of them hits at least one of its triangles. With doubles for the paper's floats, the
// products' rounding errors (exact by fused operations) stand for the paper's doubles.
//
// At a shared edge or vertex the distances are equal to the last bit, so that a rule may choose
// among the triangles.
#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <limits>
#include <optional>

#include "render/camera.h"

namespace sinew::render {

class PickRay {
 public:
  struct Hit {
    double t = 0;  // m along the ray
    Eigen::Vector3d weights{1, 0, 0};
    bool from_behind = false;
  };

  // `from`: where on the ray hits begin, in m.
  PickRay(const Ray& ray, double from);

  // Whether there is a direction, and all of it are numbers.
  bool usable() const { return usable_; }

  // The triangle's both sides are hit, its border included; never a triangle without area, nor one
  // that the ray lies in.
  std::optional<Hit> hit(const Eigen::Vector3f& a, const Eigen::Vector3f& b,
                         const Eigen::Vector3f& c) const;

  // How far boxes within `all` must be grown, so that no box is missed whose triangles are hit:
  // many times what rounding can do at the farthest of them.
  double pad_for(const Box& all) const {
    const Eigen::Vector3d low = all.min().cast<double>() - origin_,
                          high = all.max().cast<double>() - origin_;
    return 1e-12 * low.cwiseAbs().cwiseMax(high.cwiseAbs()).maxCoeff();
  }
  // Where the ray enters the grown box; infinity if it does not up to `until`.
  double entry(const Box& box, double pad, double until) const {
    double low = from_, high = until;
    for (int k = 0; k < 3; ++k) {
      const double below = (static_cast<double>(box.min()[k]) - origin_[k] - pad) * inverse_[k];
      const double above = (static_cast<double>(box.max()[k]) - origin_[k] + pad) * inverse_[k];
      const double in = inverse_[k] < 0 ? above : below, out = inverse_[k] < 0 ? below : above;
      // Along a side's plane these are 0 * infinity, which limits nothing.
      low = in > low ? in : low;
      high = out < high ? out : high;
    }
    return low <= high ? low : std::numeric_limits<double>::infinity();
  }

 private:
  struct Seen {
    double x, y, z;  // z along the ray, in m
  };
  Seen seen(const Eigen::Vector3f& p) const {
    const double z = p[z_axis_] - origin_[z_axis_];
    return {p[x_axis_] - origin_[x_axis_] - shear_x_ * z,
            p[y_axis_] - origin_[y_axis_] - shear_y_ * z, stretch_ * z};
  }

  Eigen::Vector3d origin_, direction_, inverse_;
  double from_ = 0;
  int x_axis_ = 0, y_axis_ = 1, z_axis_ = 2;  // z: the direction's largest part
  double shear_x_ = 0, shear_y_ = 0, stretch_ = 1;
  bool usable_ = false;
};

}  // namespace sinew::render
