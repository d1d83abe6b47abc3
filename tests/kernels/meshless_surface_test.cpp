#include "nodes/kernels/meshless_surface.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <stdexcept>

#include "nodes/kernels/measure.h"
#include "nodes/kernels/meshless_lanes.h"
#include "tests/kernels/figures.h"
#include "tests/kernels/meshless_reference.h"
#include "tests/kernels/shapes.h"

namespace sinew::kernels {
namespace {

using test::closed_meshes;
using test::mls_rows;
using test::plain_surface;
using Matrix = Eigen::Matrix3d;
using Places = std::vector<Vec3f>;
using Moves = std::vector<Vec3d>;

struct Moved {
  Places positions, normals;
  bool operator==(const Moved&) const = default;
};

Moved deformed(const MeshlessSurface& surface, const Moves& u) {
  Moved out{Places(surface.vertex_count()), Places(surface.vertex_count())};
  surface.deform(u, out.positions, out.normals);
  return out;
}

Moves random_moves(std::size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> normal;
  Moves u(count);
  for (Vec3d& x : u) x = Vec3d(normal(engine), normal(engine), normal(engine));
  return u;
}

// Any numbers, from none to 25 nodes a vertex.
ShapeRows random_rows(std::size_t points, std::size_t node_count, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> normal;
  ShapeRows rows;
  rows.first.push_back(0);
  for (std::size_t p = 0; p < points; ++p) {
    const std::size_t wanted = engine() % 26;
    for (uint32_t i = 0; i < node_count; ++i) {
      if (engine() % node_count >= wanted) continue;
      rows.node.push_back(i);
      rows.value.push_back(0.3 * normal(engine));
      rows.gradient.push_back(0.3 * Vec3d(normal(engine), normal(engine), normal(engine)));
    }
    rows.first.push_back(static_cast<uint32_t>(rows.node.size()));
  }
  return rows;
}

// A body with functions that keep what is linear.
struct Body {
  Mesh mesh = make_torus({1, 0.35f, 60, 21, Axis::y});
  Places normals = vertex_normals(mesh);
  test::SpreadNodes nodes = test::spread_nodes(mesh.positions, 40);
  ShapeRows rows = mls_rows(mesh.positions, nodes.places, 2.8 * nodes.gap);
  MeshlessSurface surface{mesh.positions, normals, rows, nodes.places.size()};

