// Moving least squares as the papers have them, one vertex after the other in double precision with
// Eigen's singular values: what the kernels are compared with, in results and in time.
#pragma once

#include <Eigen/LU>
#include <Eigen/SVD>
#include <cmath>
#include <span>
#include <vector>

#include "nodes/geometry/types.h"

namespace sinew::test {

inline Eigen::Matrix3d reference_rotation(const Eigen::Matrix3d& moment) {
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(moment, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Vec3d sign(1, 1, 1);
  sign[2] = (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0 ? -1 : 1;
  return svd.matrixU() * sign.asDiagonal() * svd.matrixV().transpose();
}

// x' of the space version; nothing special is done on a control or for a line of them.
inline Vec3d reference_space(std::span<const Vec3d> rest, std::span<const Vec3d> posed,
                             double alpha, const Vec3d& x) {
  std::vector<double> weights(rest.size());
  double sum = 0;
  Vec3d from = Vec3d::Zero(), to = Vec3d::Zero();
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const double d2 = (rest[i] - x).squaredNorm();
    const double w = weights[i] = alpha == 1 ? 1 / d2 : std::pow(d2, -alpha);
    sum += w;
    from += w * rest[i];
    to += w * posed[i];
  }
  from /= sum;
  to /= sum;
  Eigen::Matrix3d moment = Eigen::Matrix3d::Zero();
  for (std::size_t i = 0; i < rest.size(); ++i) {
    moment += weights[i] / sum * (posed[i] - to) * (rest[i] - from).transpose();
  }
  return reference_rotation(moment) * (x - from) + to;
}

}  // namespace sinew::test
