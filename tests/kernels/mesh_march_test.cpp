#include "nodes/kernels/mesh_march.h"

#include <cmath>
#include <numbers>

#include "nodes/kernels/tet_measure.h"
#include "tests/kernels/shapes.h"
#include "tests/kernels/u_shape.h"

namespace sinew::test {
namespace {

using namespace kernels;

std::vector<double> from_vertex(const Mesh& mesh, uint32_t v, Wave wave = Wave::curved) {
  const MarchStart start{v, 0};
  return march_surface(mesh, vertex_triangles(mesh.triangles(), mesh.vertex_count()), {&start, 1},
                       wave);
}

std::vector<double> from_point(const TetMesh& solid, const Vec3d& point, Wave wave = Wave::curved) {
  return march_solid(solid, vertex_tets(solid.tets(), solid.vertex_count()),
                     start_in_solid(solid, point).corners, wave);
}

TEST(WaveFront, ACurvedWaveIsExactForAPointBehindTheEdgeOrFace) {
  const std::vector<Vec3f> p = random_points(400, 7);
  int through = 0;
  for (std::size_t i = 0; i + 3 < p.size(); i += 4) {
    const Vec3d a = p[i].cast<double>(), b = p[i + 1].cast<double>(), c = p[i + 2].cast<double>(),
                e = p[i + 3].cast<double>();
    // A source on the line from e through a point of the face, behind it.
    const Vec3d s = e + 2.5 * (0.2 * a + 0.5 * b + 0.3 * c - e);
    const double d =
        through_face(Wave::curved, a, (a - s).norm(), b, (b - s).norm(), c, (c - s).norm(), e);
    EXPECT_NEAR(d, (e - s).norm(), 1e-9);
    const Vec3d r = e + 2.5 * (0.4 * a + 0.6 * b - e);
    EXPECT_NEAR(through_edge(Wave::curved, a, (a - r).norm(), b, (b - r).norm(), e), (e - r).norm(),
                1e-9);
    ++through;
  }
  EXPECT_EQ(through, 100);
}

TEST(WaveFront, AFlatWaveIsExactForAPlaneAndALine) {
  const std::vector<Vec3f> p = random_points(400, 8);
  for (std::size_t i = 0; i + 3 < p.size(); i += 4) {
    const Vec3d a = p[i].cast<double>(), b = p[i + 1].cast<double>(), c = p[i + 2].cast<double>(),
                e = p[i + 3].cast<double>();
    const Vec3d n = (e - (0.2 * a + 0.5 * b + 0.3 * c)).normalized();
    const auto height = [&](const Vec3d& x) { return 5 + n.dot(x); };
    EXPECT_NEAR(through_face(Wave::flat, a, height(a), b, height(b), c, height(c), e), height(e),
                1e-9);
  }
}

TEST(WaveFront, IsNeverLongerThanTheWayAlongAnEdge) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(0, 2);
  const std::vector<Vec3f> p = random_points(4000, 9);
  for (std::size_t i = 0; i + 3 < p.size(); i += 4) {
    const Vec3d a = p[i].cast<double>(), b = p[i + 1].cast<double>(),
                c = i % 40 == 0 ? a : Vec3d(p[i + 2].cast<double>()), e = p[i + 3].cast<double>();
    const double da = uniform(random), db = uniform(random), dc = uniform(random);
    for (const Wave wave : {Wave::curved, Wave::flat}) {
      const double d = through_face(wave, a, da, b, db, c, dc, e);
      const double rim = std::min(da + (e - a).norm(), db + (e - b).norm());
      EXPECT_LE(d, std::min(rim, dc + (e - c).norm()) + 1e-12);
      EXPECT_GE(d, 0);
      const double edge = through_edge(wave, a, da, b, db, e);
      EXPECT_LE(edge, rim);
      EXPECT_GE(edge, 0);
    }
  }
}

TEST(MarchSurface, IsExactOnAPlaneForTrianglesOfAnyShapeAndAnyScale) {
  for (const float scale : {1e-6f, 1.0f, 1e6f}) {
    for (const float stretch : {1.0f, 20.0f}) {
      Mesh plane = make_grid({scale, stretch * scale, 13, 9});
      for (const uint32_t source : {0u, 47u, 139u}) {
        const std::vector<double> d = from_vertex(plane, source);
        for (std::size_t v = 0; v < d.size(); ++v) {
          EXPECT_NEAR(d[v], (plane.positions[v] - plane.positions[source]).norm(),
                      2e-6 * stretch * scale);
        }
      }
    }
  }
}

TEST(MarchSurface, AFlatWaveIsExactFromTheRimOfACylinder) {
  const Mesh tube = make_cylinder({0.5f, 0.5f, 2, 24, 15, 1, false, Axis::y});
  std::vector<float> painted(tube.vertex_count(), 0);
  for (std::size_t v = 0; v < painted.size(); ++v) painted[v] = tube.positions[v].y() > 0.99f;
  const std::vector<MarchStart> rim = start_from_set(painted, 0.5f);
  EXPECT_EQ(rim.size(), 24u);
  const std::vector<double> d =
      march_surface(tube, vertex_triangles(tube.triangles(), tube.vertex_count()), rim, Wave::flat);
  for (std::size_t v = 0; v < d.size(); ++v) EXPECT_NEAR(d[v], 1 - tube.positions[v].y(), 1e-5);
}

TEST(MarchSurface, UnrollsACylinder) {
  const int segments = 48;
  const Mesh tube = make_cylinder({0.5f, 0.5f, 2, segments, 24, 1, false, Axis::y});
  const uint32_t source = closest_vertex(tube.positions, {0.5f, 0, 0});
  const std::vector<double> d = from_vertex(tube, source);
  // The prism with that many sides, unrolled.
  const double side = 2 * 0.5 * std::sin(std::numbers::pi / segments);
  for (std::size_t v = 0; v < d.size(); ++v) {
    const Vec3f p = tube.positions[v], q = tube.positions[source];
    double angle = std::abs(std::atan2(p.z(), p.x()) - std::atan2(q.z(), q.x()));
    angle = std::min(angle, 2 * std::numbers::pi - angle);
    const double around = side * std::round(angle / (2 * std::numbers::pi / segments));
    const double exact = std::hypot(around, p.y() - q.y());
    EXPECT_NEAR(d[v], exact, 1e-5 + 1e-5 * exact);
  }
}

TEST(MarchSurface, SpheresAreWithinTwoPerCentFromFrequencyEight) {
  for (const int frequency : {8, 16, 32}) {
    const Mesh sphere = make_icosphere({1, frequency});
    const std::vector<double> d = from_vertex(sphere, 77);
    for (std::size_t v = 0; v < d.size(); ++v) {
      const double exact =
          2 * std::asin(std::min(1.0, 0.5 * (sphere.positions[v] - sphere.positions[77]).norm()));
      if (exact < 2.6 / frequency) continue;  // two edges
      EXPECT_NEAR(d[v], exact, 0.02 * exact) << frequency;
    }
  }
}

TEST(MarchSurface, StaysOnItsComponentAndEndsAtTheLimit) {
  Mesh two = make_grid({1, 1, 6, 6});
  Topology both = *two.topology;
  const uint32_t n = static_cast<uint32_t>(two.vertex_count());
  for (const Triangle& t : two.triangles())
    both.triangles.push_back({t[0] + n, t[1] + n, t[2] + n});
  std::vector<Vec3f> points = two.positions;
  for (const Vec3f& p : two.positions) points.push_back(p + Vec3f(0, 1e-3f, 0));
  both.polygon_of_triangle.clear();
  both.corner_uvs.clear();
  points.push_back({9, 9, 9});  // of no triangle
  const Mesh mesh(std::move(both), std::move(points));
  const std::vector<double> d = from_vertex(mesh, 0);
  for (uint32_t v = 0; v < d.size(); ++v) EXPECT_EQ(d[v] == unreachable, v >= n) << v;
  const MarchStart start{0, 0};
  const std::vector<double> near =
      march_surface(mesh, vertex_triangles(mesh.triangles(), mesh.vertex_count()), {&start, 1},
                    Wave::curved, 0.4);
  for (uint32_t v = 0; v < n; ++v) {
    if (d[v] <= 0.4) {
      EXPECT_EQ(near[v], d[v]);
    } else {
      EXPECT_EQ(near[v], unreachable);
    }
  }
}

TEST(MarchSurface, TakesAnythingThatIsAMesh) {
  EXPECT_TRUE(march_surface(Mesh(), vertex_triangles({}, 0), {}, Wave::curved).empty());
  // No area, a repeated vertex, three triangles at an edge, a vertex on top of another.
  Topology topology;
  topology.triangles = {{0, 1, 2}, {0, 0, 1}, {1, 1, 1}, {0, 1, 3}, {0, 1, 4}, {3, 4, 5}};
  const Mesh odd(std::move(topology),
                 {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 1}});
  for (const Wave wave : {Wave::curved, Wave::flat}) {
    const std::vector<double> d = from_vertex(odd, 0, wave);
    for (const double x : d) EXPECT_TRUE(std::isfinite(x));
    EXPECT_DOUBLE_EQ(d[2], 2);
    EXPECT_DOUBLE_EQ(d[5], 1);
  }
}

