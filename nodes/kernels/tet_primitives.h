// Solids of tetrahedra that need no mesher.
#pragma once

#include <array>

#include "nodes/geometry/tet_mesh.h"

namespace sinew::kernels {

// A box about the origin, cells[k] cubes along axis k. Each cube is cut into five tetrahedra, and
// neighbours are mirror images of each other: the pattern has no favoured direction, unlike cuts
// into six along one diagonal. Vertices are ordered x fastest, then y, then z.
TetMesh make_tet_box(const Vec3f& size, const std::array<int, 3>& cells);

}  // namespace sinew::kernels
