#include "nodes/kernels/smooth.h"

#include <algorithm>
#include <cmath>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/adjacency.h"
#include "nodes/kernels/dispatch.h"

namespace sinew::kernels {

namespace {

// The cotangent of the angle at `apex` in a triangle, bounded where the triangle has no area.
double cotangent(const Vec3d& apex, const Vec3d& a, const Vec3d& b) {
  const Vec3d u = a - apex, v = b - apex;
  const double dot = u.dot(v), cross = u.cross(v).norm();
  constexpr double limit = 1e6;
  if (cross * limit <= std::abs(dot)) return dot > 0 ? limit : dot < 0 ? -limit : 0;
  return dot / cross;
}

struct Umbrella {
  Rows neighbours;
  std::vector<float> weights;  // along neighbours.items; those of a row sum to 1; empty: equal
  std::vector<float> step;     // strength per vertex, 0 where it stays
};

std::vector<float> cotangent_weights(const Mesh& mesh, const Rows& around, const Rows& neighbours) {
  std::vector<float> weights(neighbours.items.size());
  const std::vector<Vec3f>& p = mesh.positions;
  parallel_blocks(mesh.vertex_count(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const std::span<const uint32_t> row = neighbours[v];
      float* const w = weights.data() + neighbours.offsets[v];
      double total = 0;
      for (std::size_t k = 0; k < row.size(); ++k) {
        double sum = 0;
        for (const uint32_t t : around[v]) {
          const Triangle& triangle = mesh.triangles()[t];
          if (std::find(triangle.begin(), triangle.end(), row[k]) == triangle.end()) continue;
          for (const uint32_t apex : triangle) {
            if (apex == v || apex == row[k]) continue;
            sum += cotangent(p[apex].cast<double>(), p[v].cast<double>(), p[row[k]].cast<double>());
          }
        }
        w[k] = static_cast<float>(std::max(0.0, sum / 2));
        total += w[k];
      }
      for (std::size_t k = 0; k < row.size(); ++k) {
        // Where every angle is obtuse or flat, the mean of the neighbours is the best that is left.
        w[k] = static_cast<float>(total > 0 ? w[k] / total : 1.0 / row.size());
      }
    }
  });
  return weights;
}

Umbrella make_umbrella(const Mesh& mesh, const SmoothOptions& options,
                       std::span<const float> strength) {
  const std::size_t count = mesh.vertex_count();
  Umbrella umbrella;
  const Rows around = vertex_triangles(mesh.triangles(), count);
  std::vector<char> on_boundary;
  umbrella.neighbours = vertex_neighbours(mesh.triangles(), around, &on_boundary);
  if (options.weights == SmoothWeights::cotangent) {
    umbrella.weights = cotangent_weights(mesh, around, umbrella.neighbours);
  }
  umbrella.step.resize(count);
  parallel_blocks(count, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const float s = strength.empty() ? 1 : strength.size() == 1 ? strength[0] : strength[v];
      umbrella.step[v] = umbrella.neighbours[v].empty() ? 0 : std::clamp(s, 0.0f, 1.0f);
      if (options.pin_boundary && on_boundary[v]) umbrella.step[v] = 0;
    }
  });
  return umbrella;
}

// out_v = p_v + factor step_v (sum_j w_j p_j - p_v) for v in [begin, end).
SINEW_CLONES void smooth_range(const uint32_t* offsets, const uint32_t* items, const float* weights,
                               const float* step, float factor, const float* p, float* out,
                               std::size_t begin, std::size_t end) {
  for (std::size_t v = begin; v < end; ++v) {
    const float scale = factor * step[v];
    float x = 0, y = 0, z = 0;
    const uint32_t first = offsets[v], last = offsets[v + 1];
    if (weights) {
      for (uint32_t k = first; k < last; ++k) {
        const float* q = p + 3 * static_cast<std::size_t>(items[k]);
        x += weights[k] * q[0];
        y += weights[k] * q[1];
        z += weights[k] * q[2];
      }
    } else {
      for (uint32_t k = first; k < last; ++k) {
        const float* q = p + 3 * static_cast<std::size_t>(items[k]);
        x += q[0];
        y += q[1];
        z += q[2];
      }
      const float share = first < last ? 1.0f / static_cast<float>(last - first) : 0.0f;
      x *= share;
      y *= share;
      z *= share;
    }
    const float* const here = p + 3 * v;
    out[3 * v] = here[0] + scale * (x - here[0]);
    out[3 * v + 1] = here[1] + scale * (y - here[1]);
    out[3 * v + 2] = here[2] + scale * (z - here[2]);
  }
}

void apply(const Umbrella& umbrella, float factor, const std::vector<Vec3f>& p,
           std::vector<Vec3f>& out) {
  parallel_blocks(p.size(), [&](std::size_t begin, std::size_t end) {
    smooth_range(umbrella.neighbours.offsets.data(), umbrella.neighbours.items.data(),
                 umbrella.weights.empty() ? nullptr : umbrella.weights.data(), umbrella.step.data(),
                 factor, p[0].data(), out[0].data(), begin, end);
  });
}

}  // namespace

std::vector<Vec3f> smooth_positions(const Mesh& mesh, const SmoothOptions& options,
                                    std::span<const float> strength, CancelView cancel) {
  std::vector<Vec3f> p = mesh.positions;
  if (p.empty() || options.iterations <= 0) return p;
  const Umbrella umbrella = make_umbrella(mesh, options, strength);
  std::vector<Vec3f> scratch(p.size());
  for (int i = 0; i < options.iterations; ++i) {
    cancel.check();
    apply(umbrella, options.lambda, p, scratch);
    std::swap(p, scratch);
    if (options.method == SmoothMethod::taubin) {
      apply(umbrella, options.mu, p, scratch);
      std::swap(p, scratch);
    }
  }
  return p;
}

}  // namespace sinew::kernels
