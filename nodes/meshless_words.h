// What the nodes of the meshless family share: bodies as meshes.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "nodes/geometry/meshless_motion.h"
#include "nodes/node.h"

namespace sinew {

// The surface of a body whose nodes are at `places`. `normals` may be null: not wanted.
Mesh mesh_of(const MeshlessBody& body, std::span<const Vec3d> places,
             std::vector<Vec3f>* normals = nullptr);

// Several bodies as one mesh: their connectivity, joined once.
struct JoinedBodies {
  std::shared_ptr<const Topology> topology;
  std::vector<std::shared_ptr<const MeshlessBody>> bodies;

  explicit JoinedBodies(std::vector<std::shared_ptr<const MeshlessBody>> list);
  std::size_t bytes() const;
  // places[b]: of the nodes of body b.
  Mesh mesh(std::span<const NodePlaces* const> places) const;
  Mesh mesh(const BodyStates& states) const;
};

std::vector<std::shared_ptr<const MeshlessBody>> bodies_of(const Motion& motion);

}  // namespace sinew
