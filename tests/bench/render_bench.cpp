// The renderer's own work, on a device that draws nothing, and picking. Beside a frame stands the
// copying of the bytes that it sends; beside a pick, the search through all triangles.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include "render/mesh_corners.h"
#include "render/pick.h"
#include "render/pick_ray.h"
#include "render/renderer.h"
#include "tests/bench/figures.h"
#include "tests/render/shapes.h"

namespace sinew::bench {

std::vector<Figure> render_figures() {
  using From = Figure::From;
  constexpr double milli = 1e3, micro = 1e6;
  const auto figure = [](const char* name, const char* run, const char* unit, double scale,
                         std::optional<double> goal = {}, const char* reference = "") {
    return Figure{name, run, unit, From::time_per_item, 1, scale, "", goal, reference};
  };
  return {
      figure("rendering: a frame of 100,000 triangles that move", "render/frame_100k", "ms", milli,
             3.0),
      figure("rendering: the same beside copying its bytes", "render/frame_100k", "ms", milli, {},
             "render/copy_100k"),
      figure("rendering: of it, corners and normals", "render/corners_100k", "ms", milli, {},
             "render/copy_100k"),
      figure("rendering: a frame of 100,000 triangles with edges that move",
             "render/frame_edged_100k", "ms", milli),
      figure("rendering: a frame of 100,000 triangles that rest", "render/still_100k", "ms", milli),
      figure("rendering: values of 100,000 triangles, per vertex", "render/values_per_vertex_100k",
             "ms", milli),
      figure("rendering: values of 100,000 triangles, per triangle",
             "render/values_per_triangle_100k", "ms", milli),
      figure("rendering: edges of 50,000 quads", "render/edges_100k", "ms", milli),
      figure("picking: a tree of 100,000 triangles", "pick/build_100k", "ms", milli),
      figure("picking: 100,000 triangles that moved", "pick/fit_100k", "ms", milli),
      figure("picking: one ray, 100,000 triangles", "pick/ray_100k", "us", micro, {},
             "pick/search_100k"),
      figure("picking: a tree of 1,000,000 triangles", "pick/build_1m", "ms", milli),
      figure("picking: 1,000,000 triangles that moved", "pick/fit_1m", "ms", milli),
      figure("picking: one ray, 1,000,000 triangles", "pick/ray_1m", "us", micro, {},
             "pick/search_1m"),
  };
}

namespace {

using namespace sinew::render;
using test::Body;

constexpr uint64_t pose_count = 8;

// Round bodies, or with some noise on them, so that about every third vertex is at an edge.
std::vector<Body> poses_of(const Body& body, float noise) {
  std::mt19937 random(1);
  std::vector<Body> poses;
  for (uint64_t i = 0; i < pose_count; ++i)
    poses.push_back(body.moved([&](const draw::Point& p) {
      const float wave = 0.1f * std::sin(4 * p.y() + static_cast<float>(i));
      return draw::Point(p + draw::Point(wave, 0, 0) + noise * test::random_point(random));
    }));
  return poses;
}

const std::vector<Body>& poses_100k() {
  static const std::vector<Body> poses = poses_of(test::ball(200, 250), 0);
  return poses;
}
const std::vector<Body>& edged_100k() {
  static const std::vector<Body> poses = poses_of(test::ball(200, 250), 0.004f);
  return poses;
}
const std::vector<Body>& poses_1m() {
  static const std::vector<Body> poses = poses_of(test::ball(500, 1000), 0);
  return poses;
}

// The time is what a frame says of itself, without the driver's.
void show(benchmark::State& state, const std::vector<Body>& poses, bool moves) {
  DeviceOptions options;
  options.backend = Backend::noop;
  std::string error;
  const std::unique_ptr<Device> device = Device::open(options, error);
  if (!device) return state.SkipWithError(error.c_str());
  Renderer renderer(*device);
  draw::DrawList list;
  list.meshes.resize(1);
  uint64_t frame = 1;
  for (auto _ : state) {
    if (moves || frame == 1) list.meshes[0] = poses[frame % pose_count].mesh(frame);
    ++frame;
    state.SetIterationTime(renderer.show(list, {}).seconds);
  }
}

void frame(benchmark::State& state) { show(state, poses_100k(), true); }
void frame_edged(benchmark::State& state) { show(state, edged_100k(), true); }
void frame_still(benchmark::State& state) { show(state, poses_100k(), false); }

void corners(benchmark::State& state) {
  const std::vector<Body>& poses = poses_100k();
  const std::vector<draw::Triangle>& triangles = *poses[0].triangles;
  std::string error;
  const auto tables = CornerTables::make(triangles, poses[0].positions->size(), error);
  CornerScratch scratch;
  std::vector<CornerVertex> out(3 * triangles.size());
  uint64_t i = 0;
  for (auto _ : state) {
    expand_corners(*poses[++i % pose_count].positions, triangles, *tables, scratch, out, error);
    benchmark::DoNotOptimize(out.data());
  }
}

// As many bytes as a frame sends, on one core.
void copy(benchmark::State& state) {
  const std::vector<CornerVertex> from(3 * poses_100k()[0].triangles->size());
  std::vector<CornerVertex> to(from.size());
  for (auto _ : state) {
    std::memcpy(to.data(), from.data(), from.size() * sizeof(CornerVertex));
    benchmark::DoNotOptimize(to.data());
    benchmark::ClobberMemory();
  }
}

void values(benchmark::State& state, draw::ValuesPer per) {
  draw::Mesh mesh = poses_100k()[0].mesh(1);
  const std::vector<float> one_each(
      per == draw::ValuesPer::vertex ? mesh.positions.size() : mesh.triangles.size(), 1.0f);
  mesh.values = one_each;
  mesh.values_per = per;
  std::vector<float> out(3 * mesh.triangles.size());
  for (auto _ : state) {
    expand_values(mesh, out);
    benchmark::DoNotOptimize(out.data());
  }
}
void values_per_vertex(benchmark::State& state) { values(state, draw::ValuesPer::vertex); }
void values_per_triangle(benchmark::State& state) { values(state, draw::ValuesPer::triangle); }

void edges(benchmark::State& state) {
  const std::vector<draw::Triangle>& triangles = *poses_100k()[0].triangles;
  std::vector<uint32_t> quads(triangles.size());
  for (uint32_t i = 0; i < quads.size(); ++i) quads[i] = i / 2;
  std::vector<std::array<uint8_t, 4>> out(3 * triangles.size());
  for (auto _ : state) {
    expand_edges(triangles, quads, out);
    benchmark::DoNotOptimize(out.data());
  }
}

std::vector<Ray> rays() {
  std::mt19937 random(2);
  std::vector<Ray> all;
  for (int i = 0; i < 256; ++i) {
    const draw::Point origin = 3 * test::random_direction(random);
    all.push_back({origin, (0.7f * test::random_point(random) - origin).normalized()});
  }
  return all;
}

void pick_build(benchmark::State& state, const std::vector<Body>& poses) {
  draw::DrawList list;
  list.meshes = {poses[0].mesh(1)};
  const Ray ray = rays()[0];
  for (auto _ : state) {
    Picker picker;
    benchmark::DoNotOptimize(picker.pick(list, ray));
  }
}

void pick_fit(benchmark::State& state, const std::vector<Body>& poses) {
  Picker picker;
  draw::DrawList list;
  list.meshes.resize(1);
  const Ray ray = rays()[0];
  list.meshes[0] = poses[0].mesh(1);
  picker.pick(list, ray);
  uint64_t i = 2;
  for (auto _ : state) {
    list.meshes[0] = poses[i % pose_count].mesh(i);
    ++i;
    benchmark::DoNotOptimize(picker.pick(list, ray));
  }
}

void pick_ray(benchmark::State& state, const std::vector<Body>& poses) {
  Picker picker;
  draw::DrawList list;
  list.meshes = {poses[0].mesh(1)};
  const std::vector<Ray> all = rays();
  picker.pick(list, all[0]);
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(picker.pick(list, all[++i % all.size()]));
}

void pick_search(benchmark::State& state, const std::vector<Body>& poses) {
  const std::vector<draw::Point>& p = *poses[0].positions;
  const std::vector<Ray> all = rays();
  std::size_t i = 0;
  for (auto _ : state) {
    const PickRay ray(all[++i % all.size()], 0);
    double first = std::numeric_limits<double>::infinity();
    for (const auto& [a, b, c] : *poses[0].triangles)
      if (const auto hit = ray.hit(p[a], p[b], p[c])) first = std::min(first, hit->t);
    benchmark::DoNotOptimize(first);
  }
}

void build_100k(benchmark::State& state) { pick_build(state, poses_100k()); }
void build_1m(benchmark::State& state) { pick_build(state, poses_1m()); }
void fit_100k(benchmark::State& state) { pick_fit(state, poses_100k()); }
void fit_1m(benchmark::State& state) { pick_fit(state, poses_1m()); }
void ray_100k(benchmark::State& state) { pick_ray(state, poses_100k()); }
void ray_1m(benchmark::State& state) { pick_ray(state, poses_1m()); }
void search_100k(benchmark::State& state) { pick_search(state, poses_100k()); }
void search_1m(benchmark::State& state) { pick_search(state, poses_1m()); }

BENCHMARK(frame)->Name("render/frame_100k")->UseManualTime();
BENCHMARK(frame_edged)->Name("render/frame_edged_100k")->UseManualTime();
BENCHMARK(frame_still)->Name("render/still_100k")->UseManualTime();
BENCHMARK(corners)->Name("render/corners_100k")->UseRealTime();
BENCHMARK(copy)->Name("render/copy_100k")->UseRealTime();
BENCHMARK(values_per_vertex)->Name("render/values_per_vertex_100k")->UseRealTime();
BENCHMARK(values_per_triangle)->Name("render/values_per_triangle_100k")->UseRealTime();
BENCHMARK(edges)->Name("render/edges_100k")->UseRealTime();
BENCHMARK(build_100k)->Name("pick/build_100k")->UseRealTime();
BENCHMARK(build_1m)->Name("pick/build_1m")->UseRealTime();
BENCHMARK(fit_100k)->Name("pick/fit_100k")->UseRealTime();
BENCHMARK(fit_1m)->Name("pick/fit_1m")->UseRealTime();
BENCHMARK(ray_100k)->Name("pick/ray_100k")->UseRealTime();
BENCHMARK(ray_1m)->Name("pick/ray_1m")->UseRealTime();
BENCHMARK(search_100k)->Name("pick/search_100k")->UseRealTime();
BENCHMARK(search_1m)->Name("pick/search_1m")->UseRealTime();

}  // namespace
}  // namespace sinew::bench
