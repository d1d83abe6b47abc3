#include "nodes/kernels/paint_surface.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "nodes/kernels/adjacency.h"
#include "nodes/kernels/point_grid.h"

namespace sinew::kernels {

namespace {

constexpr double crease_cosine = 0.70710678118654752;  // 45 degrees

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

template <class Visit>
void PaintSurface::visit_cells(const std::array<int, 3>& c, int reach, const Visit& visit) const {
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

void PaintSurface::make_surfels(CancelView stop) {
  if (!(diagonal_ > 0)) return;
  cell_ = diagonal_ / 62;
  origin_ = origin_of(64, cell_);
  surfels_ = sample(64, cell_, stop);
  medium_ = sample(32, diagonal_ / 24, stop);
  sparse_ = sample(16, diagonal_ / 14, stop);
  bends_.resize(surfels_.size());
  const double reach2 = 4 * cell_ * cell_;
  for (std::size_t i = 0; i < surfels_.size(); ++i) {
    double least = 1;
    visit_cells(surfels_[i].cell, 2, [&](std::size_t j) {
      const double cosine = surfels_[i].normal.dot(surfels_[j].normal);
      // What looks the other way is the other side of something thin.
      if ((surfels_[i].point - surfels_[j].point).squaredNorm() <= reach2 && cosine > -0.9) {
        least = std::min(least, cosine);
      }
    });
    bends_[i] = std::acos(std::clamp(least, -1.0, 1.0)) * 180 / std::numbers::pi;
  }
}

// Off the middle, since symmetric bodies would have places that are equally far from two cells.
Vec3d PaintSurface::origin_of(int cells, double cell) const {
  return tree_.box().center() - Vec3d::Constant(0.5 * cell * cells) +
         cell * Vec3d(0.137, 0.211, 0.071);
}

// Ordered by their cells, no two closer than a fifth of a cell.
std::vector<Surfel> PaintSurface::sample(int cells, double cell, CancelView stop) const {
  const Vec3d origin = origin_of(cells, cell);
  std::vector<Surfel> found, kept;
  descend({0, 0, 0}, cells, cell, origin, found, stop);
  std::sort(found.begin(), found.end(), [](const Surfel& a, const Surfel& b) {
    return a.firmness != b.firmness ? a.firmness > b.firmness : a.cell < b.cell;
  });
  PointGrid grid(0.2 * cell);
  for (const Surfel& s : found) {
    if (grid.add_if_free(s.point - origin)) kept.push_back(s);
  }
  std::sort(kept.begin(), kept.end(),
            [](const Surfel& a, const Surfel& b) { return a.cell < b.cell; });
  return kept;
}

// Cells whose middle is near the surface, by halving a cube.
void PaintSurface::descend(const std::array<int, 3>& low, int size, double cell,
                           const Vec3d& origin, std::vector<Surfel>& out, CancelView stop) const {
  stop.check();
  const Vec3d middle =
      origin + cell * (Vec3d(low[0], low[1], low[2]) + Vec3d::Constant(0.5 * size));
  // A coarse triangle may lie some way from the shape.
  const double reach = cell * (1.2 + 0.5 * (size - 1) * std::sqrt(3.0));
  const auto found = size == 1 ? land(middle) : closest(middle, reach);
  if (!found) return;
  if (size == 1) {
    const double far = (found->point - middle).norm() / cell;
    if (found->normal.squaredNorm() > 0.5 && far < 0.75) {
      out.push_back({found->point, found->normal, low, std::clamp((0.75 - far) / 0.1, 0.0, 1.0)});
    }
    return;
  }
  const int half = size / 2;
  for (int k = 0; k < 8; ++k) {
    descend({low[0] + (k & 1) * half, low[1] + (k >> 1 & 1) * half, low[2] + (k >> 2) * half}, half,
            cell, origin, out, stop);
  }
}

uint32_t PaintSurface::nearest_surfel(const Vec3d& point) const {
  uint32_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  const auto look = [&](std::size_t i) {
    const double distance2 = (surfels_[i].point - point).squaredNorm();
    if (distance2 < least) {
      least = distance2;
      best = static_cast<uint32_t>(i);
    }
  };
  const Vec3d at = ((point - origin_) / cell_).array().floor();
  const Vec3d inside = at.cwiseMax(-4).cwiseMin(70);
  visit_cells(
      {static_cast<int>(inside[0]), static_cast<int>(inside[1]), static_cast<int>(inside[2])}, 2,
      look);
  if (least <= 4 * cell_ * cell_) return best;
  for (std::size_t i = 0; i < surfels_.size(); ++i) look(i);
  return best;
}

std::vector<uint32_t> PaintSurface::flood(const Vec3d& seed, double angle) const {
  std::vector<uint32_t> region;
  if (surfels_.empty()) return region;
  const std::size_t start = nearest_surfel(seed);
  std::vector<char> taken(surfels_.size(), 0);
  std::vector<std::size_t> front = {start};
  taken[start] = 1;
  while (!front.empty()) {
    const std::size_t i = front.back();
    front.pop_back();
    region.push_back(static_cast<uint32_t>(i));
    // The rim of a bend is taken, but not crossed.
    if (bends_[i] > angle && i != start) continue;
    visit_cells(surfels_[i].cell, 1, [&](std::size_t j) {
      if (taken[j] || angle_between(surfels_[i].normal, surfels_[j].normal) > angle) return;
      taken[j] = 1;
      front.push_back(j);
    });
  }
  std::sort(region.begin(), region.end());
  return region;
}

std::size_t PaintSurface::bytes() const {
  return sizeof *this + byte_size(mesh_) + tree_.bytes() +
         corner_normals_.size() * sizeof corner_normals_[0] + surfels_.size() * sizeof(double) +
         (surfels_.size() + medium_.size() + sparse_.size()) * sizeof(Surfel);
}

}  // namespace sinew::kernels
