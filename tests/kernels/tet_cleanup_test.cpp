#include "nodes/kernels/tet_cleanup.h"

#include <gtest/gtest.h>

#include "nodes/kernels/tet_measure.h"
#include "nodes/kernels/tet_primitives.h"

namespace sinew::kernels {
namespace {

struct Body {
  std::vector<Vec3d> points;
  std::vector<Tetrahedron> tets;
};

Body body_of(const TetMesh& solid) {
  Body body;
  for (const Vec3f& p : solid.positions) body.points.push_back(p.cast<double>());
  body.tets.assign(solid.tets().begin(), solid.tets().end());
  return body;
}

SolidReport inspect(const Body& body) {
  std::vector<Vec3f> points;
  for (const Vec3d& p : body.points) points.push_back(p.cast<float>());
  return inspect_solid(TetMesh(body.tets, points));
}

// The cubes of a box that are kept, each of five tetrahedra.
Body cubes(int nx, int ny, int nz, const std::vector<int>& kept) {
  Body all = body_of(make_tet_box({1.0f * nx, 1.0f * ny, 1.0f * nz}, {nx, ny, nz}));
  Body some{all.points, {}};
  for (const int cube : kept) {
    for (int k = 0; k < 5; ++k) some.tets.push_back(all.tets[5 * cube + k]);
  }
  return some;
}

TEST(TetCleanup, LeavesAGoodBodyAsItIs) {
  Body box = body_of(make_tet_box({1, 1, 1}, {3, 3, 3}));
  const Body before = box;
  const CleanupReport report = clean_up(box.points, box.tets, 8);
  EXPECT_EQ(box.tets, before.tets);
  EXPECT_EQ(box.points, before.points);
  EXPECT_EQ(report.bodies, 1u);
  EXPECT_EQ(report.dropped, 0u);
}

TEST(TetCleanup, DropsCrumbsButNeverTheLargestPiece) {
  // A row of five cubes without the second: one cube alone, three together.
  Body row = cubes(5, 1, 1, {0, 2, 3, 4});
  CleanupReport report = clean_up(row.points, row.tets, 6);
  EXPECT_EQ(report.crumbs, 1u);
  EXPECT_EQ(report.bodies, 1u);
  EXPECT_EQ(row.tets.size(), 15u);
  EXPECT_EQ(row.points.size(), 16u);
  report = clean_up(row.points, row.tets, 1000);
  EXPECT_EQ(row.tets.size(), 15u);
}

TEST(TetCleanup, PiecesThatTouchInAPointOrAnEdgeAreParted) {
  // Two cubes that share one edge, and two that share one corner.
  for (const auto& [size, kept] :
       {std::pair{std::array{2, 2, 1}, std::vector{0, 3}}, {{2, 2, 2}, {0, 7}}}) {
    Body body = cubes(size[0], size[1], size[2], kept);
    EXPECT_GT(inspect(body).pinched_vertices, 0u);
    const CleanupReport report = clean_up(body.points, body.tets, 2);
    EXPECT_EQ(report.bodies, 2u);
    EXPECT_EQ(body.tets.size(), 10u);
    EXPECT_EQ(body.points.size(), 16u);
    EXPECT_EQ(inspect(body).pinched_vertices, 0u);
  }
}

TEST(TetCleanup, OfFansAboutAnEdgeThatAreJoinedElsewhereTheLargestStays) {
  // Two cubes touch along an edge in the middle of the lower layer, and the upper layer joins them.
  Body body = cubes(2, 2, 2, {0, 3, 4, 5, 6, 7});
  EXPECT_GT(inspect(body).pinched_vertices, 0u);
  clean_up(body.points, body.tets, 2);
  const SolidReport report = inspect(body);
  EXPECT_EQ(report.pinched_vertices, 0u);
  EXPECT_EQ(report.open_rings, 0u);
  EXPECT_GE(body.tets.size(), 25u);
}

TEST(TetCleanup, EmptyAndStopped) {
  Body none;
  EXPECT_EQ(clean_up(none.points, none.tets, 8).bodies, 0u);
  Body box = body_of(make_tet_box({1, 1, 1}, {1, 1, 1}));
  const std::atomic<bool> stop{true};
  EXPECT_THROW(clean_up(box.points, box.tets, 8, CancelView{&stop}), Stopped);
}

}  // namespace
}  // namespace sinew::kernels
