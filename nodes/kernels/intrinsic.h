// A surface by its edge lengths alone, with triangles that suit linear algebra.
//
// An intrinsic triangulation has the vertices of a mesh, but its edges are straight lines along the
// surface, so that they can be flipped without changing the shape. First, all edges are made longer
// by the same tiny length, so that no triangle is without area [Sharp20, section 4.5]; then edges
// are flipped until all are Delaunay: opposite angles sum to at most pi, and no cotangent weight is
// negative [Bobenko07]. Long thin triangles no longer spoil what is computed with them.
//
// Edges at a border, with more than two triangles, or between triangles of opposite orientation
// stay as they are. Triangles that name a vertex twice are left out.
#pragma once

#include <array>
#include <vector>

#include "nodes/geometry/mesh.h"

namespace sinew::kernels {

struct IntrinsicTriangles {
  std::size_t vertex_count = 0;
  std::vector<Triangle> triangles;             // may name a vertex twice after flips
  std::vector<std::array<double, 3>> lengths;  // of the edges (v0 v1), (v1 v2), (v2 v0), metres
  std::vector<char> on_border;                 // by vertex: of an edge with one triangle
  double mean_length = 0;
  std::size_t flips = 0;
};

IntrinsicTriangles intrinsic_delaunay(const Mesh& mesh, CancelView stop = {});

// A triangle laid out in the plane: its first corner at the origin, the second on the x axis.
struct FlatTriangle {
  std::array<Vec2d, 3> corners;
  double area;
};
FlatTriangle lay_out(const std::array<double, 3>& lengths);

}  // namespace sinew::kernels
