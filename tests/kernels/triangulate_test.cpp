#include "nodes/geometry/triangulate.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numeric>
#include <random>

namespace sinew {
namespace {

struct Cut {
  std::vector<CornerTriangle> triangles;
  std::size_t dropped;
};

Cut cut(const std::vector<Vec3f>& points, std::vector<uint32_t> polygon = {}) {
  if (polygon.empty()) {
    polygon.resize(points.size());
    std::iota(polygon.begin(), polygon.end(), 0u);
  }
  Cut result;
  TriangulationScratch scratch;
  result.dropped = triangulate(points, polygon, scratch, result.triangles);
  EXPECT_LE(result.triangles.size() + result.dropped, std::max<std::size_t>(polygon.size(), 2) - 2);
  for (const CornerTriangle& t : result.triangles) {
    for (const uint32_t c : t) EXPECT_LT(c, polygon.size());
  }
  return result;
}

// Signed areas about z of the polygon, and of the triangles: their sum, and the sum of their sizes.
double area_of(const std::vector<Vec3f>& p) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Vec3d a = p[i].cast<double>(), b = p[(i + 1) % p.size()].cast<double>();
    sum += (a[0] * b[1] - a[1] * b[0]) / 2;
  }
  return sum;
}

void expect_area_kept(const std::vector<Vec3f>& p, double tolerance = 1e-5) {
  const Cut result = cut(p);
  EXPECT_EQ(result.triangles.size(), p.size() - 2);
  double sum = 0, sizes = 0;
  for (const CornerTriangle& t : result.triangles) {
    const double area = area_of({p[t[0]], p[t[1]], p[t[2]]});
    sum += area;
    sizes += std::abs(area);
  }
  const double expected = area_of(p);
  EXPECT_NEAR(sum, expected, tolerance * std::abs(expected));
  // Nothing overlaps, nothing sticks out.
  EXPECT_NEAR(sizes, std::abs(expected), tolerance * std::abs(expected));
}

// Star-shaped with random radii: simple, usually concave.
std::vector<Vec3f> star(int corners, std::mt19937& random, float scale) {
  std::uniform_real_distribution<float> radius(0.1f, 1);
  std::vector<Vec3f> points;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2 * M_PI * i / corners;
    const float r = scale * radius(random);
    points.push_back(
        {r * static_cast<float>(std::cos(angle)), r * static_cast<float>(std::sin(angle)), 0});
  }
  return points;
}

TEST(Triangulate, area_is_kept_for_simple_polygons_of_any_size) {
  std::mt19937 random(1);
  for (const float scale : {1e-6f, 1.0f, 1e6f}) {
    for (int corners = 3; corners < 60; ++corners) expect_area_kept(star(corners, random, scale));
  }
  std::vector<Vec3f> clockwise = star(20, random, 1);
  std::reverse(clockwise.begin(), clockwise.end());
  expect_area_kept(clockwise);
}

TEST(Triangulate, known_concave_shapes) {
  expect_area_kept({{0, 0, 0}, {4, 0, 0}, {4, 1, 0}, {1, 1, 0}, {1, 3, 0}, {0, 3, 0}});  // L
  expect_area_kept({{0, 0, 0}, {2, 1, 0}, {4, 0, 0}, {2, 4, 0}});                        // dart
  expect_area_kept(
      {{0, 0, 0}, {3, 0, 0}, {3, 3, 0}, {2, 3, 0}, {2, 1, 0}, {1, 1, 0}, {1, 3, 0}, {0, 3, 0}});
  std::vector<Vec3f> comb, spiral;
  for (int i = 0; i < 20; ++i) {
    comb.push_back({static_cast<float>(i), 0, 0});
  }
  for (int i = 19; i >= 0; --i) comb.push_back({static_cast<float>(i), i % 2 ? 5.0f : 1.0f, 0});
  expect_area_kept(comb);
  for (int i = 0; i < 40; ++i) {
    const float a = 0.4f * static_cast<float>(i), r = 1 + 0.1f * static_cast<float>(i);
    spiral.push_back({r * std::cos(a), r * std::sin(a), 0});
  }
  for (int i = 39; i >= 0; --i) {
    const float a = 0.4f * static_cast<float>(i), r = 0.8f + 0.1f * static_cast<float>(i);
    spiral.push_back({r * std::cos(a), r * std::sin(a), 0});
  }
  expect_area_kept(spiral);
}

