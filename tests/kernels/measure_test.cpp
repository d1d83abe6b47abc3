#include "nodes/kernels/measure.h"

#include <gtest/gtest.h>

#include "nodes/kernels/primitives.h"
#include "nodes/kernels/transform.h"
#include "tests/kernels/shapes.h"

namespace sinew::kernels {
namespace {

TEST(Measure, follows_rigid_motion_and_scale) {
  for (const auto& [name, mesh, euler] : test::closed_meshes()) {
    const SurfaceMeasures before = measure_surface(mesh);
    for (const float s : {1e-6f, 1.0f, 1e6f}) {
      const Eigen::Affine3f map =
          compose_transform(Vec3f(2, -3, 1) * s, Vec3f(20, -70, 130), Vec3f(s, s, s));
      const SurfaceMeasures after = measure_surface(transform_mesh(map, mesh));
      EXPECT_NEAR(after.area / (before.area * s * s), 1, 1e-5) << name;
      EXPECT_NEAR(after.signed_volume / (before.signed_volume * s * s * s), 1, 1e-5) << name;
      const Vec3d expected = map.cast<double>() * before.centroid;
      EXPECT_LT((after.centroid - expected).norm(), 1e-5 * s) << name;
    }
  }
}

TEST(Measure, volume_of_a_small_mesh_far_away_keeps_its_digits) {
  Mesh mesh = make_box({});
  for (Vec3f& p : mesh.positions) p += Vec3f(65536, 65536, 65536);
  EXPECT_NEAR(signed_volume(mesh), 1, 1e-9);
}

TEST(Measure, nothing_and_points_without_faces) {
  EXPECT_TRUE(bounding_box({}).isEmpty());
  EXPECT_EQ(measure_surface(Mesh()).area, 0);
  const Mesh points(Topology(), {{0, 0, 0}, {2, 0, 0}, {4, 6, 0}});
  EXPECT_LT((centroid(points) - Vec3d(2, 2, 0)).norm(), 1e-12);
}

TEST(Measure, normals_of_a_sphere_are_radial) {
  for (const NormalWeight weight : {NormalWeight::area, NormalWeight::angle}) {
    for (const float scale : {1e-6f, 1.0f, 1e6f}) {
      const Mesh mesh = make_icosphere({scale, 10});
      const std::vector<Vec3f> normals = vertex_normals(mesh, weight);
      for (std::size_t i = 0; i < normals.size(); ++i) {
        EXPECT_GT(normals[i].dot(mesh.positions[i].normalized()), 0.999f);
        EXPECT_NEAR(normals[i].norm(), 1, 1e-6);
      }
    }
  }
}

TEST(Measure, angle_weighted_normals_do_not_depend_on_how_a_corner_is_cut) {
  // At a box's corner the three sides count the same, however many triangles each has there.
  const Mesh box = make_box({});
  const std::vector<Vec3f> normals = vertex_normals(box, NormalWeight::angle);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_LT((normals[i] - box.positions[i].normalized()).norm(), 1e-6f);
  }
}

TEST(Measure, does_not_depend_on_threads) {
  const Mesh mesh = make_icosphere({1, 60});
  test::expect_same_for_threads([&] { return vertex_normals(mesh); });
  test::expect_same_for_threads([&] {
    const SurfaceMeasures m = measure_surface(mesh);
    return std::array{m.area, m.signed_volume, m.centroid[0], m.centroid[1], m.centroid[2]};
  });
}

}  // namespace
}  // namespace sinew::kernels
