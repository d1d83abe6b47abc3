// What a scene of assimp's has that is not read into a mesh (unread.h).
#pragma once

#include <assimp/scene.h>

#include <string>
#include <vector>

namespace sinew {

std::vector<std::string> unread_in(const aiScene& scene);

}  // namespace sinew
