// Interpolation by radial basis functions, 1,000 constraints at 50,000 vertices, beside a plain
// scalar loop on one thread that computes the same sum.
#include <benchmark/benchmark.h>

#include <cmath>
#include <random>
#include <vector>

#include "nodes/kernels/rbf.h"

namespace {

using namespace sinew;
using namespace sinew::kernels;

std::vector<Vec3f> random_points(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<Vec3f> points(count);
  for (Vec3f& p : points) {
    for (int k = 0; k < 3; ++k) p[k] = uniform(random);
  }
  return points;
}

const std::vector<Vec3f>& constraints() {
  static const std::vector<Vec3f> points = random_points(1000, 1);
  return points;
}

const std::vector<Vec3f>& vertices() {
  static const std::vector<Vec3f> points = random_points(50000, 2);
  return points;
}

const std::vector<double>& values() {
  static const std::vector<double> list = [] {
    std::vector<double> made;
    for (const Vec3f& p : constraints()) made.push_back(std::sin(3 * p[0]) + p[1] * p[2]);
    return made;
  }();
  return list;
}

void solve_and_evaluate(benchmark::State& state) {
  std::vector<float> out(vertices().size());
  for (auto _ : state) {
    evaluate(solve_rbf(constraints(), values()), vertices(), std::span<float>(out));
    benchmark::DoNotOptimize(out.data());
  }
}

void evaluate_sinew(benchmark::State& state) {
  const RbfField field = solve_rbf(constraints(), values());
  std::vector<float> out(vertices().size());
  for (auto _ : state) {
    evaluate(field, vertices(), std::span<float>(out));
    benchmark::DoNotOptimize(out.data());
  }
}

void evaluate_reference(benchmark::State& state) {
  const RbfField field = solve_rbf(constraints(), values());
  std::vector<float> out(vertices().size());
  for (auto _ : state) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = static_cast<float>(evaluate_at(field, vertices()[i]));
    }
    benchmark::DoNotOptimize(out.data());
  }
}

BENCHMARK(solve_and_evaluate)
    ->Name("rbf/solve_and_evaluate/sinew")
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(evaluate_sinew)->Name("rbf/evaluate/sinew")->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(evaluate_reference)
    ->Name("rbf/evaluate/reference")
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
