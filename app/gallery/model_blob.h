// A moving scene as few bytes as a web page can bear: positions as 16 bit numbers, frames as
// differences, meshes thinned out. docs/library.md has the format.
#pragma once

#include <string>
#include <vector>

#include "exchange/animation.h"

namespace sinew::gallery {

struct BlobLimits {
  std::size_t vertices = 3000;  // of all bodies together
};

// The frames of one motion, `seconds` long from the first to when the first comes again. Bodies
// that are not in all frames, or change their triangles, are left out. Empty: nothing is left.
std::string model_blob(const std::vector<exchange::Scene>& frames, double seconds,
                       const BlobLimits& limits = {});

// Vertices put together that share a cell of a grid, a part of the mesh and a side of it: for each
// vertex of the result those that it stands in the middle of, and the triangles that are left.
struct Thinned {
  std::vector<std::vector<uint32_t>> vertices;
  std::vector<std::array<uint32_t, 3>> triangles;
};
Thinned thinned(const Mesh& mesh, std::size_t most_vertices);

std::string gzipped(std::string_view bytes);
std::string base64(std::string_view bytes);

}  // namespace sinew::gallery
