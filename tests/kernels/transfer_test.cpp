#include "nodes/kernels/transfer.h"

#include <gtest/gtest.h>

#include <limits>

#include "nodes/kernels/measure.h"
#include "tests/kernels/shapes.h"
#include "tests/kernels/solids.h"

namespace sinew::kernels {
namespace {

using test::sampled;

double linear(const Vec3f& p) { return 2.0 * p.x() - p.y() + 0.5 * p.z() + 1; }

TEST(Transfer, LinearFunctionsSurviveBetweenSolidsOfOneShape) {
  struct Pair {
    TetMesh from, to;
  };
  const std::vector<Pair> pairs = {
      {make_tet_box({1, 2, 1}, {3, 5, 4}), make_tet_box({1, 2, 1}, {7, 4, 6})},
      // Curved: the finer one sticks out of the coarser one.
      {test::bell(0.5f, 0.8f, 8, 2), test::bell(0.5f, 0.8f, 14, 3)},
      {test::bell(0.5f, 0.8f, 14, 3), test::bell(0.5f, 0.8f, 8, 2)}};
  for (const float scale : {1e-6f, 1.0f, 1e6f}) {
    for (const Pair& pair : pairs) {
      Pair scaled = pair;
      for (Vec3f& p : scaled.from.positions) p *= scale;
      for (Vec3f& p : scaled.to.positions) p *= scale;
      const auto function = [&](const Vec3f& p) { return linear(p / scale); };
      const Transferred read =
          transfer(TetTree(scaled.from), scaled.from.tets(),
                   sampled(scaled.from.positions, function), scaled.to.positions);
      ASSERT_EQ(read.values.size(), scaled.to.vertex_count());
      for (std::size_t i = 0; i < read.values.size(); ++i) {
        EXPECT_NEAR(read.values[i], function(scaled.to.positions[i]), 2e-5) << scale;
        EXPECT_LT(read.distance[i], 0.06f * scale);
      }
    }
  }
}

TEST(Transfer, ABodyToItselfIsTheSame) {
  for (const auto& [name, mesh, euler] : test::closed_meshes()) {
    const std::vector<float> values =
        sampled(mesh.positions, [](const Vec3f& p) { return std::sin(9 * p.x()) + p.y() * p.z(); });
    const Transferred read = transfer(SurfaceTree(mesh), mesh.triangles(), values, mesh.positions);
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_NEAR(read.values[i], values[i], 1e-5f) << name;
      EXPECT_NEAR(read.distance[i], 0, 1e-6f) << name;
    }
  }
}

// Paint on a coarse ball appears on a finer one.
TEST(Transfer, PaintSurvivesAnotherResolution) {
  const Mesh coarse = make_icosphere({1, 12}), fine = make_icosphere({1, 24});
  const auto spot = [](const Vec3f& p) {
    return std::exp(-4 * (p - Vec3f(0, 1, 0)).squaredNorm());
  };
  const Transferred read = transfer(SurfaceTree(coarse), coarse.triangles(),
                                    sampled(coarse.positions, spot), fine.positions);
  for (std::size_t i = 0; i < read.values.size(); ++i) {
    EXPECT_NEAR(read.values[i], spot(fine.positions[i]), 0.03f);
    EXPECT_LT(read.distance[i], 0.01f);
  }
}

TEST(Transfer, FarAwayNothingExplodes) {
  const TetMesh box = make_tet_box({1, 1, 1}, {4, 4, 4});
  const std::vector<float> values = sampled(box.positions, [](const Vec3f& p) { return p.x(); });
  const std::vector<Vec3f> places = {{1e6f, 0, 0}, {-1e6f, 3, 5}, {0, 1e30f, 0}, {100, 100, 100}};
  const Transferred read = transfer(TetTree(box), box.tets(), values, places);
  for (const float x : read.values) EXPECT_LT(std::abs(x), 1);
  EXPECT_NEAR(read.distance[0], 1e6f, 1);
  const Mesh surface = boundary_mesh(box);
  const Transferred outside =
      transfer(SurfaceTree(surface), surface.triangles(),
               sampled(surface.positions, [](const Vec3f& p) { return p.x(); }), places);
  for (const float x : outside.values) EXPECT_LE(std::abs(x), 0.5f + 1e-6f);
}

TEST(Transfer, BoxesAreFitted) {
  const std::vector<Vec3f> points = {{0, 0, 5}, {2, 4, 5}, {1, 1, 5}};
  const std::vector<Vec3f> fitted =
      fit_box(points, bounding_box(points), Eigen::AlignedBox3f(Vec3f(-1, 0, 10), Vec3f(1, 1, 30)));
  EXPECT_LT((fitted[0] - Vec3f(-1, 0, 20)).norm(), 1e-6f);
  EXPECT_LT((fitted[1] - Vec3f(1, 1, 20)).norm(), 1e-6f);
  EXPECT_LT((fitted[2] - Vec3f(0, 0.25f, 20)).norm(), 1e-6f);
  EXPECT_TRUE(fit_box({}, {}, {}).empty());
}

TEST(Transfer, IsTheSameOnAnyNumberOfThreadsAndCanBeStopped) {
  const TetMesh box = test::shaken_box({1, 1, 1}, {8, 8, 8}, 1);
  const TetMesh to = test::shaken_box({1, 1, 1}, {9, 9, 9}, 2);
  const std::vector<float> values = sampled(box.positions, linear);
  const TetTree tree(box);
  test::expect_same_for_threads(
      [&] { return transfer(tree, box.tets(), values, to.positions).values; });
  const std::atomic<bool> flag{true};
  EXPECT_THROW(transfer(tree, box.tets(), values, to.positions, CancelView{&flag}), Stopped);
}

}  // namespace
}  // namespace sinew::kernels
