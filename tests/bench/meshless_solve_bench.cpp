// The two tables of [Adams10]: a dragon that is dragged by a handle, solved and drawn, with up to
// 200 nodes and 500,000 vertices; and the search for motions like those of its figures.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <memory>
#include <numbers>

#include "nodes/kernels/cast_living.h"
#include "nodes/kernels/meshless_motion.h"
#include "nodes/kernels/meshless_nodes.h"
#include "nodes/kernels/meshless_pose.h"
#include "nodes/kernels/meshless_surface.h"
#include "nodes/kernels/primitives.h"
#include "tests/bench/figures.h"
#include "tests/kernels/meshless_handles.h"

namespace sinew::bench {

namespace {

using namespace sinew::kernels;
using Body = std::shared_ptr<const MeshlessBody>;

Body sampled(const Mesh& mesh, int nodes) {
  MeshlessSampling made = sample_meshless(mesh, {.count = nodes});
  if (made.problem != SamplingProblem::none) throw std::runtime_error("no body");
  return std::make_shared<const MeshlessBody>(std::move(made.body));
}

// ---- Table 1 ------------------------------------------------------------------------------------

struct Stated {
  int thousands, nodes;
  double solve, draw;  // ms, as printed
};
constexpr Stated table1[] = {
    {100, 20, 4.6, 4.4},  {100, 50, 9.5, 4.6},  {100, 100, 15.2, 4.7},  {100, 200, 31.6, 5.5},
    {250, 20, 4.9, 51.5}, {250, 50, 9.6, 52.2}, {250, 100, 14.5, 51.8}, {250, 200, 33.0, 55.2},
    {500, 20, 5.1, 95.9}, {500, 50, 9.4, 94.8}, {500, 100, 15.6, 97.6}, {500, 200, 32.5, 102.9}};

// One at a time: the largest takes half a gigabyte.
const Body& dragon(int thousands, int nodes) {
  static std::map<int, Mesh> meshes;
  static Body last;
  static int of_thousands = 0, of_nodes = 0;
  if (of_thousands == thousands && of_nodes == nodes) return last;
  last.reset();
  if (of_thousands != thousands) meshes.clear();
  Mesh& mesh = meshes[thousands];
  if (mesh.empty()) mesh = make_dragon({.vertices = 1000 * thousands});
  last = sampled(mesh, nodes);
  of_thousands = thousands;
  of_nodes = nodes;
  return last;
}

// A hand goes round with the head, 60 steps a turn of 0.15 sizes.
void drag(benchmark::State& state, int thousands, int nodes) {
  const Body& body = dragon(thousands, nodes);
  std::vector<PoseHandle> handles = test::two_ends(*body);
  PoseSolver solver(body, handles, {});
  NodePlaces places = body->nodes;
  int step = 0;
  double iterations = 0;
  for (auto _ : state) {
    const double angle = 2 * std::numbers::pi * ++step / 60;
    handles[1].by =
        0.15 * body->size * Vec3d(std::cos(angle) - 1, std::sin(angle), 0.5 * std::sin(angle));
    iterations += solver.follow(handles, places).iterations;
  }
  state.counters["iterations"] = iterations / std::max(1, step);
}

void draw(benchmark::State& state, int thousands, int nodes) {
  const Body& body = dragon(thousands, nodes);
  std::vector<Vec3d> u(body->node_count());
  std::vector<Vec3f> places(body->rest.vertex_count()), normals(places.size());
  double time = 0;
  for (auto _ : state) {
    time += 0.04;
    for (std::size_t i = 0; i < u.size(); ++i) {
      u[i] = 0.1 * body->size * Vec3d(std::sin(time + static_cast<double>(i)), std::cos(time), 0);
    }
    body->surface->deform(u, places, normals);
    benchmark::ClobberMemory();
  }
}

// ---- Table 2 ------------------------------------------------------------------------------------

struct Scene {
  std::vector<KeyedBody> bodies;
  ObstaclesInTime obstacles;
  MotionSettings settings;
};

MotionKey key_at(const MeshlessBody& body, double time, const Eigen::Quaterniond& turn,
                 const Vec3d& by, const NodePlaces& pose = {}) {
  MotionKey key;
  key.time = time;
  for (const Vec3d& x : pose.empty() ? body.nodes : pose) key.places.push_back(turn * x + by);
  return key;
}

Eigen::Quaterniond turned(double angle, const Vec3d& axis) {
  return Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis.normalized()));
}

NodePlaces stretched(const Body& body, const Vec3d& by) {
  std::vector<PoseHandle> handles = test::two_ends(*body);
  PoseSolver solver(body, handles, {});
  handles[1].by = body->size * by;
  NodePlaces places;
  solver.solve(handles, places);
  return places;
}

// So many frames are found: as many as the paper's variables.
MotionSettings with_frames(int free, int keys) {
  MotionSettings settings;
  settings.most_frames = free + keys;
  settings.tolerance = 0;
  return settings;
}

