#include "nodes/kernels/collide.h"

#include <algorithm>
#include <cmath>

#include "nodes/geometry/parallel.h"

namespace sinew::kernels {

namespace {

constexpr std::size_t points_per_block = 1024;
constexpr int looks_from_afar = 3;

// v / |v|, or straight up if there is no direction in it.
Vec3d direction(const Vec3d& v) {
  const double length = v.norm();
  return length > 0 ? Vec3d(v / length) : Vec3d(0, 1, 0);
}

SurfaceDistance ball(const Vec3d& from_centre, double radius) {
  return {from_centre.norm() - radius, direction(from_centre)};
}

SurfaceDistance box(const Vec3d& p, const Vec3d& half, double rounding) {
  const Vec3d q = p.cwiseAbs() - half;
  const auto side = [&](int k) { return p[k] < 0 ? -1.0 : 1.0; };
  if (q.maxCoeff() > 0) {
    Vec3d out = q.cwiseMax(0);
    for (int k = 0; k < 3; ++k) out[k] *= side(k);
    return ball(out, rounding);
  }
  int nearest = 0;
  const double depth = q.maxCoeff(&nearest);
  Vec3d normal = Vec3d::Zero();
  normal[nearest] = side(nearest);
  return {depth - rounding, normal};
}

// Which of the cells along an axis, and how far into it, from 0 to 1.
struct Cell {
  std::size_t index = 0;
  double part = 0;
};
Cell cell_at(double x, uint32_t count) {
  const double inside = std::clamp(x, 0.0, static_cast<double>(count - 1));
  const std::size_t index = std::min<std::size_t>(static_cast<std::size_t>(inside), count - 2);
  return {index, inside - static_cast<double>(index)};
}

double mix(double a, double b, double t) { return a + t * (b - a); }

SurfaceDistance terrain(const Vec3d& p, const HeightGrid& grid) {
  const double sx = grid.spacing[0], sz = grid.spacing[1];
  const double x = (p.x() - grid.origin[0]) / sx, z = (p.z() - grid.origin[1]) / sz;
  const Cell cx = cell_at(x, grid.counts[0]), cz = cell_at(z, grid.counts[1]);
  const float* const h = grid.heights.data() + cz.index * grid.counts[0] + cx.index;
  const double h00 = h[0], h10 = h[1], h01 = h[grid.counts[0]], h11 = h[grid.counts[0] + 1];
  const double height = mix(mix(h00, h10, cx.part), mix(h01, h11, cx.part), cz.part);
  // Beyond the border it goes on as it is there, so nothing changes outwards.
  const bool beyond_x = x < 0 || x > grid.counts[0] - 1;
  const bool beyond_z = z < 0 || z > grid.counts[1] - 1;
  const double slope_x = beyond_x ? 0 : mix(h10 - h00, h11 - h01, cz.part) / sx;
  const double slope_z = beyond_z ? 0 : mix(h01 - h00, h11 - h10, cx.part) / sz;
  const Vec3d up(-slope_x, 1, -slope_z);
  const double steepness = up.norm();
  return {(p.y() - height) / steepness, up / steepness};
}

// Trilinear, for a point within the grid.
SurfaceDistance inside_grid(const Vec3d& p, const DistanceGrid& grid) {
  const double spacing = grid.spacing;
  Cell cell[3];
  for (int k = 0; k < 3; ++k) {
    cell[k] = cell_at((p[k] - grid.origin[k]) / spacing, grid.counts[static_cast<std::size_t>(k)]);
  }
  const std::size_t row = grid.counts[0], slab = row * grid.counts[1];
  const float* const d =
      grid.distances.data() + cell[2].index * slab + cell[1].index * row + cell[0].index;
  const double tx = cell[0].part, ty = cell[1].part, tz = cell[2].part;
  double along_x[2][2], step_x[2][2];  // by y and z
  for (std::size_t z = 0; z < 2; ++z) {
    for (std::size_t y = 0; y < 2; ++y) {
      const double a = d[z * slab + y * row], b = d[z * slab + y * row + 1];
      along_x[z][y] = mix(a, b, tx);
      step_x[z][y] = b - a;
    }
  }
  const double low = mix(along_x[0][0], along_x[0][1], ty);
  const double high = mix(along_x[1][0], along_x[1][1], ty);
  const Vec3d gradient(
      mix(mix(step_x[0][0], step_x[0][1], ty), mix(step_x[1][0], step_x[1][1], ty), tz),
      mix(along_x[0][1] - along_x[0][0], along_x[1][1] - along_x[1][0], tz), high - low);
  return {mix(low, high, tz), direction(gradient)};
}

// The point of the surface that a place within the grid leads to.
Vec3d foot(const Vec3d& p, const DistanceGrid& grid) {
  const SurfaceDistance there = inside_grid(p, grid);
  return p - there.distance * there.normal;
}

// Where the way from a point outside of a box to one inside enters it.
Vec3d entry(const Vec3d& from, const Vec3d& to, const Vec3d& low, const Vec3d& high) {
  double t = 0;
  for (int k = 0; k < 3; ++k) {
    const double beyond = from[k] < low[k] ? low[k] - from[k] : std::min(high[k] - from[k], 0.0);
    if (beyond != 0 && to[k] != from[k]) t = std::max(t, beyond / (to[k] - from[k]));
  }
  return (from + std::min(t, 1.0) * (to - from)).cwiseMax(low).cwiseMin(high);
}

SurfaceDistance mesh(const Vec3d& p, const DistanceGrid& grid) {
  const Vec3d low = grid.origin.cast<double>();
  const Vec3d cells(grid.counts[0] - 1, grid.counts[1] - 1, grid.counts[2] - 1);
  const Vec3d high = low + grid.spacing * cells;
  const Vec3d within = p.cwiseMax(low).cwiseMin(high);
  if (within == p) return inside_grid(p, grid);
  // Any point of the surface is too far or right: looking again from where the way to it enters
  // the grid finds a nearer one.
  Vec3d nearest = foot(within, grid);
  for (int again = 0; again < looks_from_afar; ++again) {
    const Vec3d better = foot(entry(p, nearest, low, high), grid);
    if ((better - p).squaredNorm() >= (nearest - p).squaredNorm()) break;
    nearest = better;
  }
  return {(p - nearest).norm(), direction(p - nearest)};
}

SurfaceDistance own_distance(const Collider& c, const Vec3d& p) {
  switch (c.shape) {
    case ColliderShape::plane:
      return {p.y(), Vec3d(0, 1, 0)};
    case ColliderShape::sphere:
      return ball(p, c.radius);
    case ColliderShape::box:
      return box(p, c.half.cast<double>(), c.radius);
    case ColliderShape::capsule: {
      const double reach = c.half.y();
      return ball(p - Vec3d(0, std::clamp(p.y(), -reach, reach), 0), c.radius);
    }
    case ColliderShape::terrain:
      return terrain(p, *c.heights);
    case ColliderShape::mesh:
      return mesh(p, *c.distances);
  }
  return {};
}

}  // namespace

SurfaceDistance signed_distance(const Collider& collider, const Vec3d& point) {
  const Eigen::Quaterniond turn = collider.rotation.cast<double>().normalized();
  SurfaceDistance found =
      own_distance(collider, turn.conjugate() * Vec3d(point - collider.position.cast<double>()));
  found.normal = turn * found.normal;
  return found;
}

void signed_distance(const Colliders& colliders, std::span<const Vec3f> points,
                     std::span<float> distances, std::span<Vec3f> normals,
                     std::span<uint32_t> nearest) {
  parallel_blocks(
      points.size(),
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          const Vec3d point = points[i].cast<double>();
          SurfaceDistance best{nothing_near, Vec3d(0, 1, 0)};
          uint32_t which = no_collider;
          for (uint32_t c = 0; c < colliders.list.size(); ++c) {
            const SurfaceDistance found = signed_distance(colliders.list[c], point);
            if (found.distance < best.distance) best = found, which = c;
          }
          distances[i] = static_cast<float>(best.distance);
          if (!normals.empty()) normals[i] = best.normal.cast<float>();
          if (!nearest.empty()) nearest[i] = which;
        }
      },
      points_per_block);
}

}  // namespace sinew::kernels
