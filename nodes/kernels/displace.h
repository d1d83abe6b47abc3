// Points moved along given directions.
//
//   p_i' = p_i + d a_i n_i
// p: points, metres; n: directions, unit vectors or 0; a: amount, one for each point or one for
// all; d: distance for an amount of 1, metres.
#pragma once

#include <span>

#include "nodes/geometry/types.h"

namespace sinew::kernels {

// `moved` may be the same memory as `points`. Sizes are equal, or 1 for `amount`.
void displace(std::span<const Vec3f> points, std::span<const Vec3f> directions,
              std::span<const float> amount, float distance, std::span<Vec3f> moved);

}  // namespace sinew::kernels
