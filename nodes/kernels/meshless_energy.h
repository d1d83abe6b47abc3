// What it costs a meshless body to be deformed [Adams10, eqs. 12 and 13], with the gradient.
//
// With F = sum_j y_j grad Phi_j^T at each sample, V its part of the whole volume (sum V = 1):
//   strain  sum V |F^T F - I|^2,      per y_j:  sum 4 V F (F^T F - I) grad Phi_j
//   volume  sum V (det F - 1)^2,      per y_j:  sum 2 V (det F - 1) cof(F) grad Phi_j
// Both do not change when the body moves rigidly, nor with its size.
//
// Where a body shall rest in another shape than its own, each sample has a matrix A that is put
// behind F: with A = (F of that shape)^-1 that shape costs nothing. Where it shall be strained to
// some extent, each has a metric T that stands in place of I: |(F A)^T F A - T|^2.
//
// Several poses of a body are computed side by side, eight in a row, since they share the shape
// functions; one alone takes its three coordinates side by side. Nothing is allocated once a room
// has its size, and the order of all sums is fixed.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "nodes/geometry/meshless_body.h"

namespace sinew::kernels {

struct ElasticWeights {
  double strain = 1, volume = 1;
};

// A symmetric matrix, as xx, yy, zz, xy, xz, yz.
using StrainMetric = std::array<double, 6>;

// The samples of a body as the loops want them.
class ElasticSamples {
 public:
  static constexpr std::size_t lanes = 8;

  explicit ElasticSamples(const MeshlessBody& body);

  std::size_t node_count() const { return node_count_; }
  std::size_t sample_count() const { return volumes_.size(); }
  std::size_t bytes() const;

  struct Room {
    std::vector<double> places, gradient;
  };

  // The energy of one pose; adds its gradient. `reference` (A) and `metrics` (T) may be empty.
  double add(std::span<const Vec3d> places, std::span<Vec3d> gradient,
             const ElasticWeights& weights, Room& room,
             std::span<const Eigen::Matrix3d> reference = {},
             std::span<const StrainMetric> metrics = {}) const;

  // The same for up to `lanes` poses of the same body; energies[k] is overwritten.
  void add_many(std::span<const Vec3d* const> places, std::span<Vec3d* const> gradients,
                std::span<double> energies, const ElasticWeights& weights, Room& room) const;

  // The energy of one pose alone.
  double energy(std::span<const Vec3d> places, const ElasticWeights& weights) const;

  // K_ij = sum V grad Phi_i . grad Phi_j: how stiff a body is that does not mind in which
  // direction it is strained. What solvers start from. Dense, node_count squared.
  Eigen::MatrixXd laplacian() const;

 private:
  std::size_t node_count_ = 0;
  std::vector<uint32_t> first_, node_;
  std::vector<double> slope_;  // three for each entry
  std::vector<double> volumes_;
};

}  // namespace sinew::kernels
