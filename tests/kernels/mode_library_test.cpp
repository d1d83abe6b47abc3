#include "nodes/kernels/mode_library.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "nodes/kernels/ffd.h"
#include "nodes/kernels/lattice_edit.h"
#include "tests/kernels/ffd_reference.h"
#include "tests/kernels/figures.h"

namespace sinew::kernels {
namespace {

using Counts = std::array<uint32_t, 3>;

constexpr double scales[] = {1e-6, 1, 1e6};
constexpr LatticeBasis bases[] = {LatticeBasis::bernstein, LatticeBasis::bspline};
const Counts shapes[] = {{4, 4, 4}, {3, 3, 3}, {3, 4, 7}, {9, 5, 6}};
constexpr ModeKind kinds[] = {ModeKind::bend,    ModeKind::shear, ModeKind::squash,
                              ModeKind::stretch, ModeKind::twist, ModeKind::taper};

std::vector<Vec3f> moved_by(const LatticeRest& rest, const std::vector<Vec3f>& delta, double gamma,
                            const std::vector<Vec3f>& points) {
  std::vector<Vec3d> offsets;
  for (const Vec3f& d : delta) offsets.push_back(gamma * d.cast<double>());
  std::vector<Vec3f> moved(points.size());
  deform_by_offsets(rest, offsets, {}, points, moved);
  return moved;
}

// The displacement of a place as the header says it.
Vec3d formula(const LatticeBox& box, ModeKind kind, int a, int b, const Vec3d& place) {
  const Vec3d p = test::reference_parameters(box, place) - Vec3d::Constant(0.5);
  const int c = 3 - a - b;
  const auto edge = [&](int axis) { return box.edges[static_cast<std::size_t>(axis)]; };
  const Vec3d across = p[b] * edge(b) + p[c] * edge(c);
  switch (kind) {
    case ModeKind::bend:
      return (4 * p[a] * p[a] - 1.0 / 3) * edge(b);
    case ModeKind::shear:
      return p[a] * edge(b);
    case ModeKind::squash:
      return across / 2 - p[a] * edge(a);
    case ModeKind::stretch:
      return p[a] * edge(a);
    case ModeKind::twist:
      return p[a] * std::numbers::pi / 2 * edge(a).normalized().cross(across);
    default:
      return p[a] * across;
  }
}

// Whatever the lattice, the body moves as the formula says: a shear and a stretch are affine maps.
TEST(ModeLibrary, bodies_move_as_the_formulas_say) {
  unsigned seed = 0;
  double worst = 0;
  for (const double scale : scales) {
    for (const LatticeBasis basis : bases) {
      for (const Counts& counts : shapes) {
        std::mt19937 random(++seed);
        const LatticeRest rest(counts, basis, test::random_box(random, scale));
        const std::vector<Vec3f> points = test::places_in(rest.box, 100, random);
        for (const ModeKind kind : kinds) {
          const int a = static_cast<int>(seed) % 3,
                    b = (a + 1 + static_cast<int>(seed) / 3 % 2) % 3;
          const std::vector<Vec3f> moved =
              moved_by(rest, mode_delta(rest, kind, a, b, 0.7), 1.3, points);
          for (std::size_t v = 0; v < points.size(); ++v) {
            const Vec3d at = points[v].cast<double>();
            const Vec3d must = at + 1.3 * 0.7 * formula(rest.box, kind, a, b, at);
            const double error = (moved[v].cast<double>() - must).norm() / scale;
            EXPECT_LT(error, 2e-6) << "kind " << static_cast<int>(kind) << ", scale " << scale;
            worst = std::max(worst, error);
          }
        }
      }
    }
  }
  test::record("worst_relative", worst);
}

// d(volume)/d(gamma) by differences, of a small tetrahedron somewhere inside.
double volume_rate(const LatticeRest& rest, const std::vector<Vec3f>& delta, const Vec3d& at) {
  const double size = 0.05, step = 1e-2;
  const auto volume = [&](double gamma) {
    std::vector<Vec3f> corners(4, at.cast<float>());
    for (std::size_t k = 0; k < 3; ++k) {
      corners[k + 1] += (size * rest.box.edges[k]).cast<float>();
    }
    corners = moved_by(rest, delta, gamma, corners);
    Eigen::Matrix3d m;
    for (int k = 0; k < 3; ++k) {
      m.col(k) = (corners[static_cast<std::size_t>(k) + 1] - corners[0]).cast<double>();
    }
    return m.determinant();
  };
  return (volume(step) - volume(-step)) / (2 * step * volume(0));
}

TEST(ModeLibrary, shear_squash_and_twist_keep_the_volume_to_first_order) {
  const LatticeBox box{Vec3d(1, 2, 3), {Vec3d(1, 0, 0), {0, 3, 0}, {0, 0, 0.5}}};
  const LatticeRest rest({4, 4, 4}, LatticeBasis::bernstein, box);
  const Vec3d at(1.3, 3.1, 3.2);
  for (int axis = 0; axis < 3; ++axis) {
    for (const ModeKind kind : kinds) {
      const std::vector<Vec3f> delta = mode_delta(rest, kind, axis, (axis + 1) % 3, 1);
      const double rate = volume_rate(rest, delta, at);
      const bool keeps =
          kind == ModeKind::shear || kind == ModeKind::squash || kind == ModeKind::twist;
      if (keeps) {
        EXPECT_NEAR(rate, 0, 1e-3) << static_cast<int>(kind) << " along " << axis;
      }
      if (kind == ModeKind::stretch) {
        EXPECT_NEAR(rate, 1, 1e-3);
      }
    }
  }
}

TEST(ModeLibrary, a_twist_of_one_turns_the_ends_by_a_right_angle) {
  const LatticeRest rest({4, 4, 4}, LatticeBasis::bernstein, LatticeBox{});
  // To first order: the slope at the middle of the top, against that of the bottom.
  const std::vector<Vec3f> delta = mode_delta(rest, ModeKind::twist, 1, 0, 1);
  const double small = 1e-2;
  const std::vector<Vec3f> points = {{0.6f, 1, 0.5f}, {0.6f, 0, 0.5f}};
  const std::vector<Vec3f> moved = moved_by(rest, delta, small, points);
  const float top = std::atan2(moved[0].z() - 0.5f, moved[0].x() - 0.5f);
  const float bottom = std::atan2(moved[1].z() - 0.5f, moved[1].x() - 0.5f);
  EXPECT_NEAR(std::abs(top - bottom), small * std::numbers::pi / 2, 1e-4);
}

TEST(ModeLibrary, no_mode_carries_the_box_away) {
  for (const Counts& counts : shapes) {
    const LatticeRest rest(counts, LatticeBasis::bernstein, LatticeBox{});
    for (const ModeKind kind : kinds) {
      Vec3d sum(0, 0, 0);
      for (const Vec3f& d : mode_delta(rest, kind, 1, 0, 1)) sum += d.cast<double>();
      EXPECT_LT(sum.norm() / static_cast<double>(rest.points.size()), 1e-6);
    }
  }
}

TEST(ModeLibrary, a_bend_wants_three_points_and_what_is_drawn_is_nothing_yet) {
  const LatticeRest rest({2, 2, 4}, LatticeBasis::bspline, LatticeBox{});
  for (const Vec3f& d : mode_delta(rest, ModeKind::bend, 1, 0, 1)) EXPECT_TRUE(d.isZero(0));
  for (const Vec3f& d : mode_delta(rest, ModeKind::drawn, 2, 0, 1)) EXPECT_TRUE(d.isZero(0));
}

TEST(ModeLibrary, towards_its_own_axis_is_towards_the_next) {
  const LatticeRest rest({4, 4, 4}, LatticeBasis::bernstein, LatticeBox{});
  EXPECT_EQ(mode_delta(rest, ModeKind::shear, 2, 2, 1), mode_delta(rest, ModeKind::shear, 2, 0, 1));
}

TEST(ModeLibrary, names_can_be_read) {
  EXPECT_EQ(default_mode_name(ModeKind::bend, 1, 0), "bend y to x");
  EXPECT_EQ(default_mode_name(ModeKind::shear, 2, 2), "shear z to x");
  EXPECT_EQ(default_mode_name(ModeKind::squash, 1, 0), "squash y");
  EXPECT_EQ(default_mode_name(ModeKind::twist, 0, 0), "twist x");
  EXPECT_EQ(default_mode_name(ModeKind::drawn, 0, 0), "drawn");
}

TEST(LatticeEdit, sides_are_held_row_by_row) {
  const LatticeRest rest({4, 3, 5}, LatticeBasis::bernstein, LatticeBox{});
  const auto held = [&](LatticeSide side, uint32_t rows) {
    std::vector<Vec3f> ways(rest.points.size(), Vec3f(1, 1, 1));
    hold_side(rest, side, rows, ways);
    std::vector<std::size_t> list;
    for (std::size_t n = 0; n < ways.size(); ++n) {
      if (ways[n].isZero(0)) list.push_back(n);
    }
    return list;
  };
  EXPECT_TRUE(held(LatticeSide::none, 2).empty());
  EXPECT_TRUE(held(LatticeSide::all, 0).empty());
  EXPECT_EQ(held(LatticeSide::x_low, 1).size(), 15u);
  for (const std::size_t n : held(LatticeSide::x_high, 2)) EXPECT_GE(n % 4, 2u);
  EXPECT_EQ(held(LatticeSide::y_high, 1).front(), 8u);
  EXPECT_EQ(held(LatticeSide::z_low, 2).back(), 23u);
  EXPECT_EQ(held(LatticeSide::z_high, 2).front(), 36u);
  EXPECT_EQ(held(LatticeSide::y_low, 16).size(), 60u) << "more than there are is all";
  EXPECT_EQ(held(LatticeSide::all, 1).size(), 60u - 2 * 1 * 3);
}

TEST(LatticeEdit, a_bad_move_moves_nothing) {
  const LatticeRest rest({4, 4, 4}, LatticeBasis::bernstein, LatticeBox{});
  LatticeMoves moves;
  moves.list.push_back({{0, 0, 0}, {1, 0, 0}});
  moves.list.push_back({{0, 4, 0}, {1, 0, 0}});
  std::vector<Vec3f> ways(64, Vec3f(0, 0, 0));
  EXPECT_EQ(add_moves(moves, rest, MoveMeasure::metres, 1, ways).value_or(""),
            "move 2 is of point 4 along edge 2, but the lattice has 4 there");
  EXPECT_TRUE(ways[0].isZero(0));
}

}  // namespace
}  // namespace sinew::kernels
