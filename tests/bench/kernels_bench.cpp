// Kernels at 1,000,000 vertices, each beside a plain scalar loop on one thread that computes the
// same.
#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include "nodes/kernels/adjacency.h"
#include "nodes/kernels/noise.h"
#include "nodes/kernels/primitives.h"
#include "nodes/kernels/smooth.h"
#include "nodes/kernels/transform.h"

namespace {

using namespace sinew;
using namespace sinew::kernels;

const Mesh& grid() {
  static const Mesh mesh = [] {
    GridShape shape;
    shape.width_segments = shape.depth_segments = 999;
    Mesh made = make_grid(shape);
    for (Vec3f& p : made.positions) p[1] = 0.1f * std::sin(20 * p[0]) * std::cos(17 * p[2]);
    return made;
  }();
  return mesh;
}

void count_vertices(benchmark::State& state) {
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) *
                          static_cast<int64_t>(grid().vertex_count()));
}

NoiseOptions noise_options() {
  NoiseOptions options;
  options.scale = 0.1f;
  options.octaves = 4;
  return options;
}

void noise_sinew(benchmark::State& state) {
  std::vector<float> out(grid().vertex_count());
  for (auto _ : state) {
    noise(grid().positions, noise_options(), out);
    benchmark::DoNotOptimize(out.data());
  }
  count_vertices(state);
}

void noise_reference(benchmark::State& state) {
  std::vector<float> out(grid().vertex_count());
  for (auto _ : state) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = noise_at(grid().positions[i], noise_options());
    }
    benchmark::DoNotOptimize(out.data());
  }
  count_vertices(state);
}

Eigen::Affine3f map() { return compose_transform({1, 2, 3}, {10, 20, 30}, {1, 2, 1}); }

void transform_sinew(benchmark::State& state) {
  std::vector<Vec3f> out(grid().vertex_count());
  for (auto _ : state) {
    transform_points(map(), grid().positions, out);
    benchmark::DoNotOptimize(out.data());
  }
  count_vertices(state);
}

void transform_reference(benchmark::State& state) {
  std::vector<Vec3f> out(grid().vertex_count());
  const Eigen::Affine3f m = map();
  for (auto _ : state) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = m * grid().positions[i];
    benchmark::DoNotOptimize(out.data());
  }
  count_vertices(state);
}

SmoothOptions smooth_options() {
  SmoothOptions options;
  options.iterations = 10;
  options.pin_boundary = false;
  return options;
}

void smooth_sinew(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(smooth_positions(grid(), smooth_options()));
  count_vertices(state);
}

// The scatter form that a first version would have: each triangle adds its edges to both ends.
void smooth_reference(benchmark::State& state) {
  const SmoothOptions options = smooth_options();
  for (auto _ : state) {
    std::vector<Vec3f> p = grid().positions;
    for (int i = 0; i < options.iterations; ++i) {
      std::vector<Vec3f> sum(p.size(), Vec3f(0, 0, 0));
      std::vector<float> count(p.size(), 0);
      for (const Triangle& t : grid().triangles()) {
        for (std::size_t k = 0; k < 3; ++k) {
          const uint32_t a = t[k], b = t[(k + 1) % 3];
          sum[a] += p[b];
          sum[b] += p[a];
          count[a] += 1;
          count[b] += 1;
        }
      }
      for (std::size_t v = 0; v < p.size(); ++v) {
        p[v] += options.lambda * (sum[v] / count[v] - p[v]);
      }
    }
    benchmark::DoNotOptimize(p.data());
  }
  count_vertices(state);
}

BENCHMARK(noise_sinew)
    ->Name("kernels/noise_1m/sinew")
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(noise_reference)
    ->Name("kernels/noise_1m/reference")
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(transform_sinew)
    ->Name("kernels/transform_1m/sinew")
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(transform_reference)
    ->Name("kernels/transform_1m/reference")
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(smooth_sinew)
    ->Name("kernels/smooth_1m/sinew")
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(smooth_reference)
    ->Name("kernels/smooth_1m/reference")
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
