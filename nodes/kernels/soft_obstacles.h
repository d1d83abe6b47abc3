// A soft body against obstacles.
#pragma once

#include "nodes/kernels/soft_body.h"

namespace sinew::kernels {

// Which parts of the body can be inside of an obstacle at all: most steps end here. Fills
// scratch.points (in the world) and scratch.near_obstacle; false if nothing is near.
bool find_near_obstacles(const SoftBody& body, const SoftSettings& settings, const Vec3f& origin,
                         SoftScratch& scratch);

// Vertices that are inside of an obstacle go towards its surface; what of their speed goes further
// in is lost, and friction takes from the sliding (see soft_body.h). Changes
// scratch.match.x (relative to `origin`) and scratch.v. To be called after find_near_obstacles().
// Returns the vertex (inside order) that was deepest in an obstacle that is felt, or nothing_felt.
uint32_t meet_obstacles(const SoftBody& body, const SoftSettings& settings, double h,
                        std::span<const float> rotations, SoftScratch& scratch);

}  // namespace sinew::kernels
