#include "nodes/kernels/merge.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

#include "nodes/geometry/join.h"
#include "nodes/geometry/stop_check.h"

namespace sinew::kernels {

Mesh merge_meshes(std::span<const Mesh* const> meshes) {
  std::size_t vertices = 0, triangles = 0;
  bool polygons = false, uvs = true;
  for (const Mesh* mesh : meshes) {
    vertices += mesh->vertex_count();
    triangles += mesh->triangle_count();
    polygons |= !mesh->topology->polygon_of_triangle.empty();
    uvs &= mesh->triangle_count() == 0 || !mesh->topology->corner_uvs.empty();
  }
  if (vertices > UINT32_MAX) throw std::length_error("the merged mesh has too many vertices");

  Topology merged;
  std::vector<Vec3f> positions;
  positions.reserve(vertices);
  merged.triangles.reserve(triangles);
  uint32_t polygon_base = 0;
  StopCheck check;
  for (const Mesh* mesh : meshes) {
    const Topology& part = *mesh->topology;
    const uint32_t base = static_cast<uint32_t>(positions.size());
    positions.insert(positions.end(), mesh->positions.begin(), mesh->positions.end());
    for (const Triangle& t : part.triangles) {
      check();
      merged.triangles.push_back({t[0] + base, t[1] + base, t[2] + base});
    }
    if (uvs) {
      merged.corner_uvs.insert(merged.corner_uvs.end(), part.corner_uvs.begin(),
                               part.corner_uvs.end());
    }
    for (std::size_t t = 0; polygons && t < part.triangles.size(); ++t) {
      check();
      const uint32_t polygon =
          part.polygon_of_triangle.empty() ? static_cast<uint32_t>(t) : part.polygon_of_triangle[t];
      merged.polygon_of_triangle.push_back(polygon_base + polygon);
    }
    if (polygons && !part.triangles.empty()) {
      polygon_base = merged.polygon_of_triangle.back() + 1;
    }
  }
  return Mesh(std::move(merged), std::move(positions));
}

namespace {

// Kept points by the cubic cell, at least as wide as the distance, that they are in, chained within
// hash buckets. Different cells may share a bucket, since every candidate's distance is checked
// anyway.
class CellTable {
 public:
  CellTable(std::span<const Vec3f> points, double distance)
      : points_(points), distance_(distance), mask_(std::bit_ceil(points.size() + 1) - 1) {
    head_.assign(mask_ + 1, none);
    // Cells need not be finer than the floats in them, and so their numbers stay small.
    double farthest = 0;
    for (const Vec3f& p : points) farthest = std::max<double>(farthest, p.cwiseAbs().maxCoeff());
    cell_ = std::max(distance, farthest * 0x1p-23);
  }

  // The nearest kept point within the distance, the first among equals, as an index into `kept`.
  uint32_t nearest(const std::vector<uint32_t>& kept, const Vec3f& p) const {
    const std::array<int64_t, 3> cell = cell_of(p);
    uint32_t best = none;
    double best_squared = distance_ * distance_;
    for (int64_t x = cell[0] - 1; x <= cell[0] + 1; ++x) {
      for (int64_t y = cell[1] - 1; y <= cell[1] + 1; ++y) {
        for (int64_t z = cell[2] - 1; z <= cell[2] + 1; ++z) {
          for (uint32_t k = head_[bucket({x, y, z})]; k != none; k = next_[k]) {
            const double squared = (points_[kept[k]] - p).cast<double>().squaredNorm();
            if (squared < best_squared || (squared == best_squared && k < best)) {
              best_squared = squared;
              best = k;
            }
          }
        }
      }
    }
    return best;
  }
  void add(uint32_t k, const Vec3f& p) {
    const std::size_t b = bucket(cell_of(p));
    next_.push_back(head_[b]);
    head_[b] = k;
  }
  static constexpr uint32_t none = UINT32_MAX;

 private:
  std::array<int64_t, 3> cell_of(const Vec3f& p) const {
    std::array<int64_t, 3> cell;
    for (int k = 0; k < 3; ++k) {
      cell[k] = static_cast<int64_t>(std::floor(p[k] / cell_));
    }
    return cell;
  }
  std::size_t bucket(const std::array<int64_t, 3>& cell) const {
    uint64_t h = 0;
    for (const int64_t c : cell) {
      h = (h ^ static_cast<uint64_t>(c)) * 0x9e3779b97f4a7c15ull;
      h ^= h >> 29;
    }
    return h & mask_;
  }

  std::span<const Vec3f> points_;
  double distance_, cell_;
  std::size_t mask_;
  std::vector<uint32_t> head_, next_;
};

}  // namespace

Welded weld_vertices(const Mesh& mesh, float distance, CancelView cancel) {
  Joined joined;
  if (!(distance > 0)) {
    joined = join_identical(mesh.positions);
  } else {
    CellTable table(mesh.positions, distance);
    joined.vertex_map.resize(mesh.vertex_count());
    for (std::size_t i = 0; i < mesh.vertex_count(); ++i) {
      if (i % 4096 == 0) cancel.check();
      uint32_t target = table.nearest(joined.kept, mesh.positions[i]);
      if (target == CellTable::none) {
        target = static_cast<uint32_t>(joined.kept.size());
        joined.kept.push_back(static_cast<uint32_t>(i));
        table.add(target, mesh.positions[i]);
      }
      joined.vertex_map[i] = target;
    }
  }
  Welded welded;
  welded.mesh = apply_join(mesh, joined, &welded.dropped_triangles);
  welded.vertex_map = std::move(joined.vertex_map);
  return welded;
}

}  // namespace sinew::kernels
