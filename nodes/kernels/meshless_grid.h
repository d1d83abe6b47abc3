// The grid in which ways through a meshless body are measured, and whether what is inside of it
// hangs together.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "nodes/geometry/mesh.h"
#include "nodes/kernels/grid_distance.h"

namespace sinew::kernels {

// Those of less than a hundredth of the inside, which hang on by less than a cell, do not count.
struct GridParts {
  std::size_t count = 0;    // 0: there is no inside
  double small_volume = 0;  // of all but the largest, as a part of the whole
};
GridParts parts_of(const MaterialGrid& grid);

struct FittingGrid {
  std::shared_ptr<const MaterialGrid> grid;
  GridParts parts;
  int cells = 0;  // along the longest side
};
// With so many cells; or, with 0, as many as give some thousand points inside, and more where thin
// parts would come off.
FittingGrid fitting_grid(const std::shared_ptr<const SurfaceTree>& surface, int cells,
                         CancelView stop);

// How many pieces the surface has that share no vertex.
std::size_t surface_pieces(const Mesh& mesh);

// Finer grids than one of `cells`, the next first: they may see what is too thin for it.
std::vector<int> finer_cells(int cells);

}  // namespace sinew::kernels
