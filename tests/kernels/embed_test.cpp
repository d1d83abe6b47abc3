#include "nodes/kernels/embed.h"

#include <gtest/gtest.h>

#include <cmath>

#include "nodes/kernels/surface_tree.h"
#include "nodes/kernels/tet_primitives.h"
#include "tests/kernels/shapes.h"

namespace sinew::kernels {
namespace {

// Every tetrahedron asked, for comparison.
double brute_distance2(const TetMesh& solid, const Vec3d& q) {
  double best = INFINITY;
  for (const Tetrahedron& t : solid.tets()) {
    bool inside = true;
    double nearest = INFINITY;
    for (const auto& f : tet_faces) {
      const Vec3d a = solid.positions[t[f[0]]].cast<double>();
      const Vec3d b = solid.positions[t[f[1]]].cast<double>();
      const Vec3d c = solid.positions[t[f[2]]].cast<double>();
      if ((b - a).cross(c - a).dot(q - a) > 0) inside = false;
      const Vec3d w = closest_on_triangle(q, a, b, c);
      nearest = std::min(nearest, (w[0] * a + w[1] * b + w[2] * c - q).squaredNorm());
    }
    best = std::min(best, inside ? 0 : nearest);
  }
  return best;
}

TEST(Embed, FindsWhatAskingEveryTetrahedronFinds) {
  const TetMesh box = make_tet_box({1, 2, 3}, {3, 4, 5});
  const TetTree tree(box);
  int inside = 0, outside = 0;
  for (const Vec3f& p : test::random_points(500, 1, 1.6f)) {
    const SolidPoint place = tree.find(p.cast<double>());
    EXPECT_NEAR(place.distance2, brute_distance2(box, p.cast<double>()), 1e-9);
    double sum = 0;
    Vec3d back = Vec3d::Zero();
    for (int k = 0; k < 4; ++k) {
      sum += place.weights[k];
      back += place.weights[k] * box.positions[box.tets()[place.tet][k]].cast<double>();
    }
    EXPECT_NEAR(sum, 1, 1e-12);
    EXPECT_LT((back - p.cast<double>()).norm(), 1e-12);
    (place.distance2 > 0 ? outside : inside)++;
  }
  EXPECT_GT(inside, 50);
  EXPECT_GT(outside, 50);
}

TEST(Embed, ReproducesTheSurfaceAtRestAtEveryScaleAndPlace) {
  for (const float scale : {1e-6f, 1.0f, 1e6f}) {
    for (const float away : {0.0f, 1.0f}) {
      const Vec3f middle = Vec3f(away, -2 * away, 0.5f * away) * scale;
      TetMesh box = make_tet_box({scale, scale, scale}, {4, 4, 4});
      std::vector<Vec3f> moved = box.positions;
      for (Vec3f& p : moved) p += middle;
      box = box.with_positions(moved);
      // Reaches out of the box by a tenth of it.
      Mesh skin = make_icosphere({0.6f * scale, 9});
      for (Vec3f& p : skin.positions) p += middle;
      const TetMesh both = with_skin(box, skin);
      ASSERT_FALSE(validate(both));
      const Mesh shown = surface_of(both);
      const double diagonal = 1.2 * std::sqrt(3.0) * scale;
      for (std::size_t i = 0; i < skin.vertex_count(); ++i) {
        EXPECT_LT((shown.positions[i] - skin.positions[i]).norm(), 1e-6 * diagonal) << i;
      }
    }
  }
}

TEST(Embed, OutsideTheOneThatExtrapolatesLeastIsTaken) {
  // Beyond a corner of the box, all that touch the corner are equally near.
  const TetMesh box = make_tet_box({2, 2, 2}, {2, 2, 2});
  const TetTree tree(box);
  const SolidPoint place = tree.find({1.5, 1.4, 1.3});
  EXPECT_NEAR(place.distance2, 0.25 + 0.16 + 0.09, 1e-12);
  for (const double w : place.weights) EXPECT_GT(w, -2);
  // On a face that two share, both contain it: nothing is extrapolated.
  const SolidPoint shared = tree.find({0, 0.25, 0.25});
  for (const double w : shared.weights) EXPECT_GE(w, 0);
}

TEST(Embed, FlatTetrahedraAreNotChosenUnlessThereIsNoOther) {
  const std::vector<Vec3f> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.3f, 0.3f, 0}};
  const TetMesh mixed({{0, 1, 2, 4}, {0, 1, 2, 3}}, points);
  EXPECT_EQ(TetTree(mixed).find({0.3, 0.3, -0.1}).tet, 1u);
  const TetMesh flat({{0, 1, 2, 4}, {0, 0, 0, 0}}, points);
  const SolidPoint place = TetTree(flat).find({0.3, 0.3, 0.1});
  for (const double w : place.weights) EXPECT_TRUE(std::isfinite(w));
  // Inverted ones count like others.
  const TetMesh inverted({{0, 2, 1, 3}}, points);
  EXPECT_EQ(TetTree(inverted).find({0.1, 0.1, 0.1}).distance2, 0);
}

TEST(Embed, HostileQueries) {
  const TetMesh box = make_tet_box({1, 1, 1}, {1, 1, 1});
  const TetTree tree(box);
  for (const double w : tree.find({NAN, 0, 0}).weights) EXPECT_TRUE(std::isfinite(w));
  for (const double w : tree.find({INFINITY, 0, 0}).weights) EXPECT_TRUE(std::isfinite(w));
  EXPECT_THROW(TetTree(TetMesh{}), std::invalid_argument);
  EXPECT_EQ(embed_points(box, {}).size(), 0u);
  const std::atomic<bool> stop{true};
  const std::vector<Vec3f> points(10, Vec3f::Zero());
  EXPECT_THROW(embed_points(box, points, CancelView{&stop}), Stopped);
}

TEST(Embed, SameForAnyNumberOfThreads) {
  const TetMesh box = make_tet_box({1, 1, 1}, {6, 6, 6});
  const std::vector<Vec3f> points = test::random_points(3000, 7);
  test::expect_same_for_threads([&] { return embed_points(box, points); });
}

// Distances are rounded and boxes are not: none may be pruned that holds the nearest tetrahedron.
TEST(Embed, PointsAHairOutsideStayWhereTheyAre) {
  TetMesh box = make_tet_box({1, 1, 1}, {4, 4, 4});
  for (Vec3f& p : box.positions) p += Vec3f(100, 100, 100);
  const float side = std::nextafter(100.5f, 200.0f);
  std::vector<Vec3f> points;
  for (int i = 0; i < 200; ++i) {
    points.emplace_back(side, 99.6f + 0.004f * static_cast<float>(i), 99.9f);
  }
  const Embedding embedding = embed_points(TetTree(box), points);
  std::vector<Vec3f> back(points.size());
  carry_embedded(embedding, box.tets(), box.positions, back);
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_LT((back[i] - points[i]).norm(), 1e-4f) << i;
  }
}

}  // namespace
}  // namespace sinew::kernels
