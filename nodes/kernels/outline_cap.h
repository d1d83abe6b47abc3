// Fills the outlines of a flat cut with triangles: several loops, holes in them, parts in the
// holes.
//
// Directed edges in the plane, with the material on their left as seen against the normal, are
// chained to loops (a loop that touches itself in a vertex becomes several). Loops that run
// counter-clockwise are outer, the others holes; each hole is joined to the smallest outer loop
// around it by a bridge from its rightmost vertex to a vertex that can be seen from there
// [Eberly02], the hole that lies furthest to the right first. What results is cut into ears by
// triangulate(). Every edge of the outlines belongs to exactly one triangle, from the other side,
// so that cap and surface close.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "nodes/geometry/mesh.h"

namespace sinew::kernels {

struct OutlineCap {
  std::vector<Triangle> triangles;  // counter-clockwise seen against the normal
  std::size_t open_outlines = 0;    // chains that do not close: they get no cap
};

// `edges` are pairs of indices into `points`. An edge and its reverse cancel each other.
OutlineCap cap_outlines(std::span<const Vec3f> points,
                        std::span<const std::array<uint32_t, 2>> edges, const Vec3d& normal,
                        CancelView stop = {});

}  // namespace sinew::kernels
