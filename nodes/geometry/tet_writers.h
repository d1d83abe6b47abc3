// Solids as the bytes of files. Only the tetrahedra are written: none of these formats has a place
// for the surface that a solid carries.
#pragma once

#include <string>

#include "nodes/geometry/tet_mesh.h"

namespace sinew {

enum class FileEncoding : uint8_t { text, binary };
enum class MshVersion : uint8_t { v2_2, v4_1 };

std::string encode_msh(const TetMesh& solid, MshVersion version, FileEncoding encoding);
std::string encode_vtk(const TetMesh& solid, FileEncoding encoding);
// Counted from 0.
std::string encode_tetgen_node(const TetMesh& solid);
std::string encode_tetgen_ele(const TetMesh& solid);

}  // namespace sinew
