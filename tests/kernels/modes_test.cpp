#include "nodes/kernels/modes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "nodes/kernels/lattice_edit.h"
#include "nodes/kernels/mode_library.h"
#include "nodes/kernels/primitives.h"
#include "tests/kernels/ffd_reference.h"
#include "tests/kernels/figures.h"
#include "tests/kernels/shapes.h"

namespace sinew::kernels {
namespace {

constexpr double scales[] = {1e-6, 1, 1e6};
constexpr LatticeBasis bases[] = {LatticeBasis::bernstein, LatticeBasis::bspline};

bool same_bits(const std::vector<Vec3f>& a, const std::vector<Vec3f>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), 12 * a.size()) == 0;
}

ModeLattice with_modes(LatticeRest rest, std::mt19937& random, std::size_t count, double by,
                       const std::string& prefix = "") {
  ModeLattice lattice{std::make_shared<const LatticeRest>(std::move(rest)), {}};
  std::uniform_real_distribution<double> uniform(-by, by);
  for (std::size_t n = 0; n < count; ++n) {
    DeformMode mode;
    mode.name = prefix + std::to_string(n);
    for (std::size_t i = 0; i < lattice.rest->points.size(); ++i) {
      mode.delta.push_back(Vec3d(uniform(random), uniform(random), uniform(random)).cast<float>());
    }
    lattice.modes.push_back(std::move(mode));
  }
  return lattice;
}

LatticeBox part_of(const LatticeBox& box, const Vec3d& from, double part) {
  LatticeBox inner = box;
  for (std::size_t k = 0; k < 3; ++k) {
    inner.corner += from[static_cast<int>(k)] * box.edges[k];
    inner.edges[k] *= part;
  }
  return inner;
}

// A lattice around the whole, and two around parts of it, which overlap.
Modes nested(std::mt19937& random, double scale, LatticeBasis basis) {
  const LatticeBox box = test::random_box(random, scale);
  const auto lattice = [&](std::array<uint32_t, 3> counts, const LatticeBox& around,
                           const char* prefix) {
    return with_modes(LatticeRest(counts, basis, around), random, 2, 0.05 * scale, prefix);
  };
  Modes modes;
  modes.lattices.push_back(lattice({4, 3, 5}, part_of(box, {0.1, 0.1, 0.1}, 0.3), "a"));
  modes.lattices.push_back(lattice({4, 4, 4}, part_of(box, {0.3, 0.3, 0.3}, 0.5), "b"));
  modes.lattices.push_back(lattice({4, 4, 4}, box, "c"));
  return modes;
}

std::vector<Vec3f> deformed(const Modes& modes, const std::vector<double>& gamma,
                            const std::vector<Vec3f>& points, const FfdSettings& settings = {}) {
  std::vector<Vec3f> moved(points.size());
  deform_by_modes(modes, gamma, settings, points, moved);
  return moved;
}

// One point after the other, all sums as they are written, in double precision.
Vec3d plain_place(const Modes& modes, const std::vector<double>& gamma, const Vec3d& rest) {
  Vec3d x = rest;
  std::size_t first = 0;
  for (std::size_t l = 0; l < modes.lattices.size(); ++l) {
    const ModeLattice& lattice = modes.lattices[l];
    const LatticeRest& r = *lattice.rest;
    const std::size_t mine = first;
    first += lattice.modes.size();
    const bool last = l + 1 == modes.lattices.size();
    if (!last && !is_inside_lattice(test::reference_parameters(r.box, rest))) continue;
    const Vec3d s = test::reference_parameters(r.box, x);
    std::array<std::vector<double>, 3> weights;
    for (std::size_t a = 0; a < 3; ++a) {
      weights[a].resize(r.counts[a]);
      lattice_weights(r.basis, s[static_cast<int>(a)], weights[a]);
    }
    Vec3d sum(0, 0, 0);
    std::size_t point = 0;
    for (std::size_t k = 0; k < r.counts[2]; ++k) {
      for (std::size_t j = 0; j < r.counts[1]; ++j) {
        for (std::size_t i = 0; i < r.counts[0]; ++i, ++point) {
          const double w = weights[0][i] * weights[1][j] * weights[2][k];
          for (std::size_t n = 0; n < lattice.modes.size(); ++n) {
            sum += w * gamma[mine + n] * lattice.modes[n].delta[point].cast<double>();
          }
        }
      }
    }
    x += sum;
  }
  return x;
}

