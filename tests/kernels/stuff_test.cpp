#include "nodes/kernels/stuff.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <numbers>
#include <thread>

#include "nodes/kernels/adjacency.h"
#include "nodes/kernels/embed.h"
#include "nodes/kernels/measure.h"
#include "nodes/kernels/stuff_lattice.h"
#include "nodes/kernels/stuff_stencil.h"
#include "nodes/kernels/tet_measure.h"
#include "tests/kernels/shapes.h"

namespace sinew::kernels {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double least_angle = 10.7, greatest_angle = 164.8;

// --- the stencils ---

// One lattice tetrahedron, positive, in half cells: two middles of cells, two corners.
const std::array<Vec3d, 4> lattice_tet = {Vec3d(1, 1, 1), Vec3d(3, 1, 1), Vec3d(2, 0, 0),
                                          Vec3d(2, 2, 0)};

// Along lattice edges, and whether they are long; the first stays where it is.
std::vector<std::pair<Vec3d, bool>> directions() {
  std::vector<std::pair<Vec3d, bool>> list = {{Vec3d::Zero(), true}};
  for (int axis = 0; axis < 3; ++axis) {
    for (const int sign : {-2, 2}) list.emplace_back(sign * Vec3d::Unit(axis), true);
  }
  for (int k = 0; k < 8; ++k) {
    list.emplace_back(Vec3d(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1), false);
  }
  return list;
}

struct Range {
  double low = 180, high = 0;
};

// cuts[i][j], i < j: where the edge is cut, from corner i.
using Cuts = std::array<std::array<double, 4>, 4>;

TetCorners place(const std::array<StencilCorner, 4>& tet, const std::array<Vec3d, 4>& corners,
                 const Cuts& cuts) {
  TetCorners p;
  for (int k = 0; k < 4; ++k) {
    const int i = std::min(tet[k].i, tet[k].j), j = std::max(tet[k].i, tet[k].j);
    p[k] = i == j ? corners[i] : (1 - cuts[i][j]) * corners[i] + cuts[i][j] * corners[j];
  }
  return p;
}

Range range_of(const Stencil& s, const std::array<Vec3d, 4>& corners, const Cuts& cuts) {
  Range range;
  for (int k = 0; k < s.count; ++k) {
    const TetCorners p = place(s.tets[k], corners, cuts);
    if (tet_volume(p) <= 0) return {0, 180};
    for (const double angle : dihedral_angles(p)) {
      range.low = std::min(range.low, angle * 180 / pi);
      range.high = std::max(range.high, angle * 180 / pi);
    }
  }
  return range;
}

std::array<int, 4> side_of(int code) {
  return {code % 3 - 1, code / 3 % 3 - 1, code / 9 % 3 - 1, code / 27 - 1};
}
// Of the two ends of a long edge one is even.
std::array<bool, 4> even_of(int code) {
  return {(code & 1) != 0, (code & 1) == 0, (code & 2) != 0, (code & 2) == 0};
}

TEST(StuffStencils, FillWhatIsInsideAndTheirOppositesTheRest) {
  Cuts half;
  for (auto& row : half) row.fill(0.5);
  const double whole = tet_volume(lattice_tet);
  ASSERT_GT(whole, 0);
  for (int code = 0; code < 81; ++code) {
    for (int even = 0; even < 4; ++even) {
      const std::array<int, 4> side = side_of(code);
      std::array<int, 4> turned = side;
      for (int& s : turned) s = -s;
      double sum = 0;
      bool any = false;
      for (const auto& sides : {side, turned}) {
        std::array<Stencil, 2> stencils;
        const int count = choose_stencils(sides, even_of(even), stencils);
        any |= count > 0;
        double volumes[2] = {0, 0};
        for (int k = 0; k < count; ++k) {
          for (int t = 0; t < stencils[k].count; ++t) {
            const double v = tet_volume(place(stencils[k].tets[t], lattice_tet, half));
            EXPECT_GT(v, 0) << code;
            volumes[k] += v;
          }
        }
        if (count == 2) {
          EXPECT_NEAR(volumes[0], volumes[1], 1e-12) << code;
        }
        sum += volumes[0];
      }
      EXPECT_NEAR(sum, any ? whole : 0, 1e-12) << code;
    }
  }
}

// Every stencil, every direction in which its moved corners can lie, every place of its cut points
// at the ends of their ranges, and many between.
TEST(StuffStencils, AnglesStayWithinTheBoundsInTheWorstCase) {
  const auto ways = directions();
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  Range worst;
  for (int code = 0; code < 81; ++code) {
    const std::array<int, 4> side = side_of(code);
    std::vector<int> moved;
    std::vector<std::pair<int, int>> cut;
    for (int i = 0; i < 4; ++i) {
      if (side[i] == 0) moved.push_back(i);
      for (int j = i + 1; j < 4; ++j) {
        if (side[i] * side[j] < 0) cut.emplace_back(i, j);
      }
    }
    for (int even = 0; even < 4; ++even) {
      std::array<Stencil, 2> stencils;
      const int count = choose_stencils(side, even_of(even), stencils);
      if (count == 0) continue;
      std::size_t moves = 1;
      for (std::size_t i = 0; i < moved.size(); ++i) moves *= ways.size();
      auto visit = [&](std::size_t move, const auto& how_far, const auto& where) {
        std::array<Vec3d, 4> corners = lattice_tet;
        for (const int i : moved) {
          const auto& [way, is_long] = ways[move % ways.size()];
          move /= ways.size();
          corners[i] += how_far() * (is_long ? alpha_long : alpha_short) * way;
        }
        Cuts cuts{};
        for (const auto& [i, j] : cut) {
          const double alpha = (i ^ j) == 1 ? alpha_long : alpha_short;
          cuts[i][j] = alpha + (1 - 2 * alpha) * where();
        }
        Range best = range_of(stencils[0], corners, cuts);
        if (count == 2) {
          const Range other = range_of(stencils[1], corners, cuts);
          if (std::min(other.low, 180 - other.high) > std::min(best.low, 180 - best.high)) {
            best = other;
          }
        }
        worst.low = std::min(worst.low, best.low);
        worst.high = std::max(worst.high, best.high);
      };
      for (std::size_t move = 0; move < moves; ++move) {
        for (unsigned ends = 0; ends < 1u << cut.size(); ++ends) {
          unsigned bits = ends;
          visit(
              move, [] { return 1.0; },
              [&] {
                const double end = bits & 1;
                bits >>= 1;
                return end;
              });
        }
      }
      auto anywhere = [&] { return uniform(random); };
      for (int i = 0; i < 500; ++i) visit(random() % moves, anywhere, anywhere);
    }
  }
  EXPECT_GE(worst.low, least_angle);
  EXPECT_LE(worst.high, greatest_angle);
  // The search does reach the worst.
  EXPECT_LE(worst.low, 11);
  EXPECT_GE(worst.high, 164.5);
}

// --- the lattice ---

TEST(StuffLattice, GradedInsideOfOneSizeAtTheSurface) {
  const SurfaceTree ball(make_icosphere({1, 8}));
  LatticeOptions options;
  options.cell = 2 / 47.6;
  options.coarsening = 8;
  const Lattice graded = build_lattice(ball, options);
  options.coarsening = 0;
  const Lattice even = build_lattice(ball, options);
  EXPECT_TRUE(even.graded.empty());
  auto inside = [](const Lattice& lattice) {
    return std::count(lattice.inside.begin(), lattice.inside.end(), char{1});
  };
  EXPECT_LT(2 * inside(graded), inside(even));
  Range range;
  double volume = 0;
  for (const Tetrahedron& t : graded.graded) {
    TetCorners p;
    for (int k = 0; k < 4; ++k) {
      p[k] = graded.position(t[k]);
      EXPECT_TRUE(graded.inside[t[k]] && graded.fixed[t[k]]);
      EXPECT_LT(p[k].norm(), 1 - 0.344 * options.cell);
    }
    EXPECT_GT(tet_volume(p), 0);
    volume += tet_volume(p);
    for (const double angle : dihedral_angles(p)) {
      range.low = std::min(range.low, angle * 180 / pi);
      range.high = std::max(range.high, angle * 180 / pi);
    }
  }
  // Far better than the cut ones; most of the ball is coarse.
  EXPECT_GE(range.low, 44.9);
  EXPECT_LE(range.high, 120.1);
  EXPECT_GT(volume, 0.6 * 4 / 3 * pi);
  for (std::size_t p = 0; p < graded.points.size(); ++p) {
    const double r = graded.position(static_cast<uint32_t>(p)).norm();
    if (std::abs(r - 1) < 0.02) continue;
    EXPECT_EQ(graded.inside[p] != 0, r < 1);
  }
}

TEST(StuffLattice, TooManyCellsAreRefused) {
  const SurfaceTree ball(make_icosphere({1, 8}));
  LatticeOptions options;
  options.cell = 0.01;
  options.max_cells = 1000;
  EXPECT_THROW(build_lattice(ball, options), std::length_error);
  options.cell = 1e-9;
  EXPECT_THROW(build_lattice(ball, options), std::length_error);
}

// --- whole shapes ---

Mesh without_polygons(const Mesh& mesh, const std::function<bool(const Triangle&)>& keep) {
  Topology topology;
  for (const Triangle& t : mesh.triangles()) {
    if (keep(t)) topology.triangles.push_back(t);
  }
  return Mesh(std::move(topology), mesh.positions);
}
Mesh turned(Mesh mesh) {
  Topology topology;
  for (const Triangle& t : mesh.triangles()) topology.triangles.push_back({t[0], t[2], t[1]});
  return Mesh(std::move(topology), mesh.positions);
}
Mesh moved(Mesh mesh, const Vec3f& by) {
  for (Vec3f& p : mesh.positions) p += by;
  return mesh;
}
Mesh joined(const Mesh& a, const Mesh& b) {
  Topology topology;
  topology.triangles.assign(a.triangles().begin(), a.triangles().end());
  const auto offset = static_cast<uint32_t>(a.vertex_count());
  for (const Triangle& t : b.triangles()) {
    topology.triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
  }
  std::vector<Vec3f> points = a.positions;
  points.insert(points.end(), b.positions.begin(), b.positions.end());
  return Mesh(std::move(topology), std::move(points));
}

// A tube about the (2, 3) torus knot, closed.
Mesh torus_knot(float radius) {
  const int around = 240, across = 12;
  Topology topology;
  std::vector<Vec3f> points;
  auto curve = [](double t) -> Vec3d {
    const double r = 2 + std::cos(3 * t);
    return Vec3d(r * std::cos(2 * t), std::sin(3 * t), r * std::sin(2 * t)) * 0.2;
  };
  for (int i = 0; i < around; ++i) {
    const double t = 2 * pi * i / around;
    const Vec3d tangent = (curve(t + 1e-4) - curve(t - 1e-4)).normalized();
    const Vec3d out(std::cos(3 * t) * std::cos(2 * t), std::sin(3 * t),
                    std::cos(3 * t) * std::sin(2 * t));  // across the torus
    const Vec3d u = (out - out.dot(tangent) * tangent).normalized(), v = tangent.cross(u);
    for (int k = 0; k < across; ++k) {
      const double a = 2 * pi * k / across;
      points.push_back((curve(t) + radius * (std::cos(a) * u + std::sin(a) * v)).cast<float>());
    }
  }
  for (int i = 0; i < around; ++i) {
    for (int k = 0; k < across; ++k) {
      const auto a = static_cast<uint32_t>(i * across + k),
                 b = static_cast<uint32_t>(i * across + (k + 1) % across),
                 c = static_cast<uint32_t>((i + 1) % around * across + k),
                 d = static_cast<uint32_t>((i + 1) % around * across + (k + 1) % across);
      topology.triangles.push_back({a, b, d});
      topology.triangles.push_back({a, d, c});
    }
  }
  Mesh knot(std::move(topology), std::move(points));
  return signed_volume(knot) > 0 ? knot : turned(knot);
}

// Where the winding number says inside, by sampling the box.
double winding_volume(const Mesh& mesh) {
  const SurfaceTree tree(mesh);
  const int n = 60;
  const Vec3d low = tree.box().min(), size = tree.box().sizes();
  int inside = 0;
  for (int i = 0; i < n * n * n; ++i) {
    const Vec3d q((i % n + 0.5) / n, (i / n % n + 0.5) / n, (i / n / n + 0.5) / n);
    inside += tree.inside(low + q.cwiseProduct(size));
  }
  return size.prod() * inside / (n * n * n);
}

struct Shape {
  std::string name;
  Mesh mesh;
  double volume;
  long euler;  // of the body's boundary
};

std::vector<Shape> shapes() {
  std::vector<Shape> all;
  auto closed = [&](const std::string& name, const Mesh& mesh, long euler) {
    all.push_back({name, mesh, std::abs(signed_volume(mesh)), euler});
  };
  closed("box", make_box({}), 2);
  closed("brick", make_box({{1, 0.5f, 0.25f}, {3, 2, 1}}), 2);
  closed("plank", make_box({{1, 0.03f, 0.3f}, {1, 1, 1}}), 2);
  closed("uv sphere", make_uv_sphere({}), 2);
  closed("icosphere", make_icosphere({0.5f, 10}), 2);
  closed("cylinder", make_cylinder({}), 2);
  closed("cone", make_cylinder({0.5f, 0, 1}), 2);
  closed("torus", make_torus({}), 0);
  closed("capsule", make_capsule({}), 2);
  closed("tetrahedron", make_uv_sphere({1, 3, 2}), 2);
  closed("torus knot", torus_knot(0.08f), 0);
  closed("ball inside out", turned(make_icosphere({0.5f, 6})), 2);
  closed("thin shell", joined(make_icosphere({0.5f, 10}), turned(make_icosphere({0.475f, 10}))), 4);
  const Mesh ball = make_icosphere({0.5f, 8});
  // They meet in one vertex; the lattice joins them there.
  all.push_back(
      {"touching spheres", joined(ball, moved(ball, {1, 0, 0})), 2 * signed_volume(ball), 2});
  const double lens = pi * (4 * 0.5 + 0.6) * std::pow(2 * 0.5 - 0.6, 2) / 12;
  all.push_back({"overlapping spheres", joined(ball, moved(ball, {0.6f, 0, 0})),
                 2 * signed_volume(ball) - lens, 2});
  const Mesh holes = without_polygons(ball, [](const Triangle& t) { return t[0] % 97 != 5; });
  all.push_back({"ball with holes", holes, signed_volume(ball), 2});
  const Mesh bowl =
      without_polygons(make_uv_sphere({0.5f, 32, 16, Axis::y}), [&](const Triangle& t) {
        const std::vector<Vec3f> p = make_uv_sphere({0.5f, 32, 16, Axis::y}).positions;
        return p[t[0]].y() + p[t[1]].y() + p[t[2]].y() < 0;
      });
  all.push_back({"bowl", bowl, winding_volume(bowl), 2});
  CylinderShape open;
  open.caps = false;
  const Mesh tube = make_cylinder(open);
  all.push_back({"tube without ends", tube, winding_volume(tube), 2});
  return all;
}

void expect_good(const StuffResult& result, const Mesh& mesh, const std::string& name) {
  ASSERT_FALSE(validate(result.solid)) << name;
  const SolidReport report = inspect_solid(result.solid);
  EXPECT_EQ(report.inverted + report.flat, 0u) << name;
  EXPECT_GE(report.least_angle, least_angle) << name;
  EXPECT_LE(report.greatest_angle, greatest_angle) << name;
  EXPECT_NEAR(report.least_angle, result.smallest, 1e-3) << name;
  EXPECT_NEAR(report.greatest_angle, result.largest, 1e-3) << name;
  EXPECT_NEAR(report.volume, result.volume, 1e-6 * report.volume) << name;
  EXPECT_EQ(report.open_rings, 0u) << name;
  EXPECT_EQ(report.pinched_vertices, 0u) << name;
  EXPECT_EQ(report.loose_vertices, 0u) << name;
  const Mesh boundary = boundary_mesh(result.solid);
  EXPECT_TRUE(inspect_topology(boundary.triangles(), boundary.vertex_count()).watertight()) << name;
  // The surface at rest is the artist's.
  const Mesh shown = surface_of(result.solid);
  ASSERT_EQ(shown.topology, mesh.topology) << name;
  const double diagonal = bounding_box(mesh.positions).diagonal().norm();
  double off = 0;
  for (std::size_t i = 0; i < mesh.vertex_count(); ++i) {
    off = std::max<double>(off, (shown.positions[i] - mesh.positions[i]).norm());
  }
  EXPECT_LE(off, 1e-6 * diagonal) << name;
}

TEST(Stuff, EveryShapeIsFilledWithinTheBounds) {
  for (const Shape& shape : shapes()) {
    const StuffResult result = stuff_surface(shape.mesh, {});
    expect_good(result, shape.mesh, shape.name);
    EXPECT_NEAR(result.volume / shape.volume, 1, 0.02) << shape.name;
    const Mesh boundary = boundary_mesh(result.solid);
    EXPECT_EQ(inspect_topology(boundary.triangles(), boundary.vertex_count()).euler, shape.euler)
        << shape.name;
    EXPECT_EQ(result.lost_vertices, 0u) << shape.name;
    EXPECT_EQ(result.bodies, 1u) << shape.name;
    EXPECT_GE(result.solid.vertex_count(), 500u) << shape.name;
    EXPECT_LE(result.solid.vertex_count(), 50000u) << shape.name;
  }
}

TEST(Stuff, EvenCellsAndGradedOnesKeepTheBounds) {
  for (const int coarsening : {0, 1, 8}) {
    for (const Mesh& mesh : {make_torus({}), make_box({}), make_icosphere({0.5f, 5})}) {
      StuffOptions options;
      options.coarsening = coarsening;
      options.resolution = 24;
      const StuffResult result = stuff_surface(mesh, options);
      expect_good(result, mesh, "coarsening " + std::to_string(coarsening));
    }
  }
}

TEST(Stuff, RandomSoftShapesAtManyResolutionsKeepTheBounds) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    Mesh blob = make_icosphere({0.5f, 8});
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> uniform(-4, 4);
    const Vec3f k(uniform(random), uniform(random), uniform(random));
    for (Vec3f& p : blob.positions) p *= 1 + 0.4f * std::sin(k.dot(p) * 3 + p.x());
    for (const int resolution : {5, 11, 17, 26}) {
      StuffOptions options;
      options.resolution = resolution;
      options.keep_thin = false;
      expect_good(stuff_surface(blob, options), blob, "resolution " + std::to_string(resolution));
    }
  }
}

