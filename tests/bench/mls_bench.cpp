// Moving least squares: a skin of 100,000 vertices on 20 bones, prepared and posed; a million
// vertices deformed through space, against the same with singular values, one vertex after another.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <tbb/global_control.h>

#include <cmath>

#include "graph/compiled_graph.h"
#include "graph/evaluator.h"
#include "nodes/kernels/cast_living.h"
#include "nodes/kernels/mls_skin.h"
#include "nodes/kernels/mls_space.h"
#include "nodes/kernels/primitives.h"
#include "nodes/kernels/skeleton_extract.h"
#include "nodes/register_all_nodes.h"
#include "tests/bench/figures.h"
#include "tests/kernels/mls_reference.h"

namespace sinew::bench {

namespace {

using namespace sinew::kernels;

constexpr std::size_t million = 1000000;
constexpr uint32_t bone_count = 20;

tbb::global_control cores(int count) {
  return {tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(count)};
}

// A snake of 20 bones; every fourth joint is led, and it winds.
struct Snake {
  Mesh mesh = make_cylinder({0.25f, 0.25f, 10, 100, 999, 1, true, Axis::y});
  Skeleton skeleton;
  Pose pose;
  MlsJoints joints;
  MlsSkin skin;

  Snake() {
    std::vector<uint32_t> controls;
    for (uint32_t j = 0; j <= bone_count; ++j) {
      skeleton.joints.push_back({"", {0, 10.0 * j / bone_count - 5, 0}});
      if (j > 0) skeleton.bones.push_back({"", {j - 1, j}});
      if (j % 4 == 0) controls.push_back(j);
    }
    pose = Pose::at_rest(skeleton, controls);
    joints = prepare_joints(skeleton, pose.controls);
    skin = prepare();
  }
  MlsSkin prepare() const { return prepare_skin(mesh, skeleton, skin_sets(mesh, skeleton)); }
  void wind(double time) {
    for (std::size_t j = 0; j < pose.places.size(); ++j) {
      const double y = skeleton.rest(j).y();
      pose.places[j] = {std::sin(y + time), y, 0.5 * std::cos(2 * y - time)};
    }
  }
};

Snake& snake() {
  static Snake all;
  return all;
}

void pose(benchmark::State& state, int threads) {
  const tbb::global_control limit = cores(threads);
  Snake& s = snake();
  std::vector<Vec3f> moved(s.mesh.vertex_count());
  double time = 0;
  for (auto _ : state) {
    s.wind(time += 0.04);
    pose_skin(s.skin, pose_joints(s.joints, s.pose.places), moved);
    benchmark::ClobberMemory();
  }
}
void prepare(benchmark::State& state) {
  const tbb::global_control limit = cores(2);
  Snake& s = snake();
  for (auto _ : state) benchmark::DoNotOptimize(s.prepare().bone.size());
}

// A skeleton found in a person of 100,000 vertices.
void extract(benchmark::State& state) {
  const tbb::global_control limit = cores(2);
  FigureShape shape;
  shape.vertices = 100000;
  const Mesh figure = make_figure(shape);
  for (auto _ : state) benchmark::DoNotOptimize(extract_skeleton(figure).skeleton.joint_count());
}

// As the editor has it: a document whose skeleton is dragged, or plays; compiled anew with what has
// changed, and evaluated. Rotations are carried along.
GraphDoc snake_document() {
  GraphDoc doc;
  const auto add = [&](const char* id, const char* type, std::map<std::string, Json> params) {
    NodeDoc node;
    node.id = id;
    node.type = type;
    node.params = std::move(params);
    doc.graph.nodes.push_back(std::move(node));
  };
  Json joints = Json::array();
  for (uint32_t j = 0; j <= bone_count; ++j) {
    Json joint = {{"name", fmt::format("j{}", j)}, {"at", {0, 10.0 * j / bone_count - 5, 0}}};
    if (j > 0) joint["on"] = fmt::format("j{}", j - 1);
    joints.push_back(std::move(joint));
  }
  add("body", "mesh.cylinder",
      {{"radius", 0.25},
       {"top_radius", 0.25},
       {"height", 10},
       {"segments", 100},
       {"height_segments", 999}});
  add("bones", "skeleton.create", {{"joints", joints}});
  add("pose", "skeleton.pose", {});
  add("play", "skeleton.animate",
      {{"keys",
        {{{"joint", "j8"}, {"by", {0, 0, 0}}},
         {{"joint", "j8"}, {"by", {1, 0, 0}}, {"frame", 10}},
         {{"joint", "j14"}, {"by", {0, 0, 1}}, {"frame", 5}}}},
       {"repeat", true},
       {"period", 20}});
  add("skin", "deform.mls_skin", {});
  doc.graph.links = {{{"bones", "skeleton"}, {"pose", "skeleton"}},
                     {{"pose", "pose"}, {"play", "pose"}},
                     {{"body", "mesh"}, {"skin", "body"}},
                     {{"play", "pose"}, {"skin", "pose"}}};
  return doc;
}

void in_graph(benchmark::State& state, bool plays) {
  Registry registry;
  register_all_nodes(registry);
  GraphDoc doc = snake_document();
  GraphPtr graph = CompiledGraph::compile(doc, registry);
  Evaluator evaluator(EvaluatorOptions{.threads = 2});
  const Target targets[] = {*graph->find_output("skin.body")};
  if (evaluator.evaluate(*graph, targets, {}).failed()) state.SkipWithError("it has an error");
  Context context;
  context.frame = 250;  // a motion that has gone on for a while
  int turn = 0;
  for (auto _ : state) {
    ++turn;
    if (plays) {
      ++context.frame;
    } else {
      NodeDoc& pose = *std::find_if(doc.graph.nodes.begin(), doc.graph.nodes.end(),
                                    [](const NodeDoc& n) { return n.id == "pose"; });
      pose.params["moves"] = {{{"joint", "j20"}, {"by", {std::sin(0.37 * turn), 0.2, 0}}}};
      graph = graph->with_params(pose);
    }
    if (evaluator.evaluate(*graph, targets, context).failed()) {
      state.SkipWithError("it has an error");
    }
  }
}

// Places in rows, about eight controls that are bent.
struct Space {
  std::vector<Vec3f> rest{million}, moved{million};
  std::vector<Vec3d> from, to;
  MlsSpace prepared;

