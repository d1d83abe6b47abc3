// Distances by marching over the elements of a mesh, from the sources outwards: along a surface of
// triangles, or through a solid of tetrahedra. The connectivity decides where a way can go, so that
// a gap is never jumped, however thin it is.
//
// The vertices are settled in the order of their distances [Kimmel98], each step being that of
// wave_front.h. Where an angle is obtuse, a vertex can be settled before one that its best way
// passes by; it is then settled again. So the result is the fixed point of all steps, and does not
// ask for well-shaped elements. From a point it is exact on a plane and in a convex solid; ways
// that bend (on curved surfaces, around corners) cost first order in the size of the elements.
//
// Non-manifold edges, borders, several components and elements without area are allowed.
// Serial, deterministic; about 0.4 us per vertex of a surface, 6 us of a solid.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "nodes/geometry/tet_mesh.h"
#include "nodes/kernels/adjacency.h"
#include "nodes/kernels/surface_tree.h"
#include "nodes/kernels/wave_front.h"

namespace sinew::kernels {

// What no way leads to has this distance.
inline constexpr double unreachable = std::numeric_limits<double>::infinity();

// A vertex whose distance is known at the start, metres.
struct MarchStart {
  uint32_t vertex = 0;
  double distance = 0;
  double weight = 1;  // barycentric, of a point in a triangle: its share of the heat
};

// A point as the marching starts from it: the corners of the triangle or tetrahedron it lies in,
// each at its straight distance. A point beside the surface or outside of the solid starts at the
// closest place of it; `moved` is how far that is. Nothing if there are no elements.
struct PlacedStart {
  std::vector<MarchStart> corners;
  double moved = 0;
};
PlacedStart start_on_surface(const Mesh& mesh, const SurfaceTree& tree, const Vec3d& point);
// Asks every tetrahedron, and makes a tree of the boundary for a point outside.
PlacedStart start_in_solid(const TetMesh& solid, const Vec3d& point);
// All vertices where the field is above the threshold, at distance 0.
std::vector<MarchStart> start_from_set(std::span<const float> field, float threshold);

// Distance of every vertex from the nearest start, or unreachable; also of those farther than
// `until`. `around` is vertex_triangles(mesh.triangles(), mesh.vertex_count()).
std::vector<double> march_surface(const Mesh& mesh, const Rows& around,
                                  std::span<const MarchStart> starts, Wave wave,
                                  double until = unreachable, CancelView stop = {});

// The same through a solid; `around` is vertex_tets() of tet_measure.h.
std::vector<double> march_solid(const TetMesh& solid, const Rows& around,
                                std::span<const MarchStart> starts, Wave wave,
                                double until = unreachable, CancelView stop = {});

}  // namespace sinew::kernels
