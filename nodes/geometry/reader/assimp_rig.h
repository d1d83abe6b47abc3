// Nodes, bones and animations of the formats that assimp reads.
#pragma once

#include <filesystem>

#include "nodes/geometry/rig.h"

namespace sinew {

// Throws FormatError.
Rig read_assimp_rig(const std::filesystem::path& path);

}  // namespace sinew
