// How this program has assimp read a file. Only for those who look at assimp's scenes: no other
// header includes this.
#pragma once

#include <assimp/scene.h>

#include <assimp/Importer.hpp>
#include <filesystem>

#include "nodes/geometry/types.h"

namespace sinew {

// The scene, with a root, owned by the importer. Other files are opened as assimp_files.h allows.
// Of a glTF there are meshes and nodes only; gltf_rig.h reads the rest. Throws FormatError or
// Stopped.
const aiScene& read_scene(Assimp::Importer& importer, const std::filesystem::path& path,
                          CancelView cancel);

// Pivots of an FBX make several of one node.
inline constexpr int most_node_levels = 4000;

}  // namespace sinew
