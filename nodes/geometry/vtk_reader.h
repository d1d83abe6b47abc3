// VTK's legacy format, unstructured grids: text, or binary with the greatest byte first; cells as
// lists with their lengths (up to version 4) or as OFFSETS and CONNECTIVITY (version 5).
// https://docs.vtk.org/en/latest/vtk_file_formats/vtk_legacy_file_format.html
#pragma once

#include <string_view>

#include "nodes/geometry/tet_soup.h"

namespace sinew {

// Throws FormatError with the line or the byte.
TetSoup parse_vtk(std::string_view bytes, TetLoadReport& report, CancelView cancel = {});

}  // namespace sinew
