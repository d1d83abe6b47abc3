#include "nodes/kernels/paint_surface.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "nodes/kernels/adjacency.h"
#include "nodes/kernels/point_grid.h"

namespace sinew::kernels {

namespace {

constexpr int cells_along_diagonal = 64;
constexpr double sparse_spacing = 1.0 / 14;
constexpr double crease_cosine = 0.70710678118654752;  // 45 degrees

// The mixed bits of a cell: an order that has nothing to do with place.
uint32_t mix(const std::array<int, 3>& c) {
  uint32_t h = static_cast<uint32_t>(c[0]) * 0x8da6b343u ^
               static_cast<uint32_t>(c[1]) * 0xd8163841u ^
               static_cast<uint32_t>(c[2]) * 0xcb1ab31fu;
  h = (h ^ (h >> 16)) * 0x7feb352du;
  h = (h ^ (h >> 15)) * 0x846ca68bu;
  return h ^ (h >> 16);
}

double angle_between(const Vec3d& a, const Vec3d& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b)) * 180 / std::numbers::pi;
}

}  // namespace

PaintSurface::PaintSurface(const Mesh& surface, CancelView stop)
    : mesh_(surface), tree_(surface, stop) {
  if (tree_.empty()) return;
  diagonal_ = tree_.box().diagonal().norm();
  make_corner_normals();
  make_surfels(stop);
  std::vector<uint32_t> all(surfels_.size());
  std::iota(all.begin(), all.end(), 0u);
  sparse_ = spread(all, sparse_spacing * diagonal_);
}

void PaintSurface::make_corner_normals() {
  const std::span<const Triangle> triangles = mesh_.triangles();
  std::vector<Vec3d> normals;
  std::vector<std::array<double, 3>> angles;
  for (const Triangle& t : triangles) {
    std::array<Vec3d, 3> p;
    for (std::size_t k = 0; k < 3; ++k) p[k] = mesh_.positions[t[k]].cast<double>();
    const Vec3d n = (p[1] - p[0]).cross(p[2] - p[0]);
    normals.push_back(n.norm() > 0 ? n.normalized() : Vec3d(0, 0, 0));
    std::array<double, 3> angle{};
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3d u = p[(k + 1) % 3] - p[k], v = p[(k + 2) % 3] - p[k];
      angle[k] = std::atan2(u.cross(v).norm(), u.dot(v));
    }
    angles.push_back(angle);
  }
  const Rows around = vertex_triangles(triangles, mesh_.vertex_count());
  corner_normals_.resize(triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      const uint32_t vertex = triangles[t][k];
      Vec3d sum(0, 0, 0);
      for (const uint32_t other : around[vertex]) {
        if (normals[other].dot(normals[t]) < crease_cosine) continue;
        const auto corner = std::find(triangles[other].begin(), triangles[other].end(), vertex);
        sum += angles[other][static_cast<std::size_t>(corner - triangles[other].begin())] *
               normals[other];
      }
      const Vec3d unit = sum.squaredNorm() > 0 ? Vec3d(sum.normalized()) : normals[t];
      corner_normals_[t][k] = unit.cast<float>();
    }
  }
}

std::optional<PaintSurface::Foot> PaintSurface::closest(const Vec3d& query, double within) const {
  const auto found = tree_.closest(query, within);
  if (!found) return std::nullopt;
  const Triangle& t = mesh_.triangles()[found->triangle];
  Vec3d moved = found->point, normal(0, 0, 0);
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3d n = corner_normals_[found->triangle][k].cast<double>();
    const Vec3d corner = mesh_.positions[t[k]].cast<double>();
    const double weight = found->weights[static_cast<int>(k)];
    moved += 0.5 * weight * n.dot(corner - found->point) * n;
    normal += weight * n;
  }
  if (normal.squaredNorm() > 1e-12) normal.normalize();
  return Foot{moved, normal, std::sqrt(found->distance2), found->triangle};
}

std::optional<PaintSurface::Foot> PaintSurface::land(const Vec3d& query) const {
  std::optional<Foot> best = closest(query);
  if (!best) return best;
  const auto sideways = [&](const Foot& foot) -> Vec3d {
    const Vec3d up = query - foot.point;
    return up - foot.normal.dot(up) * foot.normal;
  };
  const double distance = best->distance;
  Vec3d step = sideways(*best);
  for (int i = 0; i < 4 && step.norm() > 1e-4 * diagonal_; ++i) {
    const std::optional<Foot> next = closest(best->point + step);
    if (!next) break;
    const Vec3d next_step = sideways(*next);
    if (!(next_step.norm() < 0.9 * step.norm())) break;
    best = next;
    step = next_step;
  }
  best->distance = distance;
  return best;
}

