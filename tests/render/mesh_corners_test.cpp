// What becomes of a mesh on its way to the graphics card: normals that are round where a body is
// round and sharp at its edges, that do not jump while it bends, and that are numbers whatever the
// triangles are.
#include "render/mesh_corners.h"

#include <gtest/gtest.h>
#include <tbb/task_arena.h>

#include <cstring>
#include <limits>

#include "tests/render/shapes.h"

namespace sinew::render::test {
namespace {

struct Corners {
  std::vector<CornerVertex> corners;
  std::optional<Box> box;
  std::string error;

  Point normal(std::size_t corner) const {
    const CornerVertex& c = corners[corner];
    return Point(c.nx, c.ny, c.nz) / 32767;
  }
};

Corners expand(const Body& body) {
  Corners result;
  const auto tables = CornerTables::make(*body.triangles, body.positions->size(), result.error);
  if (!tables) return result;
  CornerScratch scratch;
  result.corners.resize(3 * body.triangles->size());
  result.box = expand_corners(*body.positions, *body.triangles, *tables, scratch, result.corners,
                              result.error);
  return result;
}

Eigen::Vector3d face_normal(const Body& body, std::size_t t) {
  const Triangle& v = (*body.triangles)[t];
  const Eigen::Vector3d a = (*body.positions)[v[0]].cast<double>(),
                        b = (*body.positions)[v[1]].cast<double>(),
                        c = (*body.positions)[v[2]].cast<double>();
  return (b - a).cross(c - a).normalized();
}

bool same_bits(const std::vector<CornerVertex>& a, const std::vector<CornerVertex>& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), a.size() * sizeof(CornerVertex)) == 0;
}

constexpr float scales[] = {1e-6f, 1, 1e6f};

TEST(Corners, ABoxKeepsItsEdges) {
  for (const float scale : scales) {
    const Body body = box().scaled(scale);
    const Corners c = expand(body);
    ASSERT_TRUE(c.box) << c.error;
    EXPECT_EQ(c.box->min(), Point::Constant(-scale));
    EXPECT_EQ(c.box->max(), Point::Constant(scale));
    for (std::size_t i = 0; i < c.corners.size(); ++i) {
      EXPECT_LT((c.normal(i) - face_normal(body, i / 3).cast<float>()).norm(), 1e-4f);
      const Point& p = (*body.positions)[(*body.triangles)[i / 3][i % 3]];
      EXPECT_EQ(Point(c.corners[i].x, c.corners[i].y, c.corners[i].z), p);
      EXPECT_EQ(c.corners[i].unused, 0);
    }
  }
}

TEST(Corners, ABallIsRound) {
  for (const float scale : scales) {
    const Corners c = expand(ball(48, 96).scaled(scale));
    ASSERT_TRUE(c.box) << c.error;
    for (std::size_t i = 0; i < c.corners.size(); ++i) {
      const Point radial = Point(c.corners[i].x, c.corners[i].y, c.corners[i].z).normalized();
      EXPECT_NEAR(c.normal(i).norm(), 1, 1e-4);
      EXPECT_GT(c.normal(i).dot(radial), std::cos(2 * std::numbers::pi / 180)) << scale;
    }
  }
}

TEST(Corners, NormalsDoNotJumpWhileAHingeBends) {
  constexpr float step = 0.05f;  // degrees
  std::vector<Point> before;
  float apart_at_20 = 0, apart_at_90 = 0;
  for (int k = 0; k * step <= 120; ++k) {
    const Corners c = expand(hinge(static_cast<float>(k) * step));
    std::vector<Point> now;
    for (std::size_t i = 0; i < c.corners.size(); ++i) now.push_back(c.normal(i));
    for (std::size_t i = 0; i < before.size(); ++i) {
      // The steepest part of the weight turns a normal a few times as fast as the hinge turns.
      EXPECT_LT((now[i] - before[i]).norm(), 8 * step * std::numbers::pi / 180 + 1e-4)
          << "corner " << i << " at " << static_cast<float>(k) * step << " degrees";
    }
    // Corners 1 of triangle 1 and 0 of triangle 2 are the same end of the bent edge.
    const float apart = (now[3] - now[6]).norm();
    if (k == 400) apart_at_20 = apart;
    if (k == 1800) apart_at_90 = apart;
    before = now;
  }
  EXPECT_LT(apart_at_20, 1e-4f) << "a slight bend is round";
  EXPECT_NEAR(apart_at_90, std::sqrt(2.0f), 1e-3f) << "a sharp one is an edge";
}

