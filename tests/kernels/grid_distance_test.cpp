#include "nodes/kernels/grid_distance.h"

#include <cmath>

#include "tests/kernels/shapes.h"
#include "tests/kernels/u_shape.h"

namespace sinew::test {
namespace {

using namespace kernels;

std::shared_ptr<const MaterialGrid> grid_of(const Mesh& mesh, int cells) {
  return std::make_shared<const MaterialGrid>(std::make_shared<const SurfaceTree>(mesh), cells);
}

double distance_to(const GridMarch& march, const MaterialGrid& grid, const Vec3f& point) {
  return march.at(grid.probe(point.cast<double>()));
}

// The greatest error at grid points and at the mesh's vertices, in cells, where all is in sight.
double worst_error(const Mesh& mesh, int cells, const Vec3d& source, Wave wave = Wave::curved) {
  const auto grid = grid_of(mesh, cells);
  GridMarch march(grid);
  march.run({&source, 1}, wave);
  double worst = 0;
  for (uint32_t i = 0; i < grid->point_count(); ++i) {
    if (!grid->inside(i)) continue;
    worst = std::max(worst, std::abs(march.at(i) - (grid->position(i) - source).norm()));
  }
  const std::vector<MaterialGrid::Probe> probes = grid->probes(mesh.positions);
  for (std::size_t v = 0; v < probes.size(); ++v) {
    const double exact = (mesh.positions[v].cast<double>() - source).norm();
    worst = std::max(worst, std::abs(march.at(probes[v]) - exact));
  }
  return worst / grid->cell();
}

TEST(MaterialGrid, KnowsItsInside) {
  for (const NamedMesh& named : closed_meshes()) {
    const auto tree = std::make_shared<const SurfaceTree>(named.mesh);
    const MaterialGrid grid(tree, 12);
    std::size_t count = 0;
    for (uint32_t i = 0; i < grid.point_count(); ++i) {
      EXPECT_EQ(grid.inside(i), tree->inside(grid.position(i))) << named.name;
      count += grid.inside(i);
    }
    EXPECT_EQ(grid.inside_count(), count);
  }
}

TEST(MaterialGrid, ALidlessBoxHasAnInsideToo) {
  Mesh box = make_box({{1, 1, 1}, {6, 6, 6}});
  Topology open = *box.topology;
  std::erase_if(open.triangles, [&](const Triangle& t) {
    return std::all_of(t.begin(), t.end(), [&](uint32_t v) {
      return box.positions[v].y() > 0.49f && box.positions[v].head<1>().norm() < 0.2f;
    });
  });
  open.polygon_of_triangle.clear();
  open.corner_uvs.clear();
  ASSERT_LT(open.triangles.size(), box.triangle_count());
  const Mesh with_hole(std::move(open), box.positions);
  const auto grid = grid_of(with_hole, 16), whole = grid_of(box, 16);
  EXPECT_NEAR(static_cast<double>(grid->inside_count()), static_cast<double>(whole->inside_count()),
              0.05 * 4096);
}

TEST(GridMarch, BoxesAndSpheresAreExactToAFractionOfACell) {
  const Mesh box = make_box({{1, 2, 1}, {8, 16, 8}}), ball = make_icosphere({1, 12});
  for (const int cells : {8, 16, 32}) {
    for (const Vec3d& source : {Vec3d(0.1, 0.2, -0.03), Vec3d(-0.4, 0.1, 0.3)}) {
      EXPECT_LT(worst_error(box, cells, source), 0.25) << cells;
      EXPECT_LT(worst_error(ball, cells, source), 0.25) << cells;
    }
    EXPECT_LT(worst_error(box, cells, box.positions[0].cast<double>()), 0.25) << cells;
    EXPECT_LT(worst_error(ball, cells, ball.positions[0].cast<double>()), 0.25) << cells;
  }
}

TEST(GridMarch, DifferencesConvergeWithFirstOrderOnABox) {
  const Mesh box = make_box({{1, 2, 1}, {4, 8, 4}});
  for (const int cells : {8, 16, 32, 64}) {
    EXPECT_LT(worst_error(box, cells, {0.1, 0.2, -0.03}, Wave::flat), 0.35) << cells;
  }
}

TEST(GridMarch, ASideIsAFlatSource) {
  const Mesh box = make_box({{1, 2, 1}, {20, 40, 20}});
  std::vector<Vec3d> side;
  for (const Vec3f& p : box.positions) {
    if (p.y() > 0.999f) side.push_back(p.cast<double>());
  }
  const auto grid = grid_of(box, 40);
  GridMarch march(grid);
  march.run(side, Wave::flat);
  for (uint32_t i = 0; i < grid->point_count(); ++i) {
    if (!grid->inside(i)) continue;
    EXPECT_NEAR(march.at(i), 1 - grid->position(i).y(), 0.4 * grid->cell());
  }
}

TEST(GridMarch, IsExactCloseToTheSource) {
  const Mesh ball = make_icosphere({1, 8});
  const auto grid = grid_of(ball, 20);
  GridMarch march(grid);
  const Vec3d source(0.21, -0.1, 0.33);
  march.run({&source, 1});
  for (const Vec3f& offset : random_points(200, 4)) {
    const Vec3d place = source + 2.9 * grid->cell() * offset.cast<double>().normalized() *
                                     std::abs(static_cast<double>(offset.x()));
    EXPECT_NEAR(march.at(grid->probe(place)), (place - source).norm(), 1e-12);
  }
}

TEST(GridMarch, DoesNotJumpTheGapOfAUThinnerThanACell) {
  for (const float scale : {1e-6f, 1.0f, 1e6f}) {
    for (const float gap : {0.5f, 0.05f, 0.002f}) {
      UShape u;
      u.gap = gap;
      Mesh mesh = make_u_mesh(u);
      for (Vec3f& p : mesh.positions) p *= scale;
      const auto grid = grid_of(mesh, 40);
      GridMarch march(grid);
      const Vec3d source = scale * u.left_tip().cast<double>();
      march.run({&source, 1});
      const double d = distance_to(march, *grid, scale * u.right_tip());
      EXPECT_NEAR(d, u.way() * scale, 0.04 * u.way() * scale) << gap;
      // Every vertex of the right leg's inner side is reached over the bottom.
      for (const Vec3f& p : mesh.positions) {
        if (p.x() < (u.leg + u.gap) * scale * 0.9999f || p.y() < u.bottom * scale) continue;
        EXPECT_GT(distance_to(march, *grid, p), (u.height - u.bottom) * scale * 0.98);
      }
    }
  }
}

TEST(GridMarch, ConvergesAroundTheCornersOfAU) {
  const UShape u;
  const Mesh mesh = make_u_mesh(u);
  const Vec3f source(0, u.height, 0), target(u.width(), u.height, 0);
  const double exact = 2 * std::hypot(u.leg, u.height - u.bottom) + u.gap;
  double first = 0, last = 0;
  for (const int cells : {16, 32, 64}) {
    const auto grid = grid_of(mesh, cells);
    GridMarch march(grid);
    const Vec3d from = source.cast<double>();
    march.run({&from, 1});
    last = std::abs(distance_to(march, *grid, target) - exact);
    if (cells == 16) first = last;
    EXPECT_LT(last, 1.6 * grid->cell()) << cells;  // it bends at grid points, twice
  }
  EXPECT_LT(last, 0.3 * first);
}

TEST(GridMarch, IsSymmetric) {
  const UShape u;
  const Mesh mesh = make_u_mesh(u);
  const auto grid = grid_of(mesh, 30);
  GridMarch march(grid);
  const std::vector<Vec3f> places = {
      {0.2f, 3.5f, 0.5f}, {2.2f, 3.1f, 0.2f}, {1.3f, 0.4f, 0.6f}, {0.9f, 2, 0.9f}};
  for (const Vec3f& a : places) {
    for (const Vec3f& b : places) {
      const Vec3d from_a = a.cast<double>(), from_b = b.cast<double>();
      march.run({&from_a, 1});
      const double there = distance_to(march, *grid, b);
      march.run({&from_b, 1});
      EXPECT_NEAR(distance_to(march, *grid, a), there, 1.3 * grid->cell());
    }
  }
}

TEST(GridMarch, RunsAgainAsIfNew) {
  const Mesh torus = make_torus({1, 0.3f, 24, 12});
  const auto grid = grid_of(torus, 30);
  const Vec3d a(1, 0, 0), b(-0.9, 0.1, 0.1);
  GridMarch used(grid), fresh(grid);
  used.run({&a, 1}, Wave::curved, 0.7);
  for (uint32_t i = 0; i < grid->point_count(); ++i) {
    EXPECT_TRUE(used.at(i) == unreachable || used.at(i) <= 0.7);
  }
  EXPECT_LT(used.settled(), grid->inside_count() / 2);
  used.run({&b, 1});
  fresh.run({&b, 1});
  EXPECT_EQ(used.settled(), grid->inside_count());
  for (uint32_t i = 0; i < grid->point_count(); ++i) EXPECT_EQ(used.at(i), fresh.at(i));
}

TEST(GridMarch, GoesAroundATorusAndNotThroughItsHole) {
  const Mesh torus = make_torus({1, 0.25f, 48, 20});
  const auto grid = grid_of(torus, 48);
  GridMarch march(grid);
  const Vec3d source(1, 0, 0);
  march.run({&source, 1});
  // Along the inner side of the tube: half a circle of radius 0.75, and straight into it.
  const double tangent = std::sqrt(1 - 0.75 * 0.75);
  const double exact = 2 * tangent + 0.75 * (M_PI - 2 * std::acos(0.75));
  // It bends again and again along the round wall.
  EXPECT_NEAR(distance_to(march, *grid, {-1, 0, 0}), exact, 2.5 * grid->cell());
}

TEST(GridMarch, WhatIsNotJoinedIsUnreachable) {
  Mesh two = make_icosphere({1, 4});
  Topology both;
  both.triangles.assign(two.triangles().begin(), two.triangles().end());
  const uint32_t n = static_cast<uint32_t>(two.vertex_count());
  for (const Triangle& t : two.triangles())
    both.triangles.push_back({t[0] + n, t[1] + n, t[2] + n});
  std::vector<Vec3f> points = two.positions;
  for (const Vec3f& p : two.positions) points.push_back(p + Vec3f(2.01f, 0, 0));
  const Mesh mesh(std::move(both), std::move(points));
  const auto grid = grid_of(mesh, 30);
  GridMarch march(grid);
  const Vec3d source(0, 0, 0);
  march.run({&source, 1});
  const std::vector<MaterialGrid::Probe> probes = grid->probes(mesh.positions);
  for (uint32_t v = 0; v < probes.size(); ++v) {
    EXPECT_EQ(march.at(probes[v]) == unreachable, v >= n) << v;
  }
}

TEST(GridMarch, MovesAPointOutsideToTheSurface) {
  const Mesh box = make_box({{1, 1, 1}, {4, 4, 4}});
  const auto grid = grid_of(box, 16);
  const MaterialGrid::Probe probe = grid->probe({0.1, 0.9, 0.2});
  EXPECT_NEAR(probe.moved, 0.4, 1e-9);
  EXPECT_NEAR(probe.place.y(), 0.5, 1e-9);
  GridMarch march(grid);
  const Vec3d source(0.1, 0.9, 0.2);
  march.run({&source, 1});
  EXPECT_NEAR(distance_to(march, *grid, {0.1f, 0, 0.2f}), 0.5, 0.25 * grid->cell());
}

TEST(GridMarch, NothingToGoThrough) {
  for (const Mesh& mesh : {Mesh(), make_grid({1, 1, 3, 3})}) {
    const auto grid = grid_of(mesh, 8);
    EXPECT_TRUE(grid->empty());
    GridMarch march(grid);
    const Vec3d source(0, 0, 0);
    march.run({&source, 1});
    EXPECT_EQ(march.at(grid->probe({0, 0, 0})), unreachable);
  }
}

TEST(GridMarch, DoesNotDependOnThreadsAndCanBeStopped) {
  const Mesh torus = make_torus({1, 0.3f, 24, 12});
  expect_same_for_threads([&] {
    const auto grid = grid_of(torus, 30);
    GridMarch march(grid);
    const Vec3d source(1, 0, 0);
    march.run({&source, 1});
    std::vector<double> all;
    for (const MaterialGrid::Probe& probe : grid->probes(torus.positions)) {
      all.push_back(march.at(probe));
    }
    return all;
  });
  const std::atomic<bool> flag{true};
  EXPECT_THROW(MaterialGrid(std::make_shared<const SurfaceTree>(torus), 30, CancelView{&flag}),
               Stopped);
  GridMarch march(grid_of(torus, 10));
  const Vec3d source(1, 0, 0);
  EXPECT_THROW(march.run({&source, 1}, Wave::curved, unreachable, CancelView{&flag}), Stopped);
}

}  // namespace
}  // namespace sinew::test
