#include "nodes/geometry/assimp_import.h"

#include <assimp/scene.h>
#include <fmt/format.h>

#include <algorithm>
#include <assimp/Exporter.hpp>
#include <assimp/Importer.hpp>

#include "nodes/geometry/assimp_scene.h"
#include "nodes/geometry/format_error.h"
#include "nodes/geometry/join.h"
#include "nodes/geometry/polygon_soup.h"
#include "nodes/geometry/unread_in_scene.h"

namespace sinew {

namespace {

// A scene's meshes in one list of points and polygons.
struct Collector {
  const aiScene* scene;
  std::vector<Vec3f> positions;
  PolygonBlock faces;
  bool any_uvs = false;
  std::vector<std::string> unread = {};

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
    const std::size_t base = positions.size();
    if (base + mesh.mNumVertices > INT32_MAX) throw FormatError("it has too many vertices");
    for (unsigned i = 0; i < mesh.mNumVertices; ++i) {
      const aiVector3D p = to_world * mesh.mVertices[i];
      const Vec3f position(p.x, p.y, p.z);
      if (!position.allFinite()) {
        throw FormatError(fmt::format("vertex {} is not finite", base + i));
      }
      positions.push_back(position);
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

Collector collect(const std::filesystem::path& path, CancelView cancel) {
  Assimp::Importer importer;
  Collector collector{&read_scene(importer, path, cancel), {}, {}};
  collector.add_node(*collector.scene->mRootNode, aiMatrix4x4(), 0);
  collector.unread = unread_in(*collector.scene);
  collector.scene = nullptr;  // goes with the importer
  if (collector.positions.empty()) throw FormatError("there are no vertices in it");
  return collector;
}

}  // namespace

std::vector<Vec3f> vertices_with_assimp(const std::filesystem::path& path, CancelView cancel) {
  return collect(path, cancel).positions;
}

Mesh import_with_assimp(const std::filesystem::path& path, const LoadOptions& options,
                        LoadReport& report, CancelView cancel) {
  Collector collector = collect(path, cancel);
  if (!collector.any_uvs) collector.faces.uvs.clear();
  report.unread = std::move(collector.unread);

  if (options.join_vertices) {
    const Joined joined = join_identical(collector.positions);
    for (uint32_t& corner : collector.faces.corners) corner = joined.vertex_map[corner];
    std::vector<Vec3f> kept;
    kept.reserve(joined.kept.size());
    for (const uint32_t i : joined.kept) kept.push_back(collector.positions[i]);
    report.joined_vertices = collector.positions.size() - kept.size();
    collector.positions = std::move(kept);
  }
  std::vector<PolygonBlock> blocks(1);
  blocks[0] = std::move(collector.faces);
  Topology topology = assemble(collector.positions, blocks, report, cancel);
  return Mesh(std::move(topology), std::move(collector.positions));
}

std::string export_with_assimp(const Mesh& mesh, const char* format) {
  // The scene owns its parts and frees them, so they are made with new.
  aiScene scene;
  scene.mRootNode = new aiNode("mesh");
  scene.mRootNode->mNumMeshes = 1;
  scene.mRootNode->mMeshes = new unsigned[1]{0};
  scene.mNumMaterials = 1;
  scene.mMaterials = new aiMaterial* [1] { new aiMaterial };
  scene.mNumMeshes = 1;
  scene.mMeshes = new aiMesh* [1] { new aiMesh };
  aiMesh& out = *scene.mMeshes[0];
  out.mPrimitiveTypes = aiPrimitiveType_TRIANGLE;
  out.mNumVertices = static_cast<unsigned>(mesh.vertex_count());
  out.mVertices = new aiVector3D[mesh.vertex_count()];
  for (std::size_t i = 0; i < mesh.vertex_count(); ++i) {
    const Vec3f& p = mesh.positions[i];
    out.mVertices[i] = {p[0], p[1], p[2]};
  }
  out.mNumFaces = static_cast<unsigned>(mesh.triangle_count());
  out.mFaces = new aiFace[mesh.triangle_count()];
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    const Triangle& triangle = mesh.triangles()[t];
    out.mFaces[t].mNumIndices = 3;
    out.mFaces[t].mIndices = new unsigned[3]{triangle[0], triangle[1], triangle[2]};
  }
  Assimp::Exporter exporter;
  const aiExportDataBlob* const blob = exporter.ExportToBlob(&scene, format);
  if (!blob) throw FormatError(exporter.GetErrorString());
  return std::string(static_cast<const char*>(blob->data), blob->size);
}

std::vector<std::string> assimp_endings() {
  aiString list;
  Assimp::Importer().GetExtensionList(list);
  std::vector<std::string> endings;
  std::string_view rest(list.C_Str());
  while (!rest.empty()) {  // "*.3ds;*.obj;..."
    const std::size_t end = std::min(rest.find(';'), rest.size());
    const std::string_view pattern = rest.substr(0, end);
    if (pattern.starts_with("*.")) endings.emplace_back(pattern.substr(2));
    rest.remove_prefix(std::min(rest.size(), end + 1));
  }
  std::sort(endings.begin(), endings.end());
  return endings;
}

}  // namespace sinew
