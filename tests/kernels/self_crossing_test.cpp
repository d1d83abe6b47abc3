#include "nodes/kernels/self_crossing.h"

#include <gtest/gtest.h>

#include <random>

#include "nodes/kernels/primitives.h"

namespace sinew::kernels {
namespace {

using Corners = std::array<Vec3d, 3>;

TEST(SelfCrossing, two_triangles_cross_or_touch_or_miss) {
  const Corners flat = {Vec3d(0, 0, 0), Vec3d(1, 0, 0), Vec3d(0, 1, 0)};
  EXPECT_TRUE(cross(flat, {Vec3d(0.2, 0.2, -1), Vec3d(0.2, 0.2, 1), Vec3d(3, 3, 1)}));
  EXPECT_FALSE(cross(flat, {Vec3d(2, 2, -1), Vec3d(2, 2, 1), Vec3d(3, 3, 1)}));
  // A corner that only touches, an edge that lies in the plane, and the same triangle.
  EXPECT_FALSE(cross(flat, {Vec3d(0.2, 0.2, 0), Vec3d(0.2, 0.3, 1), Vec3d(0.4, 0.2, 1)}));
  EXPECT_FALSE(cross(flat, {Vec3d(-1, 0.2, 0), Vec3d(2, 0.2, 0), Vec3d(0, 0, 1)}));
  EXPECT_FALSE(cross(flat, flat));
}

TEST(SelfCrossing, the_order_of_corners_and_triangles_does_not_matter) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto triangle = [&] {
    Corners c;
    for (Vec3d& p : c) p = Vec3d(number(random), number(random), number(random));
    return c;
  };
  int crossing = 0;
  for (int i = 0; i < 2000; ++i) {
    const Corners a = triangle(), b = triangle();
    const bool yes = cross(a, b);
    crossing += yes;
    EXPECT_EQ(cross(b, a), yes);
    EXPECT_EQ(cross({a[1], a[2], a[0]}, {b[0], b[2], b[1]}), yes);
  }
  EXPECT_GT(crossing, 100);
}

TEST(SelfCrossing, bodies_at_rest_do_not_cross_themselves) {
  for (const double scale : {1e-6, 1.0, 1e6}) {
    Mesh ball = make_icosphere({.radius = 1, .frequency = 20});
    for (Vec3f& p : ball.positions) p *= static_cast<float>(scale);
    EXPECT_EQ(find_crossings(ball.positions, ball.triangles()).pairs, 0u);
  }
}

// Against all pairs, on balls that overlap by any amount.
TEST(SelfCrossing, the_grid_finds_all_pairs) {
  const Mesh ball = make_icosphere({.radius = 1, .frequency = 6});
  std::mt19937 random(5);
  std::uniform_real_distribution<float> number(-1.5f, 1.5f);
  for (int i = 0; i < 10; ++i) {
    std::vector<Vec3f> points = ball.positions;
    std::vector<Triangle> triangles(ball.triangles().begin(), ball.triangles().end());
    const auto first = static_cast<uint32_t>(points.size());
    const Vec3f by(number(random), number(random), number(random));
    const float size = i % 2 == 0 ? 1.0f : 0.2f;
    for (const Vec3f& p : ball.positions) points.push_back(size * p + by);
    for (const Triangle& t : ball.triangles()) {
      triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    }
    std::size_t all = 0;
    const auto corners = [&](const Triangle& t) {
      return Corners{points[t[0]].cast<double>(), points[t[1]].cast<double>(),
                     points[t[2]].cast<double>()};
    };
    for (std::size_t a = 0; a < ball.triangle_count(); ++a) {
      for (std::size_t b = ball.triangle_count(); b < triangles.size(); ++b) {
        all += cross(corners(triangles[a]), corners(triangles[b]));
      }
    }
    const Crossings found = find_crossings(points, triangles);
    EXPECT_EQ(found.pairs, all);
    EXPECT_EQ(found.pairs > 0, !found.triangles.empty());
  }
}

TEST(SelfCrossing, nothing_and_flat_things_are_no_trouble) {
  EXPECT_EQ(find_crossings({}, {}).pairs, 0u);
  const std::vector<Vec3f> same(3, Vec3f(1, 1, 1));
  const std::vector<Triangle> flat(40, Triangle{0, 1, 2});
  EXPECT_EQ(find_crossings(same, flat).pairs, 0u);
  const std::atomic<bool> stop{true};
  const Mesh ball = make_icosphere({.radius = 1, .frequency = 6});
  EXPECT_THROW(find_crossings(ball.positions, ball.triangles(), CancelView{&stop}), Stopped);
}

}  // namespace
}  // namespace sinew::kernels
