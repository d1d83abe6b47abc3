// Nodes, skins and animations of a glTF 2.0 file.
#pragma once

#include <filesystem>

#include <vector>

#include "nodes/geometry/rig.h"

namespace sinew {

class GltfFile;

// What the nodes of a rig are in the file.
struct GltfNodes {
  std::vector<std::size_t> in_file;  // by number in the rig
  std::vector<uint32_t> in_rig;      // by number in the file
  std::vector<uint8_t> shown;        // by number in the rig: whether its mesh is in the scene
};

// Sixteen numbers, column by column; the last row does not count.
Eigen::Affine3d gltf_affine(const double* columns);

// Throws FormatError or Stopped.
Rig read_gltf_rig(const std::filesystem::path& path, CancelView cancel);
// The same from a file that is open already.
Rig read_gltf_rig(GltfFile& file, GltfNodes& nodes, CancelView cancel);

}  // namespace sinew
