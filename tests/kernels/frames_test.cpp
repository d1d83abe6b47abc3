#include "nodes/kernels/frames.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <numbers>

#include "nodes/kernels/gradient.h"
#include "nodes/kernels/tet_measure.h"
#include "tests/kernels/shapes.h"
#include "tests/kernels/solids.h"

namespace sinew::kernels {
namespace {

using test::sampled;

Rows neighbours_of(const TetMesh& solid) {
  return tet_vertex_neighbours(solid.tets(), vertex_tets(solid.tets(), solid.vertex_count()));
}

// Orthonormal and right-handed to 1e-6.
void expect_sound(const Frames& frames, std::size_t count, const std::string& name) {
  ASSERT_EQ(frames.primary.size(), count) << name;
  ASSERT_EQ(frames.secondary.size(), count) << name;
  ASSERT_EQ(frames.tertiary.size(), count) << name;
  EXPECT_FALSE(validate(frames)) << name;
  double worst = 0;
  for (std::size_t v = 0; v < count; ++v) {
    Eigen::Matrix3d d;
    d << frames.primary[v].cast<double>(), frames.secondary[v].cast<double>(),
        frames.tertiary[v].cast<double>();
    const double off = (d.transpose() * d - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff();
    worst = std::max({worst, off, std::abs(d.determinant() - 1)});
    if (!d.allFinite()) worst = 1;
  }
  EXPECT_LT(worst, 1e-6) << name;
}

StrokeGuide arrows_by(std::span<const Vec3f> points, const std::function<Vec3f(const Vec3f&)>& f) {
  StrokeGuide guide;
  for (const Vec3f& p : points) guide.arrows.push_back(f(p));
  return guide;
}

StrokeGuide lines_by(std::span<const Vec3f> points, const std::function<Vec3f(const Vec3f&)>& f) {
  StrokeGuide guide = arrows_by(points, f);
  for (const Vec3f& t : guide.arrows) guide.lines.push_back(line_tensor(t));
  return guide;
}

struct NamedField {
  std::string name;
  std::function<double(const Vec3f&)> f;
};
const std::vector<NamedField> layers = {
    {"zero", [](const Vec3f&) { return 0.0; }},
    {"constant", [](const Vec3f&) { return 3.0; }},
    {"ramp", [](const Vec3f& p) { return p.x() + 2.0 * p.y(); }},
    {"radius", [](const Vec3f& p) { return p.norm(); }},
    {"squared radius", [](const Vec3f& p) { return p.squaredNorm(); }},
    {"half of it constant", [](const Vec3f& p) { return std::max(0.0f, p.x()); }},
    {"ridge", [](const Vec3f& p) { return std::abs(p.y()); }},
    {"two plateaus",
     [](const Vec3f& p) { return p.x() > 0.2f    ? 1.0
                                 : p.x() < -0.2f ? -1.0
                                                 : 0.0; }},
    {"wild", [](const Vec3f& p) { return std::sin(40 * p.x()) * std::cos(31 * p.y() * p.z()); }},
    {"huge", [](const Vec3f& p) { return 1e30 * p.z(); }},
    {"tiny", [](const Vec3f& p) { return 1e-30 * p.z(); }},
};
const std::vector<std::pair<std::string, std::function<Vec3f(const Vec3f&)>>> strokes = {
    {"none", [](const Vec3f&) { return Vec3f(0, 0, 0); }},
    {"x", [](const Vec3f&) { return Vec3f(1, 0, 0); }},
    {"round y", [](const Vec3f& p) { return Vec3f(-p.z(), 0, p.x()); }},
    {"radial", [](const Vec3f& p) { return p; }},
    {"some", [](const Vec3f& p) { return Vec3f(p.x() > 0, 0, 0); }},
    {"huge", [](const Vec3f& p) { return Vec3f(1e30f * p.y(), 1e30f, 0); }},
};

TEST(FrameField, AreOrthonormalAndRightHandedWhateverComes) {
  std::vector<std::pair<std::string, TetMesh>> solids = {
      {"shaken box", test::shaken_box({1, 2, 0.5f}, {5, 6, 4}, 1)},
      {"bell", test::bell(0.5f, 0.8f, 8, 2)},
      {"small", make_tet_box({1e-6f, 1e-6f, 1e-6f}, {3, 3, 3})},
      {"large", make_tet_box({1e6f, 1e6f, 1e6f}, {3, 3, 3})},
      {"points without tetrahedra",
       TetMesh(std::vector<Tetrahedron>(), {Vec3f(0, 0, 0), Vec3f(1, 0, 0)})},
      {"nothing", TetMesh()}};
  for (const auto& [shape, solid] : solids) {
    const Rows near = neighbours_of(solid);
    for (const auto& [layer, f] : layers) {
      const std::vector<Vec3f> gradient = field_gradient(solid, sampled(solid.positions, f));
      for (const auto& [stroke, t] : strokes) {
        const std::string name = shape + ", " + layer + ", " + stroke;
        const FrameField as_arrows = build_frames(gradient, arrows_by(solid.positions, t), near);
        const FrameField as_lines = build_frames(gradient, lines_by(solid.positions, t), near);
        expect_sound(as_arrows.frames, solid.vertex_count(), name);
        expect_sound(as_lines.frames, solid.vertex_count(), name + ", lines");
        EXPECT_LE(as_arrows.degenerate, solid.vertex_count());
        EXPECT_GE(as_arrows.degenerate, as_arrows.without_layer);
        EXPECT_GE(as_arrows.degenerate, as_arrows.without_stroke);
        EXPECT_LE(as_arrows.degenerate, as_arrows.without_layer + as_arrows.without_stroke);
        if (layer == "zero") {
          EXPECT_EQ(as_arrows.without_layer, solid.vertex_count());
        }
        if (stroke == "none") {
          EXPECT_EQ(as_arrows.without_stroke, solid.vertex_count());
        }
      }
      expect_sound(build_frames(gradient, {}, near).frames, solid.vertex_count(), layer);
    }
  }
}

TEST(FrameField, FollowLayersAndStrokes) {
  const TetMesh solid = test::shaken_box({1, 1, 1}, {5, 5, 5}, 2);
  const std::vector<Vec3f> gradient =
      field_gradient(solid, sampled(solid.positions, [](const Vec3f& p) { return 3 * p.y(); }));
  // A stroke that also climbs through the layers: only what lies in the layer counts.
  const auto slanted = [](const Vec3f&) { return Vec3f(2, 5, 0); };
  for (const bool lines : {false, true}) {
    const StrokeGuide guide =
        lines ? lines_by(solid.positions, slanted) : arrows_by(solid.positions, slanted);
    const FrameField result = build_frames(gradient, guide, neighbours_of(solid));
    EXPECT_EQ(result.degenerate, 0u);
    for (std::size_t v = 0; v < solid.vertex_count(); ++v) {
      EXPECT_LT((result.frames.primary[v] - Vec3f(1, 0, 0)).norm(), 1e-4f);
      EXPECT_LT((result.frames.secondary[v] - Vec3f(0, 1, 0)).norm(), 1e-4f);
      EXPECT_LT((result.frames.tertiary[v] - Vec3f(0, 0, 1)).norm(), 1e-4f);
    }
  }
}

TEST(FrameField, WithoutLayersTheStrokesStillCount) {
  const TetMesh solid = make_tet_box({1, 1, 1}, {3, 3, 3});
  const std::vector<Vec3f> flat(solid.vertex_count(), Vec3f(0, 0, 0));
  const auto along = [](const Vec3f&) { return Vec3f(0, 3, 4); };
  for (const bool lines : {false, true}) {
    const StrokeGuide guide =
        lines ? lines_by(solid.positions, along) : arrows_by(solid.positions, along);
    const FrameField result = build_frames(flat, guide, neighbours_of(solid));
    EXPECT_EQ(result.without_layer, solid.vertex_count());
    EXPECT_EQ(result.without_stroke, 0u);
    for (const Vec3f& d1 : result.frames.primary)
      EXPECT_LT((d1 - Vec3f(0, 0.6f, 0.8f)).norm(), 1e-6f);
  }
}

// A field that is constant in half of the body: the directions of the other half go on into it.
TEST(FrameField, ConstantRegionsAreFilledFromTheirNeighboursAndCounted) {
  const TetMesh solid = make_tet_box({2, 1, 1}, {16, 4, 4});
  const std::vector<Vec3f> gradient = field_gradient(
      solid, sampled(solid.positions, [](const Vec3f& p) { return std::max(0.0f, p.x()); }));
  const FrameField result = build_frames(
      gradient, arrows_by(solid.positions, [](const Vec3f&) { return Vec3f(0, 0, 1); }),
      neighbours_of(solid));
  std::size_t expected = 0;
  for (const Vec3f& p : solid.positions) expected += p.x() < -1e-6f;
  EXPECT_EQ(result.without_layer, expected);
  EXPECT_EQ(result.without_stroke, 0u);
  EXPECT_EQ(result.degenerate, expected);
  for (const Vec3f& d2 : result.frames.secondary) EXPECT_GT(d2.x(), 0.9f);
}

// On the axis of a turning stroke field there is nothing to follow: one vertex, filled.
TEST(FrameField, WhereNoStrokePointsTheNeighboursDo) {
  const TetMesh solid = make_tet_box({1, 1, 1}, {4, 4, 4});
  const std::vector<Vec3f> gradient =
      field_gradient(solid, sampled(solid.positions, [](const Vec3f& p) { return p.y(); }));
  const auto towards_x = [](const Vec3f& p) {
    return p.norm() < 0.1f ? Vec3f(0, 5, 0) : Vec3f(1, 0, 0);
  };
  const FrameField result =
      build_frames(gradient, arrows_by(solid.positions, towards_x), neighbours_of(solid));
  EXPECT_EQ(result.without_layer, 0u);
  EXPECT_EQ(result.without_stroke, 1u);
  EXPECT_EQ(result.degenerate, 1u);
  for (const Vec3f& d1 : result.frames.primary) EXPECT_LT((d1 - Vec3f(1, 0, 0)).norm(), 1e-4f);
}

// Across a ridge the gradient turns round; the ridge itself takes the line, not the mean of both.
TEST(FrameField, ARidgeTakesTheDirectionOfItsSides) {
  const TetMesh solid = make_tet_box({1, 1, 1}, {4, 4, 4});
  const std::vector<Vec3f> gradient = field_gradient(
      solid, sampled(solid.positions, [](const Vec3f& p) { return std::abs(p.y()); }));
  const FrameField result = build_frames(
      gradient, arrows_by(solid.positions, [](const Vec3f&) { return Vec3f(1, 0, 0); }),
      neighbours_of(solid));
  EXPECT_GT(result.without_layer, 0u);
  for (const Vec3f& d2 : result.frames.secondary) EXPECT_GT(std::abs(d2.y()), 0.9f);
}

// Strokes that were drawn the other way round on one side: as lines they do not cancel out, and
// the sense goes round the bell once.
TEST(FrameField, LinesHaveOneSenseAllRound) {
  const TetMesh solid = test::bell(0.5f, 0.7f, 12, 2);
  const std::vector<Vec3f> gradient =
      field_gradient(solid, sampled(solid.positions, [](const Vec3f& p) { return p.norm(); }));
  const auto turning = [](const Vec3f& p) { return Vec3f(-p.z(), 0, p.x()); };
  StrokeGuide guide = lines_by(solid.positions, turning);
  for (std::size_t v = 0; v < solid.vertex_count(); ++v) {
    // Interpolated tensors fade towards the axis, where they must point everywhere at once.
    for (float& x : guide.lines[v]) x *= turning(solid.positions[v]).squaredNorm();
    if (solid.positions[v].x() < 0) guide.arrows[v] *= -0.3f;
  }
  const FrameField result = build_frames(gradient, guide, neighbours_of(solid));
  for (std::size_t v = 0; v < solid.vertex_count(); ++v) {
    const Vec3f round = turning(solid.positions[v]);
    if (round.norm() < 0.05f) continue;
    EXPECT_GT(result.frames.primary[v].dot(round.normalized()), 0.97f) << v;
  }
}

TEST(FrameField, AreTheSameOnAnyNumberOfThreads) {
  const TetMesh solid = test::shaken_box({1, 1, 1}, {18, 18, 18}, 5);
  const Rows near = neighbours_of(solid);
  const std::vector<Vec3f> gradient = field_gradient(
      solid,
      sampled(solid.positions, [](const Vec3f& p) { return std::max(0.0f, p.norm() - 0.3f); }));
  const StrokeGuide guide = lines_by(solid.positions, strokes[2].second);
  test::expect_same_for_threads([&] { return build_frames(gradient, guide, near).frames; });
}

TEST(FrameField, CanBeStopped) {
  const std::atomic<bool> flag{true};
  const std::vector<Vec3f> gradient(10, Vec3f(1, 0, 0));
  EXPECT_THROW(
      build_frames(gradient, {}, Rows{std::vector<uint32_t>(11, 0), {}}, CancelView{&flag}),
      Stopped);
}

}  // namespace
}  // namespace sinew::kernels
