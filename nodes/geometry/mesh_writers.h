// The formats that we write ourselves: the bytes of a file.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "nodes/geometry/mesh.h"

namespace sinew {

// What a file may say of each vertex beside its place; each is empty or has one entry a vertex.
struct VertexExtras {
  std::span<const Vec3f> colours;  // sRGB, 0 to 1
  std::string_view name;           // of the numbers: letters, digits and underscores
  std::span<const float> numbers;  // PLY only
};

// Text; coordinates with as many digits as it takes to read the same floats again. Colours follow
// the coordinates, as several tools read and write them.
std::string encode_obj(const Mesh& mesh, const VertexExtras& extras = {});
// Binary, little endian.
std::string encode_ply(const Mesh& mesh, const VertexExtras& extras = {});
// Binary; vertices are not shared in this format.
std::string encode_stl(const Mesh& mesh);
// Binary glTF (glb_writer.cpp): places and triangles. Throws FormatError.
std::string encode_glb(const Mesh& mesh);

}  // namespace sinew
