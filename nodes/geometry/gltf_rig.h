// Nodes, skins and animations of a glTF 2.0 file.
#pragma once

#include <filesystem>

#include "nodes/geometry/rig.h"

namespace sinew {

// Throws FormatError or Stopped.
Rig read_gltf_rig(const std::filesystem::path& path, CancelView cancel);

}  // namespace sinew
