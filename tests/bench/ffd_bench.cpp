// Free-form deformation: a million vertices in a lattice of 4 x 4 x 4, against the plain loop over
// its 64 points, and against copying as many bytes.
#include <benchmark/benchmark.h>
#include <tbb/global_control.h>

#include <cstring>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/ffd.h"
#include "nodes/kernels/ffd_lanes.h"
#include "tests/bench/figures.h"
#include "tests/kernels/ffd_reference.h"

namespace sinew::bench {

namespace {

using namespace sinew::kernels;

constexpr std::size_t million = 1000000;

struct Scene {
  Lattice lattice;
  std::vector<Vec3f> rest, moved;

  Scene(std::array<uint32_t, 3> counts, LatticeBasis basis) : moved(million) {
    std::mt19937 random(1);
    const LatticeRest at_rest(counts, basis, test::random_box(random, 1));
    lattice = test::shaken(at_rest, random, 0.5);
    rest = test::places_in(at_rest.box, million, random);
  }
};

Scene& cubic() {
  static Scene scene({4, 4, 4}, LatticeBasis::bernstein);
  return scene;
}
Scene& spline() {
  static Scene scene({8, 8, 8}, LatticeBasis::bspline);
  return scene;
}

tbb::global_control cores(int count) {
  return {tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(count)};
}

void deform(benchmark::State& state, int threads, Scene& (*of)()) {
  const tbb::global_control limit = cores(threads);
  Scene& s = of();
  for (auto _ : state) {
    benchmark::DoNotOptimize(deform_by_lattice(s.lattice, {}, s.rest, s.moved));
    benchmark::ClobberMemory();
  }
}

// The sum as it is written, with the twelve polynomials found anew for each vertex.
void plain(benchmark::State& state) {
  Scene& s = cubic();
  const LatticeBox& box = s.lattice.rest->box;
  for (auto _ : state) {
    for (std::size_t v = 0; v < million; ++v) {
      const Vec3d at = test::reference_parameters(box, s.rest[v].cast<double>());
      double b[3][4];
      for (int a = 0; a < 3; ++a) {
        const double x = at[a], y = 1 - x;
        b[a][0] = y * y * y;
        b[a][1] = 3 * x * y * y;
        b[a][2] = 3 * x * x * y;
        b[a][3] = x * x * x;
      }
      Vec3d sum(0, 0, 0);
      for (uint32_t k = 0; k < 4; ++k) {
        for (uint32_t j = 0; j < 4; ++j) {
          for (uint32_t i = 0; i < 4; ++i) {
            sum += b[0][i] * b[1][j] * b[2][k] *
                   s.lattice.positions[s.lattice.index(i, j, k)].cast<double>();
          }
        }
      }
      s.moved[v] = sum.cast<float>();
    }
    benchmark::ClobberMemory();
  }
}

// The places read and written.
void copy(benchmark::State& state, int threads) {
  const tbb::global_control limit = cores(threads);
  Scene& s = cubic();
  const auto parts = static_cast<std::size_t>(threads);
  for (auto _ : state) {
    parallel_each(parts, [&](std::size_t k) {
      const std::size_t size = million / parts;
      std::memcpy(s.moved[k * size].data(), s.rest[k * size].data(), 12 * size);
    });
    benchmark::ClobberMemory();
  }
}

const bool registered = [] {
  const auto add = [](const std::string& name, auto... arguments) {
    benchmark::RegisterBenchmark(name.c_str(), arguments...)->UseRealTime();
  };
  add("ffd/plain", plain);
  add("ffd/copy_2", copy, 2);
  add("ffd/cubic_1", deform, 1, cubic);
  add("ffd/cubic_2", deform, 2, cubic);
  add("ffd/spline_2", deform, 2, spline);
  return true;
}();

}  // namespace

std::vector<Figure> ffd_figures() {
  using From = Figure::From;
  constexpr double nano = 1e9;
  const auto each = [&](const char* name, const char* run, std::optional<double> goal,
                        const char* against) {
    const auto vertices = static_cast<double>(million);
    return Figure{name, run, "ns/vertex", From::time_per_item, vertices, nano, "", goal, against};
  };
  return {
      each("FFD: 4 x 4 x 4, 1,000,000 vertices, two cores", "ffd/cubic_2", 10.0, "ffd/plain"),
      each("FFD: the same on one core", "ffd/cubic_1", {}, "ffd/plain"),
      each("FFD: the same against copying, two cores", "ffd/cubic_2", {}, "ffd/copy_2"),
      each("FFD: splines of 8 x 8 x 8, two cores", "ffd/spline_2", {}, "ffd/copy_2"),
  };
}

}  // namespace sinew::bench
