// Obstacles: what bodies rest on and bump into. An immutable list of simple shapes, each with
// friction and a place of its own. What is costly (grids of heights and distances) is shared, so
// that moving an obstacle from frame to frame costs nothing.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nodes/geometry/types.h"

namespace sinew {

enum class ColliderShape : uint8_t { plane, sphere, box, capsule, terrain, mesh };

std::string_view shape_name(ColliderShape shape);

// Heights over a rectangle of the local x-z plane; bilinear between, and beyond the rectangle as at
// its border.
struct HeightGrid {
  std::array<uint32_t, 2> counts{2, 2};  // along x and z; at least 2 each
  Vec2f origin{0, 0};                    // m, x and z of the first height
  Vec2f spacing{1, 1};                   // m, more than 0
  std::vector<float> heights;            // m, x fastest

  std::size_t bytes() const { return sizeof *this + heights.size() * sizeof(float); }
  bool operator==(const HeightGrid&) const = default;
};

// Signed distances at the corners of cubes, negative inside; trilinear between.
struct DistanceGrid {
  std::array<uint32_t, 3> counts{2, 2, 2};  // at least 2 each
  Vec3f origin{0, 0, 0};                    // m, of the first corner
  float spacing = 1;                        // m, more than 0
  std::vector<float> distances;             // m, x fastest, then y, then z

  std::size_t bytes() const { return sizeof *this + distances.size() * sizeof(float); }
  bool operator==(const DistanceGrid&) const = default;
};

// In its own coordinates a plane is y = 0 with the solid below, a terrain has its solid below, and
// all others lie about the origin or, for a mesh, where the mesh lay.
struct Collider {
  ColliderShape shape = ColliderShape::plane;
  float friction = 0.5f;    // of Coulomb, no unit: 0 is ice, 1 is rubber
  Vec3f position{0, 0, 0};  // m
  Eigen::Quaternionf rotation = Eigen::Quaternionf::Identity();  // own to world, of length 1
  // Half the lengths in m: of the box without its rounding; of the capsule's axis, along y.
  Vec3f half{0, 0, 0};
  float radius = 0;                           // m: of the sphere, the capsule, the box's rounding
  std::shared_ptr<const HeightGrid> heights;  // of a terrain, else null
  std::shared_ptr<const DistanceGrid> distances;  // of a mesh, else null

  bool operator==(const Collider& other) const;
};

struct Colliders {
  std::vector<Collider> list;

  bool empty() const { return list.empty(); }
  bool operator==(const Colliders&) const = default;
};

// The first thing that is wrong, or nothing.
std::optional<std::string> validate(const Colliders& colliders);

std::size_t byte_size(const Colliders& colliders);

template <class Hash>
void visit_content(const Colliders& colliders, Hash&& hash) {
  for (const Collider& c : colliders.list) {
    const std::array<uint32_t, 3> head = {static_cast<uint32_t>(c.shape), c.heights ? 1u : 0u,
                                          c.distances ? 1u : 0u};
    const std::array<float, 12> numbers = {c.friction,     c.position.x(), c.position.y(),
                                           c.position.z(), c.rotation.w(), c.rotation.x(),
                                           c.rotation.y(), c.rotation.z(), c.half.x(),
                                           c.half.y(),     c.half.z(),     c.radius};
    hash(bytes_of(head));
    hash(bytes_of(numbers));
    if (c.heights) {
      const std::array<float, 4> place = {c.heights->origin.x(), c.heights->origin.y(),
                                          c.heights->spacing.x(), c.heights->spacing.y()};
      hash(bytes_of(c.heights->counts));
      hash(bytes_of(place));
      hash(bytes_of(c.heights->heights));
    }
    if (c.distances) {
      const std::array<float, 4> place = {c.distances->origin.x(), c.distances->origin.y(),
                                          c.distances->origin.z(), c.distances->spacing};
      hash(bytes_of(c.distances->counts));
      hash(bytes_of(place));
      hash(bytes_of(c.distances->distances));
    }
  }
}

}  // namespace sinew
