// Who is next to whom in a solid, in compressed rows as in adjacency.h.
#pragma once

#include <span>

#include "nodes/geometry/tet_mesh.h"
#include "nodes/kernels/adjacency.h"

namespace sinew::kernels {

// For each vertex its tetrahedra, in increasing order.
Rows vertex_tets(std::span<const Tetrahedron> tets, std::size_t vertex_count);

// For each vertex the vertices it shares an edge with, in increasing order, each once: its one-ring
// without itself.
Rows tet_neighbours(std::span<const Tetrahedron> tets, const Rows& around);

}  // namespace sinew::kernels
