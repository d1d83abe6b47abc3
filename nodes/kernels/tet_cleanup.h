// Makes a body of tetrahedra a manifold: its boundary is a closed surface without edges of more
// than two faces, and each point has one connected fan of tetrahedra.
#pragma once

#include <vector>

#include "nodes/geometry/tet_mesh.h"

namespace sinew::kernels {

struct CleanupReport {
  std::size_t crumbs = 0;        // pieces dropped
  std::size_t dropped = 0;       // tetrahedra, with those of the crumbs
  std::size_t split_points = 0;  // points that became several, one for each fan
  std::size_t bodies = 0;        // connected pieces that are left
};

// Drops pieces, connected through faces, of fewer than `crumb` tetrahedra (the largest stays).
// Where pieces touch only in a point, each gets a point of its own; where they touch only along an
// edge and are joined elsewhere, the smaller fan around the edge is dropped; a tunnel as narrow as
// a point is widened by the fewest tetrahedra about it. Points that nobody uses are removed.
// Tetrahedra keep their order.
CleanupReport clean_up(std::vector<Vec3d>& points, std::vector<Tetrahedron>& tets,
                       std::size_t crumb, CancelView stop = {});

}  // namespace sinew::kernels
