#include "nodes/kernels/surface_tree.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/kernels/shapes.h"

namespace sinew::kernels {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Vec3d corner(const Mesh& mesh, std::size_t triangle, int k) {
  return mesh.positions[mesh.triangles()[triangle][k]].cast<double>();
}

// The closest point by projection onto the plane, the three edges and the three corners.
double brute_distance(const Mesh& mesh, const Vec3d& q) {
  double best = INFINITY;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    const Vec3d p[3] = {corner(mesh, t, 0), corner(mesh, t, 1), corner(mesh, t, 2)};
    const Vec3d n = (p[1] - p[0]).cross(p[2] - p[0]);
    bool over = n.norm() > 0;
    for (int k = 0; k < 3; ++k) {
      const Vec3d e = p[(k + 1) % 3] - p[k];
      const double s =
          e.squaredNorm() > 0 ? std::clamp(e.dot(q - p[k]) / e.squaredNorm(), 0., 1.) : 0;
      best = std::min(best, (p[k] + s * e - q).norm());
      over = over && n.cross(e).dot(q - p[k]) >= 0;
    }
    if (over) best = std::min(best, std::abs(n.normalized().dot(q - p[0])));
  }
  return best;
}

// Triangles anywhere, some of them segments and points.
Mesh soup(int count, unsigned seed) {
  Topology topology;
  std::vector<Vec3f> points = test::random_points(3 * count, seed);
  for (uint32_t t = 0; t < static_cast<uint32_t>(count); ++t) {
    topology.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
    if (t % 7 == 0) points[3 * t + 2] = (points[3 * t] + points[3 * t + 1]) / 2;
    if (t % 11 == 0) points[3 * t + 1] = points[3 * t + 2] = points[3 * t];
    if (t % 13 == 0) topology.triangles.back()[1] = 3 * t;
  }
  return Mesh(std::move(topology), std::move(points));
}

TEST(SurfaceTree, ClosestIsThatOfAllTriangles) {
  std::vector<test::NamedMesh> meshes = test::closed_meshes();
  meshes.push_back({"soup", soup(200, 3), 0});
  for (const test::NamedMesh& named : meshes) {
    const SurfaceTree tree(named.mesh);
    for (const Vec3f& p : test::random_points(60, 5, 2)) {
      const Vec3d q = p.cast<double>();
      const auto found = tree.closest(q);
      ASSERT_TRUE(found) << named.name;
      const double expected = brute_distance(named.mesh, q);
      EXPECT_NEAR(std::sqrt(found->distance2), expected, 1e-9) << named.name;
      EXPECT_NEAR((found->point - q).norm(), expected, 1e-9) << named.name;
      Vec3d back = Vec3d::Zero();
      for (int k = 0; k < 3; ++k) {
        back += found->weights[k] * corner(named.mesh, found->triangle, k);
        EXPECT_GE(found->weights[k], -1e-12);
      }
      EXPECT_LT((back - found->point).norm(), 1e-9);
      EXPECT_FALSE(tree.closest(q, 0.99 * expected));
      EXPECT_TRUE(tree.closest(q, 1.01 * expected));
    }
  }
}

TEST(SurfaceTree, EqualDistancesGoToTheFirstTriangle) {
  // The middle of a ball is equally near to all; of a doubled mesh both copies are.
  Mesh box = make_box({});
  EXPECT_LT(SurfaceTree(box).closest({0, 0, 0})->triangle, 2u);
  Topology twice = *box.topology;
  twice.polygon_of_triangle.clear();
  twice.triangles.insert(twice.triangles.end(), box.triangles().begin(), box.triangles().end());
  const SurfaceTree tree(Mesh(twice, box.positions));
  for (const Vec3f& p : test::random_points(50, 8)) {
    EXPECT_LT(tree.closest(p.cast<double>())->triangle, 12u);
  }
}

