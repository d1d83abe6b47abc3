// Places in space, in their order: what a path runs through. They belong to no body.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "nodes/geometry/types.h"

namespace sinew {

struct PathPoints {
  std::vector<Vec3f> list;  // metres

  std::size_t size() const { return list.size(); }
  bool operator==(const PathPoints&) const = default;
};

// More would make a path that nobody drew.
inline constexpr std::size_t most_path_points = 100000;
// Farther off than any scene reaches, metres.
inline constexpr float farthest_path_point = 1e9f;

// What is wrong, with the first bad point (counted from 1), or nothing: too many, one that is no
// number or too far away. An empty list is sound.
std::optional<std::string> validate(const PathPoints& points);

std::size_t byte_size(const PathPoints& points);

template <class Hash>
void visit_content(const PathPoints& points, Hash&& hash) {
  hash(bytes_of(std::array{static_cast<uint64_t>(points.size())}));
  hash(bytes_of(points.list));
}

}  // namespace sinew