TEST(Stuff, AnyScaleAndPlace) {
  const Mesh plain = make_torus({0.5f, 0.2f, 24, 12});
  const StuffResult expected = stuff_surface(plain, {});
  for (const float scale : {1e-6f, 1e6f}) {
    Mesh mesh = plain;
    for (Vec3f& p : mesh.positions) p *= scale;
    const StuffResult result = stuff_surface(mesh, {});
    expect_good(result, mesh, std::to_string(scale));
    EXPECT_NEAR(result.volume / std::pow(scale, 3.0) / expected.volume, 1, 1e-3);
  }
  const Mesh away = moved(plain, {50, -20, 10});
  const StuffResult result = stuff_surface(away, {});
  EXPECT_NEAR(result.volume / expected.volume, 1, 1e-3);
  EXPECT_GE(result.smallest, 10.5);
  // So far away that numbers end before cells do.
  EXPECT_THROW(stuff_surface(moved(plain, {1e5f, 0, 0}), {}), std::invalid_argument);
}

TEST(Stuff, AboutAsManyVerticesAsAsked) {
  for (const Mesh& mesh : {make_torus({}), make_capsule({}), make_box({})}) {
    for (const std::size_t target : {600u, 3000u, 9000u}) {
      StuffOptions options;
      options.vertices = target;
      const StuffResult result = stuff_surface(mesh, options);
      EXPECT_GT(static_cast<double>(result.solid.vertex_count()), 0.7 * target);
      EXPECT_LT(static_cast<double>(result.solid.vertex_count()), 1.4 * target);
      expect_good(result, mesh, "by vertices");
    }
  }
}

