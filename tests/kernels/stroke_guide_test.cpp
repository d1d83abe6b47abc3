#include "nodes/kernels/stroke_guide.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "nodes/kernels/gradient.h"
#include "nodes/kernels/tet_measure.h"
#include "tests/kernels/shapes.h"
#include "tests/kernels/solids.h"

namespace sinew::kernels {
namespace {

Stroke brush(std::vector<Vec3f> points) {
  Stroke stroke;
  stroke.points = std::move(points);
  return stroke;
}

// Four arcs of a ring round the y axis, all drawn the same way round.
Strokes four_arcs(float radius, float height) {
  Strokes strokes;
  for (int k = 0; k < 4; ++k) {
    std::vector<Vec3f> points;
    for (int i = 0; i < 7; ++i) {
      const float a = std::numbers::pi_v<float> * (0.5f * static_cast<float>(k) + 0.25f) +
                      0.17f * static_cast<float>(i - 3);
      points.emplace_back(radius * std::cos(a), height, radius * std::sin(a));
    }
    strokes.strokes.push_back(brush(std::move(points)));
  }
  return strokes;
}

TEST(StrokeGuide, OnlyBrushesHaveADirectionAndErasersTakeItBack) {
  Strokes strokes;
  strokes.strokes = {brush({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}), brush({{5, 5, 5}}), brush({})};
  Stroke region = brush({{0, 0, 0}, {0, 1, 0}});
  region.tool = StrokeTool::region;
  strokes.strokes.push_back(region);
  EXPECT_EQ(stroke_tangents(strokes).size(), 3u);
  Stroke eraser = brush({{1.9f, -1, 0}, {1.9f, 1, 0}});
  eraser.tool = StrokeTool::erase;
  eraser.radius = 0.5f;
  strokes.strokes.push_back(eraser);
  EXPECT_EQ(stroke_tangents(strokes).size(), 2u);
  strokes.strokes.push_back(brush({{2, 0, 0}, {2, 0, 1}}));  // drawn after the eraser
  const StrokeTangents left = stroke_tangents(strokes);
  ASSERT_EQ(left.size(), 4u);
  EXPECT_EQ(left.tangents[0], Vec3f(1, 0, 0));
  EXPECT_EQ(left.tangents[3], Vec3f(0, 0, 1));
}

TEST(StrokeGuide, NothingDrawnGuidesNowhere) {
  const RbfField none = solve_strokes({}, FollowStrokes::lines);
  EXPECT_EQ(none.columns, 0u);
  const std::vector<Vec3f> points(3, Vec3f(1, 2, 3));
  EXPECT_TRUE(guide_at(none, points).arrows.empty());
}

// The tangents of a circle are linear in space, and linear functions come out exactly: four strokes
// fix the directions of the whole bell. Turned round, one of them spoils the arrows but no line.
TEST(StrokeGuide, FourStrokesGiveABellItsDirections) {
  const TetMesh solid = test::bell(0.35f, 0.5f, 16, 3);
  const std::vector<float> layer =
      test::sampled(solid.positions, [](const Vec3f& p) { return (0.5 - p.norm()) / 0.15; });
  const std::vector<Vec3f> gradient = field_gradient(solid, layer);
  const Rows near = tet_vertex_neighbours(solid.tets(), solid.vertex_count());
  const auto share_round = [&](const Strokes& strokes, FollowStrokes follow) {
    const RbfField rbf = solve_strokes(stroke_tangents(strokes), follow);
    const FrameField made = build_frames(gradient, guide_at(rbf, solid.positions), near);
    double good = 0, counted = 0;
    for (std::size_t v = 0; v < solid.vertex_count(); ++v) {
      const Vec3f& p = solid.positions[v];
      const Vec3f round(-p.z(), 0, p.x());
      if (round.norm() < 1e-3f) continue;
      ++counted;
      good += made.frames.primary[v].dot(round.normalized()) > 0.985f;  // 10 degrees
    }
    return good / counted;
  };
  Strokes strokes = four_arcs(0.45f, 0.1f);
  EXPECT_GT(share_round(strokes, FollowStrokes::arrows), 0.999);
  EXPECT_GT(share_round(strokes, FollowStrokes::lines), 0.98);
  std::reverse(strokes.strokes[1].points.begin(), strokes.strokes[1].points.end());
  EXPECT_LT(share_round(strokes, FollowStrokes::arrows), 0.9);
  EXPECT_GT(share_round(strokes, FollowStrokes::lines), 0.98);
}

}  // namespace
}  // namespace sinew::kernels
