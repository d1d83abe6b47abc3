#include "nodes/geometry/reader/unread_in_scene.h"

#include <assimp/material.h>

#include "nodes/geometry/unread.h"

namespace sinew {

namespace {

std::size_t nodes_with_meshes(const aiNode& node) {
  std::vector<const aiNode*> open = {&node};
  std::size_t count = 0;
  while (!open.empty()) {
    const aiNode* const at = open.back();
    open.pop_back();
    count += at->mNumMeshes > 0;
    open.insert(open.end(), at->mChildren, at->mChildren + at->mNumChildren);
  }
  return count;
}

}  // namespace

std::vector<std::string> unread_in(const aiScene& scene) {
  std::vector<std::string> unread;
  if (const std::size_t parts = nodes_with_meshes(*scene.mRootNode); parts > 1)
    unread.push_back(counted(parts, "part"));
  std::size_t materials = 0;
  for (unsigned m = 0; m < scene.mNumMaterials; ++m)
    materials += std::string(scene.mMaterials[m]->GetName().C_Str()) != AI_DEFAULT_MATERIAL_NAME;
  if (materials > 0) unread.push_back(counted(materials, "material"));
  if (scene.mNumTextures > 0) unread.push_back(counted(scene.mNumTextures, "picture"));
  for (unsigned m = 0; m < scene.mNumMeshes; ++m) {
    const aiMesh& mesh = *scene.mMeshes[m];
    if (mesh.HasNormals()) add_unread(unread, "normals");
    if (mesh.HasVertexColors(0)) add_unread(unread, "vertex colours");
    if (mesh.HasTextureCoords(1)) add_unread(unread, "further texture coordinates");
    if (mesh.HasBones()) add_unread(unread, "skin weights");
    if (mesh.mNumAnimMeshes > 0) add_unread(unread, "shape keys");
  }
  return unread;
}

}  // namespace sinew
