// Grids that are asked fast, made from meshes: signed distances about a closed one, heights of a
// terrain.
//
// Signed distances: exact at each corner of the grid (SurfaceTree), inside told by the generalised
// winding number, so that self-intersections do not matter. Two neighbours whose distances add up
// to more than their spacing have no surface between them and so the same sign: the winding number
// is only asked near the surface. Interpolated between corners, the distance is off by at most
//   3 s^2 / (8 r) where the surface and the distance are smooth with radius of curvature r, and
//   s / 2 at edges and where two parts of the surface are equally near (s the spacing).
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
