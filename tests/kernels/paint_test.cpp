#include "nodes/kernels/paint.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "nodes/kernels/rbf.h"
#include "tests/kernels/shapes.h"

namespace sinew::kernels {
namespace {

Stroke brush(std::vector<Vec3f> points, float radius, float value,
             StrokeFalloff falloff = StrokeFalloff::flat) {
  Stroke s;
  s.points = std::move(points);
  s.radius = radius;
  s.value = value;
  s.falloff = falloff;
  return s;
}

Stroke with_tool(Stroke s, StrokeTool tool) {
  s.tool = tool;
  return s;
}

Stroke on_cut(Stroke s, const Vec3f& point, const Vec3f& normal) {
  s.on = StrokePlace::cut;
  s.plane_point = point;
  s.plane_normal = normal;
  return s;
}

RbfField solved(const PaintConstraints& c) {
  RbfOptions options;
  options.softness = c.softness;
  return solve_rbf(c.points, c.values, 1, options);
}

RbfField paint(const Mesh& mesh, const Strokes& strokes, const PaintOptions& options = {}) {
  return solved(paint_constraints(PaintSurface(mesh), strokes, options));
}

struct Shape {
  std::string name;
  Mesh coarse, fine;  // the same with four times the triangles
};

std::vector<Shape> shapes() {
  return {{"sphere", make_icosphere({1, 12}), make_icosphere({1, 24})},
          {"torus", make_torus({1, 0.4f, 48, 24}), make_torus({1, 0.4f, 96, 48})},
          {"cylinder", make_cylinder({0.5f, 0.5f, 2, 32, 12, 4, true}),
           make_cylinder({0.5f, 0.5f, 2, 64, 24, 8, true})},
          {"box", make_box({{1, 2, 1.5f}, {8, 16, 12}}), make_box({{1, 2, 1.5f}, {16, 32, 24}})}};
}

// Compares the fields of both at the vertices of the coarse one.
double difference(const Shape& shape, const Strokes& strokes) {
  const auto values = [&](const Mesh& mesh) {
    std::vector<double> out(shape.coarse.vertex_count());
    evaluate(paint(mesh, strokes), shape.coarse.positions, std::span<double>(out));
    return out;
  };
  const std::vector<double> a = values(shape.coarse), b = values(shape.fine);
  const auto [low, high] = std::minmax_element(b.begin(), b.end());
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst / (*high - *low);
}

TEST(Paint, DoesNotDependOnTheResolution) {
  for (const Shape& shape : shapes()) {
    Eigen::AlignedBox3f box;
    for (const Vec3f& p : shape.coarse.positions) box.extend(p);
    const Vec3f h = 0.5f * box.sizes();
    const std::vector<Vec3f> line = {{-0.5f * h[0], 0, h[2]}, {0.5f * h[0], 0.3f * h[1], h[2]}};
    const Vec3f top(shape.name == "torus" ? 1 : 0, h[1], 0);
    Stroke fill = with_tool(brush({top}, 0, 1), StrokeTool::region);
    fill.angle = 40;
    const Strokes one = {{}, {brush(line, 0.3f, 1, StrokeFalloff::smooth)}};
    const Strokes flat = {{}, {brush(line, 0.12f, 1), brush({{0, 0, -h[2]}}, 0.15f, -1)}};
    const Strokes region = {{}, {fill, brush(line, 0.1f, 0)}};
    EXPECT_LE(difference(shape, one), 0.01) << shape.name << ", a soft stroke";
    EXPECT_LE(difference(shape, flat), 0.01) << shape.name << ", two flat strokes";
    EXPECT_LE(difference(shape, region), 0.02) << shape.name << ", a region and a stroke";
  }
}

TEST(Paint, TheSameStrokeWorksOnAnotherMesh) {
  const Strokes strokes = {{}, {brush({{-0.3f, 0, 1}, {0.3f, 0, 1}}, 0.15f, 1)}};
  for (const Shape& shape : shapes()) {
    const PaintConstraints c = paint_constraints(PaintSurface(shape.coarse), strokes);
    EXPECT_EQ(c.outcomes[0].touches, shape.name != "cylinder") << shape.name;
    for (std::size_t i = 0; i < c.points.size(); ++i) {
      const auto found = SurfaceTree(shape.coarse).closest(c.points[i].cast<double>());
      ASSERT_LE(std::sqrt(found->distance2), 0.01) << shape.name;  // a sagitta
      if (i > 20) break;
    }
  }
}

TEST(Paint, ARegionStopsAtEdges) {
  const Mesh box = make_box({{1, 1, 1}, {6, 6, 6}});
  Strokes strokes = {{}, {with_tool(brush({{0, 0.5f, 0}}, 0, 1), StrokeTool::region)}};
  PaintOptions alone;
  alone.surround = false;
  const PaintConstraints top = paint_constraints(PaintSurface(box), strokes, alone);
  EXPECT_GT(top.points.size(), 100u);
  for (const Vec3f& p : top.points) EXPECT_NEAR(p[1], 0.5f, 1e-5f);
  Eigen::AlignedBox3f covered;
  for (const Vec3f& p : top.points) covered.extend(p);
  // The whole face, up to the distance of the places (1/24 of the diagonal) from its edges.
  EXPECT_GT(covered.sizes()[0], 0.85f);
  EXPECT_GT(covered.sizes()[2], 0.85f);
  strokes.strokes[0].angle = 180;  // around all edges
  covered.setEmpty();
  for (const Vec3f& p : paint_constraints(PaintSurface(box), strokes, alone).points)
    covered.extend(p);
  EXPECT_GT(covered.sizes().minCoeff(), 0.95f);
}

TEST(Paint, AFaceIsOnePolygon) {
  const Mesh box = make_box({{1, 1, 1}, {2, 2, 2}});
  PaintOptions alone;
  alone.surround = false;
  const Strokes strokes = {{}, {with_tool(brush({{0.25f, 0.5f, 0.25f}}, 0, 1), StrokeTool::face)}};
  const PaintConstraints c = paint_constraints(PaintSurface(box), strokes, alone);
  ASSERT_GE(c.points.size(), 1u);
  for (const Vec3f& p : c.points) {
    EXPECT_NEAR(p[1], 0.5f, 1e-6f);
    EXPECT_GE(p[0], 0);
    EXPECT_GE(p[2], 0);
  }
}

// Values at the corners of faces that are painted one after the other, in any order and however
// close: where two share a corner the later one counts, and everything else is met.
TEST(Paint, EveryFaceGetsItsValue) {
  for (const Shape& shape : shapes()) {
    for (const Mesh* mesh : {&shape.coarse, &shape.fine}) {
      const PaintSurface surface(*mesh);
      std::mt19937 random(11);
      for (const bool surround : {false, true}) {
        Strokes strokes;
        std::vector<uint32_t> painted;
        std::vector<double> expected(mesh->vertex_count(), std::nan(""));
        // Some anywhere, some beside the one before.
        uint32_t face = 0;
        for (int i = 0; i < 26; ++i) {
          face = (i % 2 ? face + 1 : static_cast<uint32_t>(random())) %
                 static_cast<uint32_t>(mesh->triangles().size());
          const Triangle& t = mesh->triangles()[face];
          const Vec3f middle =
              (mesh->positions[t[0]] + mesh->positions[t[1]] + mesh->positions[t[2]]) / 3;
          const float value = static_cast<float>(i) / 25;
          strokes.strokes.push_back(with_tool(brush({middle}, 0, value), StrokeTool::face));
          const auto polygon = [&](std::size_t k) {
            const auto& of = mesh->topology->polygon_of_triangle;
            return of.empty() ? static_cast<uint32_t>(k) : of[k];
          };
          for (std::size_t k = 0; k < mesh->triangles().size(); ++k) {
            if (polygon(k) != polygon(face)) continue;
            for (const uint32_t v : mesh->triangles()[k]) expected[v] = value;
          }
        }
        PaintOptions options;
        options.surround = surround;
        const RbfField field = solved(paint_constraints(surface, strokes, options));
        std::vector<double> got(mesh->vertex_count());
        evaluate(field, mesh->positions, std::span<double>(got));
        for (std::size_t v = 0; v < got.size(); ++v) {
          if (std::isnan(expected[v])) continue;
          ASSERT_NEAR(got[v], expected[v], 1e-5) << shape.name;
        }
      }
    }
  }
}

TEST(Paint, OnACutItStaysInsideAndInThePlane) {
  const Mesh ball = make_icosphere({1, 8});
  const PaintSurface surface(ball);
  PaintOptions alone;
  alone.surround = false;
  const Stroke line = brush({{-2, 0.2f, 0.3f}, {2, 0.2f, 0.3f}}, 0.1f, 1);
  for (const StrokeTool tool : {StrokeTool::brush, StrokeTool::region, StrokeTool::face}) {
    Stroke s = with_tool(line, tool);
    if (tool != StrokeTool::brush) s.points = {{0.1f, 0.2f, 0.3f}};
    const Strokes strokes = {{}, {on_cut(s, {0, 0.2f, 0}, {0, 1, 0})}};
    const PaintConstraints c = paint_constraints(surface, strokes, alone);
    EXPECT_TRUE(c.outcomes[0].touches);
    EXPECT_GT(c.points.size(), 5u);
    for (const Vec3f& p : c.points) {
      EXPECT_NEAR(p[1], 0.2f, 1e-5f);
      EXPECT_LT(p.norm(), 1.0f);
    }
  }
  const Strokes missed = {{}, {on_cut(line, {0, 3, 0}, {0, 1, 0})}};
  const PaintConstraints none = paint_constraints(surface, missed, alone);
  EXPECT_FALSE(none.outcomes[0].touches);
  EXPECT_NEAR(none.outcomes[0].distance, 2, 0.1);
  EXPECT_TRUE(none.points.empty());
}

TEST(Paint, ErasingTakesBackAndLaterStrokesPaintOver) {
  const PaintSurface ball(make_icosphere({1, 10}));
  const Stroke first = brush({{-0.5f, 0, 0.9f}, {0.5f, 0, 0.9f}}, 0.2f, 1);
  PaintOptions alone;
  alone.surround = false;
  Stroke rubber = with_tool(first, StrokeTool::erase);
  rubber.radius = 0.5f;
  EXPECT_TRUE(paint_constraints(ball, {{}, {first, rubber}}, alone).points.empty());
  EXPECT_FALSE(paint_constraints(ball, {{}, {rubber, first}}, alone).points.empty());
  Stroke second = first;
  second.value = 0.25f;
  for (const double v : paint_constraints(ball, {{}, {first, second}}, alone).values) {
    EXPECT_EQ(v, 0.25);
  }
}

TEST(Paint, AFalloffGoesFromTheValueToTheBackground) {
  const PaintSurface ball(make_icosphere({1, 10}));
  PaintOptions options;
  options.background = -1;
  const PaintConstraints c =
      paint_constraints(ball, {{}, {brush({{0, 0, 1}}, 0.4f, 1, StrokeFalloff::linear)}}, options);
  const RbfField field = solved(c);
  EXPECT_NEAR(evaluate_at(field, {0, 0, 1}), 1, 1e-6);
  EXPECT_NEAR(evaluate_at(field, Vec3f(0.4f, 0, 1).normalized()), -1, 0.15);
  EXPECT_NEAR(evaluate_at(field, {0, 0, -1}), -1, 0.02);
  EXPECT_LT(field.report.residual, 1e-8);
}

// Interpolation alone swings over beyond a steep rim.
TEST(Paint, ASoftBrushDoesNotSwingOver) {
  const Mesh rod = make_capsule({.radius = 0.05f, .height = 0.9f, .height_segments = 40});
  Stroke right = brush({{0.05f, -0.4f, 0}, {0.05f, 0.4f, 0}}, 0.03f, 1);
  right.falloff = StrokeFalloff::smooth;
  Stroke left = right;
  left.value = -1;
  for (Vec3f& p : left.points) p.x() = -p.x();
  const RbfField field = paint(rod, Strokes{StrokeSpace::rest, {right, left}});
  std::vector<double> values(rod.vertex_count());
  evaluate(field, rod.positions, std::span<double>(values));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Vec3f& p = rod.positions[i];
    if (std::abs(p.x()) < 0.01f) continue;
    EXPECT_GT(p.x() > 0 ? values[i] : -values[i], -0.1) << p.transpose();
  }
}

TEST(Paint, ErasingInTheMiddleOfPaintGivesTheBackgroundBack) {
  const Mesh ball = make_icosphere({1, 16});
  Strokes strokes;
  strokes.strokes = {brush({{-0.6f, 0, 1}, {0.6f, 0, 1}}, 0.15f, 1)};
  EXPECT_NEAR(evaluate_at(paint(ball, strokes), {0, 0, 1}), 1, 0.05);
  strokes.strokes.push_back(with_tool(brush({{0, 0, 1}}, 0.2f, 1), StrokeTool::erase));
  EXPECT_NEAR(evaluate_at(paint(ball, strokes), {0, 0, 1}), 0, 0.05);
}

TEST(Paint, TheNumberOfPlacesIsBounded) {
  const PaintSurface ball(make_icosphere({1, 10}));
  Strokes strokes;
  for (int i = 0; i < 60; ++i) {
    const float a = 0.7f * static_cast<float>(i), z = -0.95f + 0.03f * static_cast<float>(i);
    const float r = std::sqrt(1 - z * z);
    strokes.strokes.push_back(brush(
        {{r * std::cos(a), z, r * std::sin(a)}, {r * std::cos(a + 2), z, r * std::sin(a + 2)}},
        0.05f, static_cast<float>(i % 2)));
  }
  PaintOptions options;
  options.surround = false;
  options.max_constraints = 200;
  const PaintConstraints c = paint_constraints(ball, strokes, options);
  EXPECT_GT(c.before_thinning, 200u);
  EXPECT_LE(c.points.size(), 200u);
  EXPECT_GT(c.points.size(), 80u);
}

TEST(Paint, EmptyAndFlatBodies) {
  const Strokes strokes = {{}, {brush({{0, 0, 0}}, 0.1f, 1)}};
  EXPECT_TRUE(paint_constraints(PaintSurface(Mesh()), strokes).points.empty());
  const Mesh dot(Topology{{{{0, 1, 2}}}, {}, {}}, std::vector<Vec3f>(3, Vec3f(0, 0, 0)));
  for (const Vec3f& p : paint_constraints(PaintSurface(dot), strokes).points) {
    EXPECT_TRUE(p.allFinite());
  }
  const PaintConstraints sheet = paint_constraints(PaintSurface(make_grid({})), strokes);
  EXPECT_TRUE(sheet.outcomes[0].touches);
}

TEST(Paint, ScalesWithTheBody) {
  for (const float scale : {1e-3f, 1e3f}) {
    Mesh ball = make_icosphere({1, 8}), scaled = ball;
    for (Vec3f& p : scaled.positions) p *= scale;
    Strokes strokes = {{}, {brush({{-0.3f, 0, 1}, {0.3f, 0, 1}}, 0.2f, 1)}}, larger = strokes;
    for (Vec3f& p : larger.strokes[0].points) p *= scale;
    larger.strokes[0].radius *= scale;
    const RbfField a = paint(ball, strokes), b = paint(scaled, larger);
    ASSERT_EQ(a.report.used, b.report.used);
    for (std::size_t i = 0; i < ball.vertex_count(); i += 7) {
      ASSERT_NEAR(evaluate_at(a, ball.positions[i]), evaluate_at(b, scaled.positions[i]), 1e-3);
    }
  }
}

TEST(Paint, BoxSpaceFollowsTheBody) {
  Strokes strokes = {StrokeSpace::box, {brush({{1, 0, -1}}, 0.5f, 1)}};
  const Strokes rest = in_rest_space(strokes, {Vec3f(0, 0, 0), Vec3f(2, 4, 6)});
  EXPECT_EQ(rest.strokes[0].points[0], Vec3f(2, 2, 0));
  EXPECT_NEAR(rest.strokes[0].radius, 0.5f * Vec3f(1, 2, 3).norm(), 1e-6f);
  EXPECT_EQ(rest.space, StrokeSpace::rest);
  EXPECT_EQ(in_rest_space(rest, {Vec3f(0, 0, 0), Vec3f(1, 1, 1)}), rest);
}

TEST(Rbf, SoftConstraintsGiveWay) {
  std::vector<Vec3f> points = test::random_points(60, 3);
  std::vector<double> values(points.size(), 0.0);
  values[7] = 1;
  std::vector<double> softness(points.size(), 0.0);
  softness[7] = 20;
  RbfOptions options;
  options.softness = softness;
  const RbfField weak = solve_rbf(points, values, 1, options);
  EXPECT_NEAR(evaluate_at(weak, points[7]), 0, 1e-2);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i == 7) continue;
    EXPECT_NEAR(evaluate_at(weak, points[i]), 0, 1e-9);
  }
  softness[7] = 0;
  EXPECT_NEAR(evaluate_at(solve_rbf(points, values, 1, options), points[7]), 1, 1e-9);
}

}  // namespace
}  // namespace sinew::kernels