TEST(Stuff, ThinPartsAreKeptOrNamed) {
  // A ball with a thin rod through it.
  const Mesh mesh = joined(make_icosphere({0.3f, 6}), make_cylinder({0.015f, 0.015f, 1.5f, 12, 8}));
  StuffOptions options;
  options.resolution = 16;
  options.keep_thin = false;
  const StuffResult lost = stuff_surface(mesh, options);
  EXPECT_GT(lost.lost_vertices, 0u);
  ASSERT_GT(lost.wanted_resolution, options.resolution);
  options.resolution = lost.wanted_resolution;
  EXPECT_EQ(stuff_surface(mesh, options).lost_vertices, 0u);
  options.resolution = 16;
  options.keep_thin = true;
  const StuffResult kept = stuff_surface(mesh, options);
  EXPECT_EQ(kept.lost_vertices, 0u);
  EXPECT_GT(kept.resolution, 16);
}

std::string refusal(const Mesh& mesh, const StuffOptions& options = {}) {
  try {
    stuff_surface(mesh, options);
  } catch (const std::invalid_argument& flaw) {
    return flaw.what();
  }
  return "";
}

TEST(Stuff, BadInputGetsOneClearMessage) {
  EXPECT_NE(refusal(Mesh()).find("no faces"), std::string::npos);
  EXPECT_NE(refusal(Mesh(Topology{}, {{0, 0, 0}})).find("no faces"), std::string::npos);
  Mesh broken = make_box({});
  broken.positions[3].x() = NAN;
  EXPECT_NE(refusal(broken).find("vertex 3"), std::string::npos);
  const Mesh triangle(Topology{{{0, 1, 2}}, {}, {}}, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
  EXPECT_NE(refusal(triangle).find("encloses nothing"), std::string::npos);
  EXPECT_NE(refusal(make_grid({})).find("encloses nothing"), std::string::npos);
  const Mesh flat(Topology{{{0, 1, 2}, {0, 2, 1}}, {}, {}}, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
  EXPECT_NE(refusal(flat).find("encloses nothing"), std::string::npos);
  const Mesh point(Topology{{{0, 1, 2}}, {}, {}}, {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}});
  EXPECT_NE(refusal(point).find("no size"), std::string::npos);
  const Mesh line(Topology{{{0, 1, 2}}, {}, {}}, {{1, 1, 1}, {2, 1, 1}, {3, 1, 1}});
  EXPECT_NE(refusal(line).find("no area"), std::string::npos);
  StuffOptions vertices;
  vertices.vertices = 5000;
  EXPECT_NE(refusal(make_grid({}), vertices).find("encloses nothing"), std::string::npos);
  StuffOptions thin;
  thin.resolution = 4;
  thin.keep_thin = false;
  EXPECT_NE(refusal(make_box({{1, 0.001f, 1}, {1, 1, 1}}), thin).find("thinner than a cell"),
            std::string::npos);
}

TEST(Stuff, MillionsOfCellsAreRefusedWithWhatIsPossible) {
  StuffOptions options;
  options.resolution = 1000;
  const std::string text = refusal(make_box({}), options);
  EXPECT_NE(text.find("million tetrahedra"), std::string::npos) << text;
  EXPECT_NE(text.find("at most"), std::string::npos) << text;
}

TEST(Stuff, UntidyMeshesAreFilled) {
  // Faces without area, a face that three share an edge with, and a vertex that nobody uses.
  Mesh mesh = make_icosphere({0.5f, 6});
  Topology topology;
  topology.triangles.assign(mesh.triangles().begin(), mesh.triangles().end());
  const Triangle first = topology.triangles[0];
  topology.triangles.push_back({first[0], first[0], first[1]});
  topology.triangles.push_back({first[0], first[1], static_cast<uint32_t>(mesh.vertex_count())});
  std::vector<Vec3f> points = mesh.positions;
  points.push_back(1.02f * points[first[0]]);
  points.push_back({5, 5, 5});
  const Mesh untidy(std::move(topology), std::move(points));
  StuffOptions options;
  options.keep_thin = false;
  const StuffResult result = stuff_surface(untidy, options);
  expect_good(result, untidy, "untidy");
  EXPECT_NEAR(result.volume, signed_volume(mesh), 0.02 * signed_volume(mesh));
}

TEST(Stuff, SameForAnyNumberOfThreads) {
  const Mesh mesh = torus_knot(0.12f);
  test::expect_same_for_threads([&] { return stuff_surface(mesh, {}).solid; });
}

TEST(Stuff, StopsInEveryStage) {
  const Mesh mesh = make_icosphere({0.5f, 10});
  int stopped = 0;
  // Asked to stop later and later, until it is done before it hears.
  for (int wait = 0; wait < 4000; wait = wait * 3 / 2 + 1) {
    std::atomic<bool> stop{wait == 0};
    std::thread later([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(wait));
      stop = true;
    });
    bool done = false;
    try {
      done = stuff_surface(mesh, {}, CancelView{&stop}).solid.tet_count() > 0;
    } catch (const Stopped&) {
      ++stopped;
    }
    later.join();
    if (done) break;
  }
  EXPECT_GE(stopped, 1);
}

// A finer lattice than was asked for may be impossible; what was asked for still counts.
TEST(Stuff, KeepingThinPartsIsNoReasonToRefuse) {
  Mesh plate = make_box({{1, 0.15f, 0.05f}, {20, 3, 1}});
  for (Vec3f& p : plate.positions) p.x() += 800;
  StuffOptions options;
  options.resolution = 30;
  EXPECT_GT(stuff_surface(plate, options).solid.tet_count(), 0u);
}

}  // namespace
}  // namespace sinew::kernels
