// A mesh as a binary glTF 2.0: one primitive of places and triangles.
#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "nodes/geometry/format_error.h"
#include "nodes/geometry/mesh_writers.h"

namespace sinew {

namespace {

void append(std::string& bytes, const void* from, std::size_t size) {
  bytes.append(static_cast<const char*>(from), size);
}

void append_chunk(std::string& glb, uint32_t kind, std::string_view content) {
  const auto size = static_cast<uint32_t>(content.size());
  append(glb, &size, sizeof size);
  append(glb, &kind, sizeof kind);
  glb += content;
}

}  // namespace

std::string encode_glb(const Mesh& mesh) {
  const std::size_t places = 12 * mesh.vertex_count(), corners = 12 * mesh.triangle_count();
  // Lengths are numbers of 32 bits.
  if (places + corners > UINT32_MAX - 4096) {
    throw FormatError("the mesh is too large for this format, whose files have at most 4 GB");
  }
  Eigen::AlignedBox3f box;
  for (const Vec3f& p : mesh.positions) box.extend(p);
  std::string json = fmt::format(
      R"({{"asset":{{"version":"2.0","generator":"Sinew"}},"scene":0,"scenes":[{{"nodes":[0]}}],)"
      R"("nodes":[{{"mesh":0,"name":"mesh"}}],)"
      R"("meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],)"
      R"("accessors":[{{"bufferView":0,"componentType":5126,"count":{},"type":"VEC3",)"
      R"("min":[{},{},{}],"max":[{},{},{}]}},)"
      R"({{"bufferView":1,"componentType":5125,"count":{},"type":"SCALAR"}}],)"
      R"("bufferViews":[{{"buffer":0,"byteLength":{},"target":34962}},)"
      R"({{"buffer":0,"byteOffset":{},"byteLength":{},"target":34963}}],)"
      R"("buffers":[{{"byteLength":{}}}]}})",
      mesh.vertex_count(), box.min()[0], box.min()[1], box.min()[2], box.max()[0], box.max()[1],
      box.max()[2], 3 * mesh.triangle_count(), places, places, corners, places + corners);
  json.append((4 - json.size() % 4) % 4, ' ');
  std::string binary;
  binary.reserve(places + corners);
  append(binary, mesh.positions.data(), places);
  append(binary, mesh.triangles().data(), corners);

  std::string glb = "glTF";
  glb.reserve(28 + json.size() + binary.size());
  const uint32_t head[] = {2, static_cast<uint32_t>(28 + json.size() + binary.size())};
  append(glb, head, sizeof head);
  append_chunk(glb, 0x4E4F534A, json);
  append_chunk(glb, 0x004E4942, binary);
  return glb;
}

}  // namespace sinew
