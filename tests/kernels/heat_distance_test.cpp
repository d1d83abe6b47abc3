#include "nodes/kernels/heat_distance.h"

#include <cmath>
#include <numbers>

#include "tests/kernels/shapes.h"
#include "tests/kernels/u_shape.h"

namespace sinew::test {
namespace {

using namespace kernels;

double longest_edge(const Mesh& mesh) {
  double most = 0;
  for (const Triangle& t : mesh.triangles()) {
    for (std::size_t k = 0; k < 3; ++k) {
      most = std::max<double>(most, (mesh.positions[t[k]] - mesh.positions[t[(k + 1) % 3]]).norm());
    }
  }
  return most;
}

std::vector<double> from_vertex(const Mesh& mesh, uint32_t v) {
  const MarchStart start{v, 0};
  return HeatDistance(mesh).solve({&start, 1}, Wave::curved);
}

// The greatest relative error beyond two of the longest edges on a sphere about the origin.
double sphere_error(const Mesh& sphere, uint32_t source) {
  const std::vector<double> d = from_vertex(sphere, source);
  const Vec3d s = sphere.positions[source].cast<double>();
  const double radius = s.norm(), near = 2 * longest_edge(sphere);
  double worst = 0;
  for (std::size_t v = 0; v < d.size(); ++v) {
    const Vec3d p = sphere.positions[v].cast<double>();
    const double exact = radius * std::atan2(p.cross(s).norm(), p.dot(s));
    if (exact > near) worst = std::max(worst, std::abs(d[v] - exact) / exact);
  }
  return worst;
}

TEST(HeatDistance, IcospheresAreWithinTwoPerCentBeyondTwoEdges) {
  for (const int frequency : {4, 5, 6, 8, 11, 16, 22, 32}) {
    const Mesh sphere = make_icosphere({1, frequency});
    for (const uint32_t source : {0u, 29u, static_cast<uint32_t>(sphere.vertex_count() / 2)}) {
      EXPECT_LT(sphere_error(sphere, source), 0.02) << frequency << " from " << source;
    }
  }
}

TEST(HeatDistance, UvSpheresAreWithinTwoPerCentBeyondTwoEdges) {
  for (const auto& [segments, rings] :
       {std::pair(32, 16), {64, 32}, {128, 64}, {64, 16}, {24, 24}}) {
    const Mesh sphere = make_uv_sphere({1, segments, rings});
    for (const uint32_t source : {0u, static_cast<uint32_t>(sphere.vertex_count() / 2 + 1)}) {
      EXPECT_LT(sphere_error(sphere, source), 0.02) << segments << " x " << rings;
    }
  }
}

TEST(HeatDistance, ASourceMayLieAnywhereInATriangle) {
  const Mesh sphere = make_icosphere({1, 12});
  const SurfaceTree tree(sphere);
  const HeatDistance heat(sphere);
  for (const Vec3f& direction : random_points(12, 5)) {
    const Vec3d s = direction.cast<double>().normalized();
    const std::vector<double> d =
        heat.solve(start_on_surface(sphere, tree, s).corners, Wave::curved);
    for (std::size_t v = 0; v < d.size(); ++v) {
      const Vec3d p = sphere.positions[v].cast<double>();
      const double exact = std::atan2(p.cross(s).norm(), p.dot(s));
      EXPECT_NEAR(d[v], exact, 0.02 * exact + 0.005);
    }
  }
}

TEST(HeatDistance, DoesNotDependOnTheScale) {
  const Mesh unit = make_icosphere({1, 8});
  const std::vector<double> d = from_vertex(unit, 3);
  for (const float scale : {1e-6f, 1e6f}) {
    Mesh scaled = unit;
    for (Vec3f& p : scaled.positions) p *= scale;
    const std::vector<double> s = from_vertex(scaled, 3);
    for (std::size_t v = 0; v < d.size(); ++v) EXPECT_NEAR(s[v], scale * d[v], 1e-4 * scale);
  }
}

TEST(HeatDistance, SymmetricPlacesAreEquallyFar) {
  const Mesh sphere = make_icosphere({1, 6});
  for (const uint32_t a : {0u, 40u}) {
    const uint32_t b = closest_vertex(sphere.positions, -sphere.positions[a]);
    const std::vector<double> from_a = from_vertex(sphere, a), from_b = from_vertex(sphere, b);
    for (std::size_t v = 0; v < from_a.size(); ++v) {
      const uint32_t w = closest_vertex(sphere.positions, -sphere.positions[v]);
      EXPECT_NEAR(from_a[v], from_b[w], 1e-4);
    }
  }
}

TEST(HeatDistance, OpenSheetsFromTheMiddle) {
  for (const int n : {20, 40}) {
    const Mesh sheet = make_grid({1, 1, n, n});
    const uint32_t middle = closest_vertex(sheet.positions, {0, 0, 0});
    const std::vector<double> d = from_vertex(sheet, middle);
    for (std::size_t v = 0; v < d.size(); ++v) {
      EXPECT_NEAR(d[v], sheet.positions[v].norm(), 0.02 * sheet.positions[v].norm()) << n;
    }
  }
}

TEST(HeatDistance, APaintedBandOfACylinder) {
  const Mesh tube = make_cylinder({0.5f, 0.5f, 4, 32, 40, 1, false, Axis::y});
  std::vector<float> painted;
  for (const Vec3f& p : tube.positions) painted.push_back(std::abs(p.y()) < 0.45f);
  const std::vector<double> d = HeatDistance(tube).solve(start_from_set(painted, 0.5f), Wave::flat);
  for (std::size_t v = 0; v < d.size(); ++v) {
    const double exact = std::max(0.0, std::abs(tube.positions[v].y()) - 0.4);
    EXPECT_NEAR(d[v], exact, 0.02 * exact + 1e-6);
  }
}

TEST(HeatDistance, TorusAgreesWithMarching) {
  const Mesh torus = make_torus({1, 0.4f, 96, 40});
  const MarchStart start{7, 0};
  const std::vector<double> d = HeatDistance(torus).solve({&start, 1}, Wave::curved);
  const std::vector<double> m = march_surface(
      torus, vertex_triangles(torus.triangles(), torus.vertex_count()), {&start, 1}, Wave::curved);
  // Heat rounds off the ridges where ways from two sides meet, and a torus has long ones.
  for (std::size_t v = 0; v < d.size(); ++v) EXPECT_NEAR(d[v], m[v], 0.06 * m[v] + 1e-9);
}

TEST(HeatDistance, GoesAroundTheGapOfAU) {
  UShape u;
  u.gap = 0.01f;
  u.cells = 8;
  const Mesh mesh = make_u_mesh(u);
  const uint32_t left = closest_vertex(mesh.positions, u.left_tip()),
                 right = closest_vertex(mesh.positions, u.right_tip());
  const MarchStart start{left, 0};
  const double exact = march_surface(mesh, vertex_triangles(mesh.triangles(), mesh.vertex_count()),
                                     {&start, 1}, Wave::curved)[right];
  EXPECT_NEAR(from_vertex(mesh, left)[right], exact, 0.05 * exact);
}

// Two spheres, one source; and a vertex of no triangle.
TEST(HeatDistance, WhatNoWayLeadsToIsUnreachable) {
  const Mesh sphere = make_icosphere({1, 4});
  Topology both;
  both.triangles.assign(sphere.triangles().begin(), sphere.triangles().end());
  const uint32_t n = static_cast<uint32_t>(sphere.vertex_count());
  for (const Triangle& t : sphere.triangles()) {
    both.triangles.push_back({t[0] + n, t[1] + n, t[2] + n});
  }
  std::vector<Vec3f> points = sphere.positions;
  for (const Vec3f& p : sphere.positions) points.push_back(p + Vec3f(3, 0, 0));
  points.push_back({9, 9, 9});
  const Mesh mesh(std::move(both), std::move(points));
  const HeatDistance heat(mesh);
  const MarchStart start{5, 0}, two[] = {{5, 0}, {n + 5, 0}};
  const std::vector<double> d = heat.solve({&start, 1}, Wave::curved);
  const std::vector<double> alone = from_vertex(sphere, 5);
  for (uint32_t v = 0; v < n; ++v) EXPECT_NEAR(d[v], alone[v], 1e-3);
  for (uint32_t v = n; v < d.size(); ++v) EXPECT_EQ(d[v], unreachable);
  const std::vector<double> e = heat.solve(two, Wave::curved);
  for (uint32_t v = 0; v < n; ++v) EXPECT_NEAR(e[n + v], e[v], 1e-6);
  EXPECT_EQ(e[2 * n], unreachable);
}

TEST(HeatDistance, TakesAnythingThatIsAMesh) {
  EXPECT_TRUE(HeatDistance(Mesh()).solve({}, Wave::curved).empty());
  // All vertices at one place.
  Topology flat;
  flat.triangles = {{0, 1, 2}};
  const MarchStart first{0, 0};
  EXPECT_EQ(HeatDistance(Mesh(flat, {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}))
                .solve({&first, 1}, Wave::curved)[0],
            0);
  // A sphere with empty triangles, repeated vertices, doubled triangles, a fin and a flipped side.
  const Mesh sphere = make_icosphere({1, 6});
  Topology bad;
  bad.triangles.assign(sphere.triangles().begin(), sphere.triangles().end());
  std::vector<Vec3f> points = sphere.positions;
  const Triangle t = bad.triangles[10];
  points.push_back(0.5f * (points[t[0]] + points[t[1]]));
  const uint32_t middle = static_cast<uint32_t>(points.size() - 1);
  points.push_back(2 * points[t[0]]);
  bad.triangles.push_back({t[0], t[1], middle});
  bad.triangles.push_back({t[0], t[0], t[1]});
  bad.triangles.push_back(t);
  bad.triangles.push_back({t[0], t[1], middle + 1});
  std::swap(bad.triangles[40][0], bad.triangles[40][1]);
  const Mesh mesh(std::move(bad), std::move(points));
  const HeatDistance heat(mesh);
  const std::vector<double> d = heat.solve({&first, 1}, Wave::curved),
                            plain = from_vertex(sphere, 0);
  for (const double x : d) EXPECT_TRUE(std::isfinite(x));
  for (std::size_t v = 0; v < plain.size(); ++v) EXPECT_NEAR(d[v], plain[v], 0.2);
  EXPECT_GT(heat.bytes(), 100 * mesh.vertex_count());
}

TEST(HeatDistance, CanBeStopped) {
  const Mesh sphere = make_icosphere({1, 6});
  const HeatDistance heat(sphere);
  const std::atomic<bool> flag{true};
  const MarchStart start{0, 0};
  EXPECT_THROW(HeatDistance(sphere, CancelView{&flag}), Stopped);
  EXPECT_THROW(heat.solve({&start, 1}, Wave::curved, CancelView{&flag}), Stopped);
}

TEST(Intrinsic, FlipsUntilNoAngleIsTooWideAndKeepsTheArea) {
  for (const Mesh& mesh : {make_uv_sphere({1, 48, 6}), make_cylinder({0.5f, 0.1f, 9, 12, 2, 1}),
                           make_grid({20, 1, 7, 7})}) {
    const IntrinsicTriangles surface = intrinsic_delaunay(mesh);
    double area = 0, before = 0, negative = 0;
    std::map<std::pair<uint32_t, uint32_t>, double> cotangents;
    for (const Triangle& t : mesh.triangles()) {
      const Vec3d a = mesh.positions[t[0]].cast<double>();
      before += 0.5 * (mesh.positions[t[1]].cast<double>() - a)
                          .cross(mesh.positions[t[2]].cast<double>() - a)
                          .norm();
    }
    for (std::size_t i = 0; i < surface.triangles.size(); ++i) {
      const Triangle& t = surface.triangles[i];
      const std::array<double, 3>& l = surface.lengths[i];
      const double a = lay_out(l).area;
      area += a;
      for (std::size_t k = 0; k < 3; ++k) {
        const double m = l[(k + 1) % 3], n = l[(k + 2) % 3];
        const uint32_t p = t[k], q = t[(k + 1) % 3];
        cotangents[{std::min(p, q), std::max(p, q)}] += (m * m + n * n - l[k] * l[k]) / (4 * a);
      }
    }
    EXPECT_NEAR(area, before, 1e-3 * before);
    for (const auto& [edge, sum] : cotangents) {
      if (surface.on_border[edge.first] && surface.on_border[edge.second]) continue;
      negative = std::min(negative, sum);
    }
    EXPECT_GE(negative, -1e-6);
  }
}

}  // namespace
}  // namespace sinew::test
