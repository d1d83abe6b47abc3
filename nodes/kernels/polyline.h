// A line through points, by the way along it.
#pragma once

#include <span>
#include <vector>

#include "nodes/geometry/types.h"

namespace sinew::kernels {

// Looks at the points, which must stay.
class Polyline {
 public:
  explicit Polyline(std::span<const Vec3f> points);  // at least one

  double length() const { return arc_.back(); }
  double arc(std::size_t point) const { return arc_[point]; }  // the way from the first point
  Vec3d at(double s) const;                                    // s beyond the ends: an end

 private:
  std::span<const Vec3f> points_;
  std::vector<double> arc_;
};

}  // namespace sinew::kernels
