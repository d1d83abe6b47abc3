#include "nodes/geometry/mesh.h"

#include <fmt/format.h>

#include <cmath>

#include "nodes/geometry/stop_check.h"

namespace sinew {

namespace {

const std::shared_ptr<const Topology>& empty_topology() {
  static const std::shared_ptr<const Topology> none = std::make_shared<const Topology>();
  return none;
}

}  // namespace

Mesh::Mesh() : topology(empty_topology()) {}

Mesh::Mesh(Topology connectivity, std::vector<Vec3f> points)
    : topology(std::make_shared<const Topology>(std::move(connectivity))),
      positions(std::move(points)) {}

Mesh::Mesh(std::shared_ptr<const Topology> connectivity, std::vector<Vec3f> points)
    : topology(connectivity ? std::move(connectivity) : empty_topology()),
      positions(std::move(points)) {}

std::size_t Mesh::polygon_count() const {
  const std::vector<uint32_t>& polygons = topology->polygon_of_triangle;
  if (polygons.empty()) return triangle_count();
  std::size_t count = 1;
  for (std::size_t i = 1; i < polygons.size(); ++i) count += polygons[i] != polygons[i - 1];
  return count;
}

Mesh Mesh::with_positions(std::vector<Vec3f> points) const {
  return Mesh(topology, std::move(points));
}

bool Mesh::operator==(const Mesh& other) const {
  return positions == other.positions &&
         (topology == other.topology || *topology == *other.topology);
}

std::optional<std::string> validate(const Mesh& mesh) {
  const Topology& topology = *mesh.topology;
  const std::size_t vertices = mesh.vertex_count();
  StopCheck check;
  for (std::size_t i = 0; i < vertices; ++i) {
    check();
    if (!mesh.positions[i].allFinite()) return fmt::format("vertex {} is not finite", i);
  }
  for (std::size_t t = 0; t < topology.triangles.size(); ++t) {
    check();
    for (const uint32_t v : topology.triangles[t]) {
      if (v >= vertices) {
        return fmt::format("triangle {} refers to vertex {}, but there are only {}", t, v,
                           vertices);
      }
    }
  }
  const std::size_t triangles = topology.triangles.size();
  if (!topology.polygon_of_triangle.empty() && topology.polygon_of_triangle.size() != triangles) {
    return fmt::format("{} polygon numbers for {} triangles", topology.polygon_of_triangle.size(),
                       triangles);
  }
  if (!topology.corner_uvs.empty() && topology.corner_uvs.size() != 3 * triangles) {
    return fmt::format("{} texture coordinates for {} corners", topology.corner_uvs.size(),
                       3 * triangles);
  }
  return std::nullopt;
}

std::size_t byte_size(const Mesh& mesh) {
  const Topology& topology = *mesh.topology;
  return sizeof(Mesh) + sizeof(Topology) + bytes_of(mesh.positions).size() +
         bytes_of(topology.triangles).size() + bytes_of(topology.polygon_of_triangle).size() +
         bytes_of(topology.corner_uvs).size();
}

}  // namespace sinew
