#include "nodes/kernels/polyline.h"

#include <algorithm>

namespace sinew::kernels {

Polyline::Polyline(std::span<const Vec3f> points) : points_(points), arc_{0} {
  for (std::size_t i = 1; i < points.size(); ++i) {
    arc_.push_back(arc_.back() + (points[i].cast<double>() - points[i - 1].cast<double>()).norm());
  }
}

Vec3d Polyline::at(double s) const {
  const auto it = std::upper_bound(arc_.begin(), arc_.end(), s);
  const std::size_t b =
      std::min<std::size_t>(static_cast<std::size_t>(it - arc_.begin()), arc_.size() - 1);
  const std::size_t a = b > 0 ? b - 1 : 0;
  const double gap = arc_[b] - arc_[a];
  const double t = gap > 0 ? std::clamp((s - arc_[a]) / gap, 0.0, 1.0) : 0.0;
  return (1 - t) * points_[a].cast<double>() + t * points_[b].cast<double>();
}

}  // namespace sinew::kernels
