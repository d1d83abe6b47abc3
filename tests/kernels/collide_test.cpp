#include "nodes/kernels/collide.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "nodes/kernels/distance_grid.h"
#include "tests/kernels/shapes.h"

namespace sinew::kernels {
namespace {

const float scales[] = {1e-3f, 1, 1e3f};

Collider simple(ColliderShape shape, float radius = 0, const Vec3f& half = {0, 0, 0}) {
  Collider c;
  c.shape = shape;
  c.radius = radius;
  c.half = half;
  return c;
}

Eigen::Quaternionf some_turn() {
  return Eigen::Quaternionf(Eigen::AngleAxisf(0.7f, Vec3f(1, 2, -1).normalized()));
}

void expect_at(const Collider& c, const Vec3d& p, double distance, const Vec3d& normal,
               double tolerance = 1e-6) {
  const SurfaceDistance found = signed_distance(c, p);
  EXPECT_NEAR(found.distance, distance, tolerance) << p.transpose();
  EXPECT_NEAR((found.normal - normal).norm(), 0, 1e-6)
      << p.transpose() << ": " << found.normal.transpose();
}

TEST(Collide, ExactDistancesOfSimpleShapes) {
  const double q = std::sqrt(0.5);
  for (const float s : scales) {
    const double tolerance = 1e-6 * s;
    const auto at = [&](const Collider& c, const Vec3d& p, double d, const Vec3d& n) {
      expect_at(c, p * s, d * s, n, tolerance);
    };
    const Collider plane = simple(ColliderShape::plane);
    at(plane, {5, 3, -7}, 3, {0, 1, 0});
    at(plane, {5, -2, 9}, -2, {0, 1, 0});

    const Collider sphere = simple(ColliderShape::sphere, 2 * s);
    at(sphere, {3, 4, 0}, 3, {0.6, 0.8, 0});
    at(sphere, {0, 0, -0.5}, -1.5, {0, 0, -1});
    at(sphere, {0, 0, 0}, -2, {0, 1, 0});

    const Collider box = simple(ColliderShape::box, 0, Vec3f(1, 2, 3) * s);
    at(box, {4, 0, 0}, 3, {1, 0, 0});
    at(box, {0.5, -5, 1}, 3, {0, -1, 0});
    at(box, {2, 3, 0}, std::sqrt(2), {q, q, 0});
    at(box, {-3, 4, 4}, 3, {-2.0 / 3, 2.0 / 3, 1.0 / 3});
    at(box, {0.9, 0, 0}, -0.1, {1, 0, 0});
    at(box, {0, -1.9, 0}, -0.1, {0, -1, 0});
    at(box, {0, 0, 0}, -1, {1, 0, 0});

    const Collider rounded = simple(ColliderShape::box, 0.5f * s, Vec3f(0.5f, 1.5f, 2.5f) * s);
    at(rounded, {4, 0, 0}, 3, {1, 0, 0});
    at(rounded, {1.5, 2.5, 0}, std::sqrt(2) - 0.5, {q, q, 0});
    at(rounded, {0.6, 1.6, 0}, std::sqrt(0.02) - 0.5, {q, q, 0});
    at(rounded, {0.25, 0, 0}, -0.75, {1, 0, 0});

    const Collider capsule = simple(ColliderShape::capsule, 0.5f * s, Vec3f(0, 2, 0) * s);
    at(capsule, {3, 1, 4}, 4.5, {0.6, 0, 0.8});
    at(capsule, {0, 4, 0}, 1.5, {0, 1, 0});
    at(capsule, {0, -2.25, 0}, -0.25, {0, -1, 0});
    at(capsule, {0.3, 2.4, 0}, 0, {0.6, 0.8, 0});
    at(capsule, {0, 1, 0}, -0.5, {0, 1, 0});
  }
}

TEST(Collide, NothingIsASizeToo) {
  // A box, a ball and a capsule of no size are a point.
  for (const ColliderShape shape :
       {ColliderShape::box, ColliderShape::sphere, ColliderShape::capsule}) {
    const Collider point = simple(shape);
    expect_at(point, {3, 0, 4}, 5, {0.6, 0, 0.8});
    const SurfaceDistance there = signed_distance(point, {0, 0, 0});
    EXPECT_EQ(there.distance, 0);
    EXPECT_NEAR(there.normal.norm(), 1, 1e-12);
  }
  // A sheet and a rod.
  expect_at(simple(ColliderShape::box, 0, {1, 0, 1}), {0.5, 2, 0.5}, 2, {0, 1, 0});
  expect_at(simple(ColliderShape::box, 0, {1, 0, 0}), {0.5, 3, 4}, 5, {0, 0.6, 0.8});
}

TEST(Collide, PlacesMoveAndTurn) {
  const std::vector<Vec3f> points = test::random_points(200, 11, 3);
  for (const ColliderShape shape :
       {ColliderShape::plane, ColliderShape::box, ColliderShape::capsule}) {
    const Collider rest = simple(shape, 0.2f, {0.4f, 0.7f, 0.3f});
    Collider moved = rest;
    moved.position = {1, -2, 3};
    moved.rotation = some_turn();
    for (const Vec3f& p : points) {
      const Vec3d local = p.cast<double>();
      const Eigen::Quaterniond turn = moved.rotation.cast<double>();
      const SurfaceDistance a = signed_distance(rest, local);
      const SurfaceDistance b =
          signed_distance(moved, turn * local + moved.position.cast<double>());
      EXPECT_NEAR(a.distance, b.distance, 1e-6);
      EXPECT_NEAR((turn * a.normal - b.normal).norm(), 0, 1e-5);
    }
  }
  Collider wall = simple(ColliderShape::plane);
  wall.rotation = Eigen::Quaternionf(Eigen::AngleAxisf(-1.5707963f, Vec3f(0, 0, 1)));
  expect_at(wall, {3, 100, 5}, 3, {1, 0, 0}, 1e-4);
}

// The gradient of the distance by differences is the normal, so its length is 1.
void expect_gradients(const Collider& c, float extent, double tolerance, unsigned seed) {
  int looked = 0;
  for (const Vec3f& point : test::random_points(400, seed, extent)) {
    const Vec3d p = point.cast<double>();
    const double step = 1e-4 * extent;
    const SurfaceDistance here = signed_distance(c, p);
    Vec3d gradient;
    bool smooth = true;
    for (int k = 0; k < 3; ++k) {
      const Vec3d e = step * Vec3d::Unit(k);
      const SurfaceDistance after = signed_distance(c, p + e), before = signed_distance(c, p - e);
      gradient[k] = (after.distance - before.distance) / (2 * step);
      // On the medial axis the normal jumps.
      smooth &= (after.normal - before.normal).norm() < 0.05;
    }
    EXPECT_NEAR(here.normal.norm(), 1, 1e-9);
    if (!smooth) continue;
    ++looked;
    EXPECT_NEAR((gradient - here.normal).norm(), 0, tolerance) << p.transpose();
  }
  EXPECT_GT(looked, 200);
}

TEST(Collide, GradientsAreTheNormals) {
  for (const float s : scales) {
    for (Collider c : {simple(ColliderShape::plane), simple(ColliderShape::sphere, 0.7f * s),
                       simple(ColliderShape::box, 0, Vec3f(0.5f, 0.8f, 0.3f) * s),
                       simple(ColliderShape::box, 0.1f * s, Vec3f(0.5f, 0.8f, 0.3f) * s),
                       simple(ColliderShape::capsule, 0.3f * s, Vec3f(0, 0.6f, 0) * s)}) {
      c.rotation = some_turn();
      c.position = Vec3f(0.1f, -0.2f, 0.3f) * s;
      expect_gradients(c, 2 * s, 2e-3, 23);
    }
  }
}

TEST(Collide, TheNearestOfSeveralCounts) {
  Colliders all;
  all.list = {simple(ColliderShape::plane), simple(ColliderShape::sphere, 0.5f),
              simple(ColliderShape::sphere, 0.5f)};
  all.list[1].position = {0, 2, 0};
  all.list[2].position = {3, 2, 0};
  const std::vector<Vec3f> points = {{0, 3, 0}, {3, 3, 0}, {10, 1, 0}, {1.5f, 2, 0}, {0, 2, 0}};
  std::vector<float> distances(points.size());
  std::vector<Vec3f> normals(points.size());
  std::vector<uint32_t> nearest(points.size());
  signed_distance(all, points, distances, normals, nearest);
  EXPECT_EQ(nearest, (std::vector<uint32_t>{1, 2, 0, 1, 1})) << "of equals the first";
  EXPECT_EQ(distances[0], 0.5f);
  EXPECT_EQ(distances[2], 1);
  EXPECT_EQ(distances[3], 1);
  EXPECT_EQ(distances[4], -0.5f);
  EXPECT_EQ(normals[0], Vec3f(0, 1, 0));
  EXPECT_EQ(normals[3], Vec3f(1, 0, 0));
  signed_distance({}, points, distances, normals, nearest);
  EXPECT_EQ(distances[0], nothing_near);
  EXPECT_EQ(nearest[0], no_collider);
}

// ---- Meshes -------------------------------------------------------------------------------------

Collider of_mesh(const Mesh& mesh, int cells) {
  Collider c = simple(ColliderShape::mesh);
  c.distances = std::make_shared<const DistanceGrid>(make_distance_grid(SurfaceTree(mesh), cells));
  EXPECT_FALSE(validate(Colliders{{c}}));
  return c;
}

TEST(CollideMesh, TheGridIsExactAtItsCornersNearTheSurface) {
  for (const test::NamedMesh& shape : test::closed_meshes()) {
    if (shape.name.find("icosphere") == std::string::npos &&
        shape.name.find("torus") == std::string::npos && shape.name != "box 2 3 4") {
      continue;
    }
    const SurfaceTree tree(shape.mesh);
    const DistanceGrid grid = make_distance_grid(tree, 10);
    std::size_t at = 0, inside = 0;
    for (uint32_t z = 0; z < grid.counts[2]; ++z) {
      for (uint32_t y = 0; y < grid.counts[1]; ++y) {
        for (uint32_t x = 0; x < grid.counts[0]; ++x, ++at) {
          const Vec3d p = grid.origin.cast<double>() + double{grid.spacing} * Vec3d(x, y, z);
          const double exact = tree.signed_distance(p);
          inside += exact < 0;
          const double error = std::abs(std::abs(grid.distances[at]) - std::abs(exact));
          // Further away it is interpolated.
          EXPECT_LT(error, std::abs(exact) < 3 * grid.spacing ? 1e-6 : 3.5 * grid.spacing)
              << shape.name;
          // On the surface itself the sign is anyone's.
          if (std::abs(exact) > 1e-6) {
            EXPECT_EQ(grid.distances[at] < 0, exact < 0) << shape.name;
          }
        }
      }
    }
    EXPECT_GT(inside, 0u);
  }
}

// Half a spacing near the surface, 3.5 deep inside; near it a few hundredths on the whole.
TEST(CollideMesh, BetweenCornersWithinTheStatedTolerance) {
  for (const float s : scales) {
    Mesh ball = make_icosphere({1, 12}), block = make_box({{1, 0.6f, 0.8f}, {1, 1, 1}}),
         ring = make_torus({1, 0.4f, 40, 20, Axis::y});
    for (Mesh* mesh : {&ball, &block, &ring}) {
      for (Vec3f& p : mesh->positions) p *= s;
      const SurfaceTree tree(*mesh);
      const Collider c = of_mesh(*mesh, 32);
      const double spacing = c.distances->spacing;
      double sum = 0, count = 0;
      std::size_t signs = 0;
      const std::vector<Vec3f> points = test::random_points(1500, 31, 0.7f);
      const Vec3d middle = tree.box().center(), sizes = tree.box().sizes();
      for (const Vec3f& r : points) {
        const Vec3d p = middle + r.cast<double>().cwiseProduct(sizes);
        const double exact = tree.signed_distance(p), found = signed_distance(c, p).distance;
        const double error = std::abs(exact - found);
        const bool near = std::abs(exact) < 3 * spacing;
        EXPECT_LT(error, near ? 0.5 * spacing : 3.5 * spacing);
        sum += near ? error : 0;
        count += near;
        signs += std::abs(exact) > 0.5 * spacing && (exact < 0) != (found < 0);
      }
      EXPECT_LT(sum / count, 0.03 * spacing);
      EXPECT_EQ(signs, 0u);
    }
  }
}

TEST(CollideMesh, FarAwayItIsNearlyExact) {
  const Mesh ball = make_icosphere({1, 16});
  const Collider c = of_mesh(ball, 24);
  for (const Vec3f& direction : test::random_points(100, 5)) {
    for (const double far : {2.0, 10.0, 1000.0}) {
      const Vec3d n = direction.cast<double>().normalized();
      const SurfaceDistance found = signed_distance(c, far * n);
      EXPECT_NEAR(found.distance, far - 1, 0.02 + 1e-3 * far);
      EXPECT_GT(found.normal.dot(n), 0.99);
    }
  }
}

TEST(CollideMesh, GradientsOfASmoothSurface) {
  const Collider c = of_mesh(make_icosphere({1, 24}), 40);
  for (const Vec3f& r : test::random_points(300, 9, 1.2f)) {
    const Vec3d p = r.cast<double>();
    if (p.norm() < 0.5) continue;  // about the centre the normal turns within a few cells
    const bool near = std::abs(p.norm() - 1) < 3 * c.distances->spacing;
    EXPECT_GT(signed_distance(c, p).normal.dot(p.normalized()), near ? 0.999 : 0.97)
        << p.transpose();
  }
}

TEST(CollideMesh, InsideOutIsTheSameObstacle) {
  Topology turned = *make_icosphere({1, 4}).topology;
  for (Triangle& t : turned.triangles) std::swap(t[1], t[2]);
  const Collider c = of_mesh(Mesh(turned, make_icosphere({1, 4}).positions), 16);
  EXPECT_LT(signed_distance(c, {0, 0, 0}).distance, -0.8);
  EXPECT_GT(signed_distance(c, {0, 2, 0}).distance, 0.9);
}

TEST(CollideMesh, NothingToCollideWithIsRefused) {
  EXPECT_THROW(make_distance_grid(SurfaceTree(Mesh()), 10), std::invalid_argument);
  const Mesh point(Topology{{{0, 1, 2}}, {}, {}}, {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}});
  EXPECT_THROW(make_distance_grid(SurfaceTree(point), 10), std::invalid_argument);
  const std::atomic<bool> stop{true};
  const SurfaceTree ball(make_icosphere({1, 4}));
  EXPECT_THROW(make_distance_grid(ball, 16, CancelView{&stop}), Stopped);
  EXPECT_THROW(make_height_grid(ball, 16, CancelView{&stop}), Stopped);
}

// ---- Terrains -----------------------------------------------------------------------------------

Mesh landscape(float scale, const std::function<float(float, float)>& height) {
  Mesh grid = make_grid({.width = 2, .depth = 4, .width_segments = 20, .depth_segments = 40});
  for (Vec3f& p : grid.positions) {
    p.y() = height(p.x(), p.z());
    p *= scale;
  }
  return grid;
}

Collider of_terrain(const Mesh& mesh, int cells) {
  Collider c = simple(ColliderShape::terrain);
  c.heights = std::make_shared<const HeightGrid>(make_height_grid(SurfaceTree(mesh), cells));
  EXPECT_FALSE(validate(Colliders{{c}}));
  return c;
}

TEST(CollideTerrain, ASlopeIsExact) {
  for (const float s : scales) {
    const Collider c = of_terrain(landscape(s, [](float x, float) { return 0.75f * x; }), 40);
    EXPECT_EQ(c.heights->counts, (std::array<uint32_t, 2>{41, 21}));
    const Vec3d n(-0.6, 0.8, 0);
    for (const Vec3f& r : test::random_points(200, 3, 0.9f)) {
      const Vec3d p = s * Vec3d(r.x(), 3 * r.y(), r.z());
      expect_at(c, p, p.dot(n), n, 2e-5 * s);
    }
  }
}

TEST(CollideTerrain, HillsAreFollowedToSecondOrder) {
  const auto hills = [](float x, float z) { return 0.2f * std::sin(2 * x) * std::cos(1.5f * z); };
  const Collider c = of_terrain(landscape(1, hills), 160);
  const SurfaceTree exact(landscape(1, hills));
  for (const Vec3f& r : test::random_points(300, 13, 0.8f)) {
    const float below = hills(r.x(), r.z());
    for (const double above : {-0.3, -0.05, 0.0, 0.05, 0.3}) {
      const Vec3d p(r.x(), below + above, r.z());
      const SurfaceDistance found = signed_distance(c, p);
      const double truth = std::sqrt(exact.closest(p)->distance2);
      // The hills' curvature is below 0.8 per metre.
      EXPECT_NEAR(std::abs(found.distance), truth, 0.01 + 0.8 * above * above);
      if (std::abs(above) > 0.02) {
        EXPECT_EQ(found.distance > 0, above > 0);
      }
    }
  }
}

TEST(CollideTerrain, BeyondItsBorderItGoesOn) {
  const Collider c = of_terrain(landscape(1, [](float x, float) { return 0.5f * x; }), 40);
  expect_at(c, {50, 3, 0}, 2, {0, 1, 0}, 1e-4);
  expect_at(c, {-50, 3, 70}, 4, {0, 1, 0}, 1e-4);
}

TEST(CollideTerrain, TheHighestCountsAndHolesAreClosed) {
  // Seen from above a ball is a dome; beside it there is nothing to see.
  const Collider c = of_terrain(make_icosphere({1, 16}), 64);
  EXPECT_NEAR(signed_distance(c, {0, 3, 0}).distance, 2, 0.02);
  EXPECT_LT(signed_distance(c, {0, -3, 0}).distance, 0);
  for (const float h : c.heights->heights) EXPECT_TRUE(h >= -1 && h <= 1);
}

TEST(CollideTerrain, WhatCannotBeOneIsRefused) {
  EXPECT_THROW(make_height_grid(SurfaceTree(Mesh()), 8), std::invalid_argument);
  Mesh wall = landscape(1, [](float, float) { return 0.0f; });
  for (Vec3f& p : wall.positions) p = {p.x(), p.z(), 0};
  EXPECT_THROW(make_height_grid(SurfaceTree(wall), 8), std::invalid_argument);
}

TEST(Collide, OneThreadAndTwoGiveTheSame) {
  const Mesh ball = make_icosphere({1, 8});
  const std::vector<Vec3f> points = test::random_points(5000, 2, 2);
  test::expect_same_for_threads([&] {
    Colliders all{{of_mesh(ball, 16), of_terrain(ball, 20), simple(ColliderShape::sphere, 0.3f)}};
    std::vector<float> distances(points.size());
    signed_distance(all, points, distances);
    return std::pair(all, distances);
  });
}

TEST(Colliders, FlawsAreNamed) {
  const auto flaw = [](Collider c) { return validate(Colliders{{c}}).value_or(""); };
  Collider c = simple(ColliderShape::sphere, 1);
  EXPECT_EQ(flaw(c), "");
  c.radius = -1;
  EXPECT_NE(flaw(c).find("collider 0 (sphere): its size"), std::string::npos) << flaw(c);
  c = simple(ColliderShape::sphere, 1);
  c.position.y() = NAN;
  EXPECT_NE(flaw(c).find("position"), std::string::npos);
  c = simple(ColliderShape::sphere, 1);
  c.rotation.coeffs() *= 2;
  EXPECT_NE(flaw(c).find("rotation"), std::string::npos);
  c = simple(ColliderShape::sphere, 1);
  c.friction = -1;
  EXPECT_NE(flaw(c).find("friction"), std::string::npos);
  EXPECT_NE(flaw(simple(ColliderShape::mesh)), "");
  EXPECT_NE(flaw(simple(ColliderShape::terrain)), "");
  c = simple(ColliderShape::mesh);
  c.distances = std::make_shared<const DistanceGrid>();
  EXPECT_NE(flaw(c).find("wrong size"), std::string::npos);
}

}  // namespace
}  // namespace sinew::kernels
