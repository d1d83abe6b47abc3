#include "tests/bench/figures.h"

namespace sinew::bench {

namespace {
constexpr double mega = 1e6, micro = 1e6, milli = 1e3, giga = 1e-9;
using From = Figure::From;
}  // namespace

namespace {

std::vector<Figure> figures_without_pictures() {
  return {
      // The machine's limits, to see how far a loop is from them.
      {"memcpy, one core", "machine/memcpy/1", "GB/s", From::rate, 64 * mega, giga, "", {}, ""},
      {"memcpy, two cores", "machine/memcpy/2", "GB/s", From::rate, 64 * mega, giga, "", {}, ""},
      {"arithmetic, one core",
       "machine/arithmetic/1",
       "GFLOP/s",
       From::rate,
       128 * mega,
       giga,
       "",
       {},
       ""},
      {"arithmetic, two cores",
       "machine/arithmetic/2",
       "GFLOP/s",
       From::rate,
       256 * mega,
       giga,
       "",
       {},
       ""},
      // The graph.
      {"clean graph of 1,000 nodes", "graph/clean_1000", "us/node", From::time_per_item, 1000,
       micro, "", 1.0, ""},
      {"chain of 1,000 nodes after a change at its start", "graph/chain_1000", "us/node",
       From::time_per_item, 1000, micro, "", 5.0, ""},
      {"compiling 1,000 nodes",
       "graph/compile_1000",
       "us/node",
       From::time_per_item,
       1000,
       micro,
       "",
       {},
       ""},
      {"loading a document of 1,000 nodes", "graph/load_1000", "ms", From::time_per_item, 1, milli,
       "", 20.0, ""},
      {"loading a document of 32,000 nodes",
       "graph/load_32000",
       "us/node",
       From::time_per_item,
       32000,
       micro,
       "",
       {},
       ""},
      {"saving a document of 1,000 nodes, as text",
       "graph/write_1000",
       "ms",
       From::time_per_item,
       1,
       milli,
       "",
       {},
       ""},
      {"hashing a key, long data",
       "graph/hash_16mb",
       "GB/s",
       From::rate,
       16 * mega,
       giga,
       "",
       {},
       ""},
      // The program.
      {"sinew eval of a trivial preset, start to exit", "program/eval_trivial", "s",
       From::time_per_item, 1, 1, "", 0.1, ""},
      {"sinew eval of a trivial preset, memory", "program/eval_trivial", "MB", From::counter, 1, 1,
       "megabytes", 60.0, ""},
      // Files.
      {"OBJ of 1,000,000 vertices", "mesh_io/obj_1m/sinew", "ms", From::time_per_item, 1, milli, "",
       2.0, "mesh_io/obj_1m/assimp"},
      {"binary PLY of 1,000,000 vertices", "mesh_io/ply_1m/sinew", "ms", From::time_per_item, 1,
       milli, "", 5.0, "mesh_io/ply_1m/assimp"},
      // Kernels, beside a plain scalar loop.
      {"noise at 1,000,000 points",
       "kernels/noise_1m/sinew",
       "ns/point",
       From::time_per_item,
       mega,
       1e9,
       "",
       {},
       "kernels/noise_1m/reference"},
      {"smoothing 1,000,000 vertices, ten passes",
       "kernels/smooth_1m/sinew",
       "ns/vertex",
       From::time_per_item,
       mega,
       1e9,
       "",
       {},
       "kernels/smooth_1m/reference"},
      {"transforming 1,000,000 vertices",
       "kernels/transform_1m/sinew",
       "ns/vertex",
       From::time_per_item,
       mega,
       1e9,
       "",
       {},
       "kernels/transform_1m/reference"},
      // Painted fields: 1,000 constraints at 50,000 vertices.
      {"interpolating 1,000 constraints at 50,000 vertices", "rbf/solve_and_evaluate/sinew", "ms",
       From::time_per_item, 1, milli, "", 40.0, ""},
      {"evaluating 1,000 centres at 50,000 vertices", "rbf/evaluate/sinew", "ms",
       From::time_per_item, 1, milli, "", 5.0, "rbf/evaluate/reference"},
      // Distances, beside a plain Dijkstra along the edges. The grid has 137,000 points inside.
      {"heat method, preparing 50,000 vertices",
       "distance/heat_factor_50k",
       "ms",
       From::time_per_item,
       1,
       milli,
       "",
       {},
       ""},
      {"heat method, one source at 50,000 vertices",
       "distance/heat_solve_50k",
       "ms",
       From::time_per_item,
       1,
       milli,
       "",
       {},
       "distance/surface_dijkstra_50k"},
      {"marching over 50,000 vertices of a surface",
       "distance/surface_march_50k",
       "ms",
       From::time_per_item,
       1,
       milli,
       "",
       {},
       "distance/surface_dijkstra_50k"},
      {"preparing a grid of 64 cells across",
       "distance/grid_build_64",
       "ms",
       From::time_per_item,
       1,
       milli,
       "",
       {},
       ""},
      {"marching through a grid of 64 cells across",
       "distance/grid_march_64",
       "ns/point",
       From::time_per_item,
       137000,
       1e9,
       "",
       {},
       "distance/grid_dijkstra_64"},
      {"marching through 22,000 vertices of a solid",
       "distance/solid_march_22k",
       "ms",
       From::time_per_item,
       1,
       milli,
       "",
       {},
       "distance/solid_dijkstra_22k"},
  };
}

}  // namespace

const std::vector<Figure>& figures() {
  static const std::vector<Figure> list = [] {
    std::vector<Figure> all = figures_without_pictures();
    for (Figure& f : contact_figures()) all.push_back(std::move(f));
    for (Figure& f : soft_figures()) all.push_back(std::move(f));
    for (Figure& f : ffd_figures()) all.push_back(std::move(f));
    for (Figure& f : voo_figures()) all.push_back(std::move(f));
    for (Figure& f : dffd_figures()) all.push_back(std::move(f));
    for (Figure& f : mls_figures()) all.push_back(std::move(f));
    for (Figure& f : meshless_figures()) all.push_back(std::move(f));
    for (Figure& f : meshless_solve_figures()) all.push_back(std::move(f));
#ifdef SINEW_HAS_PICTURES
    for (Figure& f : canvas_figures()) all.push_back(std::move(f));
    for (Figure& f : render_figures()) all.push_back(std::move(f));
    for (Figure& f : editor_figures()) all.push_back(std::move(f));
#endif
    return all;
  }();
  return list;
}

}  // namespace sinew::bench
