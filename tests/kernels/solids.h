// Solids for tests, bent out of boxes.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "nodes/kernels/tet_primitives.h"

namespace sinew::test {

// A box whose inner and outer vertices are shaken, by a part of a cell.
inline TetMesh shaken_box(const Vec3f& size, const std::array<int, 3>& cells, unsigned seed,
                          float part = 0.2f) {
  TetMesh box = kernels::make_tet_box(size, cells);
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-part, part);
  for (Vec3f& p : box.positions) {
    for (int k = 0; k < 3; ++k) p[k] += uniform(random) * size[k] / static_cast<float>(cells[k]);
  }
  return box;
}

// A bell: the part of a shell between two spheres that is less than `opening` radians off the
// y axis. A disc of cells bent over, so that no pole and no seam is special.
inline TetMesh bell(float inner, float outer, int cells, int layers, float opening = 1.4f) {
  TetMesh box = kernels::make_tet_box({2, 1, 2}, {cells, layers, cells});
  for (Vec3f& p : box.positions) {
    const float square = std::max(std::abs(p.x()), std::abs(p.z()));
    const float length = std::hypot(p.x(), p.z());
    const float angle = opening * square;
    const float radius = inner + (p.y() + 0.5f) * (outer - inner);
    const float c = length > 0 ? p.x() / length : 1, s = length > 0 ? p.z() / length : 0;
    p = radius * Vec3f(std::sin(angle) * c, std::cos(angle), std::sin(angle) * s);
  }
  return box;
}

inline std::vector<float> sampled(std::span<const Vec3f> points, const auto& function) {
  std::vector<float> values;
  values.reserve(points.size());
  for (const Vec3f& p : points) values.push_back(static_cast<float>(function(p)));
  return values;
}

}  // namespace sinew::test
