#include "nodes/kernels/heat_distance.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace sinew::kernels {

namespace {

constexpr double time_factor = 4;                // t = 4 h^2
constexpr double near_edges = 2, far_edges = 5;  // r0 and r1 in h
// -log u up to which u can be told from zero: the time is longer on meshes with more edges across.
constexpr double most_decades = 500;
constexpr double least_heat = 1e-300;

}  // namespace

void HeatDistance::find_components() {
  component_.resize(surface_.vertex_count);
  std::iota(component_.begin(), component_.end(), 0u);
  const auto root = [&](uint32_t v) {
    while (component_[v] != v) v = component_[v] = component_[component_[v]];
    return v;
  };
  for (const Triangle& t : surface_.triangles) {
    for (int k = 1; k < 3; ++k) {
      const uint32_t a = root(t[0]), b = root(t[k]);
      component_[std::max(a, b)] = std::min(a, b);
    }
  }
  for (uint32_t v = 0; v < component_.size(); ++v) component_[v] = root(v);
}

// stiffness L + mass M, with the rows and columns of pinned vertices replaced by those of the
// identity.
template <class Pinned>
std::unique_ptr<HeatDistance::Solver> HeatDistance::factor(double stiffness, double mass,
                                                           const Pinned& pinned) const {
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(9 * pieces_.size() + masses_.size());
  const auto add = [&](uint32_t i, uint32_t j, double x) {
    if (i >= j) entries.emplace_back(static_cast<int>(i), static_cast<int>(j), x);
  };
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const Triangle& t = surface_.triangles[i];
    const Piece& piece = pieces_[i];
    for (int k = 0; k < 3; ++k) {
      const uint32_t a = t[(k + 1) % 3], b = t[(k + 2) % 3];
      if (a == b) continue;
      // Half the cotangent of the angle between them.
      const double w = -piece.area * piece.gradient[(k + 1) % 3].dot(piece.gradient[(k + 2) % 3]);
      if (!pinned(a)) add(a, a, stiffness * w);
      if (!pinned(b)) add(b, b, stiffness * w);
      if (!pinned(a) && !pinned(b)) add(std::max(a, b), std::min(a, b), -stiffness * w);
    }
  }
  for (uint32_t v = 0; v < masses_.size(); ++v) {
    add(v, v, pinned(v) || !(masses_[v] > 0) ? 1 : mass * masses_[v]);
  }
  Matrix matrix(static_cast<int>(masses_.size()), static_cast<int>(masses_.size()));
  matrix.setFromTriplets(entries.begin(), entries.end());
  auto solver = std::make_unique<Solver>(matrix);
  if (solver->info() != Eigen::Success) {
    throw std::runtime_error("the distances along this surface cannot be computed");
  }
  return solver;
}

HeatDistance::HeatDistance(const Mesh& mesh, CancelView stop)
    : mesh_(mesh),
      around_(vertex_triangles(mesh.triangles(), mesh.vertex_count())),
      surface_(intrinsic_delaunay(mesh, stop)),
      masses_(mesh.vertex_count(), 0) {
  find_components();
  if (surface_.triangles.empty()) return;
  pieces_.reserve(surface_.triangles.size());
  for (std::size_t i = 0; i < surface_.triangles.size(); ++i) {
    const FlatTriangle flat = lay_out(surface_.lengths[i]);
    Piece piece{{}, flat.area};
    for (int k = 0; k < 3; ++k) {
      const Vec2d edge = flat.corners[(k + 2) % 3] - flat.corners[(k + 1) % 3];
      piece.gradient[k] = Vec2d(-edge.y(), edge.x()) / (2 * flat.area);
      masses_[surface_.triangles[i][k]] += flat.area / 3;
    }
    pieces_.push_back(piece);
  }
  Eigen::AlignedBox3d box;
  for (const Vec3f& p : mesh.positions) box.extend(p.cast<double>());
  const double h = surface_.mean_length, root = 2 * box.diagonal().norm() / most_decades;
  time_ = std::max(time_factor * h * h, root * root);

  stop.check();
  warm_ = factor(time_, 1, [](uint32_t) { return false; });
  stop.check();
  const std::vector<char>& border = surface_.on_border;
  if (std::find(border.begin(), border.end(), 1) != border.end()) {
    cold_ = factor(time_, 1, [&](uint32_t v) { return border[v] != 0; });
    stop.check();
  }
  // phi is known up to a constant: one vertex of each component is held.
  poisson_ = factor(1, 0, [&](uint32_t v) { return component_[v] == v; });
}

