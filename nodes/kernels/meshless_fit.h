// Nodes of a meshless body for a surface that is known: the motion of a mesh from elsewhere as that
// of a body with few nodes.
//
// With x_v where vertex v is, R the rigid motion that is nearest to it, d = y - R(rest):
//   min  sum_v |sum_j Phi_j(v) d_j - (x_v - R(v))|^2 / V + e d^T K d
// V the number of vertices, K the stiffness of the body (meshless_energy.h) and e so small that it
// only says where nodes are that no vertex tells about. The matrix is factored once.
#pragma once

#include <Eigen/Cholesky>
#include <memory>
#include <span>

#include "nodes/geometry/meshless_body.h"

namespace sinew::kernels {

class SurfaceFit {
 public:
  explicit SurfaceFit(std::shared_ptr<const MeshlessBody> body);

  // One place for each vertex of the body at rest, m.
  NodePlaces fit(std::span<const Vec3f> vertices) const;
  // The farthest that a vertex of the fitted body is from where it should be, m.
  double farthest(std::span<const Vec3f> vertices, const NodePlaces& places) const;

 private:
  std::shared_ptr<const MeshlessBody> body_;
  Eigen::LLT<Eigen::MatrixXd> factor_;
};

}  // namespace sinew::kernels
