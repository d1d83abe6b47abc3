// The presets of meshless bodies: they go through all of their frames without a word, nothing
// leaps, and nothing goes into anything, asked of all vertices ten times as often as frames are
// shown.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "graph/compiled_graph.h"
#include "graph/document.h"
#include "graph/evaluator.h"
#include "nodes/kernels/meshless_motion.h"
#include "nodes/kernels/meshless_spline.h"
#include "nodes/kernels/surface_tree.h"
#include "nodes/meshless_words.h"
#include "tests/preset_files.h"
#include "tests/presets/preset_registry.h"

namespace sinew {
namespace {

class Scene {
 public:
  explicit Scene(const std::string& name) {
    Result<GraphDoc> doc = load_document(testing::preset_file(name), registry());
    EXPECT_TRUE(doc) << (doc ? "" : doc.error());
    settings = doc->settings;
    context.fps = settings.fps;
    context.start_frame = settings.first_frame;
    context.last_frame = settings.last_frame;
    graph = CompiledGraph::compile(*doc, registry());
  }
  Evaluation at(int frame) {
    context.frame = frame;
    return evaluator.evaluate(*graph, context);
  }
  template <class T>
  T get(const std::string& output, int frame) {
    const Result<Target> target = graph->find_output(output);
    EXPECT_TRUE(target) << output;
    context.frame = frame;
    const Target targets[] = {*target};
    const Evaluation e = evaluator.evaluate(*graph, targets, context);
    for (const NodeMessage& m : e.messages(*graph)) ADD_FAILURE() << m.path << m.message.text;
    return e.targets[0].value.as<T>();
  }

