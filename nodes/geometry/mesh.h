// A triangle mesh as plain immutable data: positions of its own, connectivity shared with every
// deformed version of it. Vertex order and count of a file are kept, since point caches, painted
// fields and other tools count on them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "nodes/geometry/types.h"

namespace sinew {

// Three vertex indices, counter-clockwise seen from outside.
using Triangle = std::array<uint32_t, 3>;

struct Topology {
  std::vector<Triangle> triangles;
  // For each triangle the face of the source that it is a part of, non-decreasing; empty if every
  // face was a triangle. An edge between two triangles of one polygon is not drawn as wire.
  std::vector<uint32_t> polygon_of_triangle;
  // Texture coordinates per corner, three per triangle, or empty.
  std::vector<Vec2f> corner_uvs;

  bool operator==(const Topology&) const = default;
};

struct Mesh {
  // Never null; several meshes may share one.
  std::shared_ptr<const Topology> topology;
  std::vector<Vec3f> positions;

  Mesh();
  Mesh(Topology connectivity, std::vector<Vec3f> points);
  Mesh(std::shared_ptr<const Topology> connectivity, std::vector<Vec3f> points);

  std::size_t vertex_count() const { return positions.size(); }
  std::size_t triangle_count() const { return topology->triangles.size(); }
  // Faces before triangulation.
  std::size_t polygon_count() const;
  std::span<const Triangle> triangles() const { return topology->triangles; }
  bool empty() const { return positions.empty(); }

  // The same connectivity with other positions, as many as there are vertices.
  Mesh with_positions(std::vector<Vec3f> points) const;

  bool operator==(const Mesh& other) const;
};

// What is wrong with the mesh, with the first bad index, or nothing: a triangle that refers to a
// missing vertex, a position that is not finite, arrays of the topology with the wrong size.
std::optional<std::string> validate(const Mesh& mesh);

// Memory held, for the cache's budget; shared connectivity is counted in full.
std::size_t byte_size(const Mesh& mesh);

// Calls hash(span of bytes) for every array that the mesh consists of, sizes first.
template <class Hash>
void visit_content(const Mesh& mesh, Hash&& hash) {
  const Topology& t = *mesh.topology;
  const std::array<uint64_t, 4> sizes = {mesh.positions.size(), t.triangles.size(),
                                         t.polygon_of_triangle.size(), t.corner_uvs.size()};
  hash(bytes_of(sizes));
  hash(bytes_of(mesh.positions));
  hash(bytes_of(t.triangles));
  hash(bytes_of(t.polygon_of_triangle));
  hash(bytes_of(t.corner_uvs));
}

}  // namespace sinew
