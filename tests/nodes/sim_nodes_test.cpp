#include "nodes/kernels/adjacency.h"
#include "nodes/kernels/measure.h"
#include "nodes/kernels/tube.h"
#include "tests/nodes/harness.h"

namespace sinew::testing {
namespace {

Json swing() {
  return Json::parse(R"({"animate": [
    {"points": [[0, 0], [0.5, 0.6], [1, 0]], "extension": "cyclic"}, 1, 0]})");
}

TestGraph chain() {
  TestGraph g;
  g.node("chain", "sim.chain", {{"count", 12}, {"anchor", swing()}});
  return g;
}

TEST(Chain, ComesToRestHangingDown) {
  TestGraph g;
  g.node("chain", "sim.chain",
         {{"count", 10}, {"drag", 3}, {"stiffness", 20000}, {"anchor", {0.5, 2, 0}}});
  const Vec3 start = g.get<Vec3>("chain.tip", 0);
  EXPECT_NEAR(start.x, 1.5f, 1e-4f);
  EXPECT_NEAR(start.y, 2, 1e-4f);
  const Vec3 tip = g.get<Vec3>("chain.tip", 250);
  EXPECT_NEAR(tip.x, 0.5f, 0.02f);
  EXPECT_NEAR(tip.z, 0, 1e-4f);
  EXPECT_LT(tip.y, 1.01f);
  EXPECT_GT(tip.y, 0.9f);
  const Field speed = g.get<Field>("chain.speed", 250);
  for (const float v : speed.values()) EXPECT_LT(v, 0.05f);
}

TEST(Chain, TheTubeIsClosedAndItsFieldsFit) {
  TestGraph g = chain();
  for (const int frame : {0, 13, 40}) {
    const Mesh mesh = g.get<Mesh>("chain.mesh", frame);
    EXPECT_EQ(mesh.vertex_count(), 13u * 10 + 2);
    EXPECT_TRUE(kernels::inspect_topology(mesh.triangles(), mesh.vertex_count()).watertight());
    EXPECT_GT(kernels::measure_surface(mesh).signed_volume, 0);
    EXPECT_TRUE(g.get<Field>("chain.speed", frame).fits(Domain::vertex, mesh.vertex_count()));
    EXPECT_TRUE(g.get<Field>("chain.stretch", frame).fits(Domain::vertex, mesh.vertex_count()));
  }
}

TEST(Chain, ScrubbingGivesTheBitsOfPlaying) {
  TestGraph played = chain(), scrubbed = chain();
  std::vector<Mesh> frames;
  for (int frame = 0; frame <= 60; ++frame) frames.push_back(played.get<Mesh>("chain.mesh", frame));
  EXPECT_FALSE(frames[0] == frames[60]);
  for (const int frame : {37, 60, 3, 59, 0, 21, 22, 20, 60}) {
    EXPECT_TRUE(scrubbed.get<Mesh>("chain.mesh", frame) == frames[frame]) << frame;
  }
}

TEST(Chain, SurvivesTheWildestSettings) {
  TestGraph g;
  g.node("chain", "sim.chain",
         {{"count", 200},
          {"length", 0.01},
          {"mass", 1000},
          {"stiffness", 1e7},
          {"substeps", 1},
          {"gravity", {100, 100, 100}},
          {"anchor", Json::parse(R"({"animate": [{"points": [[0, -1000], [1, 1000]],
             "interpolation": "stepped", "extension": "cyclic", "period": 2, "x_unit": "frames"},
             0, 0]})")}});
  for (const int frame : {1, 2, 30}) EXPECT_EQ(g.run("chain.mesh", frame).errors, "") << frame;
}

// A tube through points in space: closed, as thick as asked for, without twist or flat rings.
TEST(Tube, FollowsAHelixAtItsRadius) {
  std::vector<Vec3f> points;
  for (int i = 0; i <= 200; ++i) {
    const float t = 0.1f * static_cast<float>(i);
    points.emplace_back(std::cos(t), 0.1f * t, std::sin(t));
  }
  const Mesh tube = kernels::make_tube(points, {.radius = 0.05f, .segments = 12});
  ASSERT_EQ(tube.vertex_count(), 201u * 12 + 2);
  for (size_t i = 0; i < points.size(); ++i) {
    for (size_t k = 0; k < 12; ++k) {
      EXPECT_NEAR((tube.positions[12 * i + k] - points[i]).norm(), 0.05f, 1e-6f);
    }
    if (i == 0) continue;
    // Vertices with one number stay on one side: a ring turns no more than the line bends.
    const Vec3f a = tube.positions[12 * i] - points[i];
    const Vec3f b = tube.positions[12 * (i - 1)] - points[i - 1];
    EXPECT_GT(a.dot(b) / (0.05f * 0.05f), 0.99f) << i;
  }
  const double length = std::sqrt(1 + 0.01) * 20;
  EXPECT_NEAR(kernels::measure_surface(tube).signed_volume, 3 * 0.05 * 0.05 * length, 1e-3);
}

TEST(Tube, CoincidingPointsAreNoHarm) {
  const std::vector<Vec3f> same(5, Vec3f(1, 2, 3));
  EXPECT_FALSE(validate(kernels::make_tube(same, {})).has_value());
  const std::vector<Vec3f> back = {{0, 0, 0}, {0, 1, 0}, {0, 0, 0}, {0, 1, 0}};
  EXPECT_FALSE(validate(kernels::make_tube(back, {})).has_value());
  EXPECT_TRUE(kernels::make_tube({}, {}).empty());
}

}  // namespace
}  // namespace sinew::testing
