// The formats that we write ourselves: the bytes of a file.
#pragma once

#include <string>

#include "nodes/geometry/mesh.h"

namespace sinew {

// Text; coordinates with as many digits as it takes to read the same floats again.
std::string encode_obj(const Mesh& mesh);
// Binary, little endian.
std::string encode_ply(const Mesh& mesh);
// Binary; vertices are not shared in this format.
std::string encode_stl(const Mesh& mesh);

}  // namespace sinew
