// Distances: heat and marching on a surface of 50,000 vertices, marching on a grid and through a
// solid, each beside a plain Dijkstra along the edges of the same thing, which is quick and wrong.
#include <benchmark/benchmark.h>

#include <queue>
#include <vector>

#include "nodes/kernels/grid_distance.h"
#include "nodes/kernels/heat_distance.h"
#include "nodes/kernels/primitives.h"
#include "nodes/kernels/tet_measure.h"
#include "nodes/kernels/tet_primitives.h"

namespace {

using namespace sinew;
using namespace sinew::kernels;

const Mesh& sphere() {
  static const Mesh mesh = make_icosphere({1, 71});  // 50,412 vertices
  return mesh;
}

// neighbours(v, visit) calls visit(w, length) for each.
template <class Neighbours>
std::vector<double> dijkstra(std::size_t count, uint32_t source, const Neighbours& neighbours) {
  std::vector<double> distance(count, unreachable);
  using Entry = std::pair<double, uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  distance[source] = 0;
  queue.push({0, source});
  while (!queue.empty()) {
    const double d = queue.top().first;
    const uint32_t v = queue.top().second;
    queue.pop();
    if (d > distance[v]) continue;
    neighbours(v, [&](uint32_t w, double length) {
      if (d + length >= distance[w]) return;
      distance[w] = d + length;
      queue.push({d + length, w});
    });
  }
  return distance;
}

void heat_factor(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(HeatDistance(sphere()).bytes());
}

void heat_solve(benchmark::State& state) {
  static const HeatDistance heat(sphere());
  MarchStart start{0, 0};
  for (auto _ : state) {
    start.vertex = (start.vertex + 1009) % 50000;
    benchmark::DoNotOptimize(heat.solve({&start, 1}, Wave::curved));
  }
}

void surface_march(benchmark::State& state) {
  static const Rows around = vertex_triangles(sphere().triangles(), sphere().vertex_count());
  MarchStart start{0, 0};
  for (auto _ : state) {
    start.vertex = (start.vertex + 1009) % 50000;
    benchmark::DoNotOptimize(march_surface(sphere(), around, {&start, 1}, Wave::curved));
  }
}

void surface_dijkstra(benchmark::State& state) {
  static const Rows rows = vertex_neighbours(sphere().triangles(), sphere().vertex_count());
  uint32_t source = 0;
  for (auto _ : state) {
    source = (source + 1009) % 50000;
    benchmark::DoNotOptimize(
        dijkstra(sphere().vertex_count(), source, [&](uint32_t v, const auto& visit) {
          for (const uint32_t w : rows[v]) {
            visit(w, (sphere().positions[v] - sphere().positions[w]).norm());
          }
        }));
  }
}

std::shared_ptr<const MaterialGrid> grid() {
  static const auto made = std::make_shared<const MaterialGrid>(
      std::make_shared<const SurfaceTree>(make_icosphere({1, 20})), 64);
  return made;
}

void grid_build(benchmark::State& state) {
  const auto tree = std::make_shared<const SurfaceTree>(make_icosphere({1, 20}));
  for (auto _ : state) benchmark::DoNotOptimize(MaterialGrid(tree, 64).inside_count());
}

void grid_march(benchmark::State& state) {
  GridMarch march(grid());
  double at = 0;
  for (auto _ : state) {
    at = at > 0.5 ? 0 : at + 0.1;
    const Vec3d source(at, 0.3, -0.2);
    march.run({&source, 1});
    benchmark::DoNotOptimize(march.settled());
  }
}

void grid_dijkstra(benchmark::State& state) {
  const MaterialGrid& g = *grid();
  uint32_t source = 0;
  while (!g.inside(source)) ++source;
  for (auto _ : state) {
    benchmark::DoNotOptimize(dijkstra(g.point_count(), source, [&](uint32_t v, const auto& visit) {
      for (int axis = 0; axis < 3; ++axis) {
        for (const bool up : {false, true}) {
          if (g.joined(v, axis, up)) visit(g.neighbour(v, axis, up), g.cell());
        }
      }
    }));
  }
}

const TetMesh& solid() {
  static const TetMesh made = make_tet_box({1, 1, 1}, {27, 27, 27});  // 21,952 vertices
  return made;
}

void solid_march(benchmark::State& state) {
  const Rows around = vertex_tets(solid().tets(), solid().vertex_count());
  const MarchStart start{0, 0};
  for (auto _ : state) {
    benchmark::DoNotOptimize(march_solid(solid(), around, {&start, 1}, Wave::curved));
  }
}

void solid_dijkstra(benchmark::State& state) {
  const Rows rows =
      tet_vertex_neighbours(solid().tets(), vertex_tets(solid().tets(), solid().vertex_count()));
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        dijkstra(solid().vertex_count(), 0, [&](uint32_t v, const auto& visit) {
          for (const uint32_t w : rows[v]) {
            visit(w, (solid().positions[v] - solid().positions[w]).norm());
          }
        }));
  }
}

BENCHMARK(heat_factor)->Name("distance/heat_factor_50k")->UseRealTime();
BENCHMARK(heat_solve)->Name("distance/heat_solve_50k")->UseRealTime();
BENCHMARK(surface_march)->Name("distance/surface_march_50k")->UseRealTime();
BENCHMARK(surface_dijkstra)->Name("distance/surface_dijkstra_50k")->UseRealTime();
BENCHMARK(grid_build)->Name("distance/grid_build_64")->UseRealTime();
BENCHMARK(grid_march)->Name("distance/grid_march_64")->UseRealTime();
BENCHMARK(grid_dijkstra)->Name("distance/grid_dijkstra_64")->UseRealTime();
BENCHMARK(solid_march)->Name("distance/solid_march_22k")->UseRealTime();
BENCHMARK(solid_dijkstra)->Name("distance/solid_dijkstra_22k")->UseRealTime();

}  // namespace