void PaintSurface::make_surfels(CancelView stop) {
  if (!(diagonal_ > 0)) return;
  // Off the middle, since symmetric bodies would have places that are equally far from two cells.
  cell_ = diagonal_ / (cells_along_diagonal - 2);
  origin_ = tree_.box().center() - Vec3d::Constant(0.5 * cell_ * cells_along_diagonal) +
            cell_ * Vec3d(0.137, 0.211, 0.071);
  descend({0, 0, 0}, cells_along_diagonal, stop);
  std::sort(surfels_.begin(), surfels_.end(),
            [](const Surfel& a, const Surfel& b) { return a.cell < b.cell; });
  bends_.resize(surfels_.size());
  const double reach2 = 4 * cell_ * cell_;
  for (std::size_t i = 0; i < surfels_.size(); ++i) {
    double least = 1;
    visit_near(i, 2, [&](std::size_t j) {
      const double cosine = surfels_[i].normal.dot(surfels_[j].normal);
      // What looks the other way is the other side of something thin.
      if ((surfels_[i].point - surfels_[j].point).squaredNorm() <= reach2 && cosine > -0.9) {
        least = std::min(least, cosine);
      }
    });
    bends_[i] = std::acos(std::clamp(least, -1.0, 1.0)) * 180 / std::numbers::pi;
  }
}

// Cells whose middle is within 0.6 cells of the surface, by halving a cube.
void PaintSurface::descend(const std::array<int, 3>& low, int size, CancelView stop) {
  stop.check();
  const Vec3d middle =
      origin_ + cell_ * (Vec3d(low[0], low[1], low[2]) + Vec3d::Constant(0.5 * size));
  // A coarse triangle may lie some way from the shape.
  const double reach = cell_ * (1.2 + 0.5 * (size - 1) * std::sqrt(3.0));
  const auto found = closest(middle, reach);
  if (!found) return;
  if (size == 1) {
    if (found->normal.squaredNorm() > 0.5 && (found->point - middle).norm() <= 0.6 * cell_) {
      surfels_.push_back({found->point, found->normal, low});
    }
    return;
  }
  const int half = size / 2;
  for (int k = 0; k < 8; ++k) {
    descend({low[0] + (k & 1) * half, low[1] + (k >> 1 & 1) * half, low[2] + (k >> 2) * half}, half,
            stop);
  }
}

template <class Visit>
void PaintSurface::visit_near(std::size_t surfel, int reach, const Visit& visit) const {
  const std::array<int, 3> c = surfels_[surfel].cell;
  for (int x = c[0] - reach; x <= c[0] + reach; ++x) {
    for (int y = c[1] - reach; y <= c[1] + reach; ++y) {
      const std::array<int, 3> from = {x, y, c[2] - reach}, to = {x, y, c[2] + reach};
      auto it = std::lower_bound(surfels_.begin(), surfels_.end(), from,
                                 [](const Surfel& s, const auto& cell) { return s.cell < cell; });
      for (; it != surfels_.end() && it->cell <= to; ++it) {
        visit(static_cast<std::size_t>(it - surfels_.begin()));
      }
    }
  }
}

std::vector<uint32_t> PaintSurface::flood(const Vec3d& seed, double angle) const {
  std::vector<uint32_t> region;
  if (surfels_.empty()) return region;
  std::size_t start = 0;
  for (std::size_t i = 0; i < surfels_.size(); ++i) {
    if ((surfels_[i].point - seed).squaredNorm() < (surfels_[start].point - seed).squaredNorm()) {
      start = i;
    }
  }
  std::vector<char> taken(surfels_.size(), 0);
  std::vector<std::size_t> front = {start};
  taken[start] = 1;
  while (!front.empty()) {
    const std::size_t i = front.back();
    front.pop_back();
    region.push_back(static_cast<uint32_t>(i));
    // The rim of a bend is taken, but not crossed.
    if (bends_[i] > angle && i != start) continue;
    visit_near(i, 1, [&](std::size_t j) {
      if (taken[j] || angle_between(surfels_[i].normal, surfels_[j].normal) > angle) return;
      taken[j] = 1;
      front.push_back(j);
    });
  }
  std::sort(region.begin(), region.end());
  return region;
}

std::vector<uint32_t> PaintSurface::spread(std::span<const uint32_t> part, double distance) const {
  std::vector<std::pair<uint32_t, uint32_t>> order;
  order.reserve(part.size());
  for (const uint32_t i : part) order.emplace_back(mix(surfels_[i].cell), i);
  std::sort(order.begin(), order.end());
  PointGrid grid(distance);
  std::vector<uint32_t> result;
  for (const auto& [priority, i] : order) {
    if (grid.add_if_free(surfels_[i].point - origin_)) result.push_back(i);
  }
  std::sort(result.begin(), result.end());
  return result;
}

std::size_t PaintSurface::bytes() const {
  return sizeof *this + byte_size(mesh_) + tree_.bytes() +
         corner_normals_.size() * sizeof corner_normals_[0] +
         surfels_.size() * (sizeof(Surfel) + sizeof(double));
}

}  // namespace sinew::kernels