TEST(Modes, at_no_amplitude_all_is_the_identity_to_the_bit) {
  unsigned seed = 0;
  for (const double scale : scales) {
    for (const LatticeBasis basis : bases) {
      std::mt19937 random(++seed);
      const Modes modes = nested(random, scale, basis);
      ASSERT_EQ(validate(modes), std::nullopt);
      const std::vector<Vec3f> points =
          test::places_in(modes.lattices.back().rest->box, 3000, random, -0.3, 1.3);
      EXPECT_TRUE(same_bits(deformed(modes, std::vector<double>(6, 0), points), points));
      EXPECT_TRUE(same_bits(
          deformed(modes, std::vector<double>(6, 1), points, {FfdOutside::extend, 0}), points));
    }
  }
}

TEST(Modes, agree_with_a_plain_loop) {
  unsigned seed = 0;
  double worst = 0;
  for (const double scale : scales) {
    for (const LatticeBasis basis : bases) {
      std::mt19937 random(++seed);
      const Modes modes = nested(random, scale, basis);
      const std::vector<double> gamma = {0.7, -0.4, 0, 1, -1, 0.3};
      const std::vector<Vec3f> points =
          test::places_in(modes.lattices.back().rest->box, 1000, random);
      const std::vector<Vec3f> moved = deformed(modes, gamma, points);
      for (std::size_t v = 0; v < points.size(); ++v) {
        const Vec3d must = plain_place(modes, gamma, points[v].cast<double>());
        const double error = (moved[v].cast<double>() - must).norm() / scale;
        EXPECT_LT(error, 2e-6);
        worst = std::max(worst, error);
      }
    }
  }
  test::record("worst_relative", worst);
}

TEST(Modes, one_lattice_is_linear_in_the_amplitudes) {
  std::mt19937 random(5);
  Modes modes;
  modes.lattices.push_back(with_modes(
      LatticeRest({4, 4, 4}, LatticeBasis::bernstein, test::random_box(random, 1)), random, 3, 1));
  const std::vector<Vec3f> points = test::places_in(modes.lattices[0].rest->box, 500, random);
  const std::vector<double> gamma = {0.5, -1, 0.25};
  const std::vector<Vec3f> all = deformed(modes, gamma, points);
  std::vector<Vec3d> sum(points.size(), Vec3d(0, 0, 0));
  for (std::size_t n = 0; n < 3; ++n) {
    std::vector<double> one(3, 0);
    one[n] = 1;
    const std::vector<Vec3f> moved = deformed(modes, one, points);
    for (std::size_t v = 0; v < points.size(); ++v) {
      sum[v] += gamma[n] * (moved[v] - points[v]).cast<double>();
    }
  }
  for (std::size_t v = 0; v < points.size(); ++v) {
    EXPECT_LT(((all[v] - points[v]).cast<double>() - sum[v]).norm(), 1e-6);
  }
}

TEST(Modes, a_part_is_what_was_inside_at_rest) {
  std::mt19937 random(7);
  for (const LatticeBasis basis : bases) {
    const Modes modes = nested(random, 1, basis);
    const std::vector<Vec3f> points =
        test::places_in(modes.lattices.back().rest->box, 4000, random, 0, 1);
    // Only the first lattice, around a part.
    const std::vector<Vec3f> moved = deformed(modes, {3, 3, 0, 0, 0, 0}, points);
    const ModeParts parts(modes, points);
    std::size_t next = 0;
    for (std::size_t v = 0; v < points.size(); ++v) {
      const bool inside = is_inside_lattice(
          lattice_parameters(modes.lattices[0].rest->box, points[v].cast<double>()));
      if (!inside) {
        EXPECT_EQ(moved[v], points[v]);
        continue;
      }
      EXPECT_NE(moved[v], points[v]);
      EXPECT_EQ(parts.inside[0].at(next++), v);
    }
    EXPECT_EQ(parts.inside[0].size(), next);
    EXPECT_GT(next, 50u);
  }
}

