// The solid under a wanted surface: places of all of its vertices so that what it shows is as near
// as can be to given points, and the inside follows.
//
//   min over u of  1/n |W u - (y - W x0)|^2 + lambda/v sum_r |(I - P_r) u_r|^2 / |N_r|
// x0 the rest shape of v vertices, W the n points of its skin (or of its boundary, if it has none)
// by their weights, y where they should be, N_r vertex r and its one-ring, u_r the displacements in
// it, and P_r the projection onto those that are affine in x0. In place of a Laplacian of u, which
// is not 0 for a rotation where rings are one-sided: so that a skin that was turned, stretched or
// sheared as a whole takes its solid along exactly, and a bend is as even as it can be.
#pragma once

#include <Eigen/SparseCholesky>
#include <memory>
#include <span>
#include <vector>

#include "nodes/geometry/tet_mesh.h"

namespace sinew::kernels {

// How many vertices surface_of(solid) has.
std::size_t surface_size(const TetMesh& solid);

class SkinFit {
 public:
  // A solid of more vertices takes too long to prepare.
  static constexpr std::size_t most_vertices = 40'000;

  // `rest` must be valid. One factorisation, for any number of wanted surfaces.
  explicit SkinFit(const TetMesh& rest, CancelView stop = {});

  // How many points a wanted surface has: surface_size(rest).
  std::size_t points() const { return skin_.size(); }
  // The vertices of the solid. A rigid motion of `wanted` is one of the result.
  std::vector<Vec3f> solve(std::span<const Vec3f> wanted) const;
  std::size_t bytes() const;

 private:
  using Sparse = Eigen::SparseMatrix<double>;
  void add_data(const TetMesh& rest, std::vector<Eigen::Triplet<double>>& entries);

  std::vector<Vec3d> rest_, skin_;  // x0 and W x0, m
  Sparse weights_;                  // W / n, transposed
  std::unique_ptr<Eigen::SimplicialLDLT<Sparse>> factor_;
};

}  // namespace sinew::kernels
