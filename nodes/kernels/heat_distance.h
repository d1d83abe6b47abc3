// Distances along a surface by the heat method [Crane13]: prepared once for a mesh, then a few
// triangular solves for each set of sources.
//
//   (M + t L) u = u0        heat that flows from the sources for a short time t
//   X = grad w / |grad w|   the way away from them, per triangle; w = -log u
//   L phi = div X           the function that rises along it: the distance up to a constant
// L: cotangent Laplacian (m^0), M: lumped areas (m^2), both of the intrinsic Delaunay triangulation
// (intrinsic.h), so that any mesh will do: thin and empty triangles, borders, several components,
// edges with three triangles.
//
// Three things differ from the paper, each measured on spheres:
// - The direction is taken from -log u, which is nearly linear within a triangle while u falls
//   exponentially.
// - t = 4 h^2, h the mean length of the intrinsic edges (the paper has h^2).
// - The heat method is poor within a few edges of the source, and with it the constant. Up to r0 =
//   2 h the distances are those of marching (mesh_march.h), from there to r1 = 5 h they go over to
//   phi, and the constant is the one with which both agree best there, for each component.
// On an open surface u is the mean of the flows that keep and that lose all heat at the border
// (section 3.4 of the paper), so that the border bends the ways less. A source on the border itself
// gets no help from that: there, marching is better (a few per cent against exact on a plane).
//
// Within 2 % of the sphere's distances beyond two edges on icospheres from frequency 4 on. Where
// ways from two sides meet, the result is rounded off over about 2 h, and the ridge's error
// spreads: some per cent on a torus, where marching has some per mille. It is the smooth one of the
// two.
#pragma once

#include <Eigen/SparseCholesky>
#include <memory>
#include <span>
#include <vector>

#include "nodes/kernels/intrinsic.h"
#include "nodes/kernels/mesh_march.h"

namespace sinew::kernels {

class HeatDistance {
 public:
  // `mesh` must be valid. Throws std::runtime_error if the equations cannot be solved.
  explicit HeatDistance(const Mesh& mesh, CancelView stop = {});

  // Distance of each vertex from the nearest start, metres, >= 0; unreachable in components without
  // one and for vertices without a triangle. `wave` is flat for starts that are a set.
  std::vector<double> solve(std::span<const MarchStart> starts, Wave wave,
                            CancelView stop = {}) const;

  std::size_t vertex_count() const { return mesh_.vertex_count(); }
  const IntrinsicTriangles& surface() const { return surface_; }
  std::size_t bytes() const;

 private:
  using Matrix = Eigen::SparseMatrix<double>;
  using Vector = Eigen::VectorXd;
  // Eigen's own ordering: no library under the GPL is needed.
  using Solver = Eigen::SimplicialLDLT<Matrix, Eigen::Lower, Eigen::AMDOrdering<int>>;
  struct Piece {
    std::array<Vec2d, 3> gradient;  // of the three hat functions, in the triangle's plane, 1/m
    double area;
  };
  void find_components();
  template <class Pinned>
  std::unique_ptr<Solver> factor(double stiffness, double mass, const Pinned& pinned) const;
  Vector directions(const Vector& w, std::span<const char> source) const;
  std::vector<double> join(const Vector& phi, std::span<const MarchStart> starts, Wave wave,
                           CancelView stop) const;

  Mesh mesh_;  // the connectivity is shared, not copied
  Rows around_;
  IntrinsicTriangles surface_;
  std::vector<Piece> pieces_;
  std::vector<double> masses_;
  std::vector<uint32_t> component_;  // of each vertex: the least vertex of its component
  double time_ = 0;
  std::unique_ptr<Solver> warm_, cold_, poisson_;  // cold_ only if there is a border
};

}  // namespace sinew::kernels