TEST(MarchSurface, GoesAroundTheGapOfAU) {
  for (const float gap : {0.5f, 0.01f}) {
    UShape u;
    u.gap = gap;
    const Mesh mesh = make_u_mesh(u);
    const uint32_t left = closest_vertex(mesh.positions, u.left_tip()),
                   right = closest_vertex(mesh.positions, u.right_tip());
    // Around the front is a little shorter than down between the legs.
    const double d = from_vertex(mesh, left)[right];
    EXPECT_GT(d, 4);
    EXPECT_LE(d, u.way() + 1e-5);
    EXPECT_NEAR(from_vertex(mesh, right)[left], d, 1e-6);
  }
}

TEST(MarchSolid, IsExactInABoxAtAnyScale) {
  for (const float scale : {1e-6f, 1.0f, 1e6f}) {
    const TetMesh box = make_tet_box(Vec3f(1, 2, 1) * scale, {5, 10, 5});
    for (const Vec3d& at : {Vec3d(0.1, 0.3, -0.2), Vec3d(-0.5, -1, -0.5), Vec3d(0, 0, 0)}) {
      const Vec3d point = scale * at;
      const std::vector<double> d = from_point(box, point);
      for (std::size_t v = 0; v < d.size(); ++v) {
        EXPECT_NEAR(d[v], (box.positions[v].cast<double>() - point).norm(), 1e-5 * scale);
      }
    }
  }
}

