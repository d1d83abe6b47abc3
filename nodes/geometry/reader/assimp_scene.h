// How assimp reads a file. Only for those who look at assimp's scenes: no other header includes
// this.
#pragma once

#include <assimp/scene.h>

#include <assimp/Importer.hpp>
#include <filesystem>

namespace sinew {

// The scene, with a root, owned by the importer. Other files are opened as side_files.h allows. Of
// a glTF there are meshes and nodes only; gltf_rig.h reads the rest. Throws FormatError.
const aiScene& read_scene(Assimp::Importer& importer, const std::filesystem::path& path);

// Pivots of an FBX make several of one node.
inline constexpr int most_node_levels = 4000;

}  // namespace sinew