// div X of the unit vectors along grad w; none where the whole triangle is a source.
HeatDistance::Vector HeatDistance::directions(const Vector& w, std::span<const char> source) const {
  Vector divergence = Vector::Zero(w.size());
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const Triangle& t = surface_.triangles[i];
    if (source[t[0]] && source[t[1]] && source[t[2]]) continue;
    const Piece& piece = pieces_[i];
    Vec2d x =
        w[t[0]] * piece.gradient[0] + w[t[1]] * piece.gradient[1] + w[t[2]] * piece.gradient[2];
    const double length = x.norm();
    if (!(length > 0)) continue;
    x *= piece.area / length;
    for (int k = 0; k < 3; ++k) divergence[t[k]] += x.dot(piece.gradient[k]);
  }
  for (uint32_t v = 0; v < component_.size(); ++v) {
    if (component_[v] == v) divergence[v] = 0;
  }
  return divergence;
}

// phi with its constant, and marching where that is better.
std::vector<double> HeatDistance::join(const Vector& phi, std::span<const MarchStart> starts,
                                       Wave wave, CancelView stop) const {
  double sum = 0;
  std::size_t count = 0;
  for (const MarchStart& s : starts) {
    for (const uint32_t t : around_[s.vertex]) {
      const Triangle& v = mesh_.triangles()[t];
      for (int k = 0; k < 3; ++k) {
        sum += (mesh_.positions[v[k]] - mesh_.positions[v[(k + 1) % 3]]).cast<double>().norm();
        ++count;
      }
    }
  }
  const double here = count > 0 ? sum / static_cast<double>(count) : 0;
  const double h = std::max(here, surface_.mean_length), r0 = near_edges * h, r1 = far_edges * h;
  std::vector<double> distances = march_surface(mesh_, around_, starts, wave, r1, stop);

  // By component: the sum of the weights and of the weighted differences.
  std::vector<Vec2d> fit(component_.size(), Vec2d::Zero());
  for (uint32_t v = 0; v < distances.size(); ++v) {
    if (distances[v] == unreachable) continue;
    // Vertices nearer than r0 only count where there are no others.
    const double weight = distances[v] > r0 ? 1 : 1e-9;
    fit[component_[v]] += weight * Vec2d(1, phi[v] - distances[v]);
  }
  for (uint32_t v = 0; v < distances.size(); ++v) {
    const Vec2d& f = fit[component_[v]];
    if (!(f[0] > 0)) continue;  // its component has no source
    const double by_heat = std::max(0.0, phi[v] - f[1] / f[0]);
    if (distances[v] == unreachable) {
      distances[v] = by_heat;
    } else {
      const double x = std::clamp((distances[v] - r0) / (r1 - r0), 0.0, 1.0);
      distances[v] += x * x * (3 - 2 * x) * (by_heat - distances[v]);
    }
  }
  return distances;
}

std::vector<double> HeatDistance::solve(std::span<const MarchStart> starts, Wave wave,
                                        CancelView stop) const {
  stop.check();
  const std::size_t count = mesh_.vertex_count();
  if (pieces_.empty() || starts.empty()) {
    std::vector<double> distances(count, unreachable);
    for (const MarchStart& s : starts) {
      distances[s.vertex] = std::min(distances[s.vertex], s.distance);
    }
    return distances;
  }
  Vector heat = Vector::Zero(static_cast<Eigen::Index>(count));
  std::vector<char> source(count, 0);
  for (const MarchStart& s : starts) {
    if (!(masses_[s.vertex] > 0)) continue;
    // A set gives heat by its area, a point as much as another.
    heat[s.vertex] = wave == Wave::flat ? masses_[s.vertex] : heat[s.vertex] + s.weight;
    source[s.vertex] = s.distance == 0;
  }
  Vector w = warm_->solve(heat);
  if (cold_) {
    for (uint32_t v = 0; v < count; ++v) {
      if (surface_.on_border[v]) heat[v] = 0;
    }
    w = 0.5 * (w + cold_->solve(heat).eval());
  }
  for (double& x : w) x = -std::log(std::max(x, least_heat));
  stop.check();
  const Vector phi = poisson_->solve(directions(w, source));
  return join(phi, starts, wave, stop);
}

std::size_t HeatDistance::bytes() const {
  std::size_t sum = sizeof *this + byte_size(mesh_) +
                    4 * (around_.items.size() + around_.offsets.size() + component_.size()) +
                    8 * masses_.size() + sizeof(Piece) * pieces_.size() +
                    (sizeof(Triangle) + 3 * sizeof(double)) * surface_.triangles.size();
  for (const Solver* solver : {warm_.get(), cold_.get(), poisson_.get()}) {
    if (!solver) continue;
    sum += 12 * static_cast<std::size_t>(solver->matrixL().nestedExpression().nonZeros()) +
           24 * masses_.size();
  }
  return sum;
}

}  // namespace sinew::kernels
