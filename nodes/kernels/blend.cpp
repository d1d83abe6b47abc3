#include "nodes/kernels/blend.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "nodes/geometry/parallel.h"

namespace sinew::kernels {

namespace {

double laid_over(BlendMode mode, double softness, double a, double b) {
  switch (mode) {
    case BlendMode::mix:
      return b;
    case BlendMode::add:
      return a + b;
    case BlendMode::subtract:
      return a - b;
    case BlendMode::multiply:
      return a * b;
    case BlendMode::maximum:
      return std::max(a, b);
    case BlendMode::minimum:
      return std::min(a, b);
    case BlendMode::smooth_maximum:
      return smooth_maximum(a, b, softness);
    case BlendMode::smooth_minimum:
      return -smooth_maximum(-a, -b, softness);
  }
  return a;
}

}  // namespace

std::vector<std::string> blend_mode_names() {
  return {"mix",     "add",     "subtract",       "multiply",
          "maximum", "minimum", "smooth_maximum", "smooth_minimum"};
}

double smooth_maximum(double a, double b, double k) {
  const double apart = std::abs(a - b);
  if (!(apart < k)) return std::max(a, b);
  const double h = 1 - apart / k;
  return std::max(a, b) + k / 4 * h * h;
}

void blend(BlendMode mode, double softness, std::span<const float> base,
           std::span<const float> over, std::span<const float> mask, std::span<float> out) {
  constexpr double most = std::numeric_limits<float>::max();
  parallel_blocks(out.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const double a = base[base.size() == 1 ? 0 : i], b = over[over.size() == 1 ? 0 : i];
      const double w = std::clamp<double>(mask[mask.size() == 1 ? 0 : i], 0, 1);
      // Both ends are exact: nothing of the other field is left in a place that has none of it.
      const double full = laid_over(mode, softness, a, b);
      out[i] = static_cast<float>(std::clamp((1 - w) * a + w * full, -most, most));
    }
  });
}

}  // namespace sinew::kernels
