#include "nodes/kernels/stroke_guide.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

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

constexpr double body_size = 3;  // metres, of the body that is drawn on

TEST(StrokeGuide, OnlyBrushesHaveADirectionAndErasersTakeItBack) {
  Strokes strokes;
  strokes.strokes = {brush({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}), brush({{5, 5, 5}}), brush({})};
  Stroke region = brush({{0, 0, 0}, {0, 1, 0}});
  region.tool = StrokeTool::region;
  strokes.strokes.push_back(region);
  EXPECT_EQ(stroke_tangents(strokes, body_size).size(), 3u);
  Stroke eraser = brush({{1.9f, -1, 0}, {1.9f, 1, 0}});
  eraser.tool = StrokeTool::erase;
  eraser.radius = 0.5f;
  strokes.strokes.push_back(eraser);
  EXPECT_EQ(stroke_tangents(strokes, body_size).size(), 2u);
  strokes.strokes.push_back(brush({{2, 0, 0}, {2, 0, 1}}));  // drawn after the eraser
  const StrokeTangents left = stroke_tangents(strokes, body_size);
  ASSERT_EQ(left.size(), 4u);
  EXPECT_EQ(left.tangents[0], Vec3f(1, 0, 0));
  EXPECT_EQ(left.tangents[3], Vec3f(0, 0, 1));
  EXPECT_EQ(left.stroke, (std::vector<uint32_t>{0, 0, 5, 5}));
}

TEST(StrokeGuide, NothingDrawnGuidesNowhere) {
  const StrokeField none = solve_strokes({}, FollowStrokes::lines);
  EXPECT_EQ(none.rbf.columns, 0u);
  const std::vector<Vec3f> points(3, Vec3f(1, 2, 3));
  EXPECT_TRUE(guide_at(none.rbf, points).arrows.empty());
}

TEST(StrokeGuide, TangentsOfACircleAreItsOwn) {
  std::vector<Vec3f> circle;
  for (int i = 0; i < 40; ++i) {
    const float a = 2 * std::numbers::pi_v<float> * static_cast<float>(i) / 40;
    circle.emplace_back(std::cos(a), 0.5f, std::sin(a));
  }
  for (const bool closed : {false, true}) {
    if (closed) circle.push_back(circle[0]);
    const StrokeTangents t = stroke_tangents({{}, {brush(circle)}}, body_size);
    ASSERT_EQ(t.size(), 40u);
    for (std::size_t i = 0; i < t.size(); ++i) {
      if (!closed && (i == 0 || i == 39)) continue;  // half a stretch to one side
      const Vec3f round(-t.points[i].z(), 0, t.points[i].x());
      EXPECT_LT((t.tangents[i] - round).norm(), 1e-3f) << i;
    }
    if (!closed) {
      EXPECT_LT((t.tangents[0] - (circle[1] - circle[0]).normalized()).norm(), 1e-6f);
      EXPECT_LT((t.tangents[39] - (circle[39] - circle[38]).normalized()).norm(), 1e-6f);
    }
  }
}

