// Meshless surfaces: tori of up to 500,000 vertices carried by 20 to 200 nodes, with normals,
// against the sums as they are written, one vertex after another in double precision, and against
// copying the bytes that are read.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <tbb/global_control.h>

#include <cmath>
#include <cstring>
#include <memory>

#include "nodes/kernels/measure.h"
#include "nodes/kernels/meshless_surface.h"
#include "nodes/kernels/primitives.h"
#include "tests/bench/figures.h"
#include "tests/kernels/meshless_reference.h"

namespace sinew::bench {

namespace {

using namespace sinew::kernels;

constexpr int sizes[] = {100, 250, 500};  // thousands of vertices
constexpr int node_counts[] = {20, 50, 100, 200};

tbb::global_control cores(int count) {
  return {tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(count)};
}

// Nodes on the surface, in reach of 3 times their gap: about 20 a vertex.
struct Carried {
  int thousands, nodes;
  Mesh mesh;
  std::vector<Vec3f> normals, moved, turned;
  test::SpreadNodes places;
  ShapeRows rows;
  MeshlessSurface surface;
  std::vector<Vec3d> u;

  Carried(int size, int node_count)
      : thousands(size),
        nodes(node_count),
        mesh(make_torus({0.5f, 0.15f, 5 * size, 200, Axis::y})),
        normals(vertex_normals(mesh)),
        moved(mesh.vertex_count()),
        turned(mesh.vertex_count()),
        places(test::spread_nodes(mesh.positions, static_cast<std::size_t>(node_count))),
        rows(test::mls_rows(mesh.positions, places.places, 3 * places.gap)),
        surface(mesh.positions, normals, rows, places.places.size()),
        u(places.places.size()) {}

  void bend(double time) {
    for (std::size_t i = 0; i < u.size(); ++i) {
      const Vec3d& x = places.places[i];
      u[i] = 0.1 * Vec3d(std::sin(3 * x.y() + time), std::cos(4 * x.x() - time),
                         std::sin(2 * x.z() + 2 * time));
    }
  }
};

// One body at a time: the largest has half a gigabyte of rows.
Carried& carried(int thousands, int nodes) {
  static std::unique_ptr<Carried> last;
  if (!last || last->thousands != thousands || last->nodes != nodes) {
    last.reset();
    last = std::make_unique<Carried>(thousands, nodes);
  }
  return *last;
}

void count(benchmark::State& state, const Carried& c) {
  const auto vertices = static_cast<double>(c.mesh.vertex_count());
  state.counters["per_vertex"] = static_cast<double>(c.rows.node.size()) / vertices;
  state.counters["fill"] = 100 * c.surface.fill();
  state.counters["bytes"] = static_cast<double>(c.surface.bytes()) / vertices;
}

void deform(benchmark::State& state, int thousands, int nodes, int threads, bool with_normals) {
  const tbb::global_control limit = cores(threads);
  Carried& c = carried(thousands, nodes);
  double time = 0;
  for (auto _ : state) {
    c.bend(time += 0.04);
    c.surface.deform(c.u, c.moved, with_normals ? std::span(c.turned) : std::span<Vec3f>());
    benchmark::ClobberMemory();
  }
  count(state, c);
}

void exact(benchmark::State& state, int thousands, int nodes) {
  const tbb::global_control limit = cores(2);
  Carried& c = carried(thousands, nodes);
  c.bend(1);
  for (auto _ : state) {
    exact_normals(c.rows, c.normals, c.u, c.turned);
    benchmark::ClobberMemory();
  }
}

void prepare(benchmark::State& state, int thousands, int nodes) {
  const tbb::global_control limit = cores(2);
  Carried& c = carried(thousands, nodes);
  for (auto _ : state) {
    const MeshlessSurface made(c.mesh.positions, c.normals, c.rows, c.u.size());
    benchmark::DoNotOptimize(made.bytes());
  }
}

void plain(benchmark::State& state, int thousands, int nodes) {
  Carried& c = carried(thousands, nodes);
  c.bend(1);
  for (auto _ : state) {
    for (std::size_t p = 0; p < c.moved.size(); ++p) {
      Vec3d x = c.mesh.positions[p].cast<double>(), n = c.normals[p].cast<double>();
      test::plain_vertex(c.rows, p, c.u, x, n);
      c.moved[p] = x.cast<float>();
      c.turned[p] = n.cast<float>();
    }
    benchmark::ClobberMemory();
  }
}

// As many bytes as the surface has, on two cores.
void copy(benchmark::State& state, int thousands, int nodes) {
  const tbb::global_control limit = cores(2);
  const std::size_t half = carried(thousands, nodes).surface.bytes() / 2;
  std::vector<char> from(2 * half, 1), to(2 * half, 2);
  for (auto _ : state) {
    parallel_each(
        2, [&](std::size_t k) { std::memcpy(to.data() + k * half, from.data() + k * half, half); });
    benchmark::ClobberMemory();
  }
}

std::string run_name(const char* what, int thousands, int nodes) {
  return fmt::format("meshless/{}_{}k_{}", what, thousands, nodes);
}

const bool registered = [] {
  for (const int size : sizes) {
    for (const int nodes : node_counts) {
      const auto add = [&](const char* what, auto run, auto... arguments) {
        benchmark::RegisterBenchmark(run_name(what, size, nodes).c_str(), run, size, nodes,
                                     arguments...)
            ->UseRealTime();
      };
      add("deform", deform, 2, true);
      add("one_core", deform, 1, true);
      add("places", deform, 2, false);
      add("exact", exact);
      add("prepare", prepare);
      add("plain", plain);
      add("copy", copy);
    }
  }
  return true;
}();

}  // namespace

std::vector<Figure> meshless_figures() {
  using From = Figure::From;
  constexpr double milli = 1e3;
  std::vector<Figure> all;
  for (const int size : sizes) {
    for (const int nodes : node_counts) {
      const std::string body = fmt::format("meshless: {},000 vertices, {} nodes", size, nodes);
      const auto name = [&](const char* what) { return run_name(what, size, nodes); };
      const auto time = [&](const char* what, const char* run, std::optional<double> goal,
                            const std::string& against = "") {
        all.push_back(
            {body + what, name(run), "ms", From::time_per_item, 1, milli, "", goal, against});
      };
      const std::optional<double> limit = size == 100   ? std::optional(4.4)
                                          : size == 500 ? std::optional(95.0)
                                                        : std::nullopt;
      time(", with normals, two cores", "deform", limit);
      time(", against the plain sums", "deform", 4.0, name("plain"));
      time(", against copying as much", "deform", {}, name("copy"));
      if (nodes != 100) continue;
      time(", one core", "one_core", {}, name("plain"));
      time(", without normals", "places", {});
      time(", exact normals", "exact", {});
      time(", prepared", "prepare", {});
      all.push_back({body + ", nodes a vertex",
                     name("deform"),
                     "",
                     From::counter,
                     1,
                     1,
                     "per_vertex",
                     {},
                     ""});
      all.push_back({body + ", weights in the tiles that are not 0",
                     name("deform"),
                     "%",
                     From::counter,
                     1,
                     1,
                     "fill",
                     {},
                     ""});
      all.push_back(
          {body + ", memory", name("deform"), "B/vertex", From::counter, 1, 1, "bytes", {}, ""});
    }
  }
  return all;
}

}  // namespace sinew::bench
