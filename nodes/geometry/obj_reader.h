// Wavefront OBJ: v, vt and f; everything else is skipped.
//
// The text is cut at ends of lines into chunks that are read in parallel, each with counts of its
// own; sums over the chunks before it then turn relative (negative) indices into absolute ones. The
// result does not depend on the number of threads.
#pragma once

#include <string_view>

#include "nodes/geometry/mesh.h"
#include "nodes/geometry/mesh_io.h"

namespace sinew {

// Throws FormatError, which names the line, or Stopped. `chunk_bytes` is for tests.
Mesh parse_obj(std::string_view text, LoadReport& report, CancelView cancel = {},
               std::size_t chunk_bytes = std::size_t{1} << 20);

}  // namespace sinew
