#include "nodes/kernels/fit_skin.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "nodes/kernels/rigid_fit.h"
#include "nodes/kernels/tet_measure.h"

namespace sinew::kernels {

namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

constexpr double evenness = 1e-4;  // lambda
// Of edges and of places: decide only what nothing else does, such as a part without skin.
constexpr double edge_part = 1e-9, place_part = 1e-13;

// I - P for the points of one ring. A flat ring has fewer affine functions.
Eigen::MatrixXd beyond_affine(std::span<const uint32_t> ring, std::span<const Vec3d> points) {
  const auto n = static_cast<Eigen::Index>(ring.size());
  Eigen::MatrixXd basis(n, 4);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Vec3d& p = points[ring[static_cast<std::size_t>(i)]];
    basis.row(i) << 1, p.x(), p.y(), p.z();
  }
  basis.rightCols(3).rowwise() -= basis.rightCols(3).colwise().mean().eval();
  if (const double size = basis.rightCols(3).norm(); size > 0) basis.rightCols(3) /= size;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> eigen(
      Eigen::Matrix4d(basis.transpose() * basis));
  Eigen::MatrixXd rest = Eigen::MatrixXd::Identity(n, n);
  for (int k = 0; k < 4; ++k) {
    const double value = eigen.eigenvalues()[k];
    if (!(value > 1e-12 * eigen.eigenvalues()[3])) continue;
    const Eigen::VectorXd along = basis * eigen.eigenvectors().col(k);
    rest -= along * along.transpose() / value;
  }
  return rest;
}

void add_evenness(const TetMesh& rest, std::span<const Vec3d> points, CancelView stop,
                  Triplets& entries) {
  const std::size_t count = rest.vertex_count();
  const Rows near = tet_vertex_neighbours(rest.tets(), count);
  const double each = evenness / static_cast<double>(count);
  const double edge = edge_part / static_cast<double>(count);
  std::vector<uint32_t> ring;
  for (uint32_t r = 0; r < count; ++r) {
    if (r % 256 == 0) stop.check();
    ring.assign(near[r].begin(), near[r].end());
    ring.push_back(r);
    const Eigen::MatrixXd block =
        each / static_cast<double>(ring.size()) * beyond_affine(ring, points);
    for (std::size_t i = 0; i < ring.size(); ++i) {
      for (std::size_t j = 0; j < ring.size(); ++j) {
        if (ring[i] < ring[j]) continue;  // the lower half is what the factorisation reads
        entries.emplace_back(ring[i], ring[j],
                             block(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)));
      }
    }
    entries.emplace_back(
        r, r, edge * static_cast<double>(near[r].size()) + place_part / static_cast<double>(count));
    for (const uint32_t j : near[r]) {
      if (j < r) entries.emplace_back(r, j, -edge);
    }
  }
}

}  // namespace

std::size_t surface_size(const TetMesh& solid) {
  return solid.has_skin() ? solid.topology->embedding.size() : boundary_mesh(solid).vertex_count();
}

SkinFit::SkinFit(const TetMesh& rest, CancelView stop) {
  const std::size_t count = rest.vertex_count();
  for (const Vec3f& p : rest.positions) rest_.push_back(p.cast<double>());
  Triplets entries;
  add_data(rest, entries);
  add_evenness(rest, rest_, stop, entries);
  Sparse matrix(static_cast<Eigen::Index>(count), static_cast<Eigen::Index>(count));
  matrix.setFromTriplets(entries.begin(), entries.end());
  stop.check();
  factor_ = std::make_unique<Eigen::SimplicialLDLT<Sparse>>(matrix);
}

// The lower half of W^T W / n.
void SkinFit::add_data(const TetMesh& rest, Triplets& entries) {
  struct Hang {
    std::array<uint32_t, 4> vertex;
    std::array<double, 4> weight;
  };
  std::vector<Hang> points;
  if (rest.has_skin()) {
    const Embedding& embedding = rest.topology->embedding;
    for (std::size_t i = 0; i < embedding.size(); ++i) {
      const std::array<float, 4>& w = embedding.weights[i];
      points.push_back({rest.tets()[embedding.tet[i]], {w[0], w[1], w[2], w[3]}});
    }
  } else {
    std::vector<uint32_t> vertices;
    boundary_mesh(rest, &vertices);
    for (const uint32_t v : vertices) points.push_back({{v, v, v, v}, {1, 0, 0, 0}});
  }
  const double each = points.empty() ? 0 : 1 / static_cast<double>(points.size());
  Triplets transposed;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Hang& p = points[i];
    Vec3d place = Vec3d::Zero();
    for (std::size_t a = 0; a < 4; ++a) {
      if (p.weight[a] == 0) continue;
      place += p.weight[a] * rest_[p.vertex[a]];
      transposed.emplace_back(p.vertex[a], static_cast<int>(i), each * p.weight[a]);
      for (std::size_t b = 0; b < 4; ++b) {
        if (p.weight[b] == 0 || p.vertex[a] < p.vertex[b]) continue;
        entries.emplace_back(p.vertex[a], p.vertex[b], each * p.weight[a] * p.weight[b]);
      }
    }
    skin_.push_back(place);
  }
  weights_.resize(static_cast<Eigen::Index>(rest.vertex_count()),
                  static_cast<Eigen::Index>(points.size()));
  weights_.setFromTriplets(transposed.begin(), transposed.end());
}

std::vector<Vec3f> SkinFit::solve(std::span<const Vec3f> wanted) const {
  std::vector<Vec3d> target;
  for (const Vec3f& p : wanted) target.push_back(p.cast<double>());
  const RigidFit back = fit_rigid(target, skin_, {});
  Eigen::MatrixX3d moved(static_cast<Eigen::Index>(skin_.size()), 3);
  for (std::size_t i = 0; i < skin_.size(); ++i) {
    moved.row(static_cast<Eigen::Index>(i)) = (back(target[i]) - skin_[i]).transpose();
  }
  const Eigen::MatrixX3d shift = factor_->solve(Eigen::MatrixX3d(weights_ * moved));
  std::vector<Vec3f> result;
  result.reserve(rest_.size());
  for (std::size_t i = 0; i < rest_.size(); ++i) {
    const Vec3d by = shift.row(static_cast<Eigen::Index>(i)).transpose();
    result.push_back(back.inverse(rest_[i] + (by.allFinite() ? by : Vec3d::Zero())).cast<float>());
  }
  return result;
}

std::size_t SkinFit::bytes() const {
  const auto stored = [](const Sparse& m) {
    return static_cast<std::size_t>(m.nonZeros()) * (sizeof(double) + sizeof(int));
  };
  return sizeof *this + (rest_.size() + skin_.size()) * sizeof(Vec3d) + stored(weights_) +
         stored(factor_->matrixL().nestedExpression());
}

}  // namespace sinew::kernels