// The fast way for vertices all of whose triangles are alike must not be another function.
TEST(Corners, TheSharedNormalIsTheLimitOfTheOthers) {
  std::mt19937 random(3);
  Body body = sheet(20);
  std::vector<Corners> two;
  for (const float height : {0.1f, 0.1001f}) {
    std::mt19937 same(3);
    two.push_back(expand(body.moved(
        [&](const Point& p) { return Point(p.x(), height * random_point(same).y(), p.z()); })));
  }
  for (std::size_t i = 0; i < two[0].corners.size(); ++i)
    EXPECT_LT((two[0].normal(i) - two[1].normal(i)).norm(), 0.01f);
}

TEST(Corners, TheSameBitsOnAnyNumberOfThreads) {
  std::mt19937 random(5);
  const Body body =
      ball(100, 100).moved([&](const Point& p) { return Point(p + 0.03f * random_point(random)); });
  Corners alone, both;
  tbb::task_arena one(1), two(2);
  one.execute([&] { alone = expand(body); });
  two.execute([&] { both = expand(body); });
  EXPECT_TRUE(same_bits(alone.corners, both.corners));
  EXPECT_EQ(alone.box->min(), both.box->min());
  EXPECT_EQ(alone.box->max(), both.box->max());
}

TEST(Corners, DependOnThePositionsAlone) {
  const Body first = ball(20, 20), second = first.moved([](const Point&p) {
    return Point(p.x() + p.y() * p.y(), 2 * p.y(), p.z());
  });
  CornerScratch scratch;
  std::string error;
  const auto tables = CornerTables::make(*first.triangles, first.positions->size(), error);
  std::vector<CornerVertex> out(3 * first.triangles->size());
  for (const Body& body : {first, second, first}) {
    ASSERT_TRUE(expand_corners(*body.positions, *body.triangles, *tables, scratch, out, error));
    EXPECT_TRUE(same_bits(out, expand(body).corners));
  }
}

TEST(Corners, NumbersThatAreNoneAreRefusedWithTheFirst) {
  const Body good = ball(50, 100);
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
        -std::numeric_limits<float>::infinity()})
    for (const int axis : {0, 1, 2}) {
      std::vector<Point> p = *good.positions;
      p[4444][axis] = bad;
      p[4567][0] = bad;
      const Corners c = expand(body(p, *good.triangles));
      EXPECT_FALSE(c.box);
      EXPECT_EQ(c.error, "the position of vertex 4444 is not a number");
    }
}

TEST(Corners, TrianglesMustReferToVertices) {
  std::string error;
  const std::vector<Triangle> triangles = {{0, 1, 2}, {1, 2, 4}, {9, 9, 9}};
  EXPECT_FALSE(CornerTables::make(triangles, 4, error));
  EXPECT_EQ(error, "triangle 1 refers to vertex 4, but there are 4");
  EXPECT_TRUE(CornerTables::make(triangles, 10, error));
}

TEST(Corners, NoTrianglesAreAnEmptyBox) {
  for (const Body& nothing : {body({}, {}), body({Point(1, 2, 3)}, {})}) {
    const Corners c = expand(nothing);
    ASSERT_TRUE(c.box) << c.error;
    EXPECT_TRUE(c.box->isEmpty());
  }
}

TEST(Corners, DegenerateTrianglesDoNoHarm) {
  // A quad of two triangles with a needle, a point and a line among them.
  const Body odd = body({Point(0, 0, 0), Point(1, 0, 0), Point(1, 1, 0), Point(0, 1, 0),
                         Point(0.5f, 0.5f, 0), Point(1, 1, 0)},
                        {{0, 1, 2}, {0, 2, 4}, {0, 0, 1}, {3, 3, 3}, {2, 5, 2}, {0, 2, 3}});
  for (const float scale : scales) {
    const Corners c = expand(odd.scaled(scale));
    ASSERT_TRUE(c.box) << c.error;
    for (std::size_t i = 0; i < c.corners.size(); ++i) {
      const float length = c.normal(i).norm();
      EXPECT_TRUE(length < 1e-4f || std::abs(length - 1) < 1e-3f) << length;
    }
    for (const std::size_t t : {0u, 5u})
      for (std::size_t k = 0; k < 3; ++k)
        EXPECT_GT(c.normal(3 * t + k).z(), 0.999f) << "its neighbours have no say";
  }
}

