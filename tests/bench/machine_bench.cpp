// The machine's limits: how fast memory can be copied and numbers multiplied, on one and two cores.
#include <benchmark/benchmark.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#include <cstring>
#include <vector>

namespace {

// 64 MB in all, more than any cache of one core; each core copies its part.
void memcpy_bandwidth(benchmark::State& state, int cores) {
  const size_t bytes = 64'000'000;
  std::vector<char> from(bytes, 1), to(bytes, 0);
  tbb::task_arena arena(cores);
  for (auto _ : state) {
    arena.execute([&] {
      tbb::parallel_for(0, cores, [&](int part) {
        const size_t size = bytes / cores;
        std::memcpy(to.data() + part * size, from.data() + part * size, size);
      });
    });
    benchmark::ClobberMemory();
  }
}

// 64 independent chains of x = x a + b hide the latency; 2 operations each.
#if defined(__x86_64__) && !defined(__clang__) && !defined(SINEW_NO_CLONES)
__attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#endif
float multiply_add(float a, float b, long rounds) {
  constexpr int chains = 128;
  float x[chains];
  for (int i = 0; i < chains; ++i) x[i] = static_cast<float>(i);
  for (long r = 0; r < rounds; ++r)
    for (int i = 0; i < chains; ++i) x[i] = x[i] * a + b;
  float sum = 0;
  for (float v : x) sum += v;
  return sum;
}

void arithmetic(benchmark::State& state, int cores) {
  const long rounds = 500'000;  // times 128 chains times 2 operations: 128 million per core
  tbb::task_arena arena(cores);
  for (auto _ : state) {
    arena.execute([&] {
      tbb::parallel_for(0, cores,
                        [&](int) { benchmark::DoNotOptimize(multiply_add(0.999f, 0.5f, rounds)); });
    });
  }
}

const int registered = [] {
  for (int cores : {1, 2}) {
    const std::string suffix = "/" + std::to_string(cores);
    benchmark::RegisterBenchmark(("machine/memcpy" + suffix).c_str(), memcpy_bandwidth, cores)
        ->UseRealTime();
    benchmark::RegisterBenchmark(("machine/arithmetic" + suffix).c_str(), arithmetic, cores)
        ->UseRealTime();
  }
  return 0;
}();

}  // namespace
