#include "nodes/kernels/meshless_fit.h"

#include <algorithm>
#include <vector>

#include "nodes/kernels/meshless_energy.h"
#include "nodes/kernels/rigid_fit.h"

namespace sinew::kernels {
namespace {

constexpr double stiffness = 1e-6;

}  // namespace

SurfaceFit::SurfaceFit(std::shared_ptr<const MeshlessBody> body) : body_(std::move(body)) {
  const ShapeRows& rows = body_->at_vertices;
  const double part = 1 / static_cast<double>(std::max<std::size_t>(1, rows.size()));
  Eigen::MatrixXd h = stiffness * body_->size * body_->size * ElasticSamples(*body_).laplacian();
  for (std::size_t v = 0; v < rows.size(); ++v) {
    for (uint32_t a = rows.first[v]; a < rows.first[v + 1]; ++a) {
      for (uint32_t b = rows.first[v]; b < rows.first[v + 1]; ++b) {
        h(rows.node[a], rows.node[b]) += part * rows.value[a] * rows.value[b];
      }
    }
  }
  h.diagonal().array() += 1e-12 * h.trace() / static_cast<double>(h.rows());
  factor_.compute(h);
}

NodePlaces SurfaceFit::fit(std::span<const Vec3f> vertices) const {
  const ShapeRows& rows = body_->at_vertices;
  std::vector<Vec3d> from, to;
  from.reserve(vertices.size());
  to.reserve(vertices.size());
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    from.push_back(body_->rest.positions[v].cast<double>());
    to.push_back(vertices[v].cast<double>());
  }
  const RigidFit rigid = fit_rigid(from, to, {});
  const auto n = static_cast<Eigen::Index>(body_->node_count());
  const double part = 1 / static_cast<double>(std::max<std::size_t>(1, rows.size()));
  Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(n, 3);
  for (std::size_t v = 0; v < rows.size(); ++v) {
    const Vec3d off = to[v] - rigid(from[v]);
    for (uint32_t k = rows.first[v]; k < rows.first[v + 1]; ++k) {
      sums.row(rows.node[k]) += part * rows.value[k] * off.transpose();
    }
  }
  const Eigen::MatrixXd moved = factor_.solve(sums);
  NodePlaces places;
  for (std::size_t j = 0; j < body_->node_count(); ++j) {
    places.push_back(rigid(body_->nodes[j]) + moved.row(static_cast<Eigen::Index>(j)).transpose());
  }
  return places;
}

double SurfaceFit::farthest(std::span<const Vec3f> vertices, const NodePlaces& places) const {
  double worst = 0;
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    const Vec3d is = place_of(body_->at_vertices, v, places);
    worst = std::max(worst, (is - vertices[v].cast<double>()).squaredNorm());
  }
  return std::sqrt(worst);
}

}  // namespace sinew::kernels
