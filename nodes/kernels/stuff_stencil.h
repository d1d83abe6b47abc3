// Isosurface stuffing, second half [Labelle07]: the lattice's tetrahedra are cut at the surface.
//
// Each lattice edge with one end inside and one outside gets a cut point on the surface. An end
// that has a cut point nearer than alpha times the edge's length is moved onto the nearest of them
// and is from then on neither inside nor outside; its edges have no cut points any more. What
// remains of each tetrahedron (its part inside) is one of a few stencils of one to three
// tetrahedra.
//
// Stencils must agree about the diagonal of each face that is left as a quadrilateral p q Q P, with
// P on p n and Q on q n, p and q inside and n outside. Ours runs from p to Q if p n is short and
// q n is long; if both are short, p q is long, and it starts at the end for which half the sum of
// the lattice coordinates, rounded down, is even. That is an order of p, q, r around any n, so that
// no prism gets three diagonals that follow each other around and cannot be filled.
//
// With alpha 0.2852 for long edges and 0.3977 for short ones every dihedral angle lies between
// 10.75 and 164.75 degrees: found by search over all stencils, all directions of the moved points
// and all places of the cut points, which are worst at the ends of their ranges. (The paper's
// 0.2500 and 0.4119 give 9.2 with this choice of diagonals.) tests/kernels/stuff_test.cpp repeats
// it.
#pragma once

#include <array>
#include <vector>

#include "nodes/kernels/stuff_lattice.h"

namespace sinew::kernels {

inline constexpr double alpha_long = 0.2852, alpha_short = 0.3977;

// A corner of a stencil's tetrahedron: corner i of the lattice tetrahedron, or, if i and j differ,
// the cut point of the edge from i to j.
struct StencilCorner {
  uint8_t i, j;
};
struct Stencil {
  int count = 0;  // tetrahedra, positive if the lattice tetrahedron is
  std::array<std::array<StencilCorner, 4>, 3> tets;
};

// side: +1 inside, 0 on the surface, -1 outside; corners 0 and 1 are joined by a long edge, and so
// are 2 and 3. even: see above. Gives the stencils that fit; the second, if there are two, has the
// other diagonal of the quadrilateral on the surface, on which nobody else depends.
int choose_stencils(const std::array<int, 4>& side, const std::array<bool, 4>& even,
                    std::array<Stencil, 2>& out);

struct TetSoup {
  std::vector<Vec3d> points;
  std::vector<Tetrahedron> tets;  // positive
};

// All tetrahedra inside, not yet cleaned; every point is used.
TetSoup cut_lattice(const SurfaceTree& tree, const Lattice& lattice, CancelView stop = {});

}  // namespace sinew::kernels
