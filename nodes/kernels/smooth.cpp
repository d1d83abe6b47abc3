#include "nodes/kernels/smooth.h"

#include <algorithm>
#include <cmath>

#include "nodes/geometry/parallel.h"

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
  const Rows& neighbours;
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

Umbrella make_umbrella(const Mesh& mesh, const SmoothNeighbours& neighbours,
                       const SmoothOptions& options, std::span<const float> strength) {
  const std::size_t count = mesh.vertex_count();
  Umbrella umbrella{neighbours.vertices, {}, {}};
  if (options.weights == SmoothWeights::cotangent) {
    umbrella.weights = cotangent_weights(mesh, neighbours.triangles, neighbours.vertices);
  }
  umbrella.step.resize(count);
  parallel_blocks(count, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const float s = strength.empty() ? 1 : strength.size() == 1 ? strength[0] : strength[v];
      umbrella.step[v] = umbrella.neighbours[v].empty() ? 0 : std::clamp(s, 0.0f, 1.0f);
      if (options.pin_boundary && neighbours.on_boundary[v]) umbrella.step[v] = 0;
    }
  });
  return umbrella;
}

// Positions padded to four floats while they are smoothed: a neighbour is then one vector load.
using Padded = Eigen::Vector4f;

// out_v = p_v + factor step_v (sum_j w_j p_j - p_v) for v in [begin, end).
void smooth_range(const Umbrella& umbrella, float factor, const Padded* p, Padded* out,
                  std::size_t begin, std::size_t end) {
  const uint32_t* const items = umbrella.neighbours.items.data();
  const float* const weights = umbrella.weights.empty() ? nullptr : umbrella.weights.data();
  for (std::size_t v = begin; v < end; ++v) {
    const uint32_t first = umbrella.neighbours.offsets[v];
    const uint32_t last = umbrella.neighbours.offsets[v + 1];
    Padded sum = Padded::Zero();
    if (weights) {
      for (uint32_t k = first; k < last; ++k) sum += weights[k] * p[items[k]];
    } else {
      for (uint32_t k = first; k < last; ++k) sum += p[items[k]];
      sum *= first < last ? 1.0f / static_cast<float>(last - first) : 0.0f;
    }
    out[v] = p[v] + (factor * umbrella.step[v]) * (sum - p[v]);
  }
}

void apply(const Umbrella& umbrella, float factor, const std::vector<Padded>& p,
           std::vector<Padded>& out) {
  parallel_blocks(p.size(), [&](std::size_t begin, std::size_t end) {
    smooth_range(umbrella, factor, p.data(), out.data(), begin, end);
  });
}

}  // namespace

std::size_t SmoothNeighbours::bytes() const {
  std::size_t sum = sizeof *this + on_boundary.size();
  for (const Rows* rows : {&triangles, &vertices}) {
    sum += (rows->items.size() + rows->offsets.size()) * sizeof(uint32_t);
  }
  return sum;
}

SmoothNeighbours smooth_neighbours(const Mesh& mesh) {
  SmoothNeighbours made;
  made.triangles = vertex_triangles(mesh.triangles(), mesh.vertex_count());
  made.vertices = vertex_neighbours(mesh.triangles(), made.triangles, &made.on_boundary);
  return made;
}

std::vector<Vec3f> smooth_positions(const Mesh& mesh, const SmoothOptions& options,
                                    std::span<const float> strength, CancelView cancel) {
  if (mesh.empty() || options.iterations <= 0) return mesh.positions;
  return smooth_positions(mesh, smooth_neighbours(mesh), options, strength, cancel);
}

std::vector<Vec3f> smooth_positions(const Mesh& mesh, const SmoothNeighbours& neighbours,
                                    const SmoothOptions& options, std::span<const float> strength,
                                    CancelView cancel) {
  if (mesh.empty() || options.iterations <= 0) return mesh.positions;
  const Umbrella umbrella = make_umbrella(mesh, neighbours, options, strength);
  const std::size_t count = mesh.vertex_count();
  std::vector<Padded> p(count), scratch(count);
  parallel_blocks(count, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) p[v] << mesh.positions[v], 0;
  });
  for (int i = 0; i < options.iterations; ++i) {
    cancel.check();
    apply(umbrella, options.lambda, p, scratch);
    std::swap(p, scratch);
    if (options.method == SmoothMethod::taubin) {
      apply(umbrella, options.mu, p, scratch);
      std::swap(p, scratch);
    }
  }
  std::vector<Vec3f> result(count);
  parallel_blocks(count, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) result[v] = p[v].head<3>();
  });
  return result;
}

}  // namespace sinew::kernels
