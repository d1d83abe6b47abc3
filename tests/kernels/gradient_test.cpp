#include "nodes/kernels/gradient.h"

#include <gtest/gtest.h>

#include <limits>

#include "nodes/kernels/measure.h"
#include "tests/kernels/shapes.h"
#include "tests/kernels/solids.h"

namespace sinew::kernels {
namespace {

using test::sampled;

TEST(Gradient, IsExactForLinearFunctionsOnSolidsOfAnySize) {
  for (const float scale : {1e-6f, 1.0f, 1e6f}) {
    for (unsigned seed = 0; seed < 6; ++seed) {
      TetMesh solid =
          seed < 3 ? test::shaken_box({1, 2, 0.5f}, {4, 5, 3}, seed) : test::bell(0.5f, 0.8f, 6, 2);
      for (Vec3f& p : solid.positions) p *= scale;
      std::mt19937 random(seed);
      std::normal_distribution<double> normal;
      const Vec3d g = Vec3d(normal(random), normal(random), normal(random)) / scale;
      const std::vector<float> values =
          sampled(solid.positions, [&](const Vec3f& p) { return g.dot(p.cast<double>()); });
      for (const Vec3f& found : field_gradient(solid, values)) {
        EXPECT_LT((found.cast<double>() - g).norm(), 2e-5 * g.norm()) << scale << " " << seed;
      }
    }
  }
}

// Values are floats: an offset costs their digits, but nothing else.
TEST(Gradient, DoesNotSeeAnOffset) {
  const TetMesh solid = test::shaken_box({1, 1, 1}, {4, 4, 4}, 3);
  const Mesh surface = boundary_mesh(solid);
  const auto ramp = [](float offset) {
    return [offset](const Vec3f& p) { return std::round(p.x() * 64) + offset; };
  };
  EXPECT_EQ(field_gradient(solid, sampled(solid.positions, ramp(0))),
            field_gradient(solid, sampled(solid.positions, ramp(4096))));
  EXPECT_EQ(field_gradient(surface, sampled(surface.positions, ramp(0))),
            field_gradient(surface, sampled(surface.positions, ramp(4096))));
}

TEST(Gradient, DoesNotMindInvertedAndFlatTetrahedra) {
  TetMesh solid = test::shaken_box({1, 1, 1}, {3, 3, 3}, 4);
  std::vector<Tetrahedron> tets(solid.tets().begin(), solid.tets().end());
  for (std::size_t t = 0; t < tets.size(); t += 2) std::swap(tets[t][0], tets[t][1]);
  tets.push_back({0, 1, 2, 2});
  tets.push_back({0, 1, 2, 3});  // in one row of the box: four points, shaken, are no line; fine
  const TetMesh odd(std::move(tets), solid.positions);
  const Vec3f g(1, -2, 3);
  const std::vector<float> values =
      sampled(odd.positions, [&](const Vec3f& p) { return g.dot(p); });
  for (const Vec3f& found : field_gradient(odd, values)) EXPECT_LT((found - g).norm(), 1e-4);
}

TEST(Gradient, ConvergesForCurvedFunctionsOnSolids) {
  const auto worst = [](int cells) {
    const TetMesh box = make_tet_box({1, 1, 1}, {cells, cells, cells});
    const std::vector<float> values = sampled(
        box.positions, [](const Vec3f& p) { return std::sin(2 * p.x()) * p.y() + p.z() * p.z(); });
    const std::vector<Vec3f> found = field_gradient(box, values);
    double error = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const Vec3f& p = box.positions[i];
      const Vec3f exact(2 * std::cos(2 * p.x()) * p.y(), std::sin(2 * p.x()), 2 * p.z());
      error = std::max<double>(error, (found[i] - exact).norm());
    }
    return error;
  };
  EXPECT_LT(worst(16), 0.6 * worst(8));  // first order at the boundary
  EXPECT_LT(worst(16), 0.15);
}

TEST(Gradient, IsExactOnFlatSurfacesAndTangentOnCurvedOnes) {
  const Mesh grid = make_grid({2, 3, 7, 5, Axis::y});
  const std::vector<float> plane =
      sampled(grid.positions, [](const Vec3f& p) { return 3 * p.x() - p.z() + 7; });
  for (const Vec3f& g : field_gradient(grid, plane)) EXPECT_LT((g - Vec3f(3, 0, -1)).norm(), 1e-5f);

  // On the unit sphere the gradient of g.x is g without its radial part.
  const Mesh sphere = make_icosphere({1, 24});
  const Vec3f g(0.5f, 1, -2);
  const std::vector<float> values =
      sampled(sphere.positions, [&](const Vec3f& p) { return g.dot(p); });
  const std::vector<Vec3f> found = field_gradient(sphere, values);
  const std::vector<Vec3f> normals = vertex_normals(sphere, NormalWeight::area);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Vec3f p = sphere.positions[i].normalized();
    EXPECT_LT((found[i] - (g - g.dot(p) * p)).norm(), 0.02f);
    EXPECT_LT(std::abs(found[i].dot(normals[i])), 1e-5f);
  }
}

