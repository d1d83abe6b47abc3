#include "nodes/kernels/transform.h"

#include <gtest/gtest.h>

#include "nodes/kernels/measure.h"
#include "tests/kernels/shapes.h"

namespace sinew::kernels {
namespace {

TEST(Transform, quarter_turns_are_exact) {
  const Eigen::Affine3f map = compose_transform({0, 0, 0}, {90, -180, 270}, {1, 1, 1});
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const float m = std::abs(map.linear()(i, j));
      EXPECT_TRUE(m == 0 || m == 1);
    }
  }
  EXPECT_EQ(compose_transform({0, 0, 0}, {90, 0, 0}, {1, 1, 1}) * Vec3f(0, 1, 0), Vec3f(0, 0, 1));
  EXPECT_EQ(compose_transform({0, 0, 0}, {0, 90, 0}, {1, 1, 1}) * Vec3f(0, 0, 1), Vec3f(1, 0, 0));
  EXPECT_EQ(compose_transform({0, 0, 0}, {0, 0, -270}, {1, 1, 1}) * Vec3f(1, 0, 0), Vec3f(0, 1, 0));
}

TEST(Transform, rotations_are_orthonormal_and_apply_x_first) {
  const Eigen::Affine3f map = compose_transform({1, 2, 3}, {30, 40, 50}, {1, 1, 1});
  const Eigen::Matrix3f r = map.linear();
  EXPECT_LT((r * r.transpose() - Eigen::Matrix3f::Identity()).norm(), 1e-6f);
  EXPECT_NEAR(r.determinant(), 1, 1e-6);
  const Vec3f p(0.3f, -2, 1);
  const Vec3f step = compose_transform({0, 0, 0}, {0, 0, 50}, {1, 1, 1}) *
                     (compose_transform({0, 0, 0}, {0, 40, 0}, {1, 1, 1}) *
                      (compose_transform({0, 0, 0}, {30, 0, 0}, {1, 1, 1}) * p));
  EXPECT_LT((map * p - (step + Vec3f(1, 2, 3))).norm(), 1e-6f);
}

TEST(Transform, points_follow_the_map_on_any_number_of_threads) {
  const std::vector<Vec3f> points = test::random_points(100003, 7);
  const Eigen::Affine3f map = compose_transform({1, 2, 3}, {30, 40, 50}, {2, 0.5f, -1});
  test::expect_same_for_threads([&] {
    std::vector<Vec3f> out(points.size());
    transform_points(map, points, out);
    return out;
  });
  std::vector<Vec3f> out = points;
  transform_points(map, out, out);
  for (std::size_t i = 0; i < points.size(); i += 997) {
    EXPECT_LT((out[i] - map * points[i]).norm(), 1e-5f);
  }
}

TEST(Transform, mirrored_meshes_stay_outward_and_others_share_connectivity) {
  for (const auto& [name, mesh, euler] : test::closed_meshes()) {
    const Mesh mirrored = transform_mesh(compose_transform({0, 0, 0}, {0, 0, 0}, {-1, 1, 1}), mesh);
    EXPECT_NEAR(signed_volume(mirrored), signed_volume(mesh), 1e-6) << name;
    const Mesh moved = transform_mesh(compose_transform({1, 0, 0}, {0, 10, 0}, {1, 1, 1}), mesh);
    EXPECT_EQ(moved.topology, mesh.topology);
  }
}

}  // namespace
}  // namespace sinew::kernels