// A part that its own lattice throws out of the whole one is still a part of the whole.
TEST(Modes, what_leaves_the_whole_goes_on_with_it) {
  std::mt19937 random(17);
  const Modes modes = nested(random, 1, LatticeBasis::bernstein);
  const std::vector<Vec3f> points =
      test::places_in(modes.lattices.back().rest->box, 3000, random, -0.2, 1.2);
  const std::vector<double> gamma = {40, 40, 0, 0, 1, 1};
  std::vector<Vec3f> stayed(points.size()), followed(points.size());
  const std::size_t beyond = deform_by_modes(modes, gamma, {FfdOutside::stay}, points, stayed);
  EXPECT_EQ(deform_by_modes(modes, gamma, {}, points, followed), beyond);
  std::size_t outside = 0, thrown = 0;
  for (std::size_t v = 0; v < points.size(); ++v) {
    const LatticeBox& box = modes.lattices.back().rest->box;
    const bool inside = is_inside_lattice(lattice_parameters(box, points[v].cast<double>()));
    outside += !inside;
    thrown += inside && !is_inside_lattice(lattice_parameters(box, followed[v].cast<double>()));
    EXPECT_EQ(stayed[v], inside ? followed[v] : points[v]);
  }
  EXPECT_EQ(outside, beyond);
  EXPECT_GT(thrown, 20u);
}

// A unit box, and one around its upper half whose modes hold some rows of the lower side.
Modes upper_half(LatticeBasis basis, uint32_t rows) {
  std::mt19937 random(3);
  LatticeBox upper;
  upper.corner = {0, 0.5, 0};
  upper.edges[1] *= 0.5;
  Modes modes;
  modes.lattices.push_back(with_modes(LatticeRest({4, 5, 4}, basis, upper), random, 1, 0.3, "a"));
  modes.lattices.push_back(with_modes(LatticeRest({4, 4, 4}, basis, {}), random, 1, 0.3, "b"));
  for (DeformMode& mode : modes.lattices[0].modes) {
    hold_side(*modes.lattices[0].rest, LatticeSide::y_low, rows, mode.delta);
  }
  return modes;
}

TEST(Modes, rows_that_are_held_join_the_part_and_keep_it_smooth) {
  for (const LatticeBasis basis : bases) {
    for (uint32_t rows = 0; rows <= 2; ++rows) {
      const Modes modes = upper_half(basis, rows);
      double jump = 0, corner = 0;
      for (int n = 0; n < 50; ++n) {
        const double x = 0.1 + 0.016 * n, z = 0.9 - 0.015 * n, h = 1e-3;
        const auto at = [&](double y) {
          std::vector<Vec3f> one = {Vec3d(x, y, z).cast<float>()};
          return Vec3d(deformed(modes, {1, 0.5}, one)[0].cast<double>());
        };
        // The border is inside, up to its tolerance: from below, and from above.
        const Vec3d low = at(0.5 - 2e-5), high = at(0.5);
        jump = std::max(jump, (high - low).norm());
        const Vec3d before = (low - at(0.5 - 2e-5 - h)) / h, after = (at(0.5 + h) - high) / h;
        corner = std::max(corner, (after - before).norm());
      }
      EXPECT_EQ(jump < 1e-4, rows >= 1) << rows << " rows: " << jump;
      EXPECT_EQ(corner < 0.05, rows >= 2) << rows << " rows: " << corner;
    }
  }
}