// Figures 1 and 15: an armadillo through several poses; it bounces or it does not.
Scene leaping(int nodes, int keys, int free, bool bounces) {
  const Body body = sampled(make_armadillo({.vertices = 8000}), nodes);
  const NodePlaces poses[] = {body->nodes, stretched(body, {0, 0.2, 0.1}),
                              stretched(body, {0.1, -0.2, 0.1})};
  Scene scene;
  KeyedBody keyed{body, {}, {}};
  for (int k = 0; k < keys; ++k) {
    const bool low = k % 2 == 0;
    keyed.keys.push_back(key_at(*body, 0.4 * k, turned(0.7 * k, {0.2, 0.3, 1}),
                                {0.7 * k, low ? 0 : 1.1, 0.1 * k}, poses[k % 3]));
    keyed.keys.back().breaks = bounces && low;
  }
  scene.bodies = {keyed};
  scene.settings = with_frames(free, keys);
  return scene;
}

// Figure 10: a dragon with its feet held ducks under a ball that flies by.
Scene ducking() {
  const Body body = sampled(make_dragon({.vertices = 8000}), 59);
  Eigen::AlignedBox3f box;
  for (const Vec3f& p : body->rest.positions) box.extend(p);
  const Vec3f middle = box.center(), sizes = box.sizes();
  Scene scene;
  KeyedBody keyed{body, {}, {}};
  for (const double t : {0.0, 2.0}) {
    keyed.keys.push_back(key_at(*body, t, Eigen::Quaterniond::Identity(), {0, 0, 0}));
  }
  for (const uint32_t v :
       handle_vertices(body->rest, Vec3f(middle.x(), box.min().y(), middle.z()).cast<double>(),
                       0.2 * body->size)) {
    keyed.held.push_back({v, 0.1, body->rest.positions[v].cast<double>()});
  }
  Colliders before;
  Collider ball;
  ball.shape = ColliderShape::sphere;
  ball.radius = 0.12f * sizes.maxCoeff();
  const Vec3f top(middle.x(), box.max().y(), middle.z());
  ball.position = top - Vec3f(0, 0, sizes.maxCoeff());
  before.list = {ball};
  Colliders after = before;
  after.list[0].position = top + Vec3f(0, 0, sizes.maxCoeff());
  scene.obstacles = ObstaclesInTime({0, 2}, {before, after});
  scene.bodies = {keyed};
  scene.settings = with_frames(14, 2);
  return scene;
}

// Figure 11: one hundred in a grid change places, each with that beyond the middle, as in the
// preset.
Scene crowd() {
  Mesh thing = make_icosphere({0.3f, 20});
  for (Vec3f& p : thing.positions) p = p.cwiseProduct(Vec3f(0.8f, 1.25f, 0.8f));
  const Body body = sampled(thing, 20);
  Scene scene;
  const int side = 10, count = side * side;
  const auto place = [&](int k) -> Vec3d {
    return Vec3d(k % side - 0.5 * (side - 1), 0, k / side - 0.5 * (side - 1));
  };
  for (int i = 0; i < count; ++i) {
    scene.bodies.push_back(
        {body,
         {key_at(*body, 0, Eigen::Quaterniond::Identity(), place(i)),
          key_at(*body, 4, Eigen::Quaterniond::Identity(), place(count - 1 - i))},
         {}});
  }
  scene.settings = with_frames(17, 2);
  scene.settings.tolerance = 0.02;
  scene.settings.margin = 0.02;
  return scene;
}

// Figure 13: five armadillos side by side jump, each from three keys.
Scene jumpers() {
  const Body body = sampled(make_armadillo({.vertices = 8000}), 46);
  const NodePlaces leap = stretched(body, {0, 0.15, 0.1});
  Scene scene;
  for (int i = 0; i < 5; ++i) {
    const Vec3d place(1.4 * i, 0, 0);
    scene.bodies.push_back({body,
                            {key_at(*body, 0, Eigen::Quaterniond::Identity(), place),
                             key_at(*body, 0.5, turned(0.3 + 0.2 * i, {1, 0, 0}),
                                    place + Vec3d(0, 0.8 + 0.1 * i, 0.5), leap),
                             key_at(*body, 1, turned(0.1 * i, {0, 1, 0}), place + Vec3d(0, 0, 1))},
                            {}});
  }
  scene.settings = with_frames(9, 3);
  return scene;
}

// Beyond the paper: three armadillos whose ways cross.
Scene three() {
  const Body body = sampled(make_armadillo({.vertices = 8000}), 46);
  Scene scene;
  const auto place = [&](int k) {
    const double angle = 2 * std::numbers::pi * k / 3;
    return Vec3d(1.5 * std::cos(angle), 0, 1.5 * std::sin(angle));
  };
  for (int i = 0; i < 3; ++i) {
    scene.bodies.push_back({body,
                            {key_at(*body, 0, turned(i, {0, 1, 0}), place(i)),
                             key_at(*body, 2, turned(i + 2, {0, 1, 0}), -place(i))},
                            {}});
  }
  scene.settings = with_frames(15, 2);
  return scene;
}

