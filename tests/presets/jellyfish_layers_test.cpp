// The jellyfish of [Ijiri09], figure 3: layers painted from outside to inside and four strokes give
// directions round the bell, through its wall, and from top to rim.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "graph/compiled_graph.h"
#include "graph/document.h"
#include "graph/evaluator.h"
#include "nodes/register_all_nodes.h"
#include "nodes/values.h"

namespace sinew {
namespace {

class JellyfishLayers : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    register_all_nodes(registry_);
    const std::filesystem::path path =
        std::filesystem::path(SINEW_SOURCE_DIR) / "presets/studies/jellyfish_layers.json";
    const Result<GraphDoc> doc = load_document(path, registry_);
    ASSERT_TRUE(doc) << doc.error();
    graph_ = CompiledGraph::compile(*doc, registry_);
  }
  template <class T>
  static T get(const char* output) {
    const Result<Target> target = graph_->find_output(output);
    if (!target) throw std::runtime_error(target.error());
    const Target targets[] = {*target};
    const Evaluation e = evaluator().evaluate(*graph_, targets, Context());
    for (const NodeMessage& m : e.messages(*graph_))
      ADD_FAILURE() << m.path << ": " << m.message.text;
    return e.targets[0].value.as<T>();
  }

  inline static Registry registry_;
  inline static GraphPtr graph_;
  // One for all tests, so that the solid is made once.
  static Evaluator& evaluator() {
    static Evaluator shared;
    return shared;
  }
};

// The directions of a bell about the y axis.
Vec3f round_the_bell(const Vec3f& p) { return Vec3f(p.z(), 0, -p.x()).normalized(); }

TEST_F(JellyfishLayers, PrimaryDirectionsGoRoundTheBellTheSameWay) {
  const TetMesh solid = get<TetMesh>("solid.solid");
  const Frames frames = get<Frames>("frames.frames");
  ASSERT_EQ(frames.size(), solid.vertex_count());
  ASSERT_GT(solid.vertex_count(), 500u);
  const float within = std::cos(10 * 3.14159265f / 180);
  std::size_t counted = 0, good = 0, same_sense = 0;
  for (std::size_t v = 0; v < frames.size(); ++v) {
    const Vec3f& p = solid.positions[v];
    if (std::hypot(p.x(), p.z()) < 1e-4f) continue;  // on the axis nothing is round it
    const float along = frames.primary[v].dot(round_the_bell(p));
    ++counted;
    good += std::abs(along) > within;
    same_sense += along > 0;
  }
  EXPECT_GT(static_cast<double>(good), 0.98 * static_cast<double>(counted))
      << good << " of " << counted;
  // Four strokes that were drawn the same way round.
  EXPECT_GT(std::max(same_sense, counted - same_sense), counted * 99 / 100);
  EXPECT_LT(get<int>("frames.degenerate"), static_cast<int>(counted / 100 + 1));
}

TEST_F(JellyfishLayers, SecondaryDirectionsGoThroughTheWallAndTertiaryFromTopToRim) {
  const TetMesh solid = get<TetMesh>("solid.solid");
  const Frames frames = get<Frames>("frames.frames");
  std::size_t counted = 0, inwards = 0, from_top_to_rim = 0;
  for (std::size_t v = 0; v < frames.size(); ++v) {
    const Vec3f& p = solid.positions[v];
    const float r = std::hypot(p.x(), p.z());
    if (p.y() < 0.03f || r < 0.01f) continue;  // the upper part, where the bell is a plain shell
    ++counted;
    inwards += frames.secondary[v].dot(p.normalized()) < -0.8f;
    const Vec3f down = Vec3f(p.x() * p.y(), -r * r, p.z() * p.y()).normalized();
    from_top_to_rim += std::abs(frames.tertiary[v].dot(down)) > 0.8f;
  }
  ASSERT_GT(counted, 200u);
  EXPECT_GT(inwards, counted * 98 / 100) << counted;
  EXPECT_GT(from_top_to_rim, counted * 98 / 100) << counted;
}

TEST_F(JellyfishLayers, TheLayerGrowsFromOutsideToInside) {
  const TetMesh solid = get<TetMesh>("solid.solid");
  const Field layer = get<Field>("layer.field");
  ASSERT_EQ(layer.size(), solid.vertex_count());
  double outside = 0, inside = 1;
  std::size_t outer = 0, inner = 0;
  for (std::size_t v = 0; v < layer.size(); ++v) {
    // On the axis the wall goes from 0.087 to 0.135.
    const Vec3f& p = solid.positions[v];
    if (std::hypot(p.x(), p.z()) > 0.03f) continue;
    if (p.y() > 0.13f) outside = std::max<double>(outside, layer.at(v)), ++outer;
    if (p.y() < 0.09f) inside = std::min<double>(inside, layer.at(v)), ++inner;
  }
  EXPECT_GT(outer, 3u);
  EXPECT_GT(inner, 3u);
  EXPECT_LT(outside, 0.25);
  EXPECT_GT(inside, 0.75);
  const Mesh cut = get<Mesh>("cut_layers.mesh");
  EXPECT_EQ(get<Field>("cut_layers.field").size(), cut.vertex_count());
  for (const Vec3f& p : cut.positions) EXPECT_LT(p.z(), 1e-5f);
}

}  // namespace
}  // namespace sinew
