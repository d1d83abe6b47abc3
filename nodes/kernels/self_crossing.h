// Where a surface passes through itself: pairs of its triangles that cross.
//
// Two triangles without a common corner cross if an edge of one goes through the inside of the
// other. By signs of volumes: with [p q r s] six times the volume of a tetrahedron, the edge p q
// goes through a b c if [a b c p] and [a b c q] differ in sign and [p q a b], [p q b c], [p q c a]
// do not; all strictly, so that what only touches does not cross. Candidates share a cell of a grid
// about as fine as the triangles are large; each pair is looked at once, in the cell where its
// boxes begin to overlap. Takes time for each triangle and its neighbours; in parallel, and the
// same on any number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nodes/geometry/mesh.h"

namespace sinew::kernels {

struct Crossings {
  std::size_t pairs = 0;
  std::vector<uint32_t> triangles;  // those in at least one pair, increasing
};

Crossings find_crossings(std::span<const Vec3f> positions, std::span<const Triangle> triangles,
                         CancelView stop = {});

// Whether two triangles cross; corners a of one, b of the other.
bool cross(const std::array<Vec3d, 3>& a, const std::array<Vec3d, 3>& b);

}  // namespace sinew::kernels
