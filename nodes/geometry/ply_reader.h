// PLY, the Stanford polygon format: ASCII and binary of either byte order, any scalar types,
// properties and elements in any order. Positions come from x, y, z of `vertex`, polygons from the
// list vertex_indices (or vertex_index) of `face`; everything else is stepped over.
//
// Binary vertices have a fixed size and are converted in parallel. So are faces as long as each has
// as many corners as the first one, which is checked on the way; a file of mixed polygons is walked
// once to find where its records start.
#pragma once

#include <string_view>

#include "nodes/geometry/mesh.h"
#include "nodes/geometry/mesh_io.h"

namespace sinew {

// Throws FormatError or Stopped.
Mesh parse_ply(std::string_view bytes, LoadReport& report, CancelView cancel = {});

}  // namespace sinew
