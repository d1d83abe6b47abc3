// Polygons to triangles.
//
// Convex polygons become a fan; others are cut by ear clipping in the plane of Newell's normal
// [Sutherland74]: O(n^2), which is the right choice for the small polygons of mesh files. Where no
// ear exists (repeated or collinear vertices, crossing edges) the least bad corner is cut, so the
// procedure ends for any input, with at most n - 2 triangles.
#pragma once

#include <span>
#include <vector>

#include "nodes/geometry/mesh.h"

namespace sinew {

// Memory reused between polygons.
struct TriangulationScratch {
  std::vector<Vec2d> flat;
  std::vector<uint32_t> next, previous;
};

// The corners of one triangle, as indices into the polygon's list of vertices (0 .. n-1).
using CornerTriangle = std::array<uint32_t, 3>;

// Appends the triangles of the polygon `polygon` (vertex indices into `positions`) to `out`, with
// the polygon's orientation. Triangles in which a vertex index repeats are not written; returns
// how many of those were left out.
std::size_t triangulate(std::span<const Vec3f> positions, std::span<const uint32_t> polygon,
                        TriangulationScratch& scratch, std::vector<CornerTriangle>& out);

}  // namespace sinew