  Moves by(const Matrix& a, const Vec3d& shift) const {
    Moves u;
    for (const Vec3d& x : nodes.places) u.push_back(a * x + shift - x);
    return u;
  }
};

double farthest(std::span<const Vec3f> a, const std::vector<Vec3d>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double apart = (a[i].cast<double>() - b[i]).norm();
    if (!(apart <= most)) most = apart;
  }
  return most;
}

TEST(MeshlessSurface, is_what_the_formulas_say) {
  unsigned seed = 0;
  for (const auto& [name, mesh, euler] : closed_meshes()) {
    for (const std::size_t node_count : {1u, 20u, 200u, 1500u}) {
      ++seed;
      const Places normals = vertex_normals(mesh);
      const ShapeRows rows = random_rows(mesh.vertex_count(), node_count, seed);
      const Moves u = random_moves(node_count, seed + 1000);
      const MeshlessSurface surface(mesh.positions, normals, rows, node_count);
      const Moved moved = deformed(surface, u);
      const test::PlainSurface plain = plain_surface(rows, mesh.positions, normals, u);
      EXPECT_LT(farthest(moved.positions, plain.places), 5e-6) << name << " " << node_count;
      EXPECT_LT(farthest(moved.normals, plain.normals), 1e-4) << name << " " << node_count;
      Places alone(mesh.vertex_count());
      surface.deform(u, alone, {});
      EXPECT_EQ(alone, moved.positions);
      EXPECT_LE(surface.fill(), 1);
    }
  }
}

TEST(MeshlessSurface, keeps_what_is_linear) {
  const Body body;
  Matrix shear;
  shear << 1.2, 0.5, -0.1, 0, 0.8, 0.3, 0.2, 0, 1.1;
  const Matrix turn = Eigen::AngleAxisd(2.2, Vec3d(1, 2, -1).normalized()).toRotationMatrix();
  for (const Matrix& a : {shear, turn}) {
    const Vec3d shift(3, -2, 5);
    const Moves u = body.by(a, shift);
    const Moved moved = deformed(body.surface, u);
    Places exact(body.normals.size());
    exact_normals(body.rows, body.normals, u, exact);
    std::vector<Vec3d> places, by_gradient, by_cofactor;
    for (std::size_t p = 0; p < body.normals.size(); ++p) {
      const Vec3d n = body.normals[p].cast<double>();
      places.push_back(a * body.mesh.positions[p].cast<double>() + shift);
      by_gradient.push_back((a * n).normalized());
      by_cofactor.push_back((a.inverse().transpose() * n).normalized());
    }
    EXPECT_LT(farthest(moved.positions, places), 3e-6);
    EXPECT_LT(farthest(moved.normals, by_gradient), 1e-5);
    EXPECT_LT(farthest(exact, by_cofactor), 1e-6);
  }
  // Turned bodies have the same normals by both.
  Places exact(body.normals.size());
  const Moves u = body.by(turn, Vec3d::Zero());
  exact_normals(body.rows, body.normals, u, exact);
  const Moved moved = deformed(body.surface, u);
  for (std::size_t p = 0; p < exact.size(); ++p)
    EXPECT_TRUE(exact[p].isApprox(moved.normals[p], 1e-5f));
}

TEST(MeshlessSurface, is_at_rest_to_the_bit_where_nothing_moves) {
  Body body;
  body.mesh.positions[7] = {-0.0f, 0.0f, -0.0f};
  const MeshlessSurface surface(body.mesh.positions, body.normals, body.rows, 40);
  const Moved moved = deformed(surface, Moves(40, Vec3d::Zero()));
  EXPECT_EQ(std::memcmp(moved.positions.data(), body.mesh.positions.data(),
                        sizeof(Vec3f) * moved.positions.size()),
            0);
  for (std::size_t p = 0; p < moved.normals.size(); ++p) {
    EXPECT_LT((moved.normals[p] - body.normals[p]).norm(), 3e-7);
  }
}

TEST(MeshlessSurface, is_exact_in_translations_of_any_size) {
  const Body body;
  const Moved still = deformed(body.surface, Moves(40, Vec3d::Zero()));
  for (const double far : {1e-6, 0.1, 12345.678, 1e8}) {
    const Vec3d shift = far * Vec3d(1, -0.3, 0.77);
    const Moved moved = deformed(body.surface, Moves(40, shift));
    for (std::size_t p = 0; p < moved.positions.size(); ++p) {
      const Vec3d there = body.mesh.positions[p].cast<double>() + shift;
      ASSERT_EQ(moved.positions[p], there.cast<float>());
      ASSERT_EQ(moved.normals[p], still.normals[p]);
    }
  }
}

TEST(MeshlessSurface, loses_nothing_far_from_the_origin) {
  // Bent where it is, and carried away: the same as bent far away, but for one rounding.
  const Body body;
  const Moves bent = random_moves(40, 3);
  Moves carried = bent;
  const Vec3d shift(20000, -30000, 10000);
  for (Vec3d& u : carried) u += shift;
  const test::PlainSurface plain =
      plain_surface(body.rows, body.mesh.positions, body.normals, carried);
  const Moved moved = deformed(body.surface, carried);
  EXPECT_LT(farthest(moved.positions, plain.places), 2.1e-3);  // half of 1/512 along each axis
  EXPECT_LT(farthest(moved.normals, plain.normals), 1e-4);
  test::record("far, error", farthest(moved.positions, plain.places));
}

TEST(MeshlessSurface, scales) {
  const Body body;
  for (const double scale : {1e-6, 1e6}) {
    Places rest = body.mesh.positions;
    for (Vec3f& p : rest) p *= static_cast<float>(scale);
    ShapeRows rows = body.rows;
    for (Vec3d& g : rows.gradient) g /= scale;
    Moves u = random_moves(40, 4);
    for (Vec3d& x : u) x *= scale;
    const Moved moved = deformed(MeshlessSurface(rest, body.normals, rows, 40), u);
    const test::PlainSurface plain = plain_surface(rows, rest, body.normals, u);
    EXPECT_LT(farthest(moved.positions, plain.places), 5e-6 * scale);
    EXPECT_LT(farthest(moved.normals, plain.normals), 1e-4);
  }
}

TEST(MeshlessSurface, leaves_vertices_without_nodes_where_they_are) {
  const Mesh mesh = make_icosphere({1, 7});
  const Places normals = vertex_normals(mesh);
  ShapeRows rows = random_rows(mesh.vertex_count(), 30, 8);
  std::size_t alone = 0;
  const Moves u(30, Vec3d(1000, 2000, 3000));
  const Moved moved = deformed(MeshlessSurface(mesh.positions, normals, rows, 30), u);
  Places exact(normals.size());
  exact_normals(rows, normals, u, exact);
  for (std::size_t p = 0; p < mesh.vertex_count(); ++p) {
    if (rows.first[p] != rows.first[p + 1]) continue;
    ++alone;
    EXPECT_EQ(moved.positions[p], mesh.positions[p]);
    EXPECT_LT((moved.normals[p] - normals[p]).norm(), 3e-7);
    EXPECT_LT((exact[p] - normals[p]).norm(), 3e-7);
  }
  EXPECT_GT(alone, 5u);
  // No node at all.
  ShapeRows none;
  none.first.assign(mesh.vertex_count() + 1, 0);
  EXPECT_EQ(deformed(MeshlessSurface(mesh.positions, normals, none, 0), {}).positions,
            mesh.positions);
}

TEST(MeshlessSurface, takes_bodies_without_vertices_and_odd_ones) {
  for (const ShapeRows& rows : {ShapeRows{}, ShapeRows{{0}, {}, {}, {}}}) {
    const MeshlessSurface surface({}, {}, rows, 3);
    EXPECT_EQ(surface.vertex_count(), 0u);
    surface.deform(Moves(3, Vec3d(1, 1, 1)), {}, {});
    exact_normals(rows, {}, Moves(3, Vec3d(1, 1, 1)), {});
  }
  const float nan = std::numeric_limits<float>::quiet_NaN();
  Body body;
  for (std::size_t p = 0; p < body.normals.size(); p += 3) body.mesh.positions[p] = {nan, 1, nan};
  body.normals[5] = {0, 0, 0};
  const Moved moved = deformed(MeshlessSurface(body.mesh.positions, body.normals, body.rows, 40),
                               random_moves(40, 5));
  for (std::size_t p = 0; p < body.normals.size(); ++p) {
    EXPECT_EQ(moved.positions[p].allFinite(), p % 3 != 0);
  }
  EXPECT_EQ(moved.normals[5], Vec3f(0, 0, 0));
}

TEST(MeshlessSurface, keeps_the_normal_where_it_collapses) {
  const Body body;
  const Moves u = body.by(Matrix::Zero(), Vec3d(1, 2, 3));
  Places exact(body.normals.size());
  exact_normals(body.rows, body.normals, u, exact);
  const Moved moved = deformed(body.surface, u);
  for (std::size_t p = 0; p < exact.size(); ++p) {
    EXPECT_TRUE(exact[p].allFinite() && moved.normals[p].allFinite());
    EXPECT_LT((moved.positions[p] - Vec3f(1, 2, 3)).norm(), 2e-6f);
  }
}

TEST(MeshlessSurface, refuses_what_does_not_fit) {
  const Body body;
  const auto refused = [&](const auto& change) {
    Places rest = body.mesh.positions, normals = body.normals;
    ShapeRows rows = body.rows;
    change(rest, normals, rows);
    EXPECT_THROW(MeshlessSurface(rest, normals, rows, 40), std::invalid_argument);
  };
  refused([](Places& rest, Places&, ShapeRows&) { rest.pop_back(); });
  refused([](Places&, Places& normals, ShapeRows&) { normals.pop_back(); });
  refused([](Places&, Places&, ShapeRows& rows) { rows.first.pop_back(); });
  refused([](Places&, Places&, ShapeRows& rows) { rows.value.pop_back(); });
  refused([](Places&, Places&, ShapeRows& rows) { rows.node[3] = 40; });
  refused([](Places&, Places&, ShapeRows& rows) { rows.node[1] = rows.node[0]; });
  refused([](Places&, Places&, ShapeRows& rows) { rows.first[5] = 4000000000u; });
  Places out(body.normals.size());
  EXPECT_THROW(body.surface.deform(Moves(39), out, {}), std::invalid_argument);
  EXPECT_THROW(body.surface.deform(Moves(40), {}, {}), std::invalid_argument);
  EXPECT_THROW(body.surface.deform(Moves(40), out, std::span(out).first(3)), std::invalid_argument);
}

TEST(MeshlessSurface, has_the_same_bits_on_every_target_and_any_number_of_threads) {
  const Mesh mesh = make_icosphere({1, 30});
  ASSERT_GT(mesh.vertex_count(), 5000u);
  const Places normals = vertex_normals(mesh);
  const test::SpreadNodes nodes = test::spread_nodes(mesh.positions, 60);
  ShapeRows rows = mls_rows(mesh.positions, nodes.places, 2.8 * nodes.gap);
  for (uint32_t e = 0; e < rows.first[100]; ++e) rows.value[e] *= 1.5;  // some sums beside 1
  const Moves u = random_moves(60, 6);
  test::expect_same_for_threads(
      [&] { return deformed(MeshlessSurface(mesh.positions, normals, rows, 60), u); });
  test::expect_same_for_threads([&] {
    Places exact(normals.size());
    exact_normals(rows, normals, u, exact);
    return exact;
  });
  const MeshlessSurface surface(mesh.positions, normals, rows, 60);
  std::vector<float> left(4 * 60);
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = static_cast<float>(u[i / 4][i % 3]);
  const MeshlessMove move = {{0.1, -20.3, 1e-3}, left.data()};
  const MeshlessLanes* list[3];
  Moved first;
  for (std::size_t k = 0; k < runnable_meshless_lanes(list); ++k) {
    Moved out{Places(normals.size(), Vec3f(0, 0, 0)), Places(normals.size(), Vec3f(0, 0, 0))};
    list[k]->deform(surface.view(), move, 0, (normals.size() + meshless_tile - 1) / meshless_tile,
                    out.positions[0].data(), out.normals[0].data());
    if (k == 0) first = out;
    const std::size_t size = sizeof(Vec3f) * normals.size();
    EXPECT_EQ(std::memcmp(out.positions.data(), first.positions.data(), size), 0) << list[k]->name;
    EXPECT_EQ(std::memcmp(out.normals.data(), first.normals.data(), size), 0) << list[k]->name;
  }
}

}  // namespace
}  // namespace sinew::kernels
