// Vertices at the same place as one.
#pragma once

#include <span>
#include <vector>

#include "nodes/geometry/mesh.h"

namespace sinew {

struct Joined {
  std::vector<uint32_t> kept;        // indices of the points that stay, increasing
  std::vector<uint32_t> vertex_map;  // for each point its index in `kept`
};

// Points with equal coordinates (0 and -0 are equal) join the first of them.
Joined join_identical(std::span<const Vec3f> points);

// The mesh on the kept points; triangles that lost a corner are left out and counted.
Mesh apply_join(const Mesh& mesh, const Joined& joined, std::size_t* dropped_triangles);

}  // namespace sinew
