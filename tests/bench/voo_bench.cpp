// Vector offset operators: a million active vertices moved by one, against copying as many bytes;
// with creep, by six, and by the plain reference that the tests keep.
#include <benchmark/benchmark.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>

#include "graph/compiled_graph.h"
#include "graph/evaluator.h"
#include "nodes/geometry/parallel.h"
#include "nodes/kernels/voo_deform.h"
#include "nodes/register_all_nodes.h"
#include "tests/bench/figures.h"
#include "tests/kernels/voo_reference.h"

namespace sinew::bench {

namespace {

using namespace sinew::kernels;

constexpr std::size_t million = 1000000, drag_count = 100000, few = 10000;
// Read and written for each vertex by one plastic operator: its place twice, and damp.
constexpr std::size_t bytes_per_vertex = 28;

// Points in rows, as those of a body are, all within the fields of six operators.
struct Scene {
  std::vector<Vec3f> rest, moved, normals;
  std::vector<test::VooState> states;
  std::vector<VooInfluence> influences;
  Chart viscous{.points = {{0, 0}, {1, 1}}};
  ChartPieces pieces{viscous};

  Scene(std::size_t count, bool slopes) : rest(count), moved(count) {
    test::RandomVoos random(1);
    for (std::size_t i = 0; i < count; ++i) {
      const auto at = [&](std::size_t k) { return 0.02f * static_cast<float>(k % 100) - 1; };
      rest[i] = Vec3f(at(i), at(i / 100), at(i / 10000));
    }
    normals.assign(count, Vec3f(0, 1, 0));
    for (int j = 0; j < 6; ++j) {
      test::VooState s = random.state(1);
      s.voo.field.radii = {9, 9, 9};
      s.voo.field.cap = 1;
      states.push_back(s);
      influences.push_back(make_influence(s.voo, rest, {.viscous = &pieces, .slopes = slopes}));
    }
  }
  Scene(const Scene&) = delete;

