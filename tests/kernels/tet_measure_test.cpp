#include "nodes/kernels/tet_measure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

#include "nodes/kernels/tet_primitives.h"
#include "tests/kernels/shapes.h"

namespace sinew::kernels {
namespace {

constexpr double pi = std::numbers::pi;

TetCorners regular(double size) {
  TetCorners c = {Vec3d(1, 1, 1), Vec3d(-1, 1, -1), Vec3d(1, -1, -1), Vec3d(-1, -1, 1)};
  for (Vec3d& p : c) p *= size;
  return c;
}

TEST(TetMeasure, RegularTetrahedraAtEveryScale) {
  for (const double size : {1e-6, 1e-3, 1.0, 1e6}) {
    const TetCorners c = regular(size);
    EXPECT_NEAR(std::abs(tet_volume(c)), 8.0 / 3 * size * size * size, 1e-12 * size * size * size);
    for (const double angle : dihedral_angles(c)) EXPECT_NEAR(angle, std::acos(1.0 / 3), 1e-12);
    EXPECT_NEAR(std::abs(mean_ratio(c)), 1, 1e-12);
  }
  TetCorners c = regular(1);
  const double sign = tet_volume(c);
  std::swap(c[1], c[2]);
  EXPECT_LT(tet_volume(c) * sign, 0);
  EXPECT_LT(mean_ratio(c) * sign, 0);
  for (const double angle : dihedral_angles(c)) EXPECT_NEAR(angle, std::acos(1.0 / 3), 1e-12);
}

TEST(TetMeasure, CornerOfACube) {
  const TetCorners c = {Vec3d(0, 0, 0), Vec3d(1, 0, 0), Vec3d(0, 1, 0), Vec3d(0, 0, 1)};
  EXPECT_DOUBLE_EQ(tet_volume(c), 1.0 / 6);
  const std::array<double, 6> angles = dihedral_angles(c);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(angles[k], pi / 2, 1e-15) << k;
  for (int k = 3; k < 6; ++k) EXPECT_NEAR(angles[k], std::acos(1 / std::sqrt(3)), 1e-15) << k;
}

// The angle between the normals of the two faces at an edge, the plain way.
TEST(TetMeasure, AnglesAgreeWithTheNormals) {
  const std::vector<Vec3f> points = test::random_points(400, 3);
  for (std::size_t i = 0; i + 3 < points.size(); i += 4) {
    const TetCorners c =
        corners_of(points, {static_cast<uint32_t>(i), static_cast<uint32_t>(i + 1),
                            static_cast<uint32_t>(i + 2), static_cast<uint32_t>(i + 3)});
    std::array<Vec3d, 4> normal;  // outwards, of the face opposite of each corner
    for (int k = 0; k < 4; ++k) {
      const auto& f = tet_faces[k];
      normal[k] = (c[f[1]] - c[f[0]]).cross(c[f[2]] - c[f[0]]).normalized();
    }
    const std::array<double, 6> angles = dihedral_angles(c);
    for (int k = 0; k < 6; ++k) {
      // The faces at an edge are opposite of the two corners that are not on it.
      const auto [a, b] = tet_edges[5 - k];
      EXPECT_NEAR(std::cos(angles[k]), -normal[a].dot(normal[b]), 1e-9);
    }
  }
}

TEST(TetMeasure, FlatOnesAreMeasuredWithoutNaN) {
  const Vec3d o(0, 0, 0), x(1, 0, 0), y(0, 1, 0);
  for (const TetCorners& c : {TetCorners{o, o, o, o}, TetCorners{o, x, y, Vec3d(1, 1, 0)},
                              TetCorners{o, x, o, y}, TetCorners{o, x, 2 * x, 3 * x}}) {
    EXPECT_EQ(tet_volume(c), 0);
    EXPECT_EQ(mean_ratio(c), 0);
    for (const double angle : dihedral_angles(c)) EXPECT_TRUE(angle >= 0 && angle <= pi);
  }
  // A square on edge: its diagonals are straight, its sides sharp.
  const std::array<double, 6> square = dihedral_angles({o, x, y, Vec3d(1, 1, 0)});
  EXPECT_DOUBLE_EQ(*std::max_element(square.begin(), square.end()), pi);
  EXPECT_DOUBLE_EQ(*std::min_element(square.begin(), square.end()), 0);
}

TEST(TetMeasure, BoxReport) {
  for (const float scale : {1e-6f, 1.0f, 1e6f}) {
    const TetMesh box = make_tet_box(Vec3f(2, 3, 4) * scale, {2, 3, 4});
    TetMeasures measures;
    const SolidReport r = inspect_solid(box, &measures);
    const double volume = 24.0 * std::pow(double{scale}, 3);
    EXPECT_EQ(r.tets, box.tet_count());
    EXPECT_NEAR(r.volume, volume, 1e-6 * volume);
    EXPECT_EQ(r.inverted + r.flat + r.open_rings + r.pinched_vertices + r.loose_vertices, 0u);
    EXPECT_EQ(r.interior_vertices, 1u * 2 * 3);
    // A cube has one regular tetrahedron and four corners.
    EXPECT_NEAR(r.least_angle, std::acos(1 / std::sqrt(3)) * 180 / pi, 1e-3);
    EXPECT_NEAR(r.greatest_angle, 90, 1e-3);
    EXPECT_NEAR(*std::max_element(measures.quality.begin(), measures.quality.end()), 1, 1e-5);
    double shares = 0;
    for (const double share : vertex_volumes(box)) shares += share;
    EXPECT_NEAR(shares, r.volume, 1e-12 * volume);
  }
}

TEST(TetMeasure, InvertedAndFlatOnesAreCounted) {
  TetMesh box = make_tet_box({1, 1, 1}, {2, 2, 2});
  std::vector<Vec3f> moved = box.positions;
  moved[13] += Vec3f(0.9f, 0, 0);  // the middle, through a side
  const SolidReport r = inspect_solid(box.with_positions(moved));
  EXPECT_GT(r.inverted, 0u);
  EXPECT_LT(r.least_quality, 0);
  EXPECT_NEAR(r.volume, 1, 1e-6) << "what is inverted is subtracted";
  for (Vec3f& p : moved) p.y() = 0;
  const SolidReport flat = inspect_solid(box.with_positions(moved));
  EXPECT_EQ(flat.flat, box.tet_count());
  EXPECT_EQ(flat.inverted, 0u);
}

TEST(TetMeasure, NothingAtAll) {
  const SolidReport r = inspect_solid(TetMesh());
  EXPECT_EQ(r.tets + r.open_rings + r.interior_vertices, 0u);
  EXPECT_EQ(r.volume, 0);
  EXPECT_EQ(vertex_tets({}, 3).size(), 3u);
  EXPECT_EQ(inspect_solid(TetMesh(std::vector<Tetrahedron>{}, {{1, 2, 3}})).loose_vertices, 1u);
}

TEST(TetMeasure, RowsAreThoseOfAPlainSearch) {
  const TetMesh box = make_tet_box({1, 1, 1}, {3, 2, 4});
  const std::size_t n = box.vertex_count();
  std::vector<std::set<uint32_t>> tets(n), neighbours(n);
  for (uint32_t t = 0; t < box.tet_count(); ++t) {
    for (const uint32_t v : box.tets()[t]) {
      tets[v].insert(t);
      for (const uint32_t u : box.tets()[t]) {
        if (u != v) neighbours[v].insert(u);
      }
    }
  }
  const Rows around = vertex_tets(box.tets(), n), next = tet_vertex_neighbours(box.tets(), n);
  ASSERT_EQ(around.size(), n);
  ASSERT_EQ(next.size(), n);
  for (std::size_t v = 0; v < n; ++v) {
    EXPECT_TRUE(std::equal(around[v].begin(), around[v].end(), tets[v].begin(), tets[v].end()));
    EXPECT_TRUE(
        std::equal(next[v].begin(), next[v].end(), neighbours[v].begin(), neighbours[v].end()));
  }
  const Rows once = vertex_tets(std::vector<Tetrahedron>{{0, 0, 1, 2}}, 3);
  EXPECT_EQ(once[0].size(), 1u);
}

TEST(TetMeasure, RingsTellInsideBoundaryAndFlaws) {
  const TetMesh box = make_tet_box({1, 1, 1}, {2, 2, 2});
  const auto rings = [&](const std::vector<Tetrahedron>& tets, std::size_t n) {
    return one_rings(tets, vertex_tets(tets, n));
  };
  std::vector<Tetrahedron> tets(box.tets().begin(), box.tets().end());
  std::vector<OneRing> found = rings(tets, 27);
  EXPECT_EQ(found[13], OneRing::closed);
  EXPECT_EQ(std::count(found.begin(), found.end(), OneRing::half), 26);
  // Without one of its tetrahedra the middle is on the boundary.
  const auto at_middle = [](const Tetrahedron& t) {
    return std::count(t.begin(), t.end(), 13u) > 0;
  };
  tets.erase(std::find_if(tets.begin(), tets.end(), at_middle));
  EXPECT_EQ(rings(tets, 27)[13], OneRing::half);
  // The same tetrahedron twice more: a face with three neighbours.
  tets.assign(box.tets().begin(), box.tets().end());
  tets.push_back(*std::find_if(tets.begin(), tets.end(), at_middle));
  EXPECT_EQ(rings(tets, 27)[13], OneRing::open);
  EXPECT_EQ(inspect_solid(TetMesh(tets, box.positions)).open_rings, 1u);
  // Two tetrahedra that share a corner, and two that share an edge.
  found = rings({{0, 1, 2, 3}, {0, 4, 5, 6}}, 7);
  EXPECT_EQ(found[0], OneRing::pinched);
  EXPECT_EQ(found[1], OneRing::half);
  found = rings({{0, 1, 2, 3}, {0, 1, 5, 6}}, 8);
  EXPECT_EQ(found[0], OneRing::pinched);
  EXPECT_EQ(found[1], OneRing::pinched);
  EXPECT_EQ(found[7], OneRing::none);
  // Two balls that share their middle.
  tets.assign(box.tets().begin(), box.tets().end());
  for (Tetrahedron t : box.tets()) {
    for (uint32_t& v : t) v = v == 13 ? 13 : v + 27;
    tets.push_back(t);
  }
  EXPECT_EQ(rings(tets, 54)[13], OneRing::open);
}

TEST(TetMeasure, OneThreadAndTwoGiveTheSame) {
  const TetMesh box = make_tet_box({1, 2, 3}, {16, 16, 16});
  test::expect_same_for_threads([&] {
    const TetMeasures m = measure_tets(box);
    return std::tuple(m.volume, m.least_angle, m.quality, total_volume(box),
                      tet_vertex_neighbours(box.tets(), box.vertex_count()).items);
  });
}

}  // namespace
}  // namespace sinew::kernels