TEST(SurfaceTree, WindingNumberIsTheExactSumAndWholeForClosedMeshes) {
  for (const test::NamedMesh& named : test::closed_meshes()) {
    const SurfaceTree tree(named.mesh);
    for (const Vec3f& p : test::random_points(60, 9, 1.5f)) {
      const Vec3d q = p.cast<double>();
      if (brute_distance(named.mesh, q) < 1e-3) continue;
      const double exact = tree.exact_winding_number(q);
      EXPECT_NEAR(exact, std::round(exact), 1e-9) << named.name;
      EXPECT_TRUE(std::abs(exact) < 0.5 || std::abs(exact - 1) < 0.5) << named.name;
      EXPECT_NEAR(tree.winding_number(q), exact, 0.07) << named.name;
    }
  }
  // And where there are many triangles to sum up.
  const SurfaceTree ball(make_icosphere({1, 20}));
  for (const Vec3f& p : test::random_points(300, 10, 1.5f)) {
    const Vec3d q = p.cast<double>();
    if (std::abs(q.norm() - 1) < 0.02) continue;
    EXPECT_NEAR(ball.winding_number(q), q.norm() < 1 ? 1 : 0, 0.07) << q.norm();
  }
}

TEST(SurfaceTree, WindingNumberOfAnOpenMeshIsItsSolidAngle) {
  const SurfaceTree disc(make_grid({2, 2, 8, 8, Axis::y}));
  for (const Vec3f& p : test::random_points(100, 11, 2)) {
    const Vec3d q = p.cast<double>();
    EXPECT_NEAR(disc.winding_number(q), disc.exact_winding_number(q), 0.07);
  }
  // A square seen from above its middle at height h: 4 asin(1 / (1 + h^2)) for sides of 2.
  for (const double h : {0.1, 0.5, 2.0}) {
    EXPECT_NEAR(disc.exact_winding_number({0, -h, 0}),
                4 * std::asin(1 / (1 + h * h)) / (4 * std::numbers::pi), 1e-9);
  }
}

TEST(SurfaceTree, InsideOutIsStillInside) {
  Topology turned = *make_icosphere({1, 6}).topology;
  for (Triangle& t : turned.triangles) std::swap(t[1], t[2]);
  const SurfaceTree tree(Mesh(turned, make_icosphere({1, 6}).positions));
  EXPECT_NEAR(tree.winding_number({0, 0, 0}), -1, 0.07);
  EXPECT_TRUE(tree.inside({0, 0, 0}));
  EXPECT_FALSE(tree.inside({2, 0, 0}));
  EXPECT_LT(tree.signed_distance({0, 0, 0}), -0.9);
  EXPECT_NEAR(tree.signed_distance({3, 0, 0}), 2, 0.05);
}

TEST(SurfaceTree, RaysHitWhatAllTrianglesSay) {
  for (const Mesh& mesh : {make_torus({1, 0.3f, 40, 20}), soup(300, 4)}) {
    const SurfaceTree tree(mesh);
    const std::vector<Vec3f> ends = test::random_points(400, 12, 1.5f);
    std::vector<RayHit> hits;
    int some = 0;
    for (std::size_t i = 0; i + 1 < ends.size(); i += 2) {
      const Vec3d from = ends[i].cast<double>(), d = ends[i + 1].cast<double>() - from;
      std::vector<double> expected;
      for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
        // The three planes through the origin and an edge, all on one side of the ray.
        const Vec3d a = corner(mesh, t, 0) - from, b = corner(mesh, t, 1) - from,
                    c = corner(mesh, t, 2) - from, n = (b - a).cross(c - a);
        const double x = d.dot(a.cross(b)), y = d.dot(b.cross(c)), z = d.dot(c.cross(a));
        if (!((x > 0 && y > 0 && z > 0) || (x < 0 && y < 0 && z < 0))) continue;
        const double s = n.dot(a) / n.dot(d);
        if (s >= 0 && s <= 2) expected.push_back(s);
      }
      std::sort(expected.begin(), expected.end());
      tree.all_hits(from, d, 2, hits);
      ASSERT_EQ(hits.size(), expected.size());
      const auto first = tree.first_hit(from, d, 2);
      ASSERT_EQ(first.has_value(), !expected.empty());
      for (std::size_t k = 0; k < hits.size(); ++k) {
        EXPECT_NEAR(hits[k].t, expected[k], 1e-9);
        Vec3d back = Vec3d::Zero();
        for (int j = 0; j < 3; ++j) back += hits[k].weights[j] * corner(mesh, hits[k].triangle, j);
        EXPECT_LT((back - from - hits[k].t * d).norm(), 1e-9);
      }
      if (!first) continue;
      ++some;
      EXPECT_EQ(first->t, hits[0].t);
      EXPECT_EQ(first->triangle, hits[0].triangle);
    }
    EXPECT_GT(some, 20);
  }
}

