#include "nodes/kernels/ring_mesh.h"

#include <numbers>

namespace sinew::kernels {
namespace {

constexpr double turn = 2 * std::numbers::pi;

// The band between two rings; `a` and `b` are the numbers of their first vertices.
void band(std::vector<Triangle>& triangles, uint32_t a, int count_a, uint32_t b, int count_b) {
  const auto at = [](uint32_t first, int count, int k) {
    return first + static_cast<uint32_t>((k + count) % count);
  };
  if (count_a == count_b) {
    // Diagonals that alternate, so that no direction is preferred.
    for (int k = 0; k < count_a; ++k) {
      const uint32_t a0 = at(a, count_a, k), a1 = at(a, count_a, k + 1);
      const uint32_t b0 = at(b, count_b, k), b1 = at(b, count_b, k + 1);
      if (k % 2 == 0) {
        triangles.insert(triangles.end(), {{a0, a1, b1}, {a0, b1, b0}});
      } else {
        triangles.insert(triangles.end(), {{a0, a1, b0}, {a1, b1, b0}});
      }
    }
  } else if (count_b > count_a) {
    for (int k = 0; k < count_a; ++k) {
      const uint32_t a0 = at(a, count_a, k), a1 = at(a, count_a, k + 1);
      const uint32_t b0 = at(b, count_b, 2 * k), m = at(b, count_b, 2 * k + 1),
                     b1 = at(b, count_b, 2 * k + 2);
      triangles.insert(triangles.end(), {{a0, m, b0}, {a0, a1, m}, {a1, b1, m}});
    }
  } else {
    for (int k = 0; k < count_b; ++k) {
      const uint32_t b0 = at(b, count_b, k), b1 = at(b, count_b, k + 1);
      const uint32_t a0 = at(a, count_a, 2 * k), m = at(a, count_a, 2 * k + 1),
                     a1 = at(a, count_a, 2 * k + 2);
      triangles.insert(triangles.end(), {{a0, m, b0}, {m, b1, b0}, {m, a1, b1}});
    }
  }
}

}  // namespace

Mesh make_ring_mesh(std::span<const Ring> rings, double first_end, double last_end,
                    const std::function<Vec3d(double along, double angle)>& place) {
  std::vector<Vec3f> points = {place(first_end, 0).cast<float>()};
  Topology topology;
  std::vector<Triangle>& triangles = topology.triangles;
  uint32_t before = 0;
  for (std::size_t i = 0; i < rings.size(); ++i) {
    const uint32_t first = static_cast<uint32_t>(points.size());
    const int count = rings[i].count;
    for (int k = 0; k < count; ++k) {
      points.push_back(place(rings[i].along, turn * k / count).cast<float>());
    }
    if (i == 0) {
      for (int k = 0; k < count; ++k) {
        triangles.push_back(
            {0, first + static_cast<uint32_t>((k + 1) % count), first + static_cast<uint32_t>(k)});
      }
    } else {
      band(triangles, before, rings[i - 1].count, first, count);
    }
    before = first;
  }
  const uint32_t last = static_cast<uint32_t>(points.size());
  points.push_back(place(last_end, 0).cast<float>());
  const int count = rings.empty() ? 0 : rings.back().count;
  for (int k = 0; k < count; ++k) {
    triangles.push_back(
        {last, before + static_cast<uint32_t>(k), before + static_cast<uint32_t>((k + 1) % count)});
  }
  return Mesh(std::move(topology), std::move(points));
}

std::vector<Ring> choose_rings(std::span<const double> stations,
                               std::span<const double> circumferences, int around, int least,
                               double edge) {
  std::vector<Ring> rings;
  const auto coarser = [&](int count) { return count % 2 == 0 && count / 2 >= least; };
  for (std::size_t i = 0; i < stations.size(); ++i) {
    int count = around;
    while (coarser(count) && circumferences[i] / count < 0.7 * edge) count /= 2;
    rings.push_back({stations[i], count});
  }
  // From the ends inwards at most twice the count before.
  for (std::size_t i = 1; i < rings.size(); ++i) {
    while (rings[i].count > 2 * rings[i - 1].count) rings[i].count /= 2;
  }
  for (std::size_t i = rings.size(); i-- > 1;) {
    while (rings[i - 1].count > 2 * rings[i].count) rings[i - 1].count /= 2;
  }
  return rings;
}

}  // namespace sinew::kernels
