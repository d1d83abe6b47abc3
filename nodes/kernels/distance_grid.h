// Grids that are asked fast, made from meshes: signed distances about a closed one, heights of a
// terrain.
//
// Signed distances: exact (SurfaceTree) at the corners of the grid near the surface, inside told by
// the generalised winding number, so that self-intersections do not matter. Two neighbours whose
// distances add up to more than their spacing have no surface between them and so the same sign:
// the winding number is only asked at the surface. Further away than 3 spacings, where only the
// direction matters, exact values are kept at every fourth corner and interpolated between. Asked
// anywhere in the grid, with s the spacing, the distance is off by at most
//   sqrt(3) / 2 s within 3 s of the surface, since it changes no faster than one moves (the tests
//     find less than s / 2 at edges); 3 s^2 / (8 r) where it is smooth with radius of curvature r;
//   2 sqrt(3) s further away (in the middle of the inside, where several parts are as near).
#pragma once

#include "nodes/geometry/colliders.h"
#include "nodes/kernels/surface_tree.h"

namespace sinew::kernels {

// `cells` cubes along the longest side of the surface's box (at least 2), and a margin of a quarter
// of it, at least two cubes, around. The surface must not be empty, else std::invalid_argument.
DistanceGrid make_distance_grid(const SurfaceTree& surface, int cells, CancelView stop = {});

// Looks down on a mesh (along -y) at (cells + 1) places along the longer side of its box, and as
// near to square as fits along the other: the highest surface counts. Places with nothing below
// take the height of the nearest place with something (a hole is closed, a round island gets square
// corners). Throws std::invalid_argument if the mesh has no extent in x or z, or nothing to see.
HeightGrid make_height_grid(const SurfaceTree& surface, int cells, CancelView stop = {});

}  // namespace sinew::kernels
