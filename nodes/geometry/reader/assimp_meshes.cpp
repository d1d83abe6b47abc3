#include "nodes/geometry/reader/assimp_meshes.h"

#include <assimp/scene.h>
#include <fmt/format.h>

#include <assimp/Importer.hpp>

#include "nodes/geometry/file_names.h"
#include "nodes/geometry/format_error.h"
#include "nodes/geometry/reader/assimp_scene.h"
#include "nodes/geometry/reader/unread_in_gltf.h"
#include "nodes/geometry/reader/unread_in_scene.h"

namespace sinew {

namespace {

// A scene's meshes in one list of points and polygons.
struct Collector {
  const aiScene* scene;
  ForeignMesh made;
  bool any_uvs = false;

  void add_node(const aiNode& node, const aiMatrix4x4& parent, int depth) {
    if (depth > most_node_levels) throw FormatError("its nodes are nested too deeply");
    const aiMatrix4x4 to_world = parent * node.mTransformation;
    for (unsigned i = 0; i < node.mNumMeshes; ++i)
      add_mesh(*scene->mMeshes[node.mMeshes[i]], to_world);
    for (unsigned i = 0; i < node.mNumChildren; ++i) {
      add_node(*node.mChildren[i], to_world, depth + 1);
    }
  }

  void add_mesh(const aiMesh& mesh, const aiMatrix4x4& to_world) {
    std::vector<Vec3f>& positions = made.positions;
    PolygonBlock& faces = made.faces;
    const std::size_t base = positions.size();
    if (base + mesh.mNumVertices > INT32_MAX) throw FormatError("it has too many vertices");
    for (unsigned i = 0; i < mesh.mNumVertices; ++i) {
      const aiVector3D p = to_world * mesh.mVertices[i];
      positions.emplace_back(p.x, p.y, p.z);
    }
    const bool mirrored = to_world.Determinant() < 0;
    const aiVector3D* const uvs = mesh.mTextureCoords[0];
    any_uvs |= uvs != nullptr;
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
      const aiFace& face = mesh.mFaces[f];
      if (face.mNumIndices < 3) continue;  // points and lines
      for (unsigned k = 0; k < face.mNumIndices; ++k) {
        const unsigned v = face.mIndices[mirrored ? face.mNumIndices - 1 - k : k];
        if (v >= mesh.mNumVertices) {
          throw FormatError(fmt::format("a face refers to vertex {}, but there are only {}", v,
                                        mesh.mNumVertices));
        }
        faces.corners.push_back(static_cast<uint32_t>(base + v));
        faces.uvs.push_back(uvs ? Vec2f(uvs[v].x, uvs[v].y) : Vec2f(0, 0));
      }
      faces.end_polygon(face.mNumIndices);
    }
  }
};

}  // namespace

ForeignMesh read_assimp_meshes(const std::filesystem::path& path) {
  // Before the scene is there, so that not both take memory.
  const std::string ending = ending_of(path);
  const auto unread_by_name =
      ending == "gltf" || ending == "glb" ? unread_in_gltf(path) : std::nullopt;
  // Never freed: this process is about to end, and a damaged scene may not be in order.
  Assimp::Importer& importer = *new Assimp::Importer;
  Collector collector{&read_scene(importer, path), {}};
  collector.add_node(*collector.scene->mRootNode, aiMatrix4x4(), 0);
  if (collector.made.positions.empty()) throw FormatError("there are no vertices in it");
  if (!collector.any_uvs) collector.made.faces.uvs.clear();
  collector.made.unread = unread_by_name ? *unread_by_name : unread_in(*collector.scene);
  return std::move(collector.made);
}

}  // namespace sinew
