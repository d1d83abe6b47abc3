// Points with a least distance from each other, by a hash of cells: whether there is room for one
// more is known without looking at all of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "nodes/geometry/types.h"

namespace sinew::kernels {

class PointGrid {
 public:
  explicit PointGrid(double distance) : distance_(distance) {}

  // The number of a point that is closer than the distance, in the order in which they were added;
  // nothing: there is room.
  std::optional<std::size_t> find(const Vec3d& point) const {
    const int64_t x = cell(point[0]), y = cell(point[1]), z = cell(point[2]);
    for (int64_t k = 0; k < 27; ++k) {
      const auto it = cells_.find(key(x + k % 3 - 1, y + k / 3 % 3 - 1, z + k / 9 - 1));
      if (it == cells_.end()) continue;
      for (const auto& [other, number] : it->second) {
        if ((other - point).squaredNorm() < distance_ * distance_) return number;
      }
    }
    return std::nullopt;
  }
  bool is_free(const Vec3d& point) const { return !find(point); }

  // Adds the point, unless another one is closer than the distance.
  bool add_if_free(const Vec3d& point) {
    if (!is_free(point)) return false;
    cells_[key(cell(point[0]), cell(point[1]), cell(point[2]))].emplace_back(point, count_++);
    return true;
  }

 private:
  int64_t cell(double x) const {
    // Beyond this a cell has no number of its own; such points share one.
    return static_cast<int64_t>(std::floor(std::clamp(x / distance_, -1e15, 1e15)));
  }
  // Cells may share a key: then more points are compared, and nothing else changes.
  static uint64_t key(int64_t x, int64_t y, int64_t z) {
    return static_cast<uint64_t>(x) * 0x9E3779B97F4A7C15ull ^
           static_cast<uint64_t>(y) * 0xC2B2AE3D27D4EB4Full ^
           static_cast<uint64_t>(z) * 0x165667B19E3779F9ull;
  }

  double distance_;
  std::size_t count_ = 0;
  std::unordered_map<uint64_t, std::vector<std::pair<Vec3d, std::size_t>>> cells_;
};

}  // namespace sinew::kernels
