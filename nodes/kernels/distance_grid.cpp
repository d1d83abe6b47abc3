#include "nodes/kernels/distance_grid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "nodes/geometry/parallel.h"

namespace sinew::kernels {

namespace {

// Cubes of the grid along one side of a block.
constexpr uint32_t block_cells = 4;
// A block is exact if one of its corners is nearer to the surface than its own diagonal; elsewhere
// every point is at least half of one away.
const double block_diagonal = block_cells * std::sqrt(3.0);  // in spacings

struct Blocks {
  std::array<uint32_t, 3> corners;  // per axis, one more than blocks
  std::vector<float> distances;     // at the corners, x fastest
  std::vector<char> exact;          // per block, x fastest

  std::size_t corner(uint32_t x, uint32_t y, uint32_t z) const {
    return (std::size_t{z} * corners[1] + y) * corners[0] + x;
  }
  std::size_t block(uint32_t x, uint32_t y, uint32_t z) const {
    return (std::size_t{z} * (corners[1] - 1) + y) * (corners[0] - 1) + x;
  }
};

// Walks along x. The next place is at most a step further from the surface than the last one, which
// keeps the search short; and if both distances add up to more than the step, the side is the same.
class Walk {
 public:
  Walk(const SurfaceTree& surface, double step) : surface_(surface), step_(step) {}

  double visit(const Vec3d& point) {
    const double reach = (furthest_ + step_) * (1 + 1e-9);
    const double distance = std::sqrt(distance2(point, reach));
    if (!started_ || nearest_ + distance <= step_ * (1 + 1e-9)) inside_ = surface_.inside(point);
    started_ = true;
    nearest_ = furthest_ = distance;
    return inside_ ? -distance : distance;
  }
  // A place that is not looked at closely: at least so far away, on the side that the sign tells.
  void pass(double at_least, bool inside) {
    nearest_ = at_least;
    furthest_ = std::numeric_limits<double>::infinity();
    inside_ = inside;
    started_ = true;
  }

 private:
  double distance2(const Vec3d& point, double reach) const {
    if (const auto near = surface_.closest(point, reach)) return near->distance2;
    const auto any = surface_.closest(point);
    return any ? any->distance2 : 0;
  }

  const SurfaceTree& surface_;
  double step_;
  double nearest_ = 0, furthest_ = std::numeric_limits<double>::infinity();
  bool inside_ = false, started_ = false;
};

Blocks measure_blocks(const SurfaceTree& surface, const DistanceGrid& grid, CancelView stop) {
  Blocks blocks;
  for (std::size_t k = 0; k < 3; ++k) blocks.corners[k] = (grid.counts[k] - 1) / block_cells + 1;
  const auto [nx, ny, nz] = blocks.corners;
  blocks.distances.resize(std::size_t{nx} * ny * nz);
  const double step = double{grid.spacing} * block_cells;
  const Vec3d origin = grid.origin.cast<double>();
  parallel_blocks(
      std::size_t{ny} * nz,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t r = begin; r < end; ++r) {
          if (stop()) return;
          Walk walk(surface, step);
          const uint32_t y = static_cast<uint32_t>(r % blocks.corners[1]),
                         z = static_cast<uint32_t>(r / blocks.corners[1]);
          for (uint32_t x = 0; x < blocks.corners[0]; ++x) {
            blocks.distances[blocks.corner(x, y, z)] =
                static_cast<float>(walk.visit(origin + step * Vec3d(x, y, z)));
          }
        }
      },
      4);
  stop.check();
  const float limit = static_cast<float>(block_diagonal * grid.spacing);
  for (uint32_t z = 0; z + 1 < nz; ++z) {
    for (uint32_t y = 0; y + 1 < ny; ++y) {
      for (uint32_t x = 0; x + 1 < nx; ++x) {
        float least = std::numeric_limits<float>::max();
        for (uint32_t c = 0; c < 8; ++c) {
          const std::size_t at = blocks.corner(x + (c & 1), y + (c >> 1 & 1), z + (c >> 2));
          least = std::min(least, std::abs(blocks.distances[at]));
        }
        blocks.exact.push_back(least <= limit);
      }
    }
  }
  return blocks;
}

// The blocks along one axis that a place touches: two on their common side.
std::pair<uint32_t, uint32_t> touched(uint32_t i, uint32_t corners) {
  const uint32_t own = std::min(i / block_cells, corners - 2);
  return {i % block_cells == 0 && i > 0 ? i / block_cells - 1 : own, own};
}

bool is_exact(const Blocks& blocks, uint32_t x, uint32_t y, uint32_t z) {
  const auto [x0, x1] = touched(x, blocks.corners[0]);
  const auto [y0, y1] = touched(y, blocks.corners[1]);
  const auto [z0, z1] = touched(z, blocks.corners[2]);
  for (uint32_t k = z0; k <= z1; ++k) {
    for (uint32_t j = y0; j <= y1; ++j) {
      for (uint32_t i = x0; i <= x1; ++i) {
        if (blocks.exact[blocks.block(i, j, k)]) return true;
      }
    }
  }
  return false;
}

// Trilinear between the corners of the block.
double between_corners(const Blocks& blocks, uint32_t x, uint32_t y, uint32_t z) {
  const uint32_t bx = touched(x, blocks.corners[0]).second,
                 by = touched(y, blocks.corners[1]).second,
                 bz = touched(z, blocks.corners[2]).second;
  const double tx = double(x - bx * block_cells) / block_cells,
               ty = double(y - by * block_cells) / block_cells,
               tz = double(z - bz * block_cells) / block_cells;
  double sum = 0;
  for (uint32_t c = 0; c < 8; ++c) {
    const double weight = (c & 1 ? tx : 1 - tx) * (c & 2 ? ty : 1 - ty) * (c & 4 ? tz : 1 - tz);
    sum += weight * blocks.distances[blocks.corner(bx + (c & 1), by + (c >> 1 & 1), bz + (c >> 2))];
  }
  return sum;
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
    const double reach = (surface.box().max()[k] + margin - origin[k]) / (spacing * block_cells);
    grid.counts[static_cast<std::size_t>(k)] =
        static_cast<uint32_t>(std::max(1.0, std::ceil(reach))) * block_cells + 1;
  }
  const Blocks blocks = measure_blocks(surface, grid, stop);
  const auto [nx, ny, nz] = grid.counts;
  grid.distances.resize(std::size_t{nx} * ny * nz);
  parallel_blocks(
      std::size_t{ny} * nz,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t r = begin; r < end; ++r) {
          if (stop()) return;
          Walk walk(surface, spacing);
          const uint32_t y = static_cast<uint32_t>(r % grid.counts[1]),
                         z = static_cast<uint32_t>(r / grid.counts[1]);
          float* const row = grid.distances.data() + r * grid.counts[0];
          for (uint32_t x = 0; x < grid.counts[0]; ++x) {
            if (is_exact(blocks, x, y, z)) {
              row[x] = static_cast<float>(walk.visit(origin + spacing * Vec3d(x, y, z)));
              continue;
            }
            row[x] = static_cast<float>(between_corners(blocks, x, y, z));
            walk.pass(0.5 * block_diagonal * spacing, row[x] < 0);
          }
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
  const double deepest = 2 * (above - low.y());
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
            const std::optional<RayHit> hit = surface.first_hit(eye, Vec3d(0, -1, 0), deepest);
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
