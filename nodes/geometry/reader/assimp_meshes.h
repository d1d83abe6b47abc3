// The meshes of every format that assimp knows.
#pragma once

#include <filesystem>

#include "nodes/geometry/reader_answer.h"

namespace sinew {

// All meshes of the scene as one. Throws FormatError.
ForeignMesh read_assimp_meshes(const std::filesystem::path& path);

}  // namespace sinew
