#include "nodes/kernels/displace.h"

#include "nodes/geometry/parallel.h"

namespace sinew::kernels {

void displace(std::span<const Vec3f> points, std::span<const Vec3f> directions,
              std::span<const float> amount, float distance, std::span<Vec3f> moved) {
  const std::size_t stride = amount.size() == 1 ? 0 : 1;
  parallel_blocks(points.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      moved[i] = points[i] + distance * amount[i * stride] * directions[i];
    }
  });
}

}  // namespace sinew::kernels
