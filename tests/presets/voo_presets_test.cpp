// The presets of vector offset operators: they go through all of their frames without a word, and
// the same motion comes out at any frame rate.
#include <gtest/gtest.h>

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

class VooPreset : public ::testing::TestWithParam<std::filesystem::path> {
 protected:
  void SetUp() override {
    Result<GraphDoc> doc = load_document(GetParam(), registry());
    ASSERT_TRUE(doc) << doc.error();
    doc_ = std::move(*doc);
    graph_ = CompiledGraph::compile(doc_, registry());
  }

  Context context(double fps) const {
    Context c;
    c.fps = fps;
    c.start_frame = doc_.settings.first_frame;
    c.last_frame = doc_.settings.last_frame;
    return c;
  }

  // Frames are moments only at the document's own rate.
  bool counts_in_frames() const {
    for (const NodeDoc& node : doc_.graph.nodes) {
      for (const auto& [name, value] : node.params) {
        const std::string text = value.dump();
        if (text.find("\"frames\"") != std::string::npos ||
            text.find("\"steps\"") != std::string::npos) {
          return true;
        }
      }
    }
    return false;
  }

  GraphDoc doc_;
  GraphPtr graph_;
};

// All places of the bodies that are shown.
std::vector<Vec3f> places_of(const Evaluation& evaluation) {
  std::vector<Vec3f> all;
  for (const TargetResult& target : evaluation.targets) {
    if (!target.value) continue;
    if (target.value.is<Mesh>()) {
      const std::vector<Vec3f>& more = target.value.as<Mesh>().positions;
      all.insert(all.end(), more.begin(), more.end());
    }
  }
  return all;
}

TEST_P(VooPreset, GoesThroughAllItsFramesWithoutAWord) {
  Evaluator evaluator;
  Context c = context(doc_.settings.fps);
  for (c.frame = doc_.settings.first_frame; c.frame <= doc_.settings.last_frame; c.frame += 4) {
    const Evaluation e = evaluator.evaluate(*graph_, c);
    for (const NodeMessage& m : e.messages(*graph_)) {
      FAIL() << "frame " << c.frame << ", " << m.path << ": " << m.message.text;
    }
  }
}

TEST_P(VooPreset, MovesTheSameAtEveryFrameRate) {
  if (counts_in_frames()) return;
  const double last = (doc_.settings.last_frame - doc_.settings.first_frame) / doc_.settings.fps;
  for (const int second : {1, 2, 5}) {
    if (second > last) break;
    std::vector<Vec3f> first;
    for (const int fps : {25, 12, 60, 240}) {
      Evaluator evaluator;
      Context c = context(fps);
      c.start_frame = 0;
      c.frame = second * fps;
      const std::vector<Vec3f> places = places_of(evaluator.evaluate(*graph_, c));
      if (fps == 25) {
        first = places;
        continue;
      }
      ASSERT_EQ(places.size(), first.size());
      Eigen::AlignedBox3f box;
      float most = 0;
      for (std::size_t i = 0; i < places.size(); ++i) {
        box.extend(places[i]);
        most = std::max(most, (places[i] - first[i]).norm());
      }
      if (!places.empty()) {
        EXPECT_LT(most, 1e-5f * box.diagonal().norm()) << fps << " at " << second;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, VooPreset, ::testing::ValuesIn(testing::presets_tagged("voodoo")),
                         [](const auto& preset) { return testing::test_name_of(preset.param); });

}  // namespace
}  // namespace sinew
