#include "nodes/kernels/distance_grid.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "nodes/geometry/parallel.h"

namespace sinew::kernels {

namespace {

// One row along x: the next corner is at most a spacing further away than this one, which keeps the
// search short.
void fill_row(const SurfaceTree& surface, const Vec3d& first, double spacing,
              std::span<float> row) {
  double before = 0;
  bool inside = false;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const Vec3d point = first + Vec3d(spacing * static_cast<double>(i), 0, 0);
    const double reach =
        i == 0 ? std::numeric_limits<double>::infinity() : (before + spacing) * (1 + 1e-9);
    std::optional<SurfacePoint> found = surface.closest(point, reach);
    if (!found) found = surface.closest(point);
    const double distance = std::sqrt(found->distance2);
    if (i == 0 || before + distance <= spacing * (1 + 1e-9)) inside = surface.inside(point);
    row[i] = static_cast<float>(inside ? -distance : distance);
    before = distance;
  }
}

// Each place without a height takes that of the nearest with one, ring by ring.
void fill_holes(HeightGrid& grid, std::vector<char>& known) {
  const std::size_t nx = grid.counts[0], nz = grid.counts[1];
  std::vector<uint32_t> front, next;
  for (uint32_t i = 0; i < known.size(); ++i) {
    if (known[i]) front.push_back(i);
  }
  while (!front.empty()) {
    next.clear();
    for (const uint32_t i : front) {
      const std::size_t x = i % nx, z = i / nx;
      const auto reach = [&](std::size_t j) {
        if (known[j]) return;
        known[j] = 1;
        grid.heights[j] = grid.heights[i];
        next.push_back(static_cast<uint32_t>(j));
      };
      if (x > 0) reach(i - 1);
      if (x + 1 < nx) reach(i + 1);
      if (z > 0) reach(i - nx);
      if (z + 1 < nz) reach(i + nx);
    }
    std::swap(front, next);
  }
}

}  // namespace

DistanceGrid make_distance_grid(const SurfaceTree& surface, int cells, CancelView stop) {
  if (surface.empty()) throw std::invalid_argument("there is no surface");
  const Vec3d sizes = surface.box().sizes();
  const double longest = sizes.maxCoeff();
  if (!(longest > 0)) throw std::invalid_argument("the surface is a single point");
  DistanceGrid grid;
  cells = std::max(cells, 2);
  grid.spacing = static_cast<float>(longest / cells);
  const double spacing = grid.spacing;
  const double margin = std::max(2 * spacing, 0.25 * longest);
  const Vec3d low = surface.box().min() - Vec3d::Constant(margin);
  grid.origin = low.cast<float>();
  const Vec3d origin = grid.origin.cast<double>();
  for (int k = 0; k < 3; ++k) {
    const double reach = surface.box().max()[k] + margin - origin[k];
    grid.counts[static_cast<std::size_t>(k)] =
        static_cast<uint32_t>(std::max(1.0, std::ceil(reach / spacing))) + 1;
  }
  const std::size_t nx = grid.counts[0], rows = std::size_t{grid.counts[1]} * grid.counts[2];
  grid.distances.resize(nx * rows);
  parallel_blocks(
      rows,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t r = begin; r < end; ++r) {
          if (stop()) return;
          const double y = static_cast<double>(r % grid.counts[1]);
          const double z = static_cast<double>(r / grid.counts[1]);
          fill_row(surface, origin + spacing * Vec3d(0, y, z), spacing,
                   std::span(grid.distances).subspan(r * nx, nx));
        }
      },
      8);
  stop.check();
  return grid;
}

HeightGrid make_height_grid(const SurfaceTree& surface, int cells, CancelView stop) {
  if (surface.empty()) throw std::invalid_argument("there is no surface");
  const Vec3d low = surface.box().min(), sizes = surface.box().sizes();
  if (!(sizes.x() > 0) || !(sizes.z() > 0)) {
    throw std::invalid_argument("seen from above it has no area");
  }
  HeightGrid grid;
  const double longest = std::max(sizes.x(), sizes.z());
  const int lengths[2] = {0, 2};
  for (std::size_t k = 0; k < 2; ++k) {
    const double size = sizes[lengths[k]];
    const double steps = std::max(1.0, std::round(cells * size / longest));
    grid.counts[k] = static_cast<uint32_t>(steps) + 1;
    grid.origin[static_cast<int>(k)] = static_cast<float>(low[lengths[k]]);
    grid.spacing[static_cast<int>(k)] = static_cast<float>(size / steps);
  }
  const std::size_t nx = grid.counts[0], nz = grid.counts[1];
  grid.heights.assign(nx * nz, static_cast<float>(low.y()));
  std::vector<char> known(nx * nz, 0);
  const double above = surface.box().max().y() + std::max(longest, sizes.y());
  parallel_blocks(
      nz,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t z = begin; z < end; ++z) {
          if (stop()) return;
          for (std::size_t x = 0; x < nx; ++x) {
            // A hair inside of the border, where rounding would miss the surface.
            const auto place = [&](std::size_t i, std::size_t n, double from, double size) {
              const double part = static_cast<double>(i) / static_cast<double>(n - 1);
              return from + size * std::clamp(part, 1e-6, 1 - 1e-6);
            };
            const Vec3d eye(place(x, nx, low.x(), sizes.x()), above,
                            place(z, nz, low.z(), sizes.z()));
            const std::optional<RayHit> hit = surface.first_hit(eye, Vec3d(0, -1, 0));
            if (!hit) continue;
            grid.heights[z * nx + x] = static_cast<float>(above - hit->t);
            known[z * nx + x] = 1;
          }
        }
      },
      4);
  stop.check();
  if (std::find(known.begin(), known.end(), 1) == known.end()) {
    throw std::invalid_argument("nothing of it is seen from above");
  }
  fill_holes(grid, known);
  return grid;
}

}  // namespace sinew::kernels
