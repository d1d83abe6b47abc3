// One field laid over another, as pictures are: where the mask is 0 the base stays, where it is 1
// the mode decides, and between them it is mixed.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "nodes/geometry/field.h"

namespace sinew::kernels {

enum class BlendMode : uint8_t {
  mix,             // b
  add,             // a + b
  subtract,        // a - b
  multiply,        // a b
  maximum,         // the larger
  minimum,         // the smaller
  smooth_maximum,  // the larger, rounded where they are closer than `softness`
  smooth_minimum,  // the smaller, rounded
};
std::vector<std::string> blend_mode_names();  // in the order of the enum

// The larger of a and b plus k/4 (1 - |a - b|/k)^2 where |a - b| < k: continuously differentiable,
// and exact where the two are further apart than k >= 0.
double smooth_maximum(double a, double b, double k);

// out[i] = a + (mode(a, b) - a) clamp(mask, 0, 1). Each operand has out.size() values, or one for
// all. Computed in double precision; what is too large for a float saturates.
void blend(BlendMode mode, double softness, std::span<const float> base,
           std::span<const float> over, std::span<const float> mask, std::span<float> out);

}  // namespace sinew::kernels
