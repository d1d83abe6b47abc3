// The presets of skin on skeletons, and of bodies in lattices: they go through all of their frames
// without a word, nothing leaps from frame to frame, and one finger does not move another.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "graph/compiled_graph.h"
#include "graph/document.h"
#include "graph/evaluator.h"
#include "nodes/values.h"
#include "tests/preset_files.h"
#include "tests/presets/preset_registry.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> moving_presets() {
  std::vector<fs::path> list = testing::presets_tagged("skin");
  for (const char* name : {"modes", "teapot_parts"}) list.push_back(testing::preset_file(name));
  return list;
}

GraphDoc load(const fs::path& file) {
  Result<GraphDoc> doc = load_document(file, registry());
  EXPECT_TRUE(doc) << (doc ? "" : doc.error());
  return doc ? std::move(*doc) : GraphDoc();
}

std::vector<Vec3f> vertices_of_value(const Value& value) {
  if (value.is<Mesh>()) return value.as<Mesh>().positions;
  return value.is<TetMesh>() ? value.as<TetMesh>().positions : std::vector<Vec3f>();
}

double size_of(std::span<const Vec3f> points) {
  Eigen::AlignedBox3f box;
  for (const Vec3f& p : points) box.extend(p);
  return static_cast<double>(box.diagonal().norm());
}

class MovingPreset : public ::testing::TestWithParam<fs::path> {};

TEST_P(MovingPreset, GoesThroughAllItsFramesAndNothingLeaps) {
  const GraphDoc doc = load(GetParam());
  const GraphPtr graph = CompiledGraph::compile(doc, registry());
  EXPECT_TRUE(graph->messages().empty());
  Evaluator evaluator;
  Context c;
  c.fps = doc.settings.fps;
  std::vector<std::vector<Vec3f>> last;
  for (c.frame = doc.settings.first_frame; c.frame <= doc.settings.last_frame; ++c.frame) {
    const Evaluation evaluation = evaluator.evaluate(*graph, c);
    for (const NodeMessage& m : evaluation.messages(*graph)) {
      ADD_FAILURE() << "frame " << c.frame << ": " << m.path << ": " << m.message.text;
    }
    std::vector<std::vector<Vec3f>> now;
    for (const TargetResult& target : evaluation.targets) {
      ASSERT_TRUE(static_cast<bool>(target.value));
      now.push_back(vertices_of_value(target.value));
    }
    for (std::size_t b = 0; b < last.size(); ++b) {
      ASSERT_EQ(last[b].size(), now[b].size());
      double farthest = 0;
      for (std::size_t v = 0; v < now[b].size(); ++v) {
        farthest = std::max(farthest, static_cast<double>((now[b][v] - last[b][v]).norm()));
      }
      EXPECT_LT(farthest, 0.15 * size_of(now[b]) + 1e-12) << "frame " << c.frame;
    }
    last = std::move(now);
  }
}

INSTANTIATE_TEST_SUITE_P(All, MovingPreset, ::testing::ValuesIn(moving_presets()),
                         [](const auto& preset) { return testing::test_name_of(preset.param); });

// How far vertices of a finger move at most: of its two outer bones, and so beyond the web of skin
// that it shares with its neighbour.
double moved(const Field& sets, std::span<const Vec3f> rest, std::span<const Vec3f> now,
             const Skeleton& skeleton, const std::string& finger) {
  double farthest = 0;
  for (std::size_t v = 0; v < rest.size(); ++v) {
    const auto bone = static_cast<std::size_t>(sets.at(v));
    if (bone == 0) continue;
    const std::string& name = skeleton.bones[bone - 1].name;
    if (name != finger + " end" && name != finger + " tip") continue;
    farthest = std::max(farthest, static_cast<double>((now[v] - rest[v]).norm()));
  }
  return farthest;
}

// The same controls, through space and along the skeleton: all joints, or the knuckle and the tip
// of each finger, so that the joints between are found.
class SkinHand : public ::testing::TestWithParam<const char*> {};

TEST_P(SkinHand, BendingOneFingerHardlyMovesTheNextWhichSpaceMoves) {
  GraphDoc doc = load(testing::preset_file("hand"));
  NodeDoc space;
  space.id = "space";
  space.type = "deform.mls";
  doc.graph.nodes.push_back(space);
  doc.graph.links.push_back({{"hand", "mesh"}, {"space", "body"}});
  doc.graph.links.push_back({{"bend", "pose"}, {"space", "pose"}});
  for (NodeDoc& node : doc.graph.nodes) {
    if (node.id == "controls") node.params["hold"] = GetParam();
    if (node.id == "controls" && GetParam() == std::string("ends")) {
      Json moves = Json::array();
      for (const char* finger : {"index", "middle", "ring", "little", "thumb"}) {
        moves.push_back({{"joint", std::string(finger) + " knuckle"}, {"by", {0, 0, 0}}});
      }
      node.params["moves"] = moves;
    }
  }
  const GraphPtr graph = CompiledGraph::compile(doc, registry());
  Evaluator evaluator;
  Context c;
  c.fps = doc.settings.fps;
  c.frame = 25;
  const Target targets[] = {*graph->find_output("hand.mesh"), *graph->find_output("space.body"),
                            *graph->find_output("skin.body"), *graph->find_output("skin.sets"),
                            *graph->find_output("bones.skeleton")};
  const Evaluation evaluation = evaluator.evaluate(*graph, targets, c);
  for (const NodeMessage& m : evaluation.messages(*graph)) ADD_FAILURE() << m.message.text;
  const auto& rest = evaluation.targets[0].value.as<Mesh>().positions;
  const auto& through = evaluation.targets[1].value.as<Mesh>().positions;
  const auto& along = evaluation.targets[2].value.as<Mesh>().positions;
  const auto& sets = evaluation.targets[3].value.as<Field>();
  const auto& bones = evaluation.targets[4].value.as<Skeleton>();
  EXPECT_GT(moved(sets, rest, along, bones, "index"), 0.15 * size_of(rest));
  const double by_space = moved(sets, rest, through, bones, "middle");
  const double by_skin = moved(sets, rest, along, bones, "middle");
  EXPECT_GT(by_space, 0.01 * size_of(rest));
  // With few controls the joints between are found, and take a little of everything along.
  EXPECT_LT(by_skin, (GetParam() == std::string("all") ? 0.01 : 0.04) * by_space);
  RecordProperty("middle_by_space_mm", std::to_string(1000 * by_space));
  RecordProperty("middle_by_skin_mm", std::to_string(1000 * by_skin));
}

INSTANTIATE_TEST_SUITE_P(Controls, SkinHand, ::testing::Values("all", "ends"),
                         [](const auto& param) { return std::string(param.param); });

}  // namespace
}  // namespace sinew
