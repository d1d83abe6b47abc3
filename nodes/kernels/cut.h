// Cuts bodies by a plane and closes the cut, to look inside. What lies on the side that the normal
// points to goes; the rest gets a cap there, facing along the normal.
//
// With s(x) = n.(x - p), an edge from a (s < 0, kept) to b (s > 0, gone) is cut at
// a + (b - a) s_a / (s_a - s_b), and values go along linearly. Vertices closer to the plane than
// 1e-6 of the body's size count as on it, so that a cut along a grid makes no slivers. Elements
// that share an edge share its cut, so that a closed surface stays closed.
//
// A mesh: its triangles are clipped and the outlines are filled (outline_cap.h). A solid: its cap
// is the section through its tetrahedra, so that it shows the values inside; outside is its
// boundary, clipped, or the skin that it carries. A skin does not end exactly where the tetrahedra
// do: the rim of the cap is drawn to the skin's outline where that is closer than half of the
// longest edge of the rim vertex, and what is still open is filled (cut_fill.h).
#pragma once

#include <span>
#include <vector>

#include "nodes/geometry/mesh.h"
#include "nodes/geometry/tet_mesh.h"

namespace sinew::kernels {

struct CutPlane {
  Vec3d point{0, 0, 0};
  Vec3d normal{0, 0, 1};  // of length 1
};

struct CutBody {
  Mesh mesh;
  std::vector<float> values;      // one per vertex, if values were given
  std::size_t cap_triangles = 0;  // the last ones of the mesh
  std::size_t open_outlines = 0;  // that could not be filled: the mesh is open there
  // For each triangle what it was cut from: outside, the triangle of the mesh, skin or boundary; in
  // the cap of a solid, the tetrahedron; 0 in the cap of a mesh, which has no elements inside.
  std::vector<uint32_t> source = {};
};

// `values`: one per vertex, or empty.
CutBody cut_mesh(const Mesh& mesh, std::span<const float> values, const CutPlane& plane,
                 bool with_cap = true, CancelView stop = {});

enum class CutOutside : uint8_t {
  skin,      // the surface that the solid carries, if it carries one
  boundary,  // that of the tetrahedra: closed with the cap
};
CutBody cut_solid(const TetMesh& solid, std::span<const float> values, const CutPlane& plane,
                  CutOutside outside = CutOutside::skin, bool with_cap = true,
                  CancelView stop = {});

}  // namespace sinew::kernels
