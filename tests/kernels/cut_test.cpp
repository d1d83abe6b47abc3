#include "nodes/kernels/cut.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "nodes/kernels/adjacency.h"
#include "nodes/kernels/embed.h"
#include "nodes/kernels/measure.h"
#include "nodes/kernels/merge.h"
#include "nodes/kernels/tet_measure.h"
#include "tests/kernels/shapes.h"
#include "tests/kernels/solids.h"

namespace sinew::kernels {
namespace {

using test::sampled;

const Vec3f slope(0.5f, -1, 2);
double linear(const Vec3f& p) { return slope.dot(p) + 3; }

CutPlane plane_at(const Vec3d& point, const Vec3d& normal) { return {point, normal.normalized()}; }
CutPlane opposite(const CutPlane& plane) { return {plane.point, -plane.normal}; }

std::vector<CutPlane> planes(unsigned seed, int count) {
  // Those through many vertices first.
  std::vector<CutPlane> list = {plane_at({0, 0, 0}, {1, 0, 0}), plane_at({0, 0, 0}, {0, 1, 0}),
                                plane_at({0, 0, 0}, {0, 0, -1}), plane_at({0, 0, 0}, {1, 1, 0})};
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0, 1), place(0, 0.2);
  for (int i = 0; i < count; ++i) {
    list.push_back(plane_at({place(random), place(random), place(random)},
                            {normal(random), normal(random), normal(random)}));
  }
  return list;
}

// The cap's area along the normal: negative if it looks the wrong way.
double cap_area(const CutBody& cut, const Vec3d& normal) {
  double area = 0;
  const std::span<const Triangle> all = cut.mesh.triangles();
  for (const Triangle& t : all.last(cut.cap_triangles)) {
    const Vec3d a = cut.mesh.positions[t[0]].cast<double>();
    const Vec3d b = cut.mesh.positions[t[1]].cast<double>() - a;
    const Vec3d c = cut.mesh.positions[t[2]].cast<double>() - a;
    area += b.cross(c).dot(normal) / 2;
  }
  return area;
}

void expect_on_kept_side(const CutBody& cut, const CutPlane& plane, const std::string& name) {
  ASSERT_FALSE(validate(cut.mesh)) << name;
  ASSERT_EQ(cut.values.size(), cut.mesh.vertex_count()) << name;
  double highest = -1, off = 0;
  for (std::size_t i = 0; i < cut.values.size(); ++i) {
    const Vec3d p = cut.mesh.positions[i].cast<double>();
    highest = std::max(highest, plane.normal.dot(p - plane.point));
    off = std::max(off, std::abs(cut.values[i] - linear(cut.mesh.positions[i])));
  }
  EXPECT_LT(highest, 1e-5) << name;
  EXPECT_LT(off, 1e-5) << name;
}

TEST(Cut, ClosedMeshesStayClosedAndTheHalvesMakeTheWhole) {
  for (const auto& [name, mesh, euler] : test::closed_meshes()) {
    const std::vector<float> values = sampled(mesh.positions, linear);
    const double volume = signed_volume(mesh);
    for (const CutPlane& plane : planes(7, 6)) {
      const CutBody one = cut_mesh(mesh, values, plane);
      const CutBody two = cut_mesh(mesh, values, opposite(plane));
      expect_on_kept_side(one, plane, name);
      expect_on_kept_side(two, opposite(plane), name);
      for (const CutBody* half : {&one, &two}) {
        const TopologyReport report =
            inspect_topology(half->mesh.triangles(), half->mesh.vertex_count());
        EXPECT_EQ(report.boundary_edges, 0u) << name;
        EXPECT_EQ(report.flipped_edges, 0u) << name;
        EXPECT_EQ(report.degenerate_triangles, 0u) << name;
        EXPECT_EQ(half->open_outlines, 0u) << name;
      }
      EXPECT_NEAR(signed_volume(one.mesh) + signed_volume(two.mesh), volume, 1e-5 * volume) << name;
      const double a = cap_area(one, plane.normal), b = cap_area(two, -plane.normal);
      EXPECT_NEAR(a, b, 1e-5) << name;
      EXPECT_GT(a, 0) << name;
    }
  }
}

TEST(Cut, SolidsStayClosedAndShowWhatIsInside) {
  const std::vector<std::pair<std::string, TetMesh>> solids = {
      {"box", make_tet_box({1, 1, 1}, {4, 4, 4})},
      {"shaken box", test::shaken_box({1, 2, 1.5f}, {4, 5, 3}, 3)},
      {"bell", test::bell(0.5f, 0.8f, 8, 2)}};
  for (const auto& [name, solid] : solids) {
    const std::vector<float> values = sampled(solid.positions, linear);
    const double volume = total_volume(solid);
    for (const CutPlane& plane : planes(8, 8)) {
      const CutBody one = cut_solid(solid, values, plane);
      const CutBody two = cut_solid(solid, values, opposite(plane));
      expect_on_kept_side(one, plane, name);
      expect_on_kept_side(two, opposite(plane), name);
      for (const CutBody* half : {&one, &two}) {
        const TopologyReport report =
            inspect_topology(half->mesh.triangles(), half->mesh.vertex_count());
        EXPECT_EQ(report.boundary_edges, 0u) << name;
        EXPECT_EQ(report.flipped_edges, 0u) << name;
        EXPECT_EQ(report.degenerate_triangles, 0u) << name;
      }
      EXPECT_NEAR(signed_volume(one.mesh) + signed_volume(two.mesh), volume, 1e-5 * volume) << name;
      EXPECT_NEAR(cap_area(one, plane.normal), cap_area(two, -plane.normal), 1e-5) << name;
    }
  }
}

TEST(Cut, ABoxHasTheSectionOfABox) {
  const TetMesh solid = make_tet_box({2, 1, 1}, {7, 4, 4});
  const Mesh mesh = make_box({{2, 1, 1}, {7, 4, 4}});
  for (const double x : {-0.99, -0.3, 0.0, 1.0 / 7, 0.6}) {  // also along a wall of the grid
    const CutPlane plane = plane_at({x, 0, 0}, {1, 0, 0});
    for (const CutBody& cut : {cut_solid(solid, {}, plane), cut_mesh(mesh, {}, plane)}) {
      EXPECT_NEAR(cap_area(cut, plane.normal), 1, 1e-5);
      EXPECT_NEAR(signed_volume(cut.mesh), 1 + x, 1e-5);
      EXPECT_TRUE(cut.values.empty());
    }
    EXPECT_NEAR(cap_area(cut_solid(solid, {}, plane_at({0, 0, 0}, {1, 1, 0})), {0.5, 0.5, 0}),
                std::sqrt(2.0) / std::sqrt(2.0), 1e-5);
  }
}

Mesh turned_inside_out(const Mesh& mesh) {
  Topology topology = *mesh.topology;
  for (Triangle& t : topology.triangles) std::swap(t[1], t[2]);
  topology.polygon_of_triangle.clear();
  return Mesh(std::move(topology), mesh.positions);
}

// Shells in shells: rings, a ball inside of them, many holes.
TEST(Cut, CapsHaveHoles) {
  const Mesh ball = make_icosphere({1, 12});
  const auto scaled = [&](float size, const Vec3f& at) {
    Mesh copy = ball;
    for (Vec3f& p : copy.positions) p = size * p + at;
    return copy;
  };
  std::vector<Mesh> parts = {ball, turned_inside_out(scaled(0.9f, {0, 0, 0})),
                             scaled(0.8f, {0, 0, 0})};
  for (int i = 0; i < 8; ++i) {
    const float a = 2 * std::numbers::pi_v<float> * static_cast<float>(i) / 8;
    parts.push_back(turned_inside_out(scaled(0.15f, {0.5f * std::cos(a), 0, 0.5f * std::sin(a)})));
  }
  parts.push_back(turned_inside_out(scaled(0.2f, {0, 0, 0})));
  std::vector<const Mesh*> list;
  for (const Mesh& m : parts) list.push_back(&m);
  const Mesh whole = merge_meshes(list);
  for (const CutPlane& plane :
       {plane_at({0, 0, 0}, {0, 1, 0}), plane_at({0, 0.05, 0}, {0, 1, 0}),
        plane_at({0, 0, 0}, {0.1, 1, 0.05}), plane_at({0, 0, 0}, {1, 0, 0})}) {
    double area = 0;
    for (const Mesh& m : parts) area += cap_area(cut_mesh(m, {}, plane), plane.normal);
    const CutBody cut = cut_mesh(whole, {}, plane);
    EXPECT_NEAR(cap_area(cut, plane.normal), area, 1e-4);
    // No triangle of the cap overlaps another: all of them look the same way.
    for (const Triangle& t : cut.mesh.triangles().last(cut.cap_triangles)) {
      const Vec3d a = cut.mesh.positions[t[0]].cast<double>();
      EXPECT_GE((cut.mesh.positions[t[1]].cast<double>() - a)
                    .cross(cut.mesh.positions[t[2]].cast<double>() - a)
                    .dot(plane.normal),
                -1e-9);
    }
    EXPECT_TRUE(inspect_topology(cut.mesh.triangles(), cut.mesh.vertex_count()).watertight());
  }
}

TEST(Cut, ABodyTurnedInsideOutIsCappedTheSameWay) {
  const Mesh torus = make_torus({1, 0.3f, 24, 12, Axis::y});
  const CutPlane plane = plane_at({0, 0.02, 0}, {0.02, 1, 0});
  const CutBody plain = cut_mesh(torus, {}, plane),
                turned = cut_mesh(turned_inside_out(torus), {}, plane);
  EXPECT_NEAR(signed_volume(plain.mesh), -signed_volume(turned.mesh), 1e-5);
  EXPECT_TRUE(inspect_topology(turned.mesh.triangles(), turned.mesh.vertex_count()).watertight());
}

TEST(Cut, APlaneThatMissesKeepsAllOrNothing) {
  const Mesh ball = make_icosphere({1, 4});
  const std::vector<float> values = sampled(ball.positions, linear);
  const CutBody all = cut_mesh(ball, values, plane_at({0, 2, 0}, {0, 1, 0}));
  EXPECT_TRUE(all.mesh == ball);
  EXPECT_EQ(all.values, values);
  EXPECT_TRUE(cut_mesh(ball, values, plane_at({0, -2, 0}, {0, 1, 0})).mesh.empty());
  const TetMesh box = make_tet_box({1, 1, 1}, {2, 2, 2});
  const std::vector<float> inside = sampled(box.positions, linear);
  const CutBody whole = cut_solid(box, inside, plane_at({0, 2, 0}, {0, 1, 0}));
  EXPECT_NEAR(signed_volume(whole.mesh), 1, 1e-6);
  EXPECT_EQ(whole.cap_triangles, 0u);
  EXPECT_TRUE(cut_solid(box, inside, plane_at({0, -2, 0}, {0, 1, 0})).mesh.empty());
  // Just touching: the face on the plane is the cap.
  const CutBody touched = cut_solid(box, inside, plane_at({0, 0.5, 0}, {0, 1, 0}));
  EXPECT_NEAR(signed_volume(touched.mesh), 1, 1e-6);
  EXPECT_NEAR(cap_area(touched, {0, 1, 0}), 1, 1e-6);
  EXPECT_TRUE(cut_solid(box, inside, plane_at({0, -0.5, 0}, {0, 1, 0})).mesh.empty());
  for (const bool cap : {false, true}) {
    EXPECT_TRUE(cut_mesh(Mesh(), {}, CutPlane(), cap).mesh.empty());
    EXPECT_TRUE(cut_solid(TetMesh(), {}, CutPlane(), CutOutside::skin, cap).mesh.empty());
  }
}

TEST(Cut, OpenOutlinesAreCounted) {
  const Mesh grid = make_grid({1, 1, 6, 6, Axis::y});
  const CutBody cut = cut_mesh(grid, {}, plane_at({0.01, 0, 0}, {1, 0, 0}));
  EXPECT_EQ(cut.open_outlines, 1u);
  EXPECT_EQ(cut.cap_triangles, 0u);
  EXPECT_NEAR(surface_area(cut.mesh), 0.51, 1e-5);
  const Mesh tube = make_cylinder({0.5f, 0.5f, 2, 12, 3, 1, false, Axis::y});
  const CutBody ring = cut_mesh(tube, {}, plane_at({0, 0.1, 0}, {0, 1, 0}));
  EXPECT_EQ(ring.open_outlines, 0u);
  EXPECT_GT(ring.cap_triangles, 0u);
}

TEST(Cut, ASkinIsKeptAndTheCapReachesIt) {
  // A ball, carried by a box that is larger than it in places and smaller in others.
  const Mesh ball = make_icosphere({0.5f, 24});
  TetMesh lattice = make_tet_box({1, 1, 1}, {10, 10, 10});
  for (Vec3f& p : lattice.positions) {
    const float square = p.cwiseAbs().maxCoeff(), length = p.norm();
    if (length > 0) p *= 0.99f * square / length;
  }
  const TetMesh solid = with_skin(lattice, ball);
  const std::vector<float> values = sampled(solid.positions, linear);
  const CutPlane plane = plane_at({0.03, 0, 0}, {1, 0.2, 0.1});
  const CutBody cut = cut_solid(solid, values, plane);
  expect_on_kept_side({cut.mesh, sampled(cut.mesh.positions, linear)}, plane, "skin");
  const double height = 0.03 / std::sqrt(1.05);
  const double exact = std::numbers::pi * (0.25 - height * height);
  EXPECT_NEAR(cap_area(cut, plane.normal), exact, 0.01 * exact);
  EXPECT_NEAR(signed_volume(cut.mesh), signed_volume(cut_mesh(ball, {}, plane).mesh), 0.01);
  // The skin is the artist's: its vertices are where they were.
  std::size_t on_ball = 0;
  for (const Vec3f& p : cut.mesh.positions) on_ball += std::abs(p.norm() - 0.5f) < 1e-5f;
  EXPECT_GT(on_ball, ball.vertex_count() / 2);
  // Where the skin lies outside of the tetrahedra, values go no further than those of the solid.
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const auto [least, greatest] = std::minmax_element(cut.values.begin(), cut.values.end());
  EXPECT_GE(*least, *low);
  EXPECT_LE(*greatest, *high);
  const CutBody plain = cut_solid(solid, values, plane, CutOutside::boundary);
  EXPECT_TRUE(inspect_topology(plain.mesh.triangles(), plain.mesh.vertex_count()).watertight());
  const CutBody open = cut_solid(solid, values, plane, CutOutside::skin, false);
  EXPECT_EQ(open.cap_triangles, 0u);
  EXPECT_LT(open.mesh.vertex_count(), cut.mesh.vertex_count());
}

TEST(Cut, TheCapReachesATipThatTheSolidDoesNot) {
  // A ball with a point, in tetrahedra that end long before it.
  Mesh drop = make_icosphere({0.5f, 24});
  for (Vec3f& p : drop.positions)
    if (p.x() > 0.2f) p.x() += 2 * (p.x() - 0.2f);
  TetMesh lattice = make_tet_box({1, 1, 1}, {10, 10, 10});
  for (Vec3f& p : lattice.positions) {
    const float square = p.cwiseAbs().maxCoeff(), length = p.norm();
    if (length > 0) p *= square / length;
  }
  const TetMesh solid = with_skin(lattice, drop);
  const std::vector<float> values = sampled(solid.positions, linear);
  for (const Vec3d& normal : {Vec3d(0, 0, 1), Vec3d(0, 1, 0.3)}) {
    const CutPlane plane = plane_at({0, 0, 0}, normal);
    const CutBody cut = cut_solid(solid, values, plane);
    const double whole = cap_area(cut_mesh(drop, {}, plane), plane.normal);
    EXPECT_NEAR(cap_area(cut, plane.normal), whole, 0.02 * whole);
    // What is filled is no new part of the body: every triangle says which element it shows.
    ASSERT_EQ(cut.source.size(), cut.mesh.triangle_count());
    for (std::size_t t = cut.source.size() - cut.cap_triangles; t < cut.source.size(); ++t)
      ASSERT_LT(cut.source[t], solid.tet_count());
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    for (const float v : cut.values) EXPECT_TRUE(v >= *low && v <= *high) << v;
  }
}

TEST(Cut, WorksAtAnyScale) {
  for (const float scale : {1e-6f, 1e6f}) {
    Mesh torus = make_torus({1, 0.3f, 24, 12, Axis::y});
    TetMesh box = make_tet_box({1, 1, 1}, {4, 4, 4});
    for (Vec3f& p : torus.positions) p *= scale;
    for (Vec3f& p : box.positions) p *= scale;
    const CutPlane plane = plane_at(Vec3d(0.1, 0.02, 0) * scale, {0.1, 1, 0.3});
    const double cube = std::pow(static_cast<double>(scale), 3);
    for (const CutBody& cut : {cut_mesh(torus, {}, plane), cut_solid(box, {}, plane)}) {
      EXPECT_TRUE(inspect_topology(cut.mesh.triangles(), cut.mesh.vertex_count()).watertight());
      EXPECT_GT(signed_volume(cut.mesh), 0.3 * cube);
    }
  }
}

TEST(Cut, CanBeStopped) {
  const std::atomic<bool> flag{true};
  const TetMesh box = make_tet_box({1, 1, 1}, {2, 2, 2});
  EXPECT_THROW(cut_solid(box, {}, CutPlane(), CutOutside::skin, true, CancelView{&flag}), Stopped);
  EXPECT_THROW(cut_mesh(make_icosphere({1, 3}), {}, CutPlane(), true, CancelView{&flag}), Stopped);
}

}  // namespace
}  // namespace sinew::kernels
