// The rigid motion that brings points as near as can be to others, in least squares.
#pragma once

#include <cmath>
#include <span>

#include "nodes/kernels/rotation.h"

namespace sinew::kernels {

struct RigidFit {
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
  Vec3d from{0, 0, 0}, to{0, 0, 0};  // the two middles, m

  Vec3d operator()(const Vec3d& p) const { return turn * (p - from) + to; }
  Vec3d inverse(const Vec3d& p) const { return turn.transpose() * (p - to) + from; }
};

// Brings `points` to `targets`, as many. `weights`, if given, are one per point, > 0.
inline RigidFit fit_rigid(std::span<const Vec3d> points, std::span<const Vec3d> targets,
                          std::span<const double> weights) {
  RigidFit fit;
  double total = 0;
  Vec3d from = Vec3d::Zero(), to = Vec3d::Zero();
  const auto weight = [&](std::size_t i) { return weights.empty() ? 1.0 : weights[i]; };
  for (std::size_t i = 0; i < points.size(); ++i) {
    total += weight(i);
    from += weight(i) * points[i];
    to += weight(i) * targets[i];
  }
  if (!(total > 0)) return fit;
  fit.from = from / total;
  fit.to = to / total;
  Eigen::Matrix3d product = Eigen::Matrix3d::Zero();
  for (std::size_t i = 0; i < points.size(); ++i) {
    product += weight(i) * (targets[i] - fit.to) * (points[i] - fit.from).transpose();
  }
  if (const double scale = product.cwiseAbs().maxCoeff(); scale > 0 && std::isfinite(scale)) {
    fit.turn = rotation_part(product / scale);
  }
  return fit;
}

}  // namespace sinew::kernels