  Settings settings;
  Context context;
  GraphPtr graph;
  Evaluator evaluator;
};

std::vector<std::string> all_presets() {
  std::vector<std::string> list;
  // A hundred take their time: they have a test of their own.
  for (const std::filesystem::path& file : testing::presets_tagged("meshless"))
    if (file.stem() != "exchange") list.push_back(file.stem().string());
  return list;
}

class MeshlessPreset : public ::testing::TestWithParam<std::string> {};

TEST_P(MeshlessPreset, GoesThroughAllItsFramesAndNothingLeaps) {
  Scene scene(GetParam());
  EXPECT_TRUE(scene.graph->messages().empty());
  std::vector<Vec3f> last;
  for (int f = scene.settings.first_frame; f <= scene.settings.last_frame; ++f) {
    const Evaluation evaluation = scene.at(f);
    for (const NodeMessage& m : evaluation.messages(*scene.graph)) {
      ADD_FAILURE() << "frame " << f << ": " << m.path << ": " << m.message.text;
    }
    ASSERT_TRUE(static_cast<bool>(evaluation.targets[0].value));
    const Mesh& mesh = evaluation.targets[0].value.as<Mesh>();
    Eigen::AlignedBox3f box;
    for (const Vec3f& p : mesh.positions) box.extend(p);
    float farthest = 0;
    for (std::size_t v = 0; v < last.size(); ++v) {
      farthest = std::max(farthest, (mesh.positions[v] - last[v]).norm());
    }
    EXPECT_LT(farthest, 0.3f * box.diagonal().norm()) << "frame " << f;
    last = mesh.positions;
  }
}

INSTANTIATE_TEST_SUITE_P(All, MeshlessPreset, ::testing::ValuesIn(all_presets()),
                         [](const auto& preset) { return preset.param; });

// She leaps, is let go of in the air, flies, and is caught by the motion with which she lands.
TEST(MeshlessPresets, HerHandsAreNotThrownWhenSheIsLetGo) {
  Scene scene("girl_landing");
  const Mesh rest = scene.get<Mesh>("girl.mesh", 0);
  std::vector<std::size_t> hands;
  for (std::size_t v = 0; v < rest.vertex_count(); ++v) {
    const Vec3f& p = rest.positions[v];
    if ((Vec3f(std::abs(p.x()), p.y(), p.z()) - Vec3f(0.4f, 0.57f, 0.03f)).norm() < 0.06f) {
      hands.push_back(v);
    }
  }
  ASSERT_GT(hands.size(), 20u);
  // The most that their way of a frame changes, direction and all, in metres.
  std::vector<Vec3f> before, now = scene.get<Mesh>("whole.mesh", 18).positions;
  float most = 0;
  for (int f = 19; f <= 48; ++f) {
    const std::vector<Vec3f> next = scene.get<Mesh>("whole.mesh", f).positions;
    float change = 0;
    for (const std::size_t v : hands) {
      if (!before.empty()) change = std::max(change, (next[v] - 2 * now[v] + before[v]).norm());
    }
    if (f >= 24) most = std::max(most, change);
    before = std::move(now);
    now = next;
  }
  RecordProperty("change", std::to_string(most));
  // At once it is 0.28; what the motion itself did not let her feel is 0.036 of it.
  EXPECT_LT(most, 0.055f);
}

// The deepest of all vertices of all bodies in obstacles, in sizes, ten times a frame.
double deepest_in_obstacles(Scene& scene, const std::string& obstacles) {
  std::vector<double> times;
  std::vector<Colliders> lists;
  for (int f = scene.settings.first_frame; f <= scene.settings.last_frame; ++f) {
    times.push_back(f / scene.settings.fps);
    lists.push_back(scene.get<Colliders>(obstacles, f));
  }
  const kernels::ObstaclesInTime moving(times, lists);
  const Motion motion = scene.get<Motion>("motion.motion", 0);
  double deepest = 0;
  for (const BodyMotion& body : motion.bodies) {
    const kernels::BodySpline spline(body);
    NodePlaces places(body.body->node_count());
    const int steps = 10 * (scene.settings.last_frame - scene.settings.first_frame);
    for (int i = 0; i <= steps; ++i) {
      const double time =
          scene.settings.first_frame / scene.settings.fps + i / (10.0 * scene.settings.fps);
      spline.at(time, places);
      const Colliders now = moving.at(time);
      for (const Vec3f& p : mesh_of(*body.body, places).positions) {
        const double d = kernels::distance_with_slope(now, p.cast<double>()).distance;
        deepest = std::max(deepest, -d / body.body->size);
      }
    }
  }
  return deepest;
}

TEST(MeshlessPresets, NobodyGoesIntoObstacles) {
  Scene dodge("dodge"), between("two_obstacles");
  const double a = deepest_in_obstacles(dodge, "both.colliders");
  const double b = deepest_in_obstacles(between, "both.colliders");
  RecordProperty("dodge", std::to_string(a));
  RecordProperty("two_obstacles", std::to_string(b));
  std::printf("deepest, in sizes: dodge %.4f, two obstacles %.4f\n", a, b);
  EXPECT_LT(a, 0.01);
  EXPECT_LT(b, 0.01);
}

// Feet on a floor are seen: 2 mm of sinking show where a body is 1.7 m tall.
TEST(MeshlessPresets, NobodySinksIntoTheFloor) {
  for (const char* name : {"six_keys", "dodge"}) {
    Scene scene(name);
    const double deepest = deepest_in_obstacles(scene, "floor.colliders");
    RecordProperty(name, std::to_string(deepest));
    std::printf("deepest in the floor, in sizes: %s %.4f\n", name, deepest);
    EXPECT_LT(deepest, 0.0012) << name;
  }
}

// Nor does a body that bends on its feet hover over the floor: a margin that keeps it from a ball
// keeps it from the floor as well.
TEST(MeshlessPresets, TheDragonKeepsItsFeetOnTheFloor) {
  Scene scene("dodge");
  const Motion motion = scene.get<Motion>("motion.motion", 0);
  const MeshlessBody& body = *motion.bodies[0].body;
  const std::vector<Vec3f> rest = body.rest.positions;
  const Vec3f feet[] = {
      {0.29f, 0, 0.34f}, {-0.15f, 0, 0.56f}, {0.14f, 0, -0.24f}, {-0.25f, 0, -0.56f}};
  const kernels::BodySpline spline(motion.bodies[0]);
  NodePlaces places(body.node_count());
  float highest = 0;
  for (int frame = 0; frame <= scene.settings.last_frame; ++frame) {
    spline.at(frame / scene.settings.fps, places);
    const std::vector<Vec3f> now = mesh_of(body, places).positions;
    for (const Vec3f& foot : feet) {
      float lowest = std::numeric_limits<float>::infinity();
      for (std::size_t v = 0; v < rest.size(); ++v) {
        if ((rest[v] - foot).norm() < 0.15f) lowest = std::min(lowest, now[v].y());
      }
      ASSERT_TRUE(std::isfinite(lowest));
      highest = std::max(highest, lowest);
    }
  }
  std::printf("the highest that a foot is over the floor: %.1f mm\n", 1e3 * double{highest});
  EXPECT_LT(highest, 0.01f);
}

// The deepest of all vertices of all bodies in the deformed meshes of others, in sizes; asked
// `often` times a frame.
double deepest_in_others(Scene& scene, const Motion& motion, int often) {
  const std::size_t count = motion.bodies.size();
  std::vector<kernels::BodySpline> splines;
  for (const BodyMotion& body : motion.bodies) splines.emplace_back(body);
  double deepest = 0;
  const int steps = often * (scene.settings.last_frame - scene.settings.first_frame);
  for (int i = 0; i <= steps; ++i) {
    const double frame = scene.settings.first_frame + static_cast<double>(i) / often;
    std::vector<Mesh> meshes;
    std::vector<Eigen::AlignedBox3f> boxes(count);
    for (std::size_t b = 0; b < count; ++b) {
      NodePlaces places(motion.bodies[b].body->node_count());
      splines[b].at(frame / scene.settings.fps, places);
      meshes.push_back(mesh_of(*motion.bodies[b].body, places));
      for (const Vec3f& p : meshes.back().positions) boxes[b].extend(p);
    }
    for (std::size_t b = 0; b < count; ++b) {
      std::optional<kernels::SurfaceTree> tree;
      for (std::size_t other = 0; other < count; ++other) {
        if (other == b || !boxes[b].intersects(boxes[other])) continue;
        if (!tree) tree.emplace(meshes[b]);
        for (const Vec3f& p : meshes[other].positions) {
          if (!boxes[b].contains(p)) continue;
          const double d = tree->signed_distance(p.cast<double>());
          deepest = std::max(deepest, -d / motion.bodies[b].body->size);
        }
      }
    }
  }
  return deepest;
}

TEST(MeshlessPresets, TwoThatMeetGoAroundEachOther) {
  Scene scene("meeting");
  const Motion motion = scene.get<Motion>("motion.motion", 0);
  ASSERT_EQ(motion.bodies.size(), 2u);
  const double deepest = deepest_in_others(scene, motion, 10);
  std::printf("deepest, in sizes: two bodies %.4f, by the search itself %.4f\n", deepest,
              motion.depth / motion.size);
  EXPECT_LT(deepest, 0.01);
}

TEST(MeshlessPresets, AHundredChangePlacesAndSayHowNearTheyCame) {
  Scene scene("exchange");
  const Motion motion = scene.get<Motion>("motion.motion", 0);
  ASSERT_EQ(motion.bodies.size(), 100u);
  const double deepest = deepest_in_others(scene, motion, 1);
  std::printf(
      "a hundred bodies: deepest %.4f sizes; by the search itself %.4f at %.2f s, %zu frames\n",
      deepest, motion.depth / motion.size, motion.depth_time, motion.bodies[0].frames.size());
  EXPECT_LT(deepest, 0.01);
  // The motion that costs least leaves the plane of the grid, which is 9.8 m wide, by no more than
  // the crowd is wide where it is densest. A search that ends too early leaves them where they
  // stepped aside at first, twice as far.
  float highest = 0;
  for (const BodyMotion& body : motion.bodies) {
    for (const MotionFrame& frame : body.frames) {
      for (const Vec3d& place : frame.places) {
        highest = std::max(highest, static_cast<float>(std::abs(place.y())));
      }
    }
  }
  std::printf("they leave the plane of the grid by %.2f m\n", static_cast<double>(highest));
  EXPECT_LT(highest, 4);
}

}  // namespace
}  // namespace sinew
