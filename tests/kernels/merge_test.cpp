#include "nodes/kernels/merge.h"

#include <gtest/gtest.h>

#include "nodes/kernels/adjacency.h"
#include "nodes/kernels/measure.h"
#include "tests/kernels/shapes.h"

namespace sinew::kernels {
namespace {

TEST(Merge, keeps_everything_in_order) {
  const Mesh box = make_box({}), sphere = make_icosphere({1, 3}), none;
  const std::array<const Mesh*, 4> parts = {&box, &none, &sphere, &box};
  const Mesh merged = merge_meshes(parts);
  EXPECT_FALSE(validate(merged));
  EXPECT_EQ(merged.vertex_count(), 2 * box.vertex_count() + sphere.vertex_count());
  EXPECT_EQ(merged.polygon_count(), 2 * box.polygon_count() + sphere.polygon_count());
  EXPECT_NEAR(signed_volume(merged), 2 * signed_volume(box) + signed_volume(sphere), 1e-5);
  EXPECT_EQ(merge_meshes({}).vertex_count(), 0u);
}

TEST(Merge, welding_a_triangle_soup_restores_the_mesh) {
  for (const auto& [name, mesh, euler] : test::closed_meshes()) {
    Topology soup;
    std::vector<Vec3f> points;
    for (const Triangle& t : mesh.triangles()) {
      const uint32_t base = static_cast<uint32_t>(points.size());
      soup.triangles.push_back({base, base + 1, base + 2});
      for (const uint32_t v : t) points.push_back(mesh.positions[v]);
    }
    for (const float distance : {0.0f, 1e-4f}) {
      const Welded welded = weld_vertices(Mesh(soup, points), distance);
      EXPECT_EQ(welded.mesh.vertex_count(), mesh.vertex_count()) << name;
      EXPECT_EQ(welded.dropped_triangles, 0u);
      const TopologyReport report =
          inspect_topology(welded.mesh.triangles(), welded.mesh.vertex_count());
      EXPECT_TRUE(report.watertight()) << name;
      EXPECT_EQ(report.euler, euler) << name;
    }
  }
}

TEST(Merge, welding_keeps_its_promises_for_random_points) {
  for (const float scale : {1e-6f, 1.0f, 1e6f}) {
    const std::vector<Vec3f> points = test::random_points(2000, 3, scale);
    const float distance = 0.15f * scale;
    const Welded welded = weld_vertices(Mesh(Topology(), points), distance);
    const std::vector<Vec3f>& kept = welded.mesh.positions;
    EXPECT_LT(kept.size(), points.size());
    for (std::size_t i = 0; i < kept.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) EXPECT_GT((kept[i] - kept[j]).norm(), distance * 0.9999f);
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
      EXPECT_LE((kept[welded.vertex_map[i]] - points[i]).norm(), distance * 1.0001f);
    }
  }
}

TEST(Merge, a_distance_far_below_the_floats_spacing_is_not_slow) {
  const std::vector<Vec3f> points = test::random_points(200000, 4);
  EXPECT_GT(weld_vertices(Mesh(Topology(), points), 1e-30f).mesh.vertex_count(), 199990u);
}

TEST(Merge, collapsed_triangles_are_dropped) {
  const Mesh box = make_box({});
  const Welded all = weld_vertices(box, 10);
  EXPECT_EQ(all.mesh.vertex_count(), 1u);
  EXPECT_EQ(all.dropped_triangles, box.triangle_count());
  std::atomic<bool> stop = true;
  EXPECT_THROW(weld_vertices(box, 1, CancelView{&stop}), Stopped);
}

}  // namespace
}  // namespace sinew::kernels
