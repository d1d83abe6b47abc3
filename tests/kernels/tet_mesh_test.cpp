#include "nodes/geometry/tet_mesh.h"

#include <gtest/gtest.h>

#include <limits>

#include "nodes/geometry/frames.h"
#include "nodes/geometry/vector_field.h"
#include "nodes/kernels/adjacency.h"
#include "nodes/kernels/measure.h"
#include "nodes/kernels/tet_primitives.h"

namespace sinew {
namespace {

double volume(const TetMesh& solid, std::size_t t) {
  const Tetrahedron& v = solid.tets()[t];
  const Vec3d a = solid.positions[v[0]].cast<double>(), b = solid.positions[v[1]].cast<double>(),
              c = solid.positions[v[2]].cast<double>(), d = solid.positions[v[3]].cast<double>();
  return (b - a).cross(c - a).dot(d - a) / 6;
}

TEST(TetBox, FillsItsVolumeWithPositiveTetrahedra) {
  const TetMesh box = kernels::make_tet_box({1, 2, 3}, {2, 3, 4});
  EXPECT_EQ(box.vertex_count(), 3u * 4 * 5);
  EXPECT_EQ(box.tet_count(), 2u * 3 * 4 * 5);
  double sum = 0;
  for (std::size_t t = 0; t < box.tet_count(); ++t) {
    EXPECT_GT(volume(box, t), 1e-3) << t;
    sum += volume(box, t);
  }
  EXPECT_NEAR(sum, 6, 1e-5);
  EXPECT_FALSE(validate(box));
}

TEST(TetBox, BoundaryIsAWatertightBoxTurnedOutwards) {
  const TetMesh box = kernels::make_tet_box({1, 2, 3}, {2, 3, 4});
  std::vector<uint32_t> from;
  const Mesh surface = boundary_mesh(box, &from);
  const kernels::TopologyReport report =
      kernels::inspect_topology(surface.triangles(), surface.vertex_count());
  EXPECT_TRUE(report.watertight());
  EXPECT_EQ(report.euler, 2);
  EXPECT_NEAR(kernels::signed_volume(surface), 6, 1e-5);
  EXPECT_NEAR(kernels::surface_area(surface), 2 * (2 + 3 + 6), 1e-4);
  for (std::size_t i = 0; i < from.size(); ++i) {
    EXPECT_EQ(surface.positions[i], box.positions[from[i]]);
  }
  EXPECT_EQ(surface_of(box), surface);
}

TEST(TetMesh, SkinFollowsItsTetrahedra) {
  TetTopology t;
  t.tets = {{0, 1, 2, 3}};
  t.skin = std::make_shared<const Topology>(Topology{{{0, 1, 2}}, {}, {}});
  t.embedding.tet = {0, 0, 0};
  t.embedding.weights = {{{1, 0, 0, 0}}, {{0.25f, 0.25f, 0.25f, 0.25f}}, {{-1, 0, 0, 2}}};
  const TetMesh rest(t, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
  EXPECT_FALSE(validate(rest));
  EXPECT_EQ(rest.topology->boundary.size(), 4u);
  std::vector<Vec3f> moved = rest.positions;
  for (Vec3f& p : moved) p = 2 * p + Vec3f(1, 2, 3);
  const Mesh skin = surface_of(rest.with_positions(moved));
  EXPECT_TRUE(skin.positions[1].isApprox(Vec3f(1.5f, 2.5f, 3.5f)));
  EXPECT_TRUE(skin.positions[2].isApprox(Vec3f(1, 2, 7)));
}

TEST(TetMesh, FlawsAreNamedWithTheirIndex) {
  const TetMesh good = kernels::make_tet_box({1, 1, 1}, {1, 1, 1});
  std::vector<Vec3f> points = good.positions;
  points[3].y() = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE(validate(good.with_positions(points))->find("vertex 3"), std::string::npos);
  points.resize(2);
  EXPECT_TRUE(validate(TetMesh({{0, 1, 2, 3}}, {points[0], points[1]})));
  TetTopology t = *good.topology;
  t.embedding.tet = {99};
  t.embedding.weights = {{{1, 0, 0, 0}}};
  EXPECT_NE(validate(TetMesh(t, good.positions))->find("99"), std::string::npos);
  t.embedding.weights.clear();
  EXPECT_TRUE(validate(TetMesh(t, good.positions)));
}

TEST(Frames, FlawsAreNamed) {
  Frames frames{{{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}};
  EXPECT_FALSE(validate(frames));
  frames.tertiary[0] = {0, 0, -1};
  EXPECT_TRUE(validate(frames));
  frames.tertiary[0] = {0, 0.1f, 1};
  EXPECT_TRUE(validate(frames));
  frames.tertiary.clear();
  EXPECT_TRUE(validate(frames));
  EXPECT_TRUE(validate(VectorField{Domain::vertex, {{0, 0, INFINITY}}}));
}

}  // namespace
}  // namespace sinew
