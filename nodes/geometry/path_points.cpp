#include "nodes/geometry/path_points.h"

#include <fmt/format.h>

#include <cmath>

namespace sinew {

std::optional<std::string> validate(const PathPoints& points) {
  if (points.size() > most_path_points) {
    return fmt::format("{} points, but at most {} are allowed", points.size(), most_path_points);
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3f& p = points.list[i];
    for (int k = 0; k < 3; ++k) {
      if (std::abs(p[k]) <= farthest_path_point) continue;
      return fmt::format("point {} is at ({}, {}, {}), but must be within {} m", i + 1, p.x(),
                         p.y(), p.z(), farthest_path_point);
    }
  }
  return std::nullopt;
}

std::size_t byte_size(const PathPoints& points) {
  return sizeof points + bytes_of(points.list).size();
}

}  // namespace sinew
