// Gmsh's own format: versions 2.x, 4.0 and 4.1, as text or binary.
// https://gmsh.info/doc/texinfo/gmsh.html#File-formats
#pragma once

#include <string_view>

#include "nodes/geometry/tet_soup.h"

namespace sinew {

// Throws FormatError with the line or the byte.
TetSoup parse_msh(std::string_view bytes, TetLoadReport& report, CancelView cancel = {});

}  // namespace sinew
