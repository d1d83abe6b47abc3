// Isosurface stuffing [Labelle07]: fills any closed or nearly closed surface with tetrahedra whose
// dihedral angles lie between 10.7 and 164.8 degrees, of one size along the surface and coarser
// inside. See stuff_lattice.h and stuff_stencil.h for how.
//
// Inside is where the winding number says so: small holes, self-intersections and parts that
// overlap do not matter. Sharp edges are cut off by a part of a cell, and what is thinner than a
// cell is lost, unless the resolution may be raised.
#pragma once

#include <cstddef>

#include "nodes/geometry/tet_mesh.h"
#include "nodes/kernels/surface_tree.h"

namespace sinew::kernels {

struct StuffOptions {
  int resolution = 20;       // finest cells along the longest side of the surface's box, >= 2
  std::size_t vertices = 0;  // about how many instead; 0: by the resolution
  int coarsening = 3;        // inner cells are up to 2^coarsening times as large, 0 .. 8
  bool keep_thin = true;     // raise the resolution up to 4 times where the volume is off by 1.5 %,
                             // parts are lost, broken through or grown together; not with a number
                             // of vertices
};

struct StuffResult {
  TetMesh solid;                       // with the surface as its skin
  double smallest = 0, largest = 0;    // dihedral angles, degrees
  double volume = 0;                   // m^3
  double surface_volume = 0;           // m^3; 0 if the surface is open or overlaps itself
  bool same_shape = true;              // not if a simple closed surface has other holes or pieces
  double cell = 0;                     // m; the finest
  int resolution = 0;                  // that was used
  std::size_t bodies = 0, crumbs = 0;  // connected pieces, and tiny ones that were dropped
  std::size_t lost_vertices = 0;       // of the surface, more than two cells outside
  int wanted_resolution = 0;           // that would keep them; 0 if none is lost
};

// The most finest cells that are estimated to be needed: about 4 million tetrahedra.
inline constexpr std::size_t max_stuffing_cells = 1u << 20;

// Throws std::invalid_argument that says what is wrong with the surface or with what is asked for.
StuffResult stuff_surface(const Mesh& surface, const StuffOptions& options, CancelView stop = {});

}  // namespace sinew::kernels
