// Meshes of implicit bodies: closed, of the right topology, on the surface, even, mirrored.
#include "nodes/kernels/implicit_mesh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "nodes/kernels/adjacency.h"
#include "nodes/kernels/implicit_shape.h"
#include "nodes/kernels/measure.h"
#include "nodes/kernels/ring_mesh.h"
#include "tests/kernels/shapes.h"

namespace sinew::kernels {
namespace {

Eigen::AlignedBox3d cube(double half) { return {Vec3d::Constant(-half), Vec3d::Constant(half)}; }

struct Body {
  std::string name;
  Implicit f;
  Eigen::AlignedBox3d box;
  double cell;
  long euler;
  double volume;  // 0: not known
};

std::vector<Body> bodies() {
  constexpr double pi = M_PI;
  return {
      {"sphere", [](const Vec3d& p) { return p.norm() - 1; }, cube(1.2), 0.08, 2, 4 * pi / 3},
      {"torus",
       [](const Vec3d& p) { return std::hypot(std::hypot(p.x(), p.z()) - 0.8, p.y()) - 0.25; },
       cube(1.2), 0.06, 0, 2 * pi * pi * 0.8 * 0.0625},
      {"two balls",
       [](const Vec3d& p) {
         return (Vec3d(std::abs(p.x()), p.y(), p.z()) - Vec3d(0.6, 0, 0)).norm() - 0.5;
       },
       cube(1.3), 0.05, 4, 2 * 4 * pi / 3 * 0.125},
      {"hollow ball", [](const Vec3d& p) { return std::abs(p.norm() - 0.8) - 0.1; }, cube(1.1),
       0.05, 4, 4 * pi / 3 * (0.729 - 0.343)},
      // A disc of the thickness of two cells, with a round rim.
      {"thin sheet",
       [](const Vec3d& p) {
         return std::hypot(std::max(std::hypot(p.x(), p.z()) - 0.9, 0.0), p.y()) - 0.04;
       },
       cube(1.1), 0.04, 2, 0},
      // Leaves the box, and is cut off there.
      {"cut off", [](const Vec3d& p) { return std::hypot(p.x(), p.y()) - 0.5; }, cube(1), 0.08, 2,
       0},
  };
}

Mesh mesh_of(const Body& body, int vertices, bool mirrored = false) {
  ImplicitMeshOptions options;
  options.box = body.box;
  options.cell = body.cell;
  options.vertices = vertices;
  options.mirror_x = mirrored;
  return mesh_implicit(body.f, options);
}

TEST(ImplicitMesh, IsClosedWithTheRightTopologyAtAnyNumberOfVertices) {
  for (const Body& body : bodies()) {
    for (const bool mirrored : {false, true}) {
      for (const int vertices : {300, 1500, 15000}) {
        SCOPED_TRACE(body.name + " " + std::to_string(vertices) + (mirrored ? " mirrored" : ""));
        const Mesh mesh = mesh_of(body, vertices, mirrored);
        EXPECT_FALSE(validate(mesh));
        const TopologyReport report = inspect_topology(mesh.triangles(), mesh.vertex_count());
        EXPECT_TRUE(report.watertight());
        EXPECT_EQ(report.euler, body.euler);
        EXPECT_NEAR(static_cast<double>(mesh.vertex_count()) / vertices, 1, 0.2);
      }
    }
  }
}

TEST(ImplicitMesh, VerticesLieOnTheSurfaceAndTheVolumeIsRight) {
  for (const Body& body : bodies()) {
    if (body.name == "cut off") continue;
    SCOPED_TRACE(body.name);
    const Mesh mesh = mesh_of(body, 4000, true);
    double off = 0;
    for (const Vec3f& p : mesh.positions) off = std::max(off, std::abs(body.f(p.cast<double>())));
    EXPECT_LT(off, 2e-3 * body.cell);
    EXPECT_GT(signed_volume(mesh), 0);
    // A chord of an even mesh cuts off a volume that falls with the number of vertices.
    if (body.volume > 0) {
      EXPECT_NEAR(signed_volume(mesh) / body.volume, 1, 0.02);
    }
  }
}

TEST(ImplicitMesh, TrianglesAreEven) {
  for (const Body& body : bodies()) {
    if (body.name == "cut off") continue;  // its edges are sharp
    SCOPED_TRACE(body.name);
    const Mesh mesh = mesh_of(body, 3000);
    std::size_t thin = 0;
    for (const Triangle& t : mesh.triangles()) {
      double least = 180;
      for (int k = 0; k < 3; ++k) {
        const Vec3f a = mesh.positions[t[k]];
        const Vec3f b = mesh.positions[t[(k + 1) % 3]] - a, c = mesh.positions[t[(k + 2) % 3]] - a;
        least = std::min<double>(least, std::atan2(b.cross(c).norm(), b.dot(c)) * 180 / M_PI);
      }
      EXPECT_GT(least, 8);
      thin += least < 30;
    }
    EXPECT_LT(static_cast<double>(thin), 0.02 * static_cast<double>(mesh.triangle_count()));
  }
}

TEST(ImplicitMesh, MirroredIsExactlySymmetric) {
  const Mesh mesh = mesh_of(bodies()[1], 2000, true);
  std::vector<std::array<float, 3>> right, left;
  for (const Vec3f& p : mesh.positions) {
    if (p.x() > 0) right.push_back({p.x(), p.y(), p.z()});
    if (p.x() < 0) left.push_back({-p.x(), p.y(), p.z()});
  }
  std::sort(right.begin(), right.end());
  std::sort(left.begin(), left.end());
  EXPECT_FALSE(right.empty());
  EXPECT_EQ(right, left);
}

TEST(ImplicitMesh, ScaleDoesNotMatter) {
  for (const double scale : {1e-6, 1e6}) {
    ImplicitMeshOptions options;
    options.box = cube(1.2 * scale);
    options.cell = 0.08 * scale;
    options.vertices = 1000;
    const Mesh mesh = mesh_implicit([=](const Vec3d& p) { return p.norm() - scale; }, options);
    EXPECT_TRUE(inspect_topology(mesh.triangles(), mesh.vertex_count()).watertight());
    EXPECT_NEAR(static_cast<double>(mesh.vertex_count()), 1000, 200);
    EXPECT_NEAR(signed_volume(mesh) / std::pow(scale, 3), 4 * M_PI / 3, 0.08);
  }
}

TEST(ImplicitMesh, HollowsAreFilledIfNotWanted) {
  const Body body = bodies()[3];
  ImplicitMeshOptions options;
  options.box = body.box;
  options.cell = body.cell;
  options.keep_hollows = false;
  for (const bool mirrored : {false, true}) {
    options.mirror_x = mirrored;
    const Mesh mesh = mesh_implicit(body.f, options);
    EXPECT_EQ(inspect_topology(mesh.triangles(), mesh.vertex_count()).euler, 2);
    EXPECT_NEAR(signed_volume(mesh), 4 * M_PI / 3 * 0.729, 0.05);
  }
}

TEST(ImplicitMesh, ThreadsDoNotMatter) {
  test::expect_same_for_threads([] { return mesh_of(bodies()[1], 3000); });
}

TEST(ImplicitMesh, BadInput) {
  ImplicitMeshOptions options;
  options.box = cube(1);
  options.cell = 0.1;
  EXPECT_TRUE(mesh_implicit([](const Vec3d&) { return 1.0; }, options).empty());
  EXPECT_TRUE(mesh_implicit([](const Vec3d&) { return std::nan(""); }, options).empty());
  // All inside: the box.
  const Mesh full = mesh_implicit([](const Vec3d&) { return -1.0; }, options);
  EXPECT_TRUE(inspect_topology(full.triangles(), full.vertex_count()).watertight());
  const Implicit ball = [](const Vec3d& p) { return p.norm() - 0.5; };
  for (const double cell : {0.0, -1.0, std::nan(""), 1e-9}) {
    options.cell = cell;
    EXPECT_THROW(mesh_implicit(ball, options), std::invalid_argument) << cell;
  }
  options.cell = 0.1;
  options.box = {};
  EXPECT_THROW(mesh_implicit(ball, options), std::invalid_argument);
  options.box = cube(std::numeric_limits<double>::infinity());
  EXPECT_THROW(mesh_implicit(ball, options), std::invalid_argument);
  const std::atomic<bool> stop{true};
  options.box = cube(1);
  EXPECT_THROW(mesh_implicit(ball, options, CancelView{&stop}), Stopped);
}

TEST(ImplicitShape, PartsAreDistances) {
  ImplicitShape ball;
  ball.add(Limb{{{1, 0, 0}}, {0.5}}, 0);
  EXPECT_NEAR(ball({1, 2, 0}), 1.5, 1e-12);
  EXPECT_NEAR(ball({1, 0, 0}), -0.5, 1e-12);
  ImplicitShape bar;
  bar.add(Limb{{{0, 0, 0}, {0, 0, 2}}, {0.1, 0.3}}, 0);
  EXPECT_NEAR(bar({0.5, 0, 1}), 0.3, 0.02);
  EXPECT_NEAR(bar({0, 0, 3}), 0.7, 1e-12);
  ImplicitShape round;
  round.add(Ellipsoid{{0, 0, 0}, {1, 2, 3}}, 0);
  for (const Vec3d& p : {Vec3d(1, 0, 0), Vec3d(0, 2, 0), Vec3d(0, 0, -3)})
    EXPECT_NEAR(round(p), 0, 1e-12);
  // A blade is as thick as it says, in the middle and at its rim.
  ImplicitShape blade;
  blade.add(Limb{{{0, 0, 0}, {1, 0, 0}}, {0.2, 0.2}, {0, 1, 0}, 0.25, 0.02}, 0);
  EXPECT_NEAR(blade({0.5, 0.05, 0}), 0, 1e-12);
  EXPECT_NEAR(blade({0.5, 0, 0.2}), 0, 1e-12);
  EXPECT_LT(blade({0.5, 0.0199, 0.18}), 0);
  EXPECT_GT(blade({0.5, 0.03, 0.18}), 0);
}

TEST(ImplicitShape, BlendsFillAndCutsTakeAway) {
  EXPECT_DOUBLE_EQ(smooth_min(1, 2, 0), 1);
  EXPECT_DOUBLE_EQ(smooth_min(1, 2, 0.5), 1);
  EXPECT_DOUBLE_EQ(smooth_min(1, 1, 0.4), 0.9);
  EXPECT_DOUBLE_EQ(smooth_max(1, 1, 0.4), 1.1);
  ImplicitShape pair;
  pair.add_pair(Limb{{{0.5, 0, 0}}, {0.45}}, 0.3);
  EXPECT_LT(pair({0, 0, 0}), 0);  // the gap of 0.1 is bridged
  EXPECT_DOUBLE_EQ(pair({0.3, 0.4, 0.1}), pair({-0.3, 0.4, 0.1}));
  pair.cut(Limb{{{0.5, 0, 0}}, {0.2}}, 0.01);
  EXPECT_GT(pair({0.5, 0, 0}), 0);
  EXPECT_LT(pair({-0.5, 0, 0}), 0);
  EXPECT_TRUE(pair.box().contains(Vec3d(0.95, 0, 0)));
}

// What is far away is skipped without a change: parts in any place give what all of them give.
TEST(ImplicitShape, SkippingIsExactForRoundParts) {
  ImplicitShape shape;
  std::vector<Limb> limbs;
  for (const Vec3f& p : test::random_points(20, 3)) {
    limbs.push_back({{p.cast<double>()}, {0.1}});
    shape.add(limbs.back(), 0.2);
  }
  for (const Vec3f& p : test::random_points(500, 4, 1.5f)) {
    double all = 1e30;
    for (const Limb& limb : limbs) {
      all = smooth_min(all, (p.cast<double>() - limb.points[0]).norm() - 0.1, 0.2);
    }
    EXPECT_NEAR(shape(p.cast<double>()), all, 1e-12);
  }
}

// A body within a body is the same as its function, wherever parts of it are skipped.
TEST(ImplicitShape, AGroupIsWhatItsPartsAre) {
  ImplicitShape trunk, group, shape;
  trunk.add(Limb{{{-1, 0, 0}, {1, 0, 0}}, {0.2, 0.1}}, 0);
  for (const Vec3f& p : test::random_points(12, 5)) {
    group.add(Limb{{p.cast<double>(), {0, 0, 0}}, {0.05, 0.1}}, 0.03);
  }
  shape.add(trunk, 0).add(group, 0.1);
  for (const Vec3f& point : test::random_points(500, 6, 1.5f)) {
    const Vec3d p = point.cast<double>();
    EXPECT_NEAR(shape(p), smooth_min(trunk(p), group(p), 0.1), 1e-12);
  }
}

// A long limb, which is looked at in runs, is the union of its pieces.
TEST(ImplicitShape, ALongLimbIsTheUnionOfItsPieces) {
  for (const bool hull : {false, true}) {
    Limb limb;
    limb.hull = hull;
    for (int i = 0; i <= 100; ++i) {
      limb.points.push_back({std::cos(0.1 * i), std::sin(0.1 * i), 0.01 * i});
      limb.radii.push_back(0.1 + 0.05 * std::sin(0.7 * i));
    }
    ImplicitShape whole;
    whole.add(limb, 0);
    for (const Vec3f& point : test::random_points(300, 7, 1.5f)) {
      const Vec3d p = point.cast<double>();
      double nearest = 1e30;
      for (int i = 0; i < 100; ++i) {
        Limb piece{{limb.points[i], limb.points[i + 1]}, {limb.radii[i], limb.radii[i + 1]}};
        piece.hull = hull;
        nearest = std::min(nearest, ImplicitShape().add(piece, 0)(p));
      }
      EXPECT_NEAR(whole(p), nearest, 1e-12);
    }
  }
}

// A hull of balls: no ball along the line is nearer, and one is as near.
TEST(ImplicitShape, AHullIsTheNearestOfItsBalls) {
  Limb cone{{{0, 0, 0}, {1, 0.5, 0}}, {0.4, 0.05}};
  cone.hull = true;
  Limb swallowed{{{0, 0, 0}, {0.1, 0, 0}}, {0.4, 0.1}};
  swallowed.hull = true;
  for (const Limb& limb : {cone, swallowed}) {
    const ImplicitShape shape = ImplicitShape().add(limb, 0);
    for (const Vec3f& point : test::random_points(100, 8, 2)) {
      const Vec3d p = point.cast<double>();
      double nearest = 1e30;
      for (int i = 0; i <= 2000; ++i) {
        const double t = i / 2000.0;
        const Vec3d middle = (1 - t) * limb.points[0] + t * limb.points[1];
        nearest =
            std::min(nearest, (p - middle).norm() - (1 - t) * limb.radii[0] - t * limb.radii[1]);
      }
      EXPECT_NEAR(shape(p), nearest, 1e-5);
    }
  }
}

TEST(RingMesh, IsClosedWhereRingsHalveAndDouble) {
  const std::vector<Ring> rings = {{0.1, 6}, {0.3, 12}, {0.5, 24}, {0.7, 24}, {0.8, 12}, {0.9, 6}};
  const Mesh mesh = make_ring_mesh(rings, 0, 1, [](double s, double angle) {
    const double polar = M_PI * s;
    return Vec3d(std::sin(polar) * std::cos(angle), std::sin(polar) * std::sin(angle),
                 -std::cos(polar));
  });
  const TopologyReport report = inspect_topology(mesh.triangles(), mesh.vertex_count());
  EXPECT_TRUE(report.watertight());
  EXPECT_EQ(report.euler, 2);
  EXPECT_EQ(mesh.vertex_count(), 86u);
  EXPECT_GT(signed_volume(mesh), 3);
}

TEST(RingMesh, CountsHalveTowardsTheEnds) {
  const std::vector<double> stations = {0.01, 0.1, 0.5, 0.9, 0.99};
  const std::vector<double> circumferences = {0.1, 0.6, 3, 0.6, 0.1};
  const std::vector<Ring> rings = choose_rings(stations, circumferences, 48, 6, 0.06);
  ASSERT_EQ(rings.size(), 5u);
  EXPECT_EQ(rings[0].count, 6);
  EXPECT_EQ(rings[4].count, 6);
  for (std::size_t i = 1; i < rings.size(); ++i) {
    EXPECT_LE(rings[i].count, 2 * rings[i - 1].count);
    EXPECT_GE(2 * rings[i].count, rings[i - 1].count);
  }
}

}  // namespace
}  // namespace sinew::kernels
