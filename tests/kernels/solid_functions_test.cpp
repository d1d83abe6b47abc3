#include "nodes/kernels/solid_functions.h"

#include <numbers>

#include "nodes/kernels/everyday_bodies.h"
#include "nodes/kernels/teapot.h"
#include "tests/kernels/shapes.h"

namespace sinew::test {
namespace {

using namespace kernels;

// A star, whose inside no half plane tells.
std::vector<Vec2d> star(int points) {
  std::vector<Vec2d> outline;
  for (int i = 0; i < points; ++i) {
    const double angle = 2 * std::numbers::pi * i / points, r = i % 2 == 0 ? 1 : 0.4;
    outline.push_back({r * std::cos(angle), r * std::sin(angle)});
  }
  return outline;
}

// All segments, one by one; inside by the sum of the angles.
double plain_distance(const std::vector<Vec2d>& outline, const Vec2d& p) {
  double best = INFINITY, turn = 0;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Vec2d a = outline[i] - p, b = outline[(i + 1) % outline.size()] - p;
    const double t = std::clamp(-a.dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0);
    best = std::min(best, (a + t * (b - a)).norm());
    turn += std::atan2(a.x() * b.y() - a.y() * b.x(), a.dot(b));
  }
  return std::abs(turn) > std::numbers::pi ? -best : best;
}

TEST(PlaneShape, AgreesWithAllSegmentsOneByOne) {
  for (const int points : {4, 10, 200}) {
    const std::vector<Vec2d> outline = star(points);
    const PlaneShape shape(outline);
    for (const Vec3f& p : random_points(500, 3, 1.3f)) {
      const Vec2d q(p.x(), p.y());
      EXPECT_NEAR(shape.distance(q), plain_distance(outline, q), 1e-12);
    }
  }
  EXPECT_THROW(PlaneShape({{0, 0}, {1, 0}}), std::invalid_argument);
}

TEST(SolidFunctions, ACutConeIsThePlaneShapeOfItsOutline) {
  const PlaneShape outline({{-0.5, 0.1}, {0.5, 0.1}, {0.2, 0.9}, {-0.2, 0.9}});
  for (const Vec3f& p : random_points(1000, 5, 1.2f)) {
    const Vec3d q = p.cast<double>();
    EXPECT_NEAR(cut_cone(q, 0.1, 0.9, 0.5, 0.2),
                outline.distance({std::hypot(q.x(), q.z()), q.y()}), 1e-12);
  }
}

TEST(SolidFunctions, KnownDistances) {
  EXPECT_NEAR(rounded_disc({0, 3, 4}, 1, 0.5, 0.1), 4, 1e-15);
  EXPECT_NEAR(rounded_disc({-2, 0, 0}, 1, 0.5, 0.1), 1.5, 1e-15);
  EXPECT_NEAR(segment_distance({0, 2, 0}, {-1, 0, 0}, {1, 0, 0}), 2, 1e-15);
  EXPECT_NEAR(tapered_stick({3, 0, 0}, {0, 0, 0}, {1, 0, 0}, 0.5, 0.25), 1.75, 1e-15);
}

// What the mesh around a body counts on: a metre changes the value by about a metre at the most,
// and nothing lies at the walls of its box.
TEST(EverydayBodies, AreDistancesAndFitTheirBoxes) {
  const std::vector<std::pair<const char*, Body>> bodies = {{"table", table_body({})},
                                                            {"apple", apple_body({})},
                                                            {"car", car_body({})},
                                                            {"u", u_body({})},
                                                            {"teapot", teapot_body({})}};
  for (const auto& [name, body] : bodies) {
    const Vec3d size = body.box.sizes();
    const double step = 1e-3 * body.cell;
    bool inside = false;
    for (const Vec3f& p : random_points(2000, 11)) {
      const Vec3d q = body.box.center() + 0.5 * size.cwiseProduct(p.cast<double>());
      const double value = body.distance(q);
      inside |= value < 0;
      for (int k = 0; k < 3; ++k) {
        const double slope = (body.distance(q + step * Vec3d::Unit(k)) - value) / step;
        EXPECT_LT(std::abs(slope), 1.3) << name;
      }
      // Exactly symmetric.
      EXPECT_NEAR(body.distance({-q.x(), q.y(), q.z()}), value, 1e-9 * size.norm()) << name;
      for (int k = 0; k < 3; ++k) {
        Vec3d wall = q;
        wall[k] = p.x() < 0 ? body.box.min()[k] : body.box.max()[k];
        EXPECT_GT(body.distance(wall), 0) << name << " at " << wall.transpose();
      }
    }
    EXPECT_TRUE(inside) << name;
    EXPECT_LT(body.cell, size.minCoeff() / 8) << name;
  }
}

}  // namespace
}  // namespace sinew::test
