// Several meshes as one, and vertices at one place as one.
#pragma once

#include <span>
#include <vector>

#include "nodes/geometry/mesh.h"

namespace sinew::kernels {

// All meshes one after the other: vertices and triangles in order, nothing joined. Texture
// coordinates are kept if every mesh that has triangles has them.
Mesh merge_meshes(std::span<const Mesh* const> meshes);

struct Welded {
  Mesh mesh;
  std::vector<uint32_t> vertex_map;   // for each vertex of the input its index in `mesh`
  std::size_t dropped_triangles = 0;  // that collapsed
};

// Joins vertices that are at most `distance` apart (0: at the same place). Vertices are visited in
// order; one that has a kept vertex within reach joins the nearest of those (the first among
// equals), any other is kept. So no two kept vertices are within the distance, no vertex moves
// further than it, and chains do not collapse. Kept vertices stay in order. Triangles that lose a
// corner are dropped.
Welded weld_vertices(const Mesh& mesh, float distance, CancelView cancel = {});

}  // namespace sinew::kernels
