#include "nodes/meshless_words.h"

#include "nodes/kernels/meshless_surface.h"

namespace sinew {
namespace {

void displace(const MeshlessBody& body, std::span<const Vec3d> places, std::span<Vec3f> positions,
              std::span<Vec3f> normals) {
  std::vector<Vec3d> by(places.size());
  for (std::size_t i = 0; i < by.size(); ++i) by[i] = places[i] - body.nodes[i];
  body.surface->deform(by, positions, normals);
}

}  // namespace

Mesh mesh_of(const MeshlessBody& body, std::span<const Vec3d> places, std::vector<Vec3f>* normals) {
  std::vector<Vec3f> positions(body.rest.vertex_count());
  if (normals) normals->resize(positions.size());
  displace(body, places, positions, normals ? std::span<Vec3f>(*normals) : std::span<Vec3f>());
  return body.rest.with_positions(std::move(positions));
}

JoinedBodies::JoinedBodies(std::vector<std::shared_ptr<const MeshlessBody>> list)
    : bodies(std::move(list)) {
  if (bodies.size() == 1) {
    topology = bodies.front()->rest.topology;
    return;
  }
  Topology all;
  uint32_t vertex = 0, polygon = 0;
  bool polygons = false;
  for (const auto& b : bodies) polygons |= !b->rest.topology->polygon_of_triangle.empty();
  for (const auto& b : bodies) {
    const Topology& t = *b->rest.topology;
    for (const Triangle& tri : t.triangles) {
      all.triangles.push_back({tri[0] + vertex, tri[1] + vertex, tri[2] + vertex});
    }
    for (std::size_t i = 0; polygons && i < t.triangles.size(); ++i) {
      const uint32_t own =
          t.polygon_of_triangle.empty() ? static_cast<uint32_t>(i) : t.polygon_of_triangle[i];
      all.polygon_of_triangle.push_back(polygon + own);
    }
    polygon += static_cast<uint32_t>(b->rest.polygon_count());
    vertex += static_cast<uint32_t>(b->rest.vertex_count());
  }
  topology = std::make_shared<const Topology>(std::move(all));
}

std::size_t JoinedBodies::bytes() const {
  return sizeof *this + topology->triangles.size() * sizeof(Triangle) +
         topology->polygon_of_triangle.size() * sizeof(uint32_t);
}

Mesh JoinedBodies::mesh(std::span<const NodePlaces* const> places) const {
  std::size_t total = 0;
  for (const auto& b : bodies) total += b->rest.vertex_count();
  std::vector<Vec3f> positions(total);
  std::size_t at = 0;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const std::size_t count = bodies[b]->rest.vertex_count();
    displace(*bodies[b], *places[b], std::span(positions).subspan(at, count), {});
    at += count;
  }
  return Mesh(topology, std::move(positions));
}

Mesh JoinedBodies::mesh(const BodyStates& states) const {
  std::vector<const NodePlaces*> places;
  for (const BodyStates::One& one : states.list) places.push_back(&one.places);
  return mesh(places);
}

std::vector<std::shared_ptr<const MeshlessBody>> bodies_of(const Motion& motion) {
  std::vector<std::shared_ptr<const MeshlessBody>> list;
  for (const BodyMotion& b : motion.bodies) list.push_back(b.body);
  return list;
}

}  // namespace sinew