  Space() {
    for (std::size_t i = 0; i < million; ++i) {
      const auto at = [&](std::size_t k) { return 0.02f * static_cast<float>(k % 100) - 1; };
      rest[i] = Vec3f(at(i), at(i / 100), at(i / 10000));
    }
    for (int i = 0; i < 8; ++i) {
      const Vec3d p(i & 1 ? 0.7 : -0.7, i & 2 ? 0.6 : -0.6, i & 4 ? 0.8 : -0.8);
      from.push_back(p);
      const double turn = 0.8 * p.z();
      to.push_back({p.x() * std::cos(turn) - p.y() * std::sin(turn),
                    p.x() * std::sin(turn) + p.y() * std::cos(turn), 1.2 * p.z()});
    }
    prepared = prepare_space(rest, from);
  }
};

Space& space() {
  static Space all;
  return all;
}

void deform(benchmark::State& state, int threads) {
  const tbb::global_control limit = cores(threads);
  Space& s = space();
  for (auto _ : state) {
    pose_space(s.prepared, s.to, s.moved);
    benchmark::ClobberMemory();
  }
}
void prepare_million(benchmark::State& state) {
  const tbb::global_control limit = cores(2);
  Space& s = space();
  for (auto _ : state) benchmark::DoNotOptimize(prepare_space(s.rest, s.from).held.size());
}
void reference(benchmark::State& state) {
  Space& s = space();
  for (auto _ : state) {
    for (std::size_t v = 0; v < million; ++v) {
      s.moved[v] = test::reference_space(s.from, s.to, 1, s.rest[v].cast<double>()).cast<float>();
    }
    benchmark::ClobberMemory();
  }
}

const bool registered = [] {
  const auto add = [](const std::string& name, auto... arguments) {
    benchmark::RegisterBenchmark(name.c_str(), arguments...)->UseRealTime();
  };
  add("mls/pose_1", pose, 1);
  add("mls/pose_2", pose, 2);
  add("mls/prepare", prepare);
  add("mls/drag_graph", in_graph, false);
  add("mls/play_graph", in_graph, true);
  add("mls/space_1", deform, 1);
  add("mls/space_2", deform, 2);
  add("mls/space_prepare", prepare_million);
  add("mls/reference", reference);
  add("mls/extract", extract);
  return true;
}();

}  // namespace

std::vector<Figure> mls_figures() {
  using From = Figure::From;
  constexpr double milli = 1e3;
  const auto time = [&](const char* name, const char* run, std::optional<double> goal,
                        const char* against = "") {
    return Figure{name, run, "ms", From::time_per_item, 1, milli, "", goal, against};
  };
  return {
      time("MLS: a pose, 100,000 vertices on 20 bones, two cores", "mls/pose_2", 4.0),
      time("MLS: the same on one core", "mls/pose_1", {}),
      time("MLS: a drag in a graph, 100,000 vertices on 20 bones, two cores", "mls/drag_graph",
           4.0),
      time("MLS: a frame of the same that plays, rotations carried along", "mls/play_graph", 4.0),
      time("MLS: skin sets, ways and shares of the same", "mls/prepare", 2000.0),
      time("MLS: 1,000,000 vertices through space, eight controls, two cores, against SVDs",
           "mls/space_2", 15.0, "mls/reference"),
      time("MLS: the same on one core", "mls/space_1", {}, "mls/reference"),
      time("MLS: weights of eight controls on 1,000,000 vertices", "mls/space_prepare", {}),
      time("MLS: a skeleton found in a figure of 100,000 vertices, two cores", "mls/extract",
           5000.0),
  };
}

}  // namespace sinew::bench