// Figure 14: a girl who jumps, from three keys; beyond the paper, over a bar.
Scene jumping(bool over_a_bar) {
  const Body body = sampled(make_girl({.vertices = 6000}), 31);
  Scene scene;
  KeyedBody keyed{body, {}, {}};
  keyed.keys = {
      key_at(*body, 0, Eigen::Quaterniond::Identity(), {0, 0, 0}),
      key_at(*body, 0.5, turned(0.2, {1, 0, 0}), {0, 0, 0.2}, stretched(body, {0, -0.1, 0.1})),
      key_at(*body, 2, Eigen::Quaterniond::Identity(), {0, 0, 3})};
  Collider bar;
  bar.shape = ColliderShape::capsule;
  bar.half = {0, 1, 0};
  bar.radius = 0.2f;
  bar.rotation = turned(std::numbers::pi / 2, {0, 0, 1}).cast<float>();
  bar.position = {0, 0.2f, 1.6f};
  Colliders all;
  if (over_a_bar) all.list = {bar};
  scene.obstacles = ObstaclesInTime(all);
  scene.bodies = {keyed};
  scene.settings = with_frames(17, 3);
  return scene;
}

struct Example {
  const char* name;
  double variables, seconds;  // as printed; 0: not in the paper
  double goal;                // times as fast
  Scene (*make)();
};
const Example table2[] = {{"figure 1", 2772, 7.2, 20, [] { return leaping(66, 7, 14, true); }},
                          {"figure 10", 2478, 6.7, 20, ducking},
                          {"figure 11", 102000, 18.6 * 60, 20, crowd},
                          {"figure 13", 6210, 6.1, 20, jumpers},
                          {"figure 14", 1581, 2.3, 20, [] { return jumping(false); }},
                          {"figure 15", 2070, 8.0, 20, [] { return leaping(46, 6, 15, false); }},
                          {"three that cross", 0, 0, 0, three},
                          {"a girl over a bar", 0, 0, 0, [] { return jumping(true); }}};

void search(benchmark::State& state, const Example& example) {
  const Scene scene = example.make();
  MotionProgress progress;
  double unknowns = 0;
  for (auto _ : state) {
    const MotionSolver solver(scene.bodies, scene.obstacles, scene.settings);
    progress = solver.begin();
    while (!progress.finished) {
      unknowns = static_cast<double>(solver.unknowns(progress));
      solver.refine(progress);
    }
  }
  state.counters["unknowns"] = unknowns;
  state.counters["depth"] = 100 * progress.depth / scene.bodies[0].body->size;
  state.counters["frames"] = static_cast<double>(progress.times.size());
}

std::string table1_run(const char* what, const Stated& row) {
  return fmt::format("meshless_solve/{}_{}k_{}", what, row.thousands, row.nodes);
}

std::string table2_run(const Example& example) {
  return fmt::format("meshless_motion/{}", example.name);
}

const bool registered = [] {
  for (const Stated& row : table1) {
    benchmark::RegisterBenchmark(table1_run("drag", row).c_str(), drag, row.thousands, row.nodes)
        ->UseRealTime();
    benchmark::RegisterBenchmark(table1_run("draw", row).c_str(), draw, row.thousands, row.nodes)
        ->UseRealTime();
  }
  for (const Example& example : table2) {
    benchmark::RegisterBenchmark(table2_run(example).c_str(), search, example)->UseRealTime();
  }
  return true;
}();

}  // namespace

std::vector<Figure> meshless_solve_figures() {
  using From = Figure::From;
  std::vector<Figure> all;
  const auto add = [&](const std::string& name, const std::string& run, const char* unit,
                       double scale, double goal, double stated) {
    Figure f{name, run, unit, From::time_per_item, 1, scale, "", {}, ""};
    if (stated > 0) {
      f.goal = goal;
      f.stated = stated;
    }
    all.push_back(std::move(f));
  };
  for (const Stated& row : table1) {
    const std::string body =
        fmt::format("dragon: {},000 vertices, {} nodes", row.thousands, row.nodes);
    add(body + ", a step of the hand", table1_run("drag", row), "ms", 1e3, 20, row.solve);
    add(body + ", the surface", table1_run("draw", row), "ms", 1e3, 1, row.draw);
  }
  for (const Example& example : table2) {
    std::string name = fmt::format("motion of {}", example.name);
    if (example.variables > 0) name += fmt::format(", {:.0f} variables", example.variables);
    add(name, table2_run(example), "s", 1, example.goal, example.seconds);
    for (const char* counter : {"unknowns", "depth"}) {
      all.push_back({name + ", " + counter,
                     table2_run(example),
                     counter == std::string("depth") ? "%" : "",
                     From::counter,
                     1,
                     1,
                     counter,
                     {},
                     ""});
    }
  }
  return all;
}

}  // namespace sinew::bench
