// What a glTF has that is not read into a mesh, beside what assimp has of it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

// From its JSON. Nothing if that cannot be read, or is of another version than 2.
std::optional<std::vector<std::string>> unread_in_gltf(const std::filesystem::path& path);

}  // namespace sinew
