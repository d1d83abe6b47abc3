#include "nodes/kernels/subdivide.h"

#include <gtest/gtest.h>

#include <cmath>

#include "nodes/kernels/adjacency.h"
#include "nodes/kernels/measure.h"
#include "nodes/kernels/transform.h"
#include "tests/kernels/shapes.h"

namespace sinew::kernels {
namespace {

TEST(Subdivide, counts_and_topology) {
  EXPECT_EQ(subdivided_triangle_count(5, 3), 320u);
  EXPECT_EQ(subdivided_triangle_count(5, 100), UINT64_MAX);
  for (const LoopWeights weights : {LoopWeights::loop, LoopWeights::warren}) {
    for (const auto& [name, mesh, euler] : test::closed_meshes()) {
      const Mesh fine = subdivide_loop(mesh, 2, weights);
      EXPECT_FALSE(validate(fine));
      EXPECT_EQ(fine.triangle_count(), subdivided_triangle_count(mesh.triangle_count(), 2));
      const TopologyReport report = inspect_topology(fine.triangles(), fine.vertex_count());
      EXPECT_TRUE(report.watertight()) << name;
      EXPECT_EQ(report.euler, euler) << name;
      EXPECT_GT(signed_volume(fine), 0);
    }
  }
  EXPECT_EQ(subdivide_loop(make_box({}), 0), make_box({}));
}

TEST(Subdivide, commutes_with_affine_maps) {
  const Eigen::Affine3f map = compose_transform({1, 2, 3}, {30, 40, 50}, {2, 0.5f, 1.5f});
  for (const auto& [name, mesh, euler] : test::closed_meshes()) {
    const Mesh a = transform_mesh(map, subdivide_loop(mesh, 2));
    const Mesh b = subdivide_loop(transform_mesh(map, mesh), 2);
    ASSERT_EQ(a.vertex_count(), b.vertex_count());
    for (std::size_t i = 0; i < a.vertex_count(); ++i) {
      EXPECT_LT((a.positions[i] - b.positions[i]).norm(), 2e-6f) << name;
    }
  }
}

TEST(Subdivide, a_plane_stays_flat_and_keeps_its_outline) {
  const Mesh grid = make_grid({2, 3, 4, 5, Axis::y});
  const Mesh fine = subdivide_loop(grid, 3);
  for (const Vec3f& p : fine.positions) EXPECT_EQ(p[1], 0);
  // The corners round off: all else stays within the outline.
  const Eigen::AlignedBox3f before = bounding_box(grid.positions);
  for (const Vec3f& p : fine.positions) EXPECT_TRUE(before.contains(p));
  EXPECT_EQ(inspect_topology(fine.triangles(), fine.vertex_count()).boundary_edges, 18u * 8);
  EXPECT_NEAR(surface_area(fine), 6, 0.1);
}

TEST(Subdivide, reproduces_the_box_spline_on_a_regular_lattice) {
  // On the regular part of a lattice the scheme is a quartic box spline: its limit of x^2 sampled
  // at the vertices is again a quadratic, and differs from x^2 by a constant only.
  const int n = 12;
  Topology topology;
  std::vector<Vec3f> points;
  for (int j = 0; j <= n; ++j) {
    for (int i = 0; i <= n; ++i) {
      const float x = static_cast<float>(i) + 0.5f * static_cast<float>(j);
      points.push_back({x, x * x, static_cast<float>(j) * 0.8660254f});
      if (i == n || j == n) continue;
      const uint32_t p = static_cast<uint32_t>(j * (n + 1) + i), q = p + n + 1;
      topology.triangles.push_back({p, p + 1, q});
      topology.triangles.push_back({p + 1, q + 1, q});
    }
  }
  const Mesh fine = subdivide_loop(Mesh(topology, points), 2);
  float low = 1e9f, high = -1e9f;
  for (const Vec3f& p : fine.positions) {
    const float row = p[2] / 0.8660254f;
    const float column = p[0] - 0.5f * row;
    if (row < 3 || row > 9 || column < 3 || column > 9) continue;
    low = std::min(low, p[1] - p[0] * p[0]);
    high = std::max(high, p[1] - p[0] * p[0]);
  }
  EXPECT_LT(high - low, 0.04f);
  EXPECT_GT(low, 0.2f);
}

TEST(Subdivide, non_manifold_edges_are_creases) {
  // Three triangles on one edge: it stays straight, and nothing breaks.
  Topology fan;
  fan.triangles = {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}};
  const Mesh mesh(fan, {{0, 0, 0}, {0, 0, 1}, {1, 0, 0.5f}, {-1, 1, 0.5f}, {-1, -1, 0.5f}});
  const Mesh fine = subdivide_loop(mesh, 2);
  EXPECT_FALSE(validate(fine));
  EXPECT_EQ(inspect_topology(fine.triangles(), fine.vertex_count()).non_manifold_edges, 4u);
  EXPECT_EQ(fine.positions[0], mesh.positions[0]);
}

TEST(Subdivide, drops_degenerate_triangles_and_interpolates_uvs) {
  Topology topology;
  topology.triangles = {{0, 0, 1}, {0, 1, 2}};
  topology.corner_uvs = {{9, 9}, {9, 9}, {9, 9}, {0, 0}, {1, 0}, {0, 1}};
  const Mesh fine = subdivide_loop(Mesh(topology, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}), 3);
  EXPECT_FALSE(validate(fine));
  EXPECT_EQ(fine.triangle_count(), 64u);
  double area = 0;
  for (std::size_t c = 0; c < fine.topology->corner_uvs.size(); c += 3) {
    const Vec2f* uv = &fine.topology->corner_uvs[c];
    const Vec2f u = uv[1] - uv[0], v = uv[2] - uv[0];
    area += 0.5 * (u[0] * v[1] - u[1] * v[0]);
  }
  EXPECT_NEAR(area, 0.5, 1e-6);
}

TEST(Subdivide, does_not_depend_on_threads_and_can_be_stopped) {
  const Mesh mesh = make_icosphere({1, 20});
  test::expect_same_for_threads([&] { return subdivide_loop(mesh, 2); });
  std::atomic<bool> stop = true;
  EXPECT_THROW(subdivide_loop(mesh, 1, LoopWeights::loop, CancelView{&stop}), Stopped);
}

}  // namespace
}  // namespace sinew::kernels
