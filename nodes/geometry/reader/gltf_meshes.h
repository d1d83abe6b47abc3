// What assimp is shown of a glTF when only its meshes are wanted.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sinew {

// The content of a .gltf or .glb of version 2 without skins and animations, or nothing if it has
// none. assimp follows them without looking: it ends the program where a skin has no matrices,
// which it need not have, and reads beyond them where there are too few. Nesting must have been
// checked.
std::optional<std::string> without_skins(std::string_view content);

}  // namespace sinew