TEST(SurfaceTree, ARayFromInsideLeaves) {
  const SurfaceTree ball(make_icosphere({1, 8}));
  EXPECT_TRUE(ball.first_hit({0, 0, 0}, {1, 0.1, 0.2})->from_inside);
  EXPECT_FALSE(ball.first_hit({3, 0.1, 0}, {-1, 0, 0})->from_inside);
  EXPECT_FALSE(ball.first_hit({3, 0.1, 0}, {1, 0, 0}));
  EXPECT_FALSE(ball.first_hit({3, 0.1, 0}, {-1, 0, 0}, 1.5));
  // Along an axis, within the plane of a side of the boxes.
  EXPECT_TRUE(SurfaceTree(make_box({})).first_hit({0, 0, 0}, {0, 0, 1}));
  EXPECT_TRUE(SurfaceTree(make_box({})).first_hit({-2, 0.5, 0.2}, {1, 0, 0}));
}

TEST(SurfaceTree, ABoxTouchesIfAPointOfATriangleIsInIt) {
  const Mesh mesh = soup(60, 6);
  const SurfaceTree tree(mesh);
  int touching = 0, free = 0;
  for (const Vec3f& p : test::random_points(400, 13)) {
    const Vec3d low = p.cast<double>();
    const Eigen::AlignedBox3d box(low, low + Vec3d(0.1, 0.2, 0.05));
    const bool touches = tree.touches(box);
    // Points of all triangles, close together: one in the box proves it.
    bool proven = false;
    for (std::size_t t = 0; t < mesh.triangle_count() && !proven; ++t) {
      for (int i = 0; i <= 60 && !proven; ++i) {
        for (int j = 0; i + j <= 60 && !proven; ++j) {
          const double u = i / 60.0, v = j / 60.0;
          proven = box.contains((1 - u - v) * corner(mesh, t, 0) + u * corner(mesh, t, 1) +
                                v * corner(mesh, t, 2));
        }
      }
    }
    if (proven) {
      EXPECT_TRUE(touches);
    }
    // None in a larger box disproves it.
    const double nearest = brute_distance(mesh, box.center());
    if (nearest > box.diagonal().norm() / 2) {
      EXPECT_FALSE(touches);
    }
    touching += proven;
    free += !touches;
  }
  EXPECT_GT(touching, 40);
  EXPECT_GT(free, 20);
}

