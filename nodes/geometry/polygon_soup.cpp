#include "nodes/geometry/polygon_soup.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "nodes/geometry/format_error.h"
#include "nodes/geometry/parallel.h"
#include "nodes/geometry/triangulate.h"

namespace sinew {

namespace {

// What one block becomes: its triangles, and for each its polygon (counted within the block) and
// texture coordinates.
struct Part {
  std::vector<Triangle> triangles;
  std::vector<uint32_t> polygons;
  std::vector<Vec2f> uvs;
  std::size_t dropped = 0;
};

Part triangulate_block(std::span<const Vec3f> positions, const PolygonBlock& block) {
  Part part;
  TriangulationScratch scratch;
  std::vector<CornerTriangle> found;
  std::size_t first = 0;
  for (std::size_t i = 0; i < block.polygon_count(); ++i) {
    const std::size_t size = block.sizes.empty() ? 3 : block.sizes[i];
    const std::span<const uint32_t> polygon(block.corners.data() + first, size);
    found.clear();
    part.dropped += size < 3 ? 1 : triangulate(positions, polygon, scratch, found);
    for (const CornerTriangle& t : found) {
      part.triangles.push_back({polygon[t[0]], polygon[t[1]], polygon[t[2]]});
      part.polygons.push_back(static_cast<uint32_t>(i));
      for (std::size_t k = 0; k < 3 && !block.uvs.empty(); ++k) {
        part.uvs.push_back(block.uvs[first + t[k]]);
      }
    }
    first += size;
  }
  return part;
}

// Whether the block's corners are its triangles already.
bool is_ready(const PolygonBlock& block) {
  if (!block.sizes.empty()) return false;
  for (std::size_t i = 0; i + 2 < block.corners.size(); i += 3) {
    const uint32_t* c = &block.corners[i];
    if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]) return false;
  }
  return true;
}

template <class T, class U>
void copy_to(std::vector<T>& target, std::size_t at, const std::vector<U>& source) {
  if (!source.empty()) {
    std::memcpy(static_cast<void*>(target.data() + at), source.data(), source.size() * sizeof(U));
  }
}

}  // namespace

void PolygonBlock::end_polygon(std::size_t size) {
  if (size == 3 && sizes.empty()) return;
  if (sizes.empty()) sizes.assign((corners.size() - size) / 3, 3);
  sizes.push_back(static_cast<uint32_t>(size));
}

Topology assemble(std::span<const Vec3f> positions, std::vector<PolygonBlock>& blocks,
                  LoadReport& report, CancelView cancel) {
  std::vector<Part> parts(blocks.size());
  std::vector<char> ready(blocks.size());
  parallel_each(blocks.size(), [&](std::size_t b) {
    if (cancel()) return;
    ready[b] = is_ready(blocks[b]);
    if (!ready[b]) parts[b] = triangulate_block(positions, blocks[b]);
  });
  cancel.check();

  std::vector<std::size_t> triangle_base(blocks.size() + 1, 0), polygon_base(blocks.size() + 1, 0);
  bool polygons = false, uvs = false;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const std::size_t count = ready[b] ? blocks[b].corners.size() / 3 : parts[b].triangles.size();
    triangle_base[b + 1] = triangle_base[b] + count;
    polygon_base[b + 1] = polygon_base[b] + blocks[b].polygon_count();
    polygons |= !blocks[b].sizes.empty();
    uvs |= !blocks[b].uvs.empty();
    report.dropped_triangles += parts[b].dropped;
  }
  const std::size_t total = triangle_base.back();
  report.polygons += polygon_base.back();
  if (polygon_base.back() > UINT32_MAX || total > UINT32_MAX) throw FormatError("too many faces");

  Topology topology;
  topology.triangles.resize(total);
  if (polygons) topology.polygon_of_triangle.resize(total);
  if (uvs) topology.corner_uvs.assign(3 * total, Vec2f(0, 0));
  parallel_each(blocks.size(), [&](std::size_t b) {
    const std::size_t at = triangle_base[b], count = triangle_base[b + 1] - at;
    if (ready[b]) {
      copy_to(topology.triangles, at, blocks[b].corners);
      copy_to(topology.corner_uvs, 3 * at, blocks[b].uvs);
    } else {
      copy_to(topology.triangles, at, parts[b].triangles);
      copy_to(topology.corner_uvs, 3 * at, parts[b].uvs);
    }
    for (std::size_t t = 0; polygons && t < count; ++t) {
      const std::size_t local = ready[b] ? t : parts[b].polygons[t];
      topology.polygon_of_triangle[at + t] = static_cast<uint32_t>(polygon_base[b] + local);
    }
    blocks[b] = {};
    parts[b] = {};
  });
  return topology;
}

void mend_places(std::span<Vec3f> places, LoadReport& report) {
  report.mended_vertices = parallel_reduce_ordered(
      places.size(), std::size_t{0},
      [&](std::size_t begin, std::size_t end) {
        // Without a branch for each: x - x is 0, but NaN for infinity and NaN.
        float sum = 0;
        const float* const values = places[begin].data();
        for (std::size_t i = 0; i < 3 * (end - begin); ++i) sum += values[i] - values[i];
        std::size_t mended = 0;
        for (std::size_t i = begin; sum != 0 && i < end; ++i) {
          if (places[i].allFinite()) continue;
          places[i] = Vec3f::Zero();
          ++mended;
        }
        return mended;
      },
      [](std::size_t a, std::size_t b) { return a + b; });
  if (!places.empty() && report.mended_vertices == places.size()) {
    throw FormatError(fmt::format("none of its {} vertices is finite", places.size()));
  }
}

}  // namespace sinew
