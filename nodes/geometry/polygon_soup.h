// The faces of a file on their way to a Topology: blocks of polygons that were read in parallel.
#pragma once

#include <span>
#include <vector>

#include "nodes/geometry/mesh.h"
#include "nodes/geometry/mesh_io.h"

namespace sinew {

struct PolygonBlock {
  std::vector<uint32_t> corners;  // vertex indices, polygon after polygon
  std::vector<uint32_t> sizes;    // corners of each polygon; empty if all have three
  std::vector<Vec2f> uvs;         // one for each corner, or empty

  std::size_t polygon_count() const { return sizes.empty() ? corners.size() / 3 : sizes.size(); }
  // Adds the size of the next polygon, whose corners are in `corners` already.
  void end_polygon(std::size_t size);
};

// Triangulates all blocks, in order. Every corner must be a valid index into `positions`. The
// blocks are used up. Polygons with fewer than three corners are left out.
Topology assemble(std::span<const Vec3f> positions, std::vector<PolygonBlock>& blocks,
                  LoadReport& report, CancelView cancel);

// Puts places that are not finite at 0 0 0, as Blender does, and counts them. Throws FormatError
// where all of them are so.
void mend_places(std::span<Vec3f> places, LoadReport& report);

}  // namespace sinew
