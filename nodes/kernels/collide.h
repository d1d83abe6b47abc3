// How far points are from obstacles, and which way is out.
//
// A signed distance d is positive outside and negative inside; its gradient is the unit normal n.
// Of several obstacles the nearest counts (the minimum: their union). With p in the obstacle's own
// coordinates:
//   plane    d = p_y
//   sphere   d = |p| - r
//   box      d = |max(q, 0)| + min(max_k q_k, 0) - r,  q = |p| - h component by component; h are
//            the half lengths without the rounding r
//   capsule  d = |p - clamp(p_y, -h, h) e_y| - r
//   terrain  d = (p_y - H) / sqrt(1 + H_x^2 + H_z^2), H the bilinear height below p: the distance
//            to the tangent plane there. Exact on a slope, and to second order in d / (radius of
//            curvature) elsewhere; the sign is exact everywhere.
//   mesh     trilinear in a grid of distances: near the surface off by less than the grid's
//            spacing, at sharp edges, and far less on smooth parts (see distance_grid.h). Beyond
//            the grid it is the distance to the nearest surface point that its border leads to.
// The first four are exact. Where the direction is not unique (a centre, an axis, an edge seen from
// inside) one of the nearest is taken, always the same.
//
// Queries allocate nothing, are computed in double precision, and do not depend on threads.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "nodes/geometry/colliders.h"

namespace sinew::kernels {

struct SurfaceDistance {
  double distance = 0;    // m, positive outside
  Vec3d normal{0, 1, 0};  // unit, outwards
};

// Of one obstacle, at a point of the world.
SurfaceDistance signed_distance(const Collider& collider, const Vec3d& point);

// No obstacle at all: further away than anything.
inline constexpr float nothing_near = std::numeric_limits<float>::max();
inline constexpr uint32_t no_collider = std::numeric_limits<uint32_t>::max();

// One entry per point. `normals` and `nearest` (which of the obstacles; the first of equally near
// ones) may be empty. Without obstacles: nothing_near, (0, 1, 0) and no_collider.
void signed_distance(const Colliders& colliders, std::span<const Vec3f> points,
                     std::span<float> distances, std::span<Vec3f> normals = {},
                     std::span<uint32_t> nearest = {});

}  // namespace sinew::kernels
