#include "nodes/geometry/join.h"

#include <bit>

#include "nodes/geometry/stop_check.h"

namespace sinew {

namespace {

uint64_t hash_point(const Vec3f& p) {
  uint64_t h = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const float v = p[axis] == 0 ? 0.0f : p[axis];  // -0 and 0 are one place
    h = (h ^ std::bit_cast<uint32_t>(v)) * 0x9e3779b97f4a7c15ull;
    h ^= h >> 32;
  }
  return h;
}

constexpr uint32_t none = UINT32_MAX;

}  // namespace

Joined join_identical(std::span<const Vec3f> points) {
  // Open addressing at most half full, holding indices into `kept`.
  const std::size_t slots = std::bit_ceil(2 * points.size() + 2);
  std::vector<uint32_t> table(slots, none);
  Joined joined;
  joined.vertex_map.resize(points.size());
  StopCheck check;
  for (std::size_t i = 0; i < points.size(); ++i) {
    check();
    std::size_t slot = hash_point(points[i]) & (slots - 1);
    while (table[slot] != none && points[joined.kept[table[slot]]] != points[i]) {
      slot = (slot + 1) & (slots - 1);
    }
    if (table[slot] == none) {
      table[slot] = static_cast<uint32_t>(joined.kept.size());
      joined.kept.push_back(static_cast<uint32_t>(i));
    }
    joined.vertex_map[i] = table[slot];
  }
  return joined;
}

Mesh apply_join(const Mesh& mesh, const Joined& joined, std::size_t* dropped_triangles) {
  std::vector<Vec3f> positions;
  positions.reserve(joined.kept.size());
  for (const uint32_t i : joined.kept) positions.push_back(mesh.positions[i]);

  const Topology& old = *mesh.topology;
  Topology topology;
  topology.triangles.reserve(old.triangles.size());
  std::size_t dropped = 0;
  StopCheck check;
  for (std::size_t t = 0; t < old.triangles.size(); ++t) {
    check();
    Triangle triangle;
    for (int k = 0; k < 3; ++k) triangle[k] = joined.vertex_map[old.triangles[t][k]];
    if (triangle[0] == triangle[1] || triangle[1] == triangle[2] || triangle[2] == triangle[0]) {
      ++dropped;
      continue;
    }
    topology.triangles.push_back(triangle);
    if (!old.polygon_of_triangle.empty()) {
      topology.polygon_of_triangle.push_back(old.polygon_of_triangle[t]);
    }
    for (std::size_t k = 0; k < 3 && !old.corner_uvs.empty(); ++k) {
      topology.corner_uvs.push_back(old.corner_uvs[3 * t + k]);
    }
  }
  if (dropped_triangles) *dropped_triangles = dropped;
  return Mesh(std::move(topology), std::move(positions));
}

}  // namespace sinew