TEST(Modes, tears_are_counted_where_the_border_moves) {
  const Mesh ball = make_icosphere({1, 12});
  const auto torn = [&](uint32_t rows, double gamma) {
    Modes modes = upper_half(LatticeBasis::bernstein, rows);
    // The ball is in the middle of a box from -1 to 1.
    for (ModeLattice& lattice : modes.lattices) {
      LatticeBox box = lattice.rest->box;
      box.corner = 2 * box.corner - Vec3d(1, 1, 1);
      for (Vec3d& edge : box.edges) edge *= 2;
      lattice.rest =
          std::make_shared<const LatticeRest>(lattice.rest->counts, lattice.rest->basis, box);
    }
    const std::vector<std::size_t> list =
        torn_edges(modes, std::vector<double>{gamma, 1}, ball.positions, ball.triangles());
    EXPECT_EQ(list.size(), 1u);
    return list.at(0);
  };
  EXPECT_GT(torn(0, 1), 10u);
  EXPECT_EQ(torn(0, 0), 0u);
  EXPECT_EQ(torn(1, 1), 0u);
  EXPECT_EQ(torn(2, 1), 0u);
}

TEST(Modes, keep_their_digits_far_from_the_origin) {
  std::mt19937 random(21);
  LatticeBox box;
  box.corner = Vec3d(1e5, -2e5, 3e5);
  Modes modes;
  modes.lattices.push_back(
      with_modes(LatticeRest({4, 4, 4}, LatticeBasis::bernstein, box), random, 1, 1));
  // The points of the lattice round to 1/32 m; what they move by does not.
  const std::vector<Vec3d> offsets = mode_offsets(modes.lattices[0], std::vector<double>{1e-3});
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    EXPECT_EQ(offsets[i], 1e-3 * modes.lattices[0].modes[0].delta[i].cast<double>());
  }
}

TEST(Modes, same_bits_for_any_number_of_threads_and_in_place) {
  for (const LatticeBasis basis : bases) {
    std::mt19937 random(9);
    const Modes modes = nested(random, 1, basis);
    const std::vector<double> gamma = {0.7, -0.4, 0.2, 1, -1, 0.3};
    const std::vector<Vec3f> points =
        test::places_in(modes.lattices.back().rest->box, 20011, random, -0.1, 1.1);
    test::expect_same_for_threads([&] { return deformed(modes, gamma, points); });
    std::vector<Vec3f> in_place = points;
    deform_by_modes(modes, gamma, {}, in_place, in_place);
    EXPECT_TRUE(same_bits(in_place, deformed(modes, gamma, points)));
  }
}

TEST(Modes, lattices_are_seen_where_they_are_taken) {
  std::mt19937 random(13);
  const Modes modes = nested(random, 1, LatticeBasis::bernstein);
  const std::vector<Lattice> still = lattices_now(modes, std::vector<double>(6, 0));
  ASSERT_EQ(still.size(), 3u);
  for (const Lattice& lattice : still) EXPECT_TRUE(lattice.at_rest());
  // The whole takes the parts along, and a part not the whole.
  const std::vector<Lattice> taken = lattices_now(modes, std::vector<double>{0, 0, 0, 0, 1, 0});
  for (const Lattice& lattice : taken) EXPECT_FALSE(lattice.at_rest());
  const std::vector<Lattice> alone = lattices_now(modes, std::vector<double>{1, 0, 0, 0, 0, 0});
  EXPECT_FALSE(alone[0].at_rest());
  EXPECT_TRUE(alone[1].at_rest());
  EXPECT_TRUE(alone[2].at_rest());
  const Vec3f way = alone[0].positions[7] - alone[0].rest->points[7];
  EXPECT_LT((way - modes.lattices[0].modes[0].delta[7]).norm(), 1e-6f);
}

TEST(Modes, can_be_stopped_and_refuse_what_does_not_fit) {
  std::mt19937 random(1);
  const Modes modes = nested(random, 1, LatticeBasis::bernstein);
  const std::atomic<bool> stop{true};
  std::vector<Vec3f> points(10, Vec3f(0, 0, 0));
  const std::vector<double> gamma(6, 1);
  EXPECT_THROW(deform_by_modes(modes, gamma, {}, points, points, CancelView{&stop}), Stopped);
  EXPECT_THROW(deform_by_modes(modes, std::vector<double>(5, 1), {}, points, points),
               std::invalid_argument);
  EXPECT_THROW(deform_by_modes(Modes(), {}, {}, points, points), std::invalid_argument);
}

}  // namespace
}  // namespace sinew::kernels