TEST(Gradient, OfConstantsAndOfNothingIsZero) {
  for (const auto& [name, mesh, euler] : test::closed_meshes()) {
    const std::vector<float> values(mesh.vertex_count(), 5.0f);
    for (const Vec3f& g : field_gradient(mesh, values)) EXPECT_EQ(g, Vec3f(0, 0, 0)) << name;
  }
  EXPECT_TRUE(field_gradient(Mesh(), {}).empty());
  EXPECT_TRUE(field_gradient(TetMesh(), {}).empty());
  // Vertices in no element, and elements without extent.
  const std::vector<float> values = {0, 1, 2};
  const Mesh line(Topology{{{0, 1, 2}}, {}, {}}, {Vec3f(0, 0, 0), Vec3f(1, 0, 0), Vec3f(2, 0, 0)});
  for (const Vec3f& g : field_gradient(line, values)) EXPECT_EQ(g, Vec3f(0, 0, 0));
  const TetMesh points(std::vector<Tetrahedron>{}, line.positions);
  for (const Vec3f& g : field_gradient(points, values)) EXPECT_EQ(g, Vec3f(0, 0, 0));
}

TEST(Gradient, SaturatesInsteadOfOverflowing) {
  TetMesh tiny = make_tet_box({1e-6f, 1e-6f, 1e-6f}, {1, 1, 1});
  const float most = std::numeric_limits<float>::max();
  const std::vector<float> values =
      sampled(tiny.positions, [&](const Vec3f& p) { return p.x() > 0 ? most : -most; });
  for (const Vec3f& g : field_gradient(tiny, values)) {
    EXPECT_TRUE(g.allFinite());
    EXPECT_EQ(g.x(), most);
  }
  const Mesh surface = boundary_mesh(tiny);
  for (const Vec3f& g : field_gradient(surface, values)) EXPECT_TRUE(g.allFinite());
}

TEST(Gradient, IsTheSameOnAnyNumberOfThreads) {
  const TetMesh solid = test::shaken_box({1, 1, 1}, {20, 20, 20}, 1);
  const std::vector<float> values = sampled(
      solid.positions, [](const Vec3f& p) { return std::sin(9 * p.x()) * std::cos(7 * p.y()); });
  test::expect_same_for_threads([&] { return field_gradient(solid, values); });
}

TEST(Gradient, CanBeStopped) {
  const std::atomic<bool> flag{true};
  const TetMesh solid = make_tet_box({1, 1, 1}, {2, 2, 2});
  const std::vector<float> values(solid.vertex_count(), 1.0f);
  EXPECT_THROW(field_gradient(solid, values, CancelView{&flag}), Stopped);
  EXPECT_THROW(field_gradient(boundary_mesh(solid), values, CancelView{&flag}), Stopped);
}

}  // namespace
}  // namespace sinew::kernels
