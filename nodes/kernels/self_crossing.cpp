#include "nodes/kernels/self_crossing.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

#include "nodes/geometry/parallel.h"

namespace sinew::kernels {

namespace {

using Corners = std::array<Vec3d, 3>;
using Box = Eigen::AlignedBox3f;

double volume(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
  return (b - a).cross(c - a).dot(d - a);
}

bool goes_through(const Vec3d& p, const Vec3d& q, const Corners& t) {
  const double from = volume(t[0], t[1], t[2], p), to = volume(t[0], t[1], t[2], q);
  if (!(from * to < 0)) return false;
  const double x = volume(p, q, t[0], t[1]), y = volume(p, q, t[1], t[2]),
               z = volume(p, q, t[2], t[0]);
  return (x > 0 && y > 0 && z > 0) || (x < 0 && y < 0 && z < 0);
}

bool share_a_corner(const Triangle& a, const Triangle& b) {
  for (const uint32_t v : a) {
    if (v == b[0] || v == b[1] || v == b[2]) return true;
  }
  return false;
}

// A grid of cubes over the boxes of the triangles.
class Grid {
 public:
  Grid(std::span<const Box> boxes) {
    double sum = 0, largest = 0;
    for (const Box& box : boxes) {
      all_.extend(box);
      const double size = static_cast<double>(box.sizes().maxCoeff());
      sum += size;
      largest = std::max(largest, size);
    }
    // Large triangles among small ones would fill too many cells.
    const double mean = boxes.empty() ? 1 : sum / static_cast<double>(boxes.size());
    const double across = all_.isEmpty() ? 1 : static_cast<double>(all_.sizes().maxCoeff());
    cell_ = std::max({1.5 * mean, largest / 32, across / 1e6, 1e-30});
  }

  std::array<int64_t, 3> cell_of(const Vec3f& place) const {
    std::array<int64_t, 3> cell;
    for (int k = 0; k < 3; ++k) {
      const double x = static_cast<double>(place[k]) - static_cast<double>(all_.min()[k]);
      cell[static_cast<std::size_t>(k)] = static_cast<int64_t>(std::floor(x / cell_));
    }
    return cell;
  }
  // 21 bits for each: the grid is never finer than a millionth of the surface.
  static uint64_t key_of(const std::array<int64_t, 3>& c) {
    return static_cast<uint64_t>(c[0]) | static_cast<uint64_t>(c[1]) << 21 |
           static_cast<uint64_t>(c[2]) << 42;
  }

 private:
  Box all_;
  double cell_ = 1;
};

struct Entry {
  uint64_t cell;
  uint32_t triangle;
  bool operator<(const Entry& other) const {
    return cell != other.cell ? cell < other.cell : triangle < other.triangle;
  }
};

std::vector<Entry> entries_of(const Grid& grid, std::span<const Box> boxes) {
  std::vector<Entry> entries;
  StopCheck check;
  for (uint32_t t = 0; t < boxes.size(); ++t) {
    check();
    const auto low = grid.cell_of(boxes[t].min()), high = grid.cell_of(boxes[t].max());
    for (int64_t x = low[0]; x <= high[0]; ++x) {
      for (int64_t y = low[1]; y <= high[1]; ++y) {
        for (int64_t z = low[2]; z <= high[2]; ++z) {
          entries.push_back({Grid::key_of({x, y, z}), t});
        }
      }
    }
  }
  stoppable_sort(entries.begin(), entries.end());
  return entries;
}

}  // namespace

bool cross(const Corners& a, const Corners& b) {
  for (std::size_t k = 0; k < 3; ++k) {
    if (goes_through(a[k], a[(k + 1) % 3], b) || goes_through(b[k], b[(k + 1) % 3], a)) return true;
  }
  return false;
}

Crossings find_crossings(std::span<const Vec3f> positions, std::span<const Triangle> triangles,
                         CancelView stop) {
  std::vector<Box> boxes(triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    for (const uint32_t v : triangles[t]) boxes[t].extend(positions[v]);
  }
  const Grid grid(boxes);
  const std::vector<Entry> entries = entries_of(grid, boxes);
  const auto corners = [&](uint32_t t) {
    const Triangle& c = triangles[t];
    return Corners{positions[c[0]].cast<double>(), positions[c[1]].cast<double>(),
                   positions[c[2]].cast<double>()};
  };
  // A pair belongs to the cell in which its boxes begin to overlap.
  const auto belongs = [&](const Entry& entry, uint32_t other) {
    const Box overlap = boxes[entry.triangle].intersection(boxes[other]);
    return !overlap.isEmpty() && Grid::key_of(grid.cell_of(overlap.min())) == entry.cell;
  };
  std::vector<std::atomic<uint8_t>> crossed(triangles.size());
  Crossings found;
  found.pairs = parallel_reduce_ordered(
      entries.size(), std::size_t{0},
      [&](std::size_t begin, std::size_t end) {
        stop.check();
        std::size_t count = 0;
        for (std::size_t i = begin; i < end; ++i) {
          const Entry& entry = entries[i];
          for (std::size_t j = i + 1; j < entries.size() && entries[j].cell == entry.cell; ++j) {
            const uint32_t other = entries[j].triangle;
            if (share_a_corner(triangles[entry.triangle], triangles[other])) continue;
            if (!belongs(entry, other) || !cross(corners(entry.triangle), corners(other))) continue;
            ++count;
            crossed[entry.triangle].store(1, std::memory_order_relaxed);
            crossed[other].store(1, std::memory_order_relaxed);
          }
        }
        return count;
      },
      [](std::size_t a, std::size_t b) { return a + b; });
  for (uint32_t t = 0; t < triangles.size(); ++t) {
    if (crossed[t].load(std::memory_order_relaxed) != 0) found.triangles.push_back(t);
  }
  return found;
}

}  // namespace sinew::kernels
