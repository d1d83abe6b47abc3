// Measures of solids of tetrahedra, and who is next to whom in them.
//
// The dihedral angle at an edge e of a tetrahedron of volume V, whose two other corners lie at u
// and v from the edge's first end, is
//   atan2(6 |V| |e|, (e x u) . (e x v)),
// exact near 0 and pi, where the arc cosine of the normals' product has lost its digits.
// Shape is told by the mean ratio [LiuJoe94]
//   q = 12 (3 V)^(2/3) / sum of the squared lengths of the six edges:
// 1 for the regular tetrahedron, 0 for a flat one, and negative (with |V|) for an inverted one.
//
// All of it is computed in double precision; sums run block by block in a fixed order.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "nodes/geometry/tet_mesh.h"
#include "nodes/kernels/adjacency.h"

namespace sinew::kernels {

using TetCorners = std::array<Vec3d, 4>;

TetCorners corners_of(std::span<const Vec3f> points, const Tetrahedron& tet);

// m^3, negative if inverted.
double tet_volume(const TetCorners& corners);

// Edge k of a tetrahedron runs between these two of its corners.
inline constexpr std::array<std::array<int, 2>, 6> tet_edges = {
    {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};

// Radians in [0, pi], one per edge in the order of tet_edges; 0 where an edge has no length.
std::array<double, 6> dihedral_angles(const TetCorners& corners);

// q above, in [-1, 1]; 0 where all corners are one point.
double mean_ratio(const TetCorners& corners);

// One number per tetrahedron.
struct TetMeasures {
  std::vector<float> volume;          // m^3, negative if inverted
  std::vector<float> least_angle;     // degrees, the smallest of its six dihedral angles
  std::vector<float> greatest_angle;  // degrees
  std::vector<float> quality;         // mean ratio
};
TetMeasures measure_tets(const TetMesh& solid, CancelView stop = {});

// m^3; inverted tetrahedra count as negative.
double total_volume(const TetMesh& solid);
// m^3 per vertex: a quarter of each of its tetrahedra, so that they sum to total_volume().
std::vector<double> vertex_volumes(const TetMesh& solid);

// For each vertex its tetrahedra, in increasing order.
Rows vertex_tets(std::span<const Tetrahedron> tets, std::size_t vertex_count);

// For each vertex the vertices it shares an edge with, in increasing order, each once.
Rows tet_vertex_neighbours(std::span<const Tetrahedron> tets, std::size_t vertex_count);
// The same from the vertices' tetrahedra.
Rows tet_vertex_neighbours(std::span<const Tetrahedron> tets, const Rows& around);

// What the tetrahedra about a vertex form. Their faces opposite of the vertex are its link, a
// surface of triangles: a sphere about a vertex inside of the solid, a disc about one on its
// boundary. Which of them it is follows from the connectivity alone: each edge has at most two
// triangles, the triangles are connected through edges, and V - E + F is 2 without an open edge or
// 1 with some.
enum class OneRing : uint8_t {
  none,     // no tetrahedron has it
  closed,   // a ball about it
  half,     // a ball cut open: it is on the boundary
  pinched,  // on the boundary, but not a disc: parts that only touch in this vertex or an edge
  open,     // not on the boundary, and yet no ball
};
std::vector<OneRing> one_rings(std::span<const Tetrahedron> tets, const Rows& around,
                               CancelView stop = {});

struct SolidReport {
  std::size_t tets = 0;
  std::size_t inverted = 0;  // volume below 0
  std::size_t flat = 0;      // volume 0
  double volume = 0;         // m^3
  double least_angle = 0;    // degrees; 0 without tetrahedra
  double greatest_angle = 0;
  double least_quality = 0;
  double mean_quality = 0;
  std::size_t interior_vertices = 0;  // on no face of the boundary
  std::size_t open_rings = 0;         // of these, the ones about which there is no closed ball
  std::size_t pinched_vertices = 0;
  std::size_t loose_vertices = 0;  // in no tetrahedron
};
// `measures`, if given, is filled with measure_tets(solid).
SolidReport inspect_solid(const TetMesh& solid, TetMeasures* measures = nullptr,
                          CancelView stop = {});

}  // namespace sinew::kernels