TEST(Triangulate, orientation_follows_the_polygon_in_any_plane) {
  std::mt19937 random(2);
  for (int run = 0; run < 50; ++run) {
    std::vector<Vec3f> points = star(5 + run % 12, random, 1);
    std::normal_distribution<float> normal;
    const Eigen::Quaternionf turn =
        Eigen::Quaternionf(normal(random), normal(random), normal(random), normal(random))
            .normalized();
    for (Vec3f& p : points) p = turn * p + Vec3f(3, -2, 5);
    const Vec3f up = turn * Vec3f(0, 0, 1);
    const Cut result = cut(points);
    EXPECT_EQ(result.triangles.size(), points.size() - 2);
    for (const CornerTriangle& t : result.triangles) {
      const Vec3f n = (points[t[1]] - points[t[0]]).cross(points[t[2]] - points[t[0]]);
      EXPECT_GT(n.dot(up), -1e-5f);
    }
  }
}

TEST(Triangulate, degenerate_polygons_end) {
  EXPECT_EQ(cut({{0, 0, 0}, {1, 0, 0}}).triangles.size(), 0u);
  cut({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {1.5f, 0, 0}});  // on a line
  cut(std::vector<Vec3f>(9, Vec3f(1, 1, 1)));                       // one place
  cut({{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}});                // bow tie
  cut({{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}});
  EXPECT_EQ(cut({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {0, 1, 1}).dropped, 1u);
  EXPECT_EQ(cut({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {0, 0, 1, 1, 2, 2}).triangles.size(), 1u);
  std::mt19937 random(3);
  std::uniform_int_distribution<int> small(0, 3);
  for (int run = 0; run < 3000; ++run) {
    // Few places, many corners: touching, crossing, repeated, collinear.
    std::vector<Vec3f> points;
    std::vector<uint32_t> polygon;
    for (int i = 0; i < 6; ++i) {
      points.push_back(Vec3f(small(random), small(random), run % 2 ? small(random) : 0));
    }
    for (int i = 0; i < 3 + run % 15; ++i) polygon.push_back(static_cast<uint32_t>(random() % 6));
    const Cut result = cut(points, polygon);
    for (const CornerTriangle& t : result.triangles) {
      EXPECT_TRUE(polygon[t[0]] != polygon[t[1]] && polygon[t[1]] != polygon[t[2]] &&
                  polygon[t[2]] != polygon[t[0]]);
    }
  }
  const float huge = 3e38f;
  cut({{huge, huge, 0}, {-huge, huge, 0}, {-huge, -huge, 0}, {0, 0, 0}, {huge, -huge, huge}});
}

TEST(Triangulate, a_tangle_of_many_corners_ends_in_time) {
  std::mt19937 random(4);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<Vec3f> points(100000);
  for (Vec3f& p : points) p = Vec3f(uniform(random), uniform(random), 0);
  EXPECT_EQ(cut(points).triangles.size(), points.size() - 2);
  expect_area_kept(star(3000, random, 1), 1e-4);
}

TEST(Triangulate, collinear_corners_and_holes_by_bridges_keep_the_area) {
  expect_area_kept(
      {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 1, 0}, {2, 2, 0}, {1, 2, 0}, {0, 2, 0}, {0, 1, 0}});
  // A square ring, cut open along a bridge that is passed in both directions.
  const std::vector<Vec3f> points = {{0, 0, 0}, {3, 0, 0}, {3, 3, 0}, {0, 3, 0},
                                     {1, 1, 0}, {1, 2, 0}, {2, 2, 0}, {2, 1, 0}};
  const std::vector<uint32_t> ring = {0, 1, 2, 3, 0, 4, 5, 6, 7, 4};
  const Cut result = cut(points, ring);
  double area = 0;
  for (const CornerTriangle& t : result.triangles) {
    area += std::abs(area_of({points[ring[t[0]]], points[ring[t[1]]], points[ring[t[2]]]}));
  }
  EXPECT_NEAR(area, 8, 1e-6);
}

}  // namespace
}  // namespace sinew
