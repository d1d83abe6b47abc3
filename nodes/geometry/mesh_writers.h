// The formats that we write ourselves. Each throws FormatError.
#pragma once

#include <filesystem>

#include "nodes/geometry/mesh.h"

namespace sinew {

// Text; coordinates with as many digits as it takes to read the same floats again.
void write_obj(const Mesh& mesh, const std::filesystem::path& path);
// Binary, little endian.
void write_ply(const Mesh& mesh, const std::filesystem::path& path);
// Binary; vertices are not shared in this format.
void write_stl(const Mesh& mesh, const std::filesystem::path& path);

}  // namespace sinew
