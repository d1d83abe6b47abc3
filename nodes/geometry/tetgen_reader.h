// TetGen's pair of text files: x.node has the points, x.ele the tetrahedra. Remarks start with '#'.
// https://wias-berlin.de/software/tetgen/fformats.html
#pragma once

#include <string_view>
#include <vector>

#include "nodes/geometry/tet_soup.h"

namespace sinew {

struct TetgenPoints {
  std::vector<Vec3f> positions;
  PointNumbers numbers;  // from 0 or 1 in TetGen's own files
};

// Both throw FormatError with the line.
TetgenPoints parse_tetgen_node(std::string_view text, CancelView cancel = {});
std::vector<Tetrahedron> parse_tetgen_ele(std::string_view text, const TetgenPoints& points,
                                          TetLoadReport& report, CancelView cancel = {});

}  // namespace sinew