  std::vector<VooAction> actions(std::size_t count, bool creeps) const {
    std::vector<VooAction> all;
    for (std::size_t j = 0; j < count; ++j) {
      const test::VooState& s = states[j];
      const VooMemory memory{creeps ? s.viscosity : 0, s.creep, s.memory};
      all.push_back({&influences[j], make_operator(s.voo, s.now, memory)});
    }
    return all;
  }
};

Scene& scene() {
  static Scene all(million, false);
  return all;
}
Scene& sloped() {
  static Scene all(drag_count, true);
  return all;
}

tbb::global_control cores(int count) {
  return {tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(count)};
}

void deform(benchmark::State& state, int threads, std::size_t operators, bool creeps) {
  const tbb::global_control limit = cores(threads);
  Scene& s = scene();
  const std::vector<VooAction> actions = s.actions(operators, creeps);
  for (auto _ : state) {
    deform_vertices(actions, s.rest, s.moved);
    benchmark::ClobberMemory();
  }
}

// As many bytes read and written as one plastic operator does.
void copy(benchmark::State& state, int threads) {
  const tbb::global_control limit = cores(threads);
  const std::size_t bytes = million * bytes_per_vertex / 2;
  std::vector<char> from(bytes, 1), to(bytes, 0);
  const auto parts = static_cast<std::size_t>(threads);
  for (auto _ : state) {
    parallel_each(parts, [&](std::size_t k) {
      const std::size_t size = bytes / parts;
      std::memcpy(to.data() + k * size, from.data() + k * size, size);
    });
    benchmark::ClobberMemory();
  }
}

// What a drag costs: the operators of six pins anew, and 100,000 vertices.
void drag(benchmark::State& state) {
  const tbb::global_control limit = cores(2);
  Scene& s = sloped();
  for (auto _ : state) {
    const std::vector<VooAction> actions = s.actions(6, true);
    deform_vertices(actions, s.rest, s.moved);
    benchmark::ClobberMemory();
  }
}
void drag_normals(benchmark::State& state) {
  const tbb::global_control limit = cores(2);
  Scene& s = sloped();
  const std::vector<VooAction> actions = s.actions(6, true);
  std::vector<Vec3f> turned(s.rest.size());
  for (auto _ : state) {
    deform_normals(actions, s.rest, s.normals, turned);
    benchmark::ClobberMemory();
  }
}
void folds(benchmark::State& state) {
  const tbb::global_control limit = cores(2);
  Scene& s = sloped();
  const std::vector<VooAction> actions = s.actions(6, true);
  for (auto _ : state) benchmark::DoNotOptimize(find_folds(actions, s.rest).vertices);
}

void influence(benchmark::State& state) {
  const tbb::global_control limit = cores(2);
  Scene& s = scene();
  for (auto _ : state) {
    benchmark::DoNotOptimize(make_influence(s.states[0].voo, s.rest, {}).active_count);
  }
}

// The first vertices of the million, by the formulas.
void reference(benchmark::State& state) {
  Scene& s = scene();
  const std::vector<test::VooState> one = {s.states[0]};
  for (auto _ : state) {
    for (std::size_t v = 0; v < few; ++v) {
      s.moved[v] =
          test::reference_place(one, nullptr, test::Translate::active, s.rest[v].cast<double>())
              .cast<float>();
    }
    benchmark::ClobberMemory();
  }
}
void few_vertices(benchmark::State& state) {
  const tbb::global_control limit = cores(1);
  Scene& s = scene();
  const std::span<const Vec3f> rest(s.rest.data(), few);
  const VooInfluence held = make_influence(s.states[0].voo, rest);
  std::vector<VooAction> actions = s.actions(1, false);
  actions[0].influence = &held;
  for (auto _ : state) {
    deform_vertices(actions, rest, {s.moved.data(), few});
    benchmark::ClobberMemory();
  }
}

// The same as the editor has it: a document of six pins and a body, of which one tip is dragged;
// compiled anew with the changed parameter and evaluated.
GraphDoc dragged_document(const char* check) {
  GraphDoc doc;
  const auto add = [&](std::string id, const char* type, std::map<std::string, Json> params) {
    NodeDoc node;
    node.id = std::move(id);
    node.type = type;
    node.params = std::move(params);
    doc.graph.nodes.push_back(std::move(node));
  };
  const auto link = [&](std::string from, const char* out, std::string to, const char* in) {
    doc.graph.links.push_back({{std::move(from), out}, {std::move(to), in}});
  };
  add("body", "mesh.sphere", {{"detail", 100}});  // 100,002 vertices
  add("bend", "voo.deform", {{"check", check}});
  link("body", "mesh", "bend", "body");
  for (int i = 0; i < 6; ++i) {
    const double angle = i * 1.05;
    const std::string pin = "pin" + std::to_string(i), move = "move" + std::to_string(i);
    add(pin, "voo.create",
        {{"tip", {std::cos(angle), 0.2 * i - 0.5, std::sin(angle)}}, {"radii", {1, 1, 1}}});
    add(move, "voo.animate", {});
    link(pin, "voos", move, "voos");
    link(move, "voos", "bend", "voos");
  }
  return doc;
}

void drag_in_graph(benchmark::State& state, const char* check) {
  Registry registry;
  register_all_nodes(registry);
  GraphDoc doc = dragged_document(check);
  GraphPtr graph = CompiledGraph::compile(doc, registry);
  Evaluator evaluator(EvaluatorOptions{.threads = 2});
  const Target targets[] = {*graph->find_output("bend.body")};
  if (evaluator.evaluate(*graph, targets, {}).failed()) state.SkipWithError("it has an error");
  int turn = 0;
  for (auto _ : state) {
    NodeDoc& moved = *std::find_if(doc.graph.nodes.begin(), doc.graph.nodes.end(),
                                   [](const NodeDoc& n) { return n.id == "move2"; });
    moved.params["tip"] = {0.3 * std::sin(0.37 * ++turn), 0.2, 0};
    graph = graph->with_params(moved);
    const Evaluation e = evaluator.evaluate(*graph, targets, {});
    if (e.failed() || e.runs != 2) state.SkipWithError("not what a drag runs");
  }
}

const bool registered = [] {
  const auto add = [](const std::string& name, auto... arguments) {
    benchmark::RegisterBenchmark(name.c_str(), arguments...)->UseRealTime();
  };
  for (const int threads : {1, 2}) {
    const std::string suffix = "_" + std::to_string(threads);
    add("voo/copy" + suffix, copy, threads);
    add("voo/plastic" + suffix, deform, threads, 1, false);
  }
  add("voo/viscoelastic_2", deform, 2, 1, true);
  add("voo/six_2", deform, 2, 6, false);
  add("voo/six_viscoelastic_2", deform, 2, 6, true);
  add("voo/drag", drag);
  add("voo/drag_graph", drag_in_graph, "folds");
  add("voo/drag_graph_unchecked", drag_in_graph, "none");
  add("voo/normals", drag_normals);
  add("voo/folds", folds);
  add("voo/influence", influence);
  add("voo/reference", reference);
  add("voo/few", few_vertices);
  return true;
}();

}  // namespace

std::vector<Figure> voo_figures() {
  using From = Figure::From;
  constexpr double milli = 1e3, nano = 1e9, giga = 1e-9;
  const double bytes = static_cast<double>(million * bytes_per_vertex);
  const auto rate = [&](const char* name, const char* run, std::optional<double> goal,
                        const char* against) {
    return Figure{name, run, "GB/s", From::rate, bytes, giga, "", goal, against};
  };
  const auto time = [&](const char* name, const char* run, std::optional<double> goal,
                        const char* against) {
    return Figure{name, run, "ms", From::time_per_item, 1, milli, "", goal, against};
  };
  // Ratios of times: 1.3 times as long is 0.769, 3 times as long is 0.333.
  return {
      rate("VOO: copying 28 MB in and out, two cores", "voo/copy_2", {}, ""),
      rate("VOO: one plastic on 1,000,000 vertices, two cores", "voo/plastic_2", 0.3, "voo/copy_2"),
      rate("VOO: the same on one core", "voo/plastic_1", {}, "voo/copy_1"),
      time("VOO: one viscoelastic against one plastic", "voo/viscoelastic_2", 1 / 1.3,
           "voo/plastic_2"),
      time("VOO: six plastic against one", "voo/six_2", 1 / 3.0, "voo/plastic_2"),
      time("VOO: six viscoelastic", "voo/six_viscoelastic_2", {}, "voo/plastic_2"),
      time("VOO: a drag, 100,000 vertices, six viscoelastic", "voo/drag", 8.0, ""),
      time("VOO: a drag in the editor's graph, 100,000 vertices, six pins, folds checked",
           "voo/drag_graph", 8.0, ""),
      time("VOO: the same without the check", "voo/drag_graph_unchecked", {}, ""),
      time("VOO: normals of the same", "voo/normals", {}, ""),
      time("VOO: folds of the same", "voo/folds", {}, ""),
      time("VOO: influence on 1,000,000 vertices", "voo/influence", {}, ""),
      {"VOO: one plastic against the plain reference, one core",
       "voo/few",
       "ns/vertex",
       From::time_per_item,
       static_cast<double>(few),
       nano,
       "",
       {},
       "voo/reference"},
  };
}

}  // namespace sinew::bench
