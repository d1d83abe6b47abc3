#include "nodes/kernels/revolve.h"

#include <numbers>
#include <set>

#include "nodes/kernels/adjacency.h"
#include "nodes/kernels/measure.h"
#include "nodes/kernels/sweep.h"
#include "tests/kernels/shapes.h"

namespace sinew::test {
namespace {

using namespace kernels;
constexpr double pi = std::numbers::pi;

Profile sphere_profile(double radius) {
  Profile profile({0, -radius});
  std::vector<Vec2d> arc;
  for (int i = 1; i <= 200; ++i) {
    const double angle = pi * i / 200;
    arc.push_back({i == 200 ? 0.0 : radius * std::sin(angle), -radius * std::cos(angle)});
  }
  profile.through(arc, 2);
  return profile;
}

Profile cone_profile(double radius, double height) {
  Profile profile({0, 0});
  profile.line_to({radius, 0}).line_to({0, height});
  return profile;
}

// Closed; the last point, which is the first again, is left out.
std::vector<Vec2d> ring_profile(double major, double minor, int points) {
  std::vector<Vec2d> ring;
  for (int i = 0; i < points; ++i) {
    const double angle = 2 * pi * i / points;
    ring.push_back({major + minor * std::cos(angle), minor * std::sin(angle)});
  }
  return ring;
}

void expect_closed(const Mesh& mesh, long euler) {
  EXPECT_FALSE(validate(mesh));
  const TopologyReport report = inspect_topology(mesh.triangles(), mesh.vertex_count());
  EXPECT_TRUE(report.watertight());
  EXPECT_EQ(report.euler, euler);
  EXPECT_EQ(report.used_vertices, mesh.vertex_count());
}

struct EdgeRange {
  double shortest = INFINITY, longest = 0;
};
EdgeRange edges_of(const Mesh& mesh) {
  EdgeRange range;
  for (const auto& e : build_edges(mesh.triangles(), mesh.vertex_count()).edges) {
    const double length = (mesh.positions[e.a] - mesh.positions[e.b]).norm();
    range.shortest = std::min(range.shortest, length);
    range.longest = std::max(range.longest, length);
  }
  return range;
}

TEST(Revolve, VolumesAreThoseOfTheFormulasWithSecondOrder) {
  for (const double scale : {1e-6, 1.0, 1e6}) {
    double before = 0;
    for (const double edge : {0.2, 0.1, 0.05}) {
      const RevolveOptions options{.edge = edge * scale};
      const double spacing = ring_spacing(edge) * scale, cube = scale * scale * scale;
      const Mesh ball = revolve(sphere_profile(scale).sample(spacing), options);
      expect_closed(ball, 2);
      const double error = 4.0 / 3 * pi - signed_volume(ball) / cube;
      EXPECT_GT(error, 0) << "an inscribed body is smaller";
      if (before > 0) {
        EXPECT_NEAR(before / error, 4, 0.6);
      }
      before = error;

      const Mesh cone = revolve(cone_profile(0.7 * scale, 1.5 * scale).sample(spacing), options);
      expect_closed(cone, 2);
      EXPECT_NEAR(signed_volume(cone) / cube, pi * 0.49 * 1.5 / 3, 2 * edge * edge);

      RevolveOptions around = options;
      around.closed = true;
      const Mesh torus =
          revolve(ring_profile(scale, 0.3 * scale, static_cast<int>(2 / edge)), around);
      expect_closed(torus, 0);
      EXPECT_NEAR(signed_volume(torus) / cube, 2 * pi * pi * 0.09, 4 * edge * edge);
    }
  }
}

TEST(Revolve, PolesAreOneVertexEachAndTheLastRingIsNotDoubled) {
  const RevolveOptions options{.edge = 0.1};
  const Mesh ball = revolve(sphere_profile(1).sample(ring_spacing(0.1)), options);
  std::size_t on_axis = 0;
  for (const Vec3f& p : ball.positions) on_axis += p.x() == 0 && p.z() == 0;
  EXPECT_EQ(on_axis, 2u);
  EXPECT_EQ(ball.positions.front(), Vec3f(0, -1, 0));
  EXPECT_EQ(ball.positions.back(), Vec3f(0, 1, 0));
  std::set<std::array<float, 3>> distinct;
  for (const Vec3f& p : ball.positions) distinct.insert({p.x(), p.y(), p.z()});
  EXPECT_EQ(distinct.size(), ball.vertex_count());
}

TEST(Revolve, TrianglesAreEvenUpToThePoles) {
  for (const double edge : {0.3, 0.1, 0.03}) {
    const Mesh ball =
        revolve(sphere_profile(1).sample(ring_spacing(edge)), RevolveOptions{.edge = edge});
    const EdgeRange range = edges_of(ball);
    EXPECT_LT(range.longest, 1.8 * edge);
    EXPECT_GT(range.shortest, 0.5 * edge);
  }
}

TEST(Revolve, TheCountIsToldBeforehandAndMet) {
  const Profile profile = sphere_profile(1);
  for (const std::size_t target : {100, 1000, 7000}) {
    RevolveOptions options;
    const auto count = [&](double edge) {
      options.edge = edge;
      return revolved_vertices(profile.sample(ring_spacing(edge)), options);
    };
    options.edge = edge_for_vertices(0.3, target, count);
    const auto sampled = profile.sample(ring_spacing(options.edge));
    const Mesh ball = revolve(sampled, options);
    EXPECT_EQ(ball.vertex_count(), revolved_vertices(sampled, options));
    EXPECT_NEAR(static_cast<double>(ball.vertex_count()) / target, 1, 0.1);
  }
}

TEST(Revolve, SectorsRepeat) {
  const int sectors = 7;
  const Mesh ball = revolve(sphere_profile(1).sample(0.1),
                            RevolveOptions{.edge = 0.1, .sectors = sectors, .least_around = 5});
  expect_closed(ball, 2);
  const auto near = [&](const Vec3f& p) {
    for (const Vec3f& q : ball.positions) {
      if ((p - q).norm() < 1e-5f) return true;
    }
    return false;
  };
  const Eigen::AngleAxisf turn(static_cast<float>(2 * pi / sectors), Vec3f::UnitY());
  for (const Vec3f& p : ball.positions) EXPECT_TRUE(near(turn * p));
}

TEST(Revolve, AnOpenProfileStaysOpenAndNothingIsNothing) {
  const std::vector<Vec2d> pipe = {{1, 0}, {1, 1}};
  const Mesh mesh = revolve(pipe, RevolveOptions{.edge = 0.5});
  const TopologyReport report = inspect_topology(mesh.triangles(), mesh.vertex_count());
  EXPECT_EQ(report.boundary_edges, mesh.vertex_count());
  EXPECT_EQ(report.euler, 0);
  EXPECT_EQ(revolve({}, RevolveOptions{}).triangle_count(), 0u);
  EXPECT_THROW(revolve(pipe, RevolveOptions{.edge = 1e-12}), std::invalid_argument);
  EXPECT_THROW(cone_profile(1, 1).sample(1e-12), std::invalid_argument);
}

TEST(Profile, KeepsCornersAndSpacesEvenly) {
  Profile profile({0, 0});
  profile.line_to({1, 0}).bezier_to({1.5, 0}, {1.5, 1}, {1, 1}, 3).line_to({0, 1}, 2);
  for (const double spacing : {0.05, 0.3, 10.0}) {
    const std::vector<Vec2d> points = profile.sample(spacing);
    for (const Vec2d& corner : {Vec2d(0, 0), Vec2d(1, 0), Vec2d(1, 1), Vec2d(0, 1)}) {
      EXPECT_NE(std::find(points.begin(), points.end(), corner), points.end()) << corner;
    }
    EXPECT_GE(points.size(), 1u + 1 + 3 + 2);
    for (std::size_t i = 1; i < points.size() && spacing < 0.1; ++i) {
      EXPECT_NEAR((points[i] - points[i - 1]).norm(), spacing, 0.1 * spacing);
    }
  }
}

std::vector<Vec3d> helix(int points) {
  std::vector<Vec3d> line;
  for (int i = 0; i <= points; ++i) {
    const double t = 4 * pi * i / points;
    line.push_back({std::cos(t), 0.2 * t, std::sin(t)});
  }
  return line;
}

TEST(Sweep, FramesAreOrthonormalAndDoNotTwist) {
  const Curve curve(helix(2000));
  EXPECT_NEAR(curve.length(), 4 * pi * std::hypot(1, 0.2), 1e-4);
  const double step = 1e-3;
  for (double s = -0.5; s < curve.length() + 0.5; s += 0.217) {
    const CurveFrame f = curve.at(s);
    Eigen::Matrix3d m;
    m << f.x, f.y, f.z;
    EXPECT_LT((m.transpose() * m - Eigen::Matrix3d::Identity()).norm(), 1e-12);
    EXPECT_NEAR(m.determinant(), 1, 1e-12);
    // Rotation-minimising: x turns only towards the direction, never towards z.
    EXPECT_NEAR((curve.at(s + step).x - f.x).dot(f.z) / step, 0, 1e-2);
  }
}

TEST(Sweep, APlaneCurveKeepsItsNormal) {
  std::vector<Vec3d> line;
  for (int i = 0; i <= 300; ++i) line.push_back({0.01 * i, std::sin(0.05 * i), 0});
  const Curve curve(line, Vec3d::UnitZ());
  for (double s = 0; s < curve.length(); s += 0.1) {
    EXPECT_LT((curve.at(s).x - Vec3d::UnitZ()).norm(), 1e-9);
  }
}

TEST(Sweep, ABentRodKeepsItsVolumeAndAStraightOneItsShape) {
  // Pappus: the section times the way of its middle, for any bend that does not fold.
  Profile rod({0, 0});
  rod.line_to({0.2, 0}).line_to({0.2, 3}).line_to({0, 3});
  const Mesh straight = revolve(rod.sample(0.03), RevolveOptions{.edge = 0.03});
  std::vector<Vec3d> arc;
  for (int i = 0; i <= 1000; ++i) {
    const double t = 3.0 * i / 1000;
    arc.push_back({std::cos(t), std::sin(t), 0});
  }
  const Mesh bent_rod = straight.with_positions(bend(Curve(arc), straight.positions));
  expect_closed(bent_rod, 2);
  EXPECT_NEAR(signed_volume(bent_rod) / signed_volume(straight), 1, 2e-3);

  const Curve line({{0, 0, 0}, {0, 1, 0}, {0, 3, 0}});
  const std::vector<Vec3f> same = bend(line, straight.positions);
  for (std::size_t i = 0; i < same.size(); ++i) {
    EXPECT_LT((same[i] - straight.positions[i]).norm(), 1e-6f);
  }
}

TEST(Sweep, CurvesWithoutADirectionAreRefused) {
  EXPECT_THROW(Curve({Vec3d(0, 0, 0)}), std::invalid_argument);
  EXPECT_THROW(Curve({Vec3d(0, 0, 0), Vec3d(0, 0, 0)}), std::invalid_argument);
}

}  // namespace
}  // namespace sinew::test