TEST(StrokeGuide, RepeatedPointsAndSinglePointsAreNoTrouble) {
  const Vec3f a(0, 0, 0), b(1, 0, 0);
  EXPECT_EQ(stroke_tangents({{}, {brush({a, a, a})}}, body_size).size(), 0u);
  const StrokeTangents doubled = stroke_tangents({{}, {brush({a, a, b, b, b})}}, body_size);
  ASSERT_EQ(doubled.size(), 2u);
  for (const Vec3f& t : doubled.tangents) EXPECT_LT((t - b).norm(), 1e-6f);
  const StrokeTangents back = stroke_tangents({{}, {brush({a, b, a})}}, body_size);
  for (const Vec3f& t : back.tangents) EXPECT_NEAR(t.norm(), 1, 1e-6f);
  EXPECT_EQ(stroke_tangents({{}, {brush({a, b})}}, 0).size(), 0u);  // a body without extent
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
    const StrokeField drawn = solve_strokes(stroke_tangents(strokes, 1.2), follow);
    const FrameField made = build_frames(gradient, guide_at(drawn.rbf, solid.positions), near);
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

// A ring as a hand draws it on a bell of the radius 0.5: it wavers, and it ends somewhere near its
// beginning.
struct HandRing {
  const char* name;
  int points;
  double gap;    // metres from the last point to the first, along the ring; negative: overlaps
  double waver;  // metres
  double aside;  // metres, of the last point
};

std::vector<Vec3f> drawn_by_hand(const HandRing& ring, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  const double radius = std::sqrt(0.25 - 0.0625), round = 2 * std::numbers::pi - ring.gap / radius;
  std::vector<Vec3f> points;
  for (int i = 0; i < ring.points; ++i) {
    const double a = round * i / (ring.points - 1);
    double height = 0.25 + ring.waver * normal(random);
    if (i + 1 == ring.points) height = points[0].y() + ring.aside;
    const double r = std::sqrt(0.25 - height * height);
    points.push_back(Vec3d(r * std::cos(a), height, r * std::sin(a)).cast<float>());
  }
  return points;
}

// Before, a point beside its neighbour made the field swing by many times its length: fibres lay
// straight through the bell.
TEST(StrokeGuide, ARingDrawnByHandGoesRound) {
  const HandRing rings[] = {
      {"ends meet to 1 mm", 49, 1e-3, 0, 0},      {"and 1 mm aside", 49, 1e-3, 0, 1e-3},
      {"wavers by 1 mm", 49, 1e-3, 1e-3, 0},      {"wavers by 3 mm", 49, 1e-3, 3e-3, 0},
      {"the ends are one", 49, 0, 1e-3, 0},       {"overlaps by 2 cm", 49, -0.02, 2e-3, 2e-3},
      {"overlaps by 30 cm", 60, -0.3, 2e-3, 0},   {"has a gap of 5 cm", 49, 0.05, 2e-3, 1e-3},
      {"many points", 400, 1e-3, 5e-4, 0},        {"few points", 16, 1e-3, 3e-3, 0},
      {"flat but for its end", 49, 0.01, 0, 3e-3}};
  const TetMesh solid = test::bell(0.35f, 0.5f, 16, 3);
  const std::vector<float> layer =
      test::sampled(solid.positions, [](const Vec3f& p) { return (0.5 - p.norm()) / 0.15; });
  const std::vector<Vec3f> gradient = field_gradient(solid, layer);
  const Rows near = tet_vertex_neighbours(solid.tets(), solid.vertex_count());
  for (const HandRing& ring : rings) {
    for (unsigned seed = 0; seed < 4; ++seed) {
      for (const FollowStrokes follow : {FollowStrokes::arrows, FollowStrokes::lines}) {
        const Strokes strokes = {{}, {brush(drawn_by_hand(ring, seed))}};
        const StrokeField drawn = solve_strokes(stroke_tangents(strokes, 1.5), follow);
        EXPECT_EQ(drawn.missed, 0u) << ring.name;
        const FrameField made = build_frames(gradient, guide_at(drawn.rbf, solid.positions), near);
        double good = 0, counted = 0;
        for (std::size_t v = 0; v < solid.vertex_count(); ++v) {
          const Vec3f& p = solid.positions[v];
          const Vec3f round = Vec3f(-p.z(), 0, p.x());
          if (round.norm() < 0.1f) continue;  // about the axis there is no round
          ++counted;
          good += std::abs(made.frames.primary[v].dot(round.normalized())) > 0.966f;  // 15 degrees
        }
        EXPECT_GT(good / counted, 0.99)
            << ring.name << ", seed " << seed << (follow == FollowStrokes::lines ? ", lines" : "");
      }
    }
  }
}

// Strokes that go different ways at one place cannot both be followed, which is said; and what is
// near them stays as long as they are.
TEST(StrokeGuide, StrokesThatContradictAreCountedAndStayBounded) {
  const auto line = [](const Vec3f& from, const Vec3f& to) {
    std::vector<Vec3f> points;
    for (int i = 0; i <= 40; ++i)
      points.push_back(from + (to - from) * (0.025f * static_cast<float>(i)));
    return brush(std::move(points));
  };
  const Stroke along = line({-1, 0, 0}, {1, 0, 0});
  const Stroke back = line({1, 0.002f, 0}, {-1, 0.001f, 0.001f});
  const Stroke crossing = line({0.01f, -1, 0}, {0, 1, 0});
  const Stroke beside = line({-1, 0.002f, 0}, {1, 0.001f, 0.001f});
  const std::vector<Vec3f> everywhere = test::random_points(500, 5, 1);
  const auto solved = [&](const std::vector<Stroke>& strokes, FollowStrokes follow) {
    return solve_strokes(stroke_tangents({{}, strokes}, body_size), follow);
  };
  for (const Stroke& other : {back, crossing, beside}) {
    const StrokeField field = solved({along, other}, FollowStrokes::arrows);
    for (const Vec3f& t : guide_at(field.rbf, everywhere).arrows) EXPECT_LT(t.norm(), 2.5f);
  }
  const StrokeField both_ways = solved({along, back}, FollowStrokes::arrows);
  EXPECT_GT(2.2 * static_cast<double>(both_ways.missed), static_cast<double>(both_ways.places));
  EXPECT_EQ(solved({along, back}, FollowStrokes::lines).missed, 0u);
  EXPECT_EQ(solved({along, beside}, FollowStrokes::arrows).missed, 0u);
  EXPECT_LT(solved({along, crossing}, FollowStrokes::arrows).missed, 8u);
}

}  // namespace
}  // namespace sinew::kernels