TEST(MarchSolid, AFlatWaveIsExactFromASide) {
  const TetMesh box = make_tet_box({1, 2, 1}, {4, 9, 4});
  std::vector<float> painted;
  for (const Vec3f& p : box.positions) painted.push_back(p.y());
  const std::vector<double> d = march_solid(box, vertex_tets(box.tets(), box.vertex_count()),
                                            start_from_set(painted, 0.999f), Wave::flat);
  for (std::size_t v = 0; v < d.size(); ++v) EXPECT_NEAR(d[v], 1 - box.positions[v].y(), 1e-5);
}

TEST(MarchSolid, GoesDownOneLegOfAUAndUpTheOther) {
  for (const float gap : {0.5f, 0.01f, 1e-4f}) {
    UShape u;
    u.gap = gap;
    const TetMesh solid = make_u_solid(u);
    ASSERT_FALSE(validate(solid));
    const uint32_t right = closest_vertex(solid.positions, u.right_tip());
    for (const Wave wave : {Wave::curved, Wave::flat}) {
      const std::vector<double> d = from_point(solid, u.left_tip().cast<double>(), wave);
      EXPECT_NEAR(d[right], u.way(), 0.01 * u.way()) << gap;
    }
  }
}

TEST(MarchSolid, ConvergesAroundTheCornersOfAU) {
  // To the outer lower corner of the other leg: past two inner corners.
  double last = 1e9;
  for (const int cells : {2, 4, 8}) {
    UShape u;
    u.cells = cells;
    const TetMesh solid = make_u_solid(u);
    const Vec3f source(0, u.height, 0), target(u.width(), u.height, 0);
    const std::vector<double> d = from_point(solid, source.cast<double>());
    const double leg = std::hypot(u.leg, u.height - u.bottom), exact = 2 * leg + u.gap;
    const double error = std::abs(d[closest_vertex(solid.positions, target)] - exact);
    EXPECT_LT(error, 0.02 * exact) << cells;
    EXPECT_LE(error, last + 1e-9) << cells;
    last = error;
  }
}

TEST(MarchSolid, MovesAPointOutsideToTheBoundary) {
  const TetMesh box = make_tet_box({1, 1, 1}, {4, 4, 4});
  const PlacedStart placed = start_in_solid(box, {0.1, 0.8, 0.1});
  EXPECT_NEAR(placed.moved, 0.3, 1e-6);
  ASSERT_EQ(placed.corners.size(), 3u);
  const std::vector<double> d =
      march_solid(box, vertex_tets(box.tets(), box.vertex_count()), placed.corners, Wave::curved);
  for (std::size_t v = 0; v < d.size(); ++v) {
    EXPECT_NEAR(d[v], (box.positions[v] - Vec3f(0.1f, 0.5f, 0.1f)).norm(), 1e-5);
  }
  EXPECT_EQ(start_in_solid(box, {0.1, 0.2, 0.1}).moved, 0);
  EXPECT_TRUE(start_in_solid(TetMesh(), {0, 0, 0}).corners.empty());
}

TEST(MarchSolid, CanBeStopped) {
  const TetMesh box = make_tet_box({1, 1, 1}, {4, 4, 4});
  const std::atomic<bool> flag{true};
  const MarchStart start{0, 0};
  EXPECT_THROW(march_solid(box, vertex_tets(box.tets(), box.vertex_count()), {&start, 1},
                           Wave::curved, unreachable, CancelView{&flag}),
               Stopped);
}

}  // namespace
}  // namespace sinew::test
