// A watertight triangle mesh of the surface f = 0 of a function, with a chosen number of vertices.
//
// 1. The surface is found on a regular grid: cubes are cut into six tetrahedra each, and f is taken
//    as linear within them [Doi91]. The zero set of such a function is a manifold without a border,
//    whatever f is. Only blocks of the grid near the surface are evaluated.
// 2. The mesh is made even (even_mesh.h) with shorter edges where the surface is more curved, and
//    vertices are brought back onto f = 0. The topology stays that of step 1, so that it does not
//    depend on the number of vertices.
// 3. Above some 12,000 vertices the even mesh is quartered and brought onto the surface again.
//
// The result does not depend on the number of threads. f is called from several at once.
#pragma once

#include <Eigen/Geometry>

#include "nodes/kernels/even_mesh.h"

namespace sinew::kernels {

struct ImplicitMeshOptions {
  // The surface is looked for in here, and cut off flat where it would leave it. Finite.
  Eigen::AlignedBox3d box;
  // Edge length of the grid's cubes, metres. Parts and gaps thinner than two of them may be lost or
  // joined. f must change by at most about a metre in a metre.
  double cell = 0.01;
  int vertices = 2500;  // met within a few per cent if the shape can be told with so few
  // 0: all edges have the same length; 1: length as the radius of curvature, within a factor of 4.
  double adaptivity = 0.6;
  // f is symmetric in x: half of it is meshed and mirrored, so that the mesh is exactly symmetric.
  bool mirror_x = false;
  // Closed hollows inside the body, as blends sometimes leave them, are filled if not.
  bool keep_hollows = true;
};

// Empty if f has no zero in the box. Throws std::invalid_argument for a box or a cell that are not
// positive and finite, or that give more than 2^27 cubes.
Mesh mesh_implicit(const Implicit& f, const ImplicitMeshOptions& options, CancelView stop = {});

// Step 1 alone: positions and triangles as found on the grid. With `mirror_x` the half x >= 0, with
// its border in x = 0.
struct GridSurface {
  std::vector<Vec3d> positions;
  std::vector<Triangle> triangles;
};
GridSurface find_on_grid(const Implicit& f, const ImplicitMeshOptions& options,
                         CancelView stop = {});

}  // namespace sinew::kernels
