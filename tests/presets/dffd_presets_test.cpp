// Presets of bodies that move by modes: they go as far as they promise, at all frame rates alike,
// and stand on what they stand on.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "graph/compiled_graph.h"
#include "graph/document.h"
#include "graph/evaluator.h"
#include "nodes/kernels/measure.h"
#include "nodes/node.h"
#include "tests/preset_files.h"
#include "tests/presets/preset_registry.h"

namespace sinew {
namespace {

class Playing {
 public:
  explicit Playing(const std::string& preset, double fps = 25) {
    Result<GraphDoc> doc = load_document(testing::preset_file(preset), registry());
    if (!doc) throw std::runtime_error(doc.error());
    graph_ = CompiledGraph::compile(*doc, registry());
    context_.fps = fps;
    context_.start_frame = doc->settings.first_frame;
    context_.last_frame = 2000;
  }
  template <class T>
  T at(const std::string& output, int frame) {
    context_.frame = frame;
    const Target target = *graph_->find_output(output);
    const Evaluation e = evaluator_.evaluate(*graph_, {&target, 1}, context_);
    for (const NodeMessage& m : e.messages(*graph_)) ADD_FAILURE() << m.path << m.message.text;
    return e.targets[0].value.as<T>();
  }
  float lowest(const std::string& output, int frame) {
    return kernels::bounding_box(at<Mesh>(output, frame).positions).min().y();
  }

 private:
  GraphPtr graph_;
  Evaluator evaluator_;
  Context context_;
};

struct Walker {
  const char* preset;
  const char* body;  // the node that moves it
  float way;         // m along z in four seconds, at least
  float lean;        // degrees, at most
};
constexpr Walker walkers[] = {
    {"shuffle", "walk", 0.5f, 40},       {"table_bound", "walk", 1.2f, 40},
    {"glass_shuffle", "walk", 0.1f, 40}, {"three_hops", "thrifty", 0.87f, 60},
    {"three_hops", "wild", 1.2f, 60},    {"race", "hopping", 1.1f, 60},
    {"race", "walking", 0.11f, 40}};

TEST(DffdPresets, WalkersGetOnAlikeAtAllFrameRates) {
  for (const Walker& walker : walkers) {
    SCOPED_TRACE(std::string(walker.preset) + " " + walker.body);
    const std::string centre = std::string(walker.body) + ".centre";
    const std::string tilt = std::string(walker.body) + ".tilt";
    Playing usual(walker.preset);
    const Vec3 begin = usual.at<Vec3>(centre, 0), end = usual.at<Vec3>(centre, 100);
    EXPECT_GT(end.z - begin.z, walker.way);
    EXPECT_LT(std::abs(end.x - begin.x), walker.way);
    for (int frame = 5; frame <= 100; frame += 5) {
      EXPECT_LT(usual.at<float>(tilt, frame), walker.lean) << frame;
    }
    for (const int fps : {24, 30, 50, 60}) {
      Playing other(walker.preset, fps);
      EXPECT_EQ(other.at<Vec3>(centre, 4 * fps), end) << fps;
    }
  }
}

TEST(DffdPresets, FeetStandOnTheGround) {
  for (const Walker& walker : walkers) {
    Playing play(walker.preset);
    for (int frame = 5; frame <= 95; frame += 3) {
      EXPECT_GT(play.lowest(std::string(walker.body) + ".mesh", frame), -0.002f)
          << walker.preset << " " << walker.body << " " << frame;
    }
  }
}

TEST(DffdPresets, TheTableStandsOnItsCliffUntilItJumps) {
  Playing play("table_cliff");
  const float top = kernels::bounding_box(play.at<Mesh>("rock_at.mesh", 0).positions).max().y();
  for (int frame = 0; frame <= 12; ++frame) {
    EXPECT_NEAR(play.lowest("jump.mesh", frame), top, 0.002f) << frame;
  }
  // Then it leaves the ground, goes over to its own motion without a jump, and lands below.
  EXPECT_GT(play.lowest("jump.mesh", 17), top + 0.05f);
  for (int frame = 2; frame <= 24; ++frame) {
    const Vec3f a = to_eigen(play.at<Vec3>("jump.centre", frame - 2));
    const Vec3f b = to_eigen(play.at<Vec3>("jump.centre", frame - 1));
    const Vec3f c = to_eigen(play.at<Vec3>("jump.centre", frame));
    EXPECT_LT((a - 2 * b + c).norm() * 25 * 25, 45) << frame;
  }
  EXPECT_LT(play.lowest("jump.mesh", 80), 0.02f);
  EXPECT_GT(play.lowest("jump.mesh", 80), -0.02f);
}

}  // namespace
}  // namespace sinew
