#include "nodes/kernels/primitives.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "nodes/kernels/adjacency.h"
#include "nodes/kernels/measure.h"
#include "tests/kernels/shapes.h"

namespace sinew::kernels {
namespace {

constexpr double pi = std::numbers::pi;

TEST(Primitives, closed_ones_are_watertight_and_point_outward) {
  for (const auto& [name, mesh, euler] : test::closed_meshes()) {
    SCOPED_TRACE(name);
    EXPECT_FALSE(validate(mesh));
    const TopologyReport report = inspect_topology(mesh.triangles(), mesh.vertex_count());
    EXPECT_TRUE(report.watertight());
    EXPECT_EQ(report.euler, euler);
    EXPECT_EQ(report.used_vertices, mesh.vertex_count());
    EXPECT_GT(signed_volume(mesh), 0);
    for (const Triangle& t : mesh.triangles()) {
      const Vec3f a = mesh.positions[t[0]], b = mesh.positions[t[1]], c = mesh.positions[t[2]];
      EXPECT_GT((b - a).cross(c - a).norm(), 1e-6f);
    }
  }
}

TEST(Primitives, counts_are_exact) {
  const Mesh box = make_box({{1, 2, 3}, {2, 3, 4}});
  EXPECT_EQ(box.polygon_count(), 2u * (2 * 3 + 3 * 4 + 4 * 2));
  EXPECT_EQ(box.vertex_count(), 2u * (2 * 3 + 3 * 4 + 4 * 2) + 2);
  const Mesh sphere = make_uv_sphere({1, 9, 5, Axis::y});
  EXPECT_EQ(sphere.vertex_count(), 9u * 4 + 2);
  EXPECT_EQ(sphere.triangle_count(), 2u * 9 * 4);
  EXPECT_EQ(sphere.polygon_count(), 9u * 5);
  const Mesh geodesic = make_icosphere({1, 7});
  EXPECT_EQ(geodesic.vertex_count(), 10u * 49 + 2);
  EXPECT_EQ(geodesic.triangle_count(), 20u * 49);
  const Mesh torus = make_torus({1, 0.3f, 11, 5, Axis::y});
  EXPECT_EQ(torus.vertex_count(), 55u);
  EXPECT_EQ(torus.polygon_count(), 55u);
  GridShape shape;
  shape.width_segments = 3;
  shape.depth_segments = 5;
  EXPECT_EQ(make_grid(shape).vertex_count(), 24u);
  EXPECT_EQ(make_grid(shape).polygon_count(), 15u);
  EXPECT_EQ(make_cylinder({1, 1, 1, 6, 2, 1, false, Axis::y}).vertex_count(), 18u);
  EXPECT_EQ(make_cylinder({1, 1, 1, 6, 2, 3, true, Axis::y}).vertex_count(), 18u + 2 * (2 * 6 + 1));
}

TEST(Primitives, areas_and_volumes_converge_to_the_shapes) {
  // Halving the segments' size divides the error by four.
  const auto order = [](const std::function<Mesh(int)>& make, double volume, double area) {
    double last_v = 0, last_a = 0;
    for (const int n : {16, 32, 64}) {
      const SurfaceMeasures m = measure_surface(make(n));
      const double v = std::abs(m.signed_volume - volume), a = std::abs(m.area - area);
      if (last_v > 0) {
        EXPECT_NEAR(last_v / v, 4, 0.3) << n;
        EXPECT_NEAR(last_a / a, 4, 0.3) << n;
      }
      last_v = v;
      last_a = a;
    }
    EXPECT_LT(last_v, 0.01 * volume);
  };
  order([](int n) { return make_uv_sphere({1, 2 * n, n, Axis::z}); }, 4 * pi / 3, 4 * pi);
  order([](int n) { return make_icosphere({1, n / 2}); }, 4 * pi / 3, 4 * pi);
  order(
      [](int n) {
        return make_torus({1, 0.25f, 2 * n, n, Axis::y});
      },
      2 * pi * pi * 0.0625, 4 * pi * pi * 0.25);
  order([](int n) { return make_cylinder({1, 1, 2, n, n, 2, true, Axis::y}); }, 2 * pi, 6 * pi);
  order(
      [](int n) {
        return make_cylinder({1, 0, 2, n, n, 2, true, Axis::y});
      },
      2 * pi / 3, pi * (1 + std::sqrt(5.0)));
  order(
      [](int n) {
        return make_capsule({0.5f, 2, 2 * n, n / 2, 3, Axis::x});
      },
      pi * 0.25 + pi / 6, pi * 1 + pi);
}

TEST(Primitives, a_box_is_exact_and_a_grid_looks_up) {
  const SurfaceMeasures box = measure_surface(make_box({{1, 2, 3}, {4, 3, 2}}));
  EXPECT_NEAR(box.signed_volume, 6, 1e-6);
  EXPECT_NEAR(box.area, 22, 1e-5);
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    const Mesh grid = make_grid({2, 3, 4, 5, axis});
    EXPECT_NEAR(surface_area(grid), 6, 1e-5);
    for (const Vec3f& n : vertex_normals(grid)) {
      EXPECT_NEAR(n[static_cast<int>(axis)], 1, 1e-6);
    }
    const TopologyReport report = inspect_topology(grid.triangles(), grid.vertex_count());
    EXPECT_EQ(report.euler, 1);
    EXPECT_EQ(report.boundary_edges, 2u * (4 + 5));
  }
}

TEST(Primitives, sizes_from_a_micrometre_to_a_megametre) {
  for (const float s : {1e-6f, 1e6f}) {
    const Mesh mesh = make_icosphere({s, 6});
    EXPECT_NEAR(signed_volume(mesh) / (std::pow(double{s}, 3) * 4 * pi / 3), 1, 0.03);
    for (const Vec3f& p : mesh.positions) EXPECT_NEAR(p.norm() / s, 1, 1e-6);
  }
}

TEST(Primitives, bad_parameters_are_named) {
  const auto message = [](const auto& make) -> std::string {
    try {
      make();
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message([] {
              make_uv_sphere({1, 2, 5, Axis::y});
            }),
            "segments must be at least 3, but is 2");
  EXPECT_EQ(message([] {
              make_uv_sphere({-1, 5, 5, Axis::y});
            }),
            "radius must be positive, but is -1");
  EXPECT_NE(message([] { make_box({{1, NAN, 1}, {1, 1, 1}}); }).find("size y"), std::string::npos);
  EXPECT_NE(message([] { make_torus({1, 2, 9, 9, Axis::y}); }), "");
  EXPECT_NE(message([] { make_capsule({1, 1, 9, 9, 1, Axis::y}); }), "");
  EXPECT_NE(message([] { make_grid({1, 1, 2000000000, 2000000000, Axis::y}); }), "");
  EXPECT_NE(message([] { make_box({{1, 1, 1}, {2000000000, 2000000000, 2}}); }), "");
  EXPECT_NE(message([] { make_icosphere({1, 0}); }), "");
  EXPECT_NE(message([] { make_cylinder({0, 0, 1, 9, 1, 1, true, Axis::y}); }), "");
}

}  // namespace
}  // namespace sinew::kernels