TEST(SurfaceTree, DegenerateTrianglesAreSafe) {
  Topology topology;
  topology.triangles = {{0, 0, 0}, {0, 1, 1}, {0, 1, 2}};
  const Mesh mesh(topology, {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}});  // a point, a segment, a line
  const SurfaceTree tree(mesh);
  EXPECT_NEAR(std::sqrt(tree.closest({1.5, 1, 0})->distance2), 1, 1e-12);
  EXPECT_NEAR(std::sqrt(tree.closest({-1, 0, 0})->distance2), 1, 1e-12);
  EXPECT_EQ(tree.winding_number({1, 1, 1}), 0);
  EXPECT_FALSE(tree.first_hit({1, 1, 0}, {0, -1, 0}));
  EXPECT_TRUE(tree.touches({Vec3d(0.5, -0.1, -0.1), Vec3d(0.6, 0.1, 0.1)}));
  EXPECT_FALSE(tree.touches({Vec3d(0.5, 0.1, -0.1), Vec3d(0.6, 0.2, 0.1)}));
  // On the surface itself a winding number is finite.
  const Mesh box = make_box({});
  for (const Vec3f& p : box.positions) {
    EXPECT_TRUE(std::isfinite(SurfaceTree(box).winding_number(p.cast<double>())));
  }
  EXPECT_NEAR(SurfaceTree(box).winding_number({0.5, 0.1, 0.2}), 0.5, 1e-9);
}

TEST(SurfaceTree, EmptyAndHostileQueriesAreSafe) {
  const SurfaceTree none{Mesh()};
  EXPECT_TRUE(none.empty());
  EXPECT_FALSE(none.closest({0, 0, 0}));
  EXPECT_FALSE(none.first_hit({0, 0, 0}, {1, 0, 0}));
  EXPECT_FALSE(none.touches({Vec3d(-1, -1, -1), Vec3d(1, 1, 1)}));
  EXPECT_EQ(none.winding_number({0, 0, 0}), 0);
  EXPECT_TRUE(std::isinf(none.signed_distance({0, 0, 0})));

  const SurfaceTree ball(make_icosphere({1, 4}));
  std::vector<RayHit> hits;
  for (const Vec3d& bad : {Vec3d(nan, 0, 0), Vec3d(0, nan, nan)}) {
    EXPECT_FALSE(ball.closest(bad));
    EXPECT_FALSE(ball.first_hit(bad, {1, 0, 0}));
    EXPECT_FALSE(ball.first_hit({0, 0, 0}, bad));
    ball.all_hits(bad, {1, 0, 0}, 1, hits);
    EXPECT_TRUE(hits.empty());
    EXPECT_FALSE(ball.inside(bad));
    EXPECT_TRUE(std::isinf(ball.signed_distance(bad)));
  }
  EXPECT_FALSE(ball.closest({0, 0, 0}, nan));
  EXPECT_FALSE(ball.closest({0, 0, 0}, -1));
  EXPECT_FALSE(ball.first_hit({0, 0, 0}, {0, 0, 0}));
}

TEST(SurfaceTree, ScalesGiveTheSameAnswers) {
  for (const float scale : {1e-6f, 1e6f}) {
    const SurfaceTree tree(make_torus({scale, 0.3f * scale, 30, 12}));
    const SurfaceTree plain(make_torus({1, 0.3f, 30, 12}));
    for (const Vec3f& p : test::random_points(100, 14, 1.4f)) {
      const Vec3d q = p.cast<double>();
      EXPECT_NEAR(tree.signed_distance(q * scale) / scale, plain.signed_distance(q), 1e-6);
      EXPECT_NEAR(tree.winding_number(q * scale), plain.winding_number(q), 1e-3);
    }
  }
}

TEST(SurfaceTree, BuildingCanBeStopped) {
  const std::atomic<bool> stop{true};
  EXPECT_THROW(SurfaceTree(make_icosphere({1, 20}), CancelView{&stop}), Stopped);
}

// -0 is no other direction than 0, also where the ray starts in the plane of a box's side.
TEST(SurfaceTree, ARayWithANegativeZeroHits) {
  const SurfaceTree tree(make_box({{1, 1, 1}, {1, 1, 1}}));
  for (const double zero : {0.0, -0.0}) {
    EXPECT_TRUE(tree.first_hit({0.5, 0.2, 5}, {zero, zero, -1})) << zero;
    EXPECT_TRUE(tree.first_hit({-0.5, 0.2, 5}, {zero, zero, -1})) << zero;
  }
}

}  // namespace
}  // namespace sinew::kernels
