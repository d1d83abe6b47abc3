#include "nodes/kernels/rotation.h"

#include <Eigen/SVD>

#include "nodes/kernels/lane_kernels.h"

namespace sinew::kernels {

void polar_rotations(std::span<const MatrixBlock> a, std::span<QuaternionBlock> q) {
  if (a.empty()) return;
  lane_kernels().polar(a[0].at[0], q[0].at[0], a.size());
}

Eigen::Matrix3d rotation_part(const Eigen::Matrix3d& a) {
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(a, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Eigen::Matrix3d u = svd.matrixU();
  const Eigen::Matrix3d& v = svd.matrixV();
  if (u.determinant() * v.determinant() < 0) u.col(2) = -u.col(2);
  return u * v.transpose();
}

}  // namespace sinew::kernels