// The tip of a fan of so many triangles must not cost their square.
TEST(Corners, TheTipOfALargeFanKeepsTheTrianglesNormals) {
  for (const uint32_t sides : {100u, 50'000u}) {
    std::vector<Point> p = {Point(0, 2, 0)};
    std::vector<Triangle> t;
    for (uint32_t k = 0; k < sides; ++k) {
      const float a =
          2 * std::numbers::pi_v<float> * static_cast<float>(k) / static_cast<float>(sides);
      p.emplace_back(std::sin(a), 0.0f, std::cos(a));
      t.push_back({0, 1 + k, 1 + (k + 1) % sides});
    }
    const Body cone = body(p, t);
    const Corners c = expand(cone);
    ASSERT_TRUE(c.box) << c.error;
    for (std::size_t i = 0; i < t.size(); i += 7)
      EXPECT_GT(c.normal(3 * i).dot(face_normal(cone, i).cast<float>()), 0.99f);
  }
}

TEST(Corners, LargeNumbersAreNumbers) {
  const Corners c = expand(box().scaled(2e38f));
  ASSERT_TRUE(c.box) << c.error;
  EXPECT_EQ(c.box->max(), Point::Constant(2e38f));
  for (std::size_t i = 0; i < c.corners.size(); ++i) EXPECT_LE(c.normal(i).norm(), 1.01f);
}

TEST(Corners, MeanNormalsAreUnitOrNothing) {
  std::string error;
  const Body round = ball(30, 40);
  std::vector<Point> p = *round.positions;
  p.emplace_back(5.0f, 5.0f, 5.0f);  // in no triangle
  const Body with_stray = body(p, *round.triangles);
  const auto tables = CornerTables::make(*with_stray.triangles, p.size(), error);
  const std::vector<Point> normals = mean_normals(with_stray.mesh(1), *tables);
  ASSERT_EQ(normals.size(), p.size());
  for (std::size_t v = 0; v + 1 < p.size(); ++v) EXPECT_GT(normals[v].dot(p[v]), 0.99f);
  EXPECT_TRUE(normals.back().isZero());
}

TEST(Corners, ValuesPerVertexAndPerTriangle) {
  const Body body = box();
  draw::Mesh mesh = body.mesh(1);
  std::vector<float> values(12), out(36);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 10 + static_cast<float>(i);
  mesh.values = std::span(values).first(8);
  expand_values(mesh, out);
  for (std::size_t i = 0; i < out.size(); ++i)
    EXPECT_EQ(out[i], values[(*body.triangles)[i / 3][i % 3]]);
  mesh.values = values;
  mesh.values_per = draw::ValuesPer::triangle;
  expand_values(mesh, out);
  for (std::size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], values[i / 3]);
}

using EdgeBytes = std::vector<std::array<uint8_t, 4>>;

EdgeBytes edges_of(const std::vector<Triangle>& triangles, const std::vector<uint32_t>& polygons) {
  EdgeBytes out(3 * triangles.size());
  expand_edges(triangles, polygons, out);
  return out;
}

// Whether the edge opposite of a corner is drawn: its coordinate falls to 0 there.
bool edge_shows(const EdgeBytes& bytes, std::size_t triangle, int corner) {
  return bytes[3 * triangle + (corner + 1) % 3][corner] == 0 &&
         bytes[3 * triangle + (corner + 2) % 3][corner] == 0;
}

TEST(Edges, AllShowWithoutPolygons) {
  const Body body = box();
  const std::vector<Triangle>& t = *body.triangles;
  for (const std::vector<uint32_t>& polygons : {std::vector<uint32_t>{}, {1, 2, 3}}) {
    const EdgeBytes bytes = edges_of(t, polygons);
    for (std::size_t i = 0; i < t.size(); ++i)
      for (int k = 0; k < 3; ++k) {
        EXPECT_TRUE(edge_shows(bytes, i, k));
        EXPECT_EQ(bytes[3 * i + k][k], 255);
      }
  }
}

TEST(Edges, DiagonalsOfPolygonsAreHidden) {
  const Body body = box();
  const std::vector<Triangle>& t = *body.triangles;
  std::vector<uint32_t> sides(t.size());
  for (uint32_t i = 0; i < sides.size(); ++i) sides[i] = i / 2;
  const EdgeBytes bytes = edges_of(t, sides);
  int hidden = 0;
  for (std::size_t i = 0; i < t.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      const Point a = (*body.positions)[t[i][(k + 1) % 3]],
                  b = (*body.positions)[t[i][(k + 2) % 3]];
      const bool diagonal = (a - b).norm() > 2.5f;
      EXPECT_EQ(edge_shows(bytes, i, k), !diagonal);
      hidden += diagonal;
    }
  EXPECT_EQ(hidden, 12);
  // A fan of a hexagon has its rim only, also when the next polygon shares an edge with it.
  const std::vector<Triangle> fan = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}, {5, 4, 6}};
  const EdgeBytes of_fan = edges_of(fan, {7, 7, 7, 7, 8});
  int shown = 0;
  for (std::size_t i = 0; i < 4; ++i)
    for (int k = 0; k < 3; ++k) shown += edge_shows(of_fan, i, k);
  EXPECT_EQ(shown, 6);
  for (int k = 0; k < 3; ++k) EXPECT_TRUE(edge_shows(of_fan, 4, k));
}

}  // namespace
}  // namespace sinew::render::test
