#include "nodes/kernels/ffd.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "nodes/kernels/ffd_lanes.h"
#include "tests/kernels/ffd_reference.h"
#include "tests/kernels/figures.h"
#include "tests/kernels/shapes.h"

namespace sinew::kernels {
namespace {

using Counts = std::array<uint32_t, 3>;

constexpr double scales[] = {1e-6, 1, 1e6};
constexpr LatticeBasis bases[] = {LatticeBasis::bernstein, LatticeBasis::bspline};
const Counts shapes[] = {{4, 4, 4}, {2, 2, 2}, {2, 3, 5}, {6, 4, 4}, {9, 2, 13}, {3, 3, 3}};

std::vector<Vec3f> deformed(const Lattice& lattice, const std::vector<Vec3f>& points,
                            const FfdSettings& settings = {}) {
  std::vector<Vec3f> moved(points.size());
  deform_by_lattice(lattice, settings, points, moved);
  return moved;
}

bool same_bits(const std::vector<Vec3f>& a, const std::vector<Vec3f>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), 12 * a.size()) == 0;
}

TEST(FfdBasis, weights_sum_to_one_and_reproduce_the_parameter) {
  for (const LatticeBasis basis : bases) {
    for (uint32_t count = 2; count <= 32; ++count) {
      std::vector<double> weights(count);
      for (const double s :
           {-3.5, -1e-3, 0.0, 1e-9, 0.1, 1 / 3.0, 0.5, 0.77, 1 - 1e-9, 1.0, 2.25}) {
        lattice_weights(basis, s, weights);
        double sum = 0, mean = 0;
        for (uint32_t i = 0; i < count; ++i) {
          sum += weights[i];
          mean += weights[i] * rest_parameter(basis, count, i);
        }
        EXPECT_NEAR(sum, 1, 1e-12 * (1 + std::abs(s) * count));
        EXPECT_NEAR(mean, s, 1e-12 * (1 + std::abs(s) * count));
        for (const double w : weights) {
          EXPECT_TRUE(s < 0 || s > 1 || w >= -1e-12) << s << ", " << count << " points: " << w;
        }
      }
    }
  }
}

TEST(FfdBasis, weights_are_those_of_the_formulas) {
  for (const LatticeBasis basis : bases) {
    for (const uint32_t count : {2, 3, 4, 5, 6, 7, 12, 32}) {
      std::vector<double> weights(count);
      for (int n = 0; n <= 200; ++n) {
        lattice_weights(basis, n / 200.0, weights);
        for (uint32_t i = 0; i < count; ++i) {
          EXPECT_NEAR(weights[i], test::basis(basis, count, i, n / 200.0), 1e-12);
        }
      }
    }
  }
}

TEST(FfdBasis, goes_on_smoothly_outside) {
  for (const LatticeBasis basis : bases) {
    for (const uint32_t count : {2, 3, 4, 7, 32}) {
      for (const double end : {0.0, 1.0}) {
        std::vector<double> in(count), at(count), out(count);
        const double step = end == 0 ? 1e-6 : -1e-6;
        lattice_weights(basis, end + step, in);
        lattice_weights(basis, end, at);
        lattice_weights(basis, end - step, out);
        // The second difference is that of a curve without a corner.
        for (uint32_t i = 0; i < count; ++i) {
          EXPECT_NEAR((in[i] - 2 * at[i] + out[i]) / step, 0, 0.01);
        }
      }
    }
  }
}

TEST(Ffd, agrees_with_the_formulas) {
  double worst = 0;
  unsigned seed = 0;
  for (const double scale : scales) {
    for (const LatticeBasis basis : bases) {
      for (const Counts& counts : shapes) {
        std::mt19937 random(++seed);
        const LatticeRest rest(counts, basis, test::random_box(random, scale));
        const Lattice lattice = test::shaken(rest, random, scale);
        ASSERT_EQ(validate(lattice), std::nullopt);
        const std::vector<Vec3f> points = test::places_in(rest.box, 301, random);
        const std::vector<Vec3f> moved = deformed(lattice, points);
        for (std::size_t v = 0; v < points.size(); ++v) {
          const Vec3d must = test::reference_place(lattice, points[v].cast<double>());
          worst = std::max(worst, (moved[v].cast<double>() - must).norm() / scale);
        }
      }
    }
  }
  EXPECT_LT(worst, 3e-6);
  test::record("worst_relative", worst);
}

TEST(Ffd, with_as_many_points_as_there_can_be) {
  for (const LatticeBasis basis : bases) {
    std::mt19937 random(7);
    const LatticeRest rest({32, 32, 32}, basis, test::random_box(random, 1));
    const Lattice lattice = test::shaken(rest, random, 1);
    const std::vector<Vec3f> points = test::places_in(rest.box, 5, random);
    const std::vector<Vec3f> moved = deformed(lattice, points);
    for (std::size_t v = 0; v < points.size(); ++v) {
      const Vec3d must = test::reference_place(lattice, points[v].cast<double>());
      EXPECT_LT((moved[v].cast<double>() - must).norm(), 1e-5);
    }
  }
}

TEST(Ffd, at_rest_it_is_the_identity_to_the_bit) {
  unsigned seed = 40;
  for (const double scale : scales) {
    for (const LatticeBasis basis : bases) {
      for (const Counts& counts : shapes) {
        std::mt19937 random(++seed);
        const LatticeRest rest(counts, basis, test::random_box(random, scale));
        std::vector<Vec3f> points = test::places_in(rest.box, 5003, random, -2, 3);
        points[0] = points[5000] = Vec3f(-0.0f, 0.0f, -0.0f);
        for (const FfdOutside outside : {FfdOutside::stay, FfdOutside::extend}) {
          EXPECT_TRUE(same_bits(deformed(Lattice(rest), points, {outside}), points));
        }
        const Lattice moved = test::shaken(rest, random, scale);
        EXPECT_TRUE(same_bits(deformed(moved, points, {FfdOutside::extend, 0}), points));
      }
    }
  }
}

TEST(Ffd, reproduces_affine_maps_of_all_space) {
  unsigned seed = 80;
  double worst = 0;
  for (const double scale : scales) {
    for (const LatticeBasis basis : bases) {
      for (const Counts& counts : shapes) {
        std::mt19937 random(++seed);
        std::uniform_real_distribution<double> uniform(-1, 1);
        Eigen::Affine3d map;
        map.linear() = Eigen::Matrix3d::NullaryExpr([&] { return uniform(random); });
        map.translation() = scale * Vec3d(uniform(random), uniform(random), uniform(random));
        const LatticeRest rest(counts, basis, test::random_box(random, scale));
        std::vector<Vec3f> positions = rest.points;
        double size = 0;  // of the largest number that goes in
        for (Vec3f& p : positions) {
          const Vec3d to = map * p.cast<double>();
          size = std::max({size, p.cast<double>().norm(), to.norm()});
          p = to.cast<float>();
        }
        const Lattice lattice = Lattice(rest).with_positions(positions);
        for (const double far : {0.0, 1.0}) {
          const std::vector<Vec3f> points = test::places_in(rest.box, 500, random, -far, 1 + far);
          const std::vector<Vec3f> moved = deformed(lattice, points);
          for (std::size_t v = 0; v < points.size(); ++v) {
            const Vec3d must = map * points[v].cast<double>();
            const double error = (moved[v].cast<double>() - must).norm() / size;
            // Outside, weights grow with the degree and cancel.
            EXPECT_LT(error, far == 0 ? 1e-6 : 3e-4) << "scale " << scale;
            if (far == 0) worst = std::max(worst, error);
          }
        }
      }
    }
  }
  test::record("worst_relative", worst);
}

TEST(Ffd, half_of_the_amount_is_half_of_the_way) {
  std::mt19937 random(3);
  const LatticeRest rest({4, 5, 4}, LatticeBasis::bspline, test::random_box(random, 1));
  const Lattice lattice = test::shaken(rest, random, 1);
  const std::vector<Vec3f> points = test::places_in(rest.box, 100, random);
  const std::vector<Vec3f> all = deformed(lattice, points);
  const std::vector<Vec3f> half = deformed(lattice, points, {FfdOutside::extend, 0.5});
  for (std::size_t v = 0; v < points.size(); ++v) {
    EXPECT_TRUE(half[v].isApprox(0.5f * (points[v] + all[v]), 1e-5f));
  }
}

TEST(Ffd, what_is_outside_stays_or_follows_without_a_tear) {
  for (const LatticeBasis basis : bases) {
    std::mt19937 random(11);
    const LatticeRest rest({4, 6, 5}, basis, test::random_box(random, 1));
    const Lattice lattice = test::shaken(rest, random, 0.3);
    const std::vector<Vec3f> points = test::places_in(rest.box, 4999, random, -0.5, 1.5);
    std::vector<Vec3f> stayed(points.size()), followed(points.size());
    std::size_t outside = 0;
    const std::size_t counted = deform_by_lattice(lattice, {FfdOutside::stay}, points, stayed);
    EXPECT_EQ(deform_by_lattice(lattice, {FfdOutside::extend}, points, followed), counted);
    for (std::size_t v = 0; v < points.size(); ++v) {
      const Vec3d s = lattice_parameters(rest.box, points[v].cast<double>());
      const bool inside = s.minCoeff() >= -ffd_border && s.maxCoeff() <= 1 + ffd_border;
      outside += !inside;
      EXPECT_EQ(stayed[v], inside ? followed[v] : points[v]);
    }
    EXPECT_EQ(counted, outside);
    EXPECT_GT(outside, 3000u);
    // Across each side, a step of 1e-4 edges on both sides of the border.
    std::uniform_real_distribution<double> uniform(0, 1);
    for (int n = 0; n < 300; ++n) {
      Vec3d s(uniform(random), uniform(random), uniform(random));
      s[n % 3] = n % 2;
      const auto place = [&](double step) {
        Vec3d at = s;
        at[n % 3] += step;
        const LatticeBox& box = rest.box;
        return Vec3f(
            (box.corner + at[0] * box.edges[0] + at[1] * box.edges[1] + at[2] * box.edges[2])
                .cast<float>());
      };
      const std::vector<Vec3f> way = deformed(lattice, {place(-1e-2), place(0), place(1e-2)});
      const float jump = (way[0] - 2 * way[1] + way[2]).norm();
      EXPECT_LT(jump, 0.1f * (way[2] - way[0]).norm());
    }
  }
}

TEST(Ffd, far_out_it_stays_finite) {
  for (const LatticeBasis basis : bases) {
    std::mt19937 random(5);
    const LatticeRest rest({6, 6, 6}, basis, test::random_box(random, 1e-3));
    const Lattice lattice = test::shaken(rest, random, 1e-3);
    const std::vector<Vec3f> points = {{1e30f, 0, 0}, {3e38f, -3e38f, 3e38f}, {0, -1e20f, 5}};
    for (const Vec3f& p : deformed(lattice, points)) EXPECT_TRUE(p.allFinite());
  }
}

TEST(Ffd, keeps_its_digits_far_from_the_origin) {
  std::mt19937 random(21);
  LatticeBox box = test::random_box(random, 1);
  box.corner += Vec3d(1e4, -2e4, 3e4);
  const LatticeRest rest({4, 4, 4}, LatticeBasis::bernstein, box);
  const Lattice lattice = test::shaken(rest, random, 0.5);
  // What the points of the lattice lost by rounding, they have lost in the reference, too.
  const std::vector<Vec3f> points = test::places_in(box, 500, random);
  const std::vector<Vec3f> moved = deformed(lattice, points);
  for (std::size_t v = 0; v < points.size(); ++v) {
    const Vec3d must = test::reference_place(lattice, points[v].cast<double>());
    EXPECT_LT((moved[v].cast<double>() - must).norm(), 0.004);
  }
}

TEST(Ffd, same_bits_for_any_number_of_threads_and_all_targets) {
  for (const LatticeBasis basis : bases) {
    for (const Counts& counts : shapes) {
      std::mt19937 random(9);
      const LatticeRest rest(counts, basis, test::random_box(random, 1));
      const Lattice lattice = test::shaken(rest, random, 1);
      const std::vector<Vec3f> points = test::places_in(rest.box, 20011, random, -0.2, 1.2);
      test::expect_same_for_threads([&] { return deformed(lattice, points); });
      // Blocks begin anywhere: the way a vertex is grouped with others must not matter.
      std::vector<Vec3f> some(points.begin() + 13, points.begin() + 400);
      const std::vector<Vec3f> moved = deformed(lattice, points);
      EXPECT_TRUE(same_bits(deformed(lattice, some), {moved.begin() + 13, moved.begin() + 400}));
    }
  }
}

TEST(Ffd, can_be_stopped) {
  const std::atomic<bool> stop{true};
  std::vector<Vec3f> points(10);
  EXPECT_THROW(deform_by_lattice(Lattice(), {}, points, points, CancelView{&stop}), Stopped);
}

TEST(FfdLanes, all_targets_give_the_same_bits) {
  const FfdLanes* targets[3];
  const std::size_t runnable = runnable_ffd_lanes(targets);
  std::mt19937 random(10);
  std::uniform_real_distribution<float> uniform(-1, 1);
  const auto numbers = [&](std::size_t count) {
    std::vector<float> list(count);
    for (float& x : list) x = uniform(random);
    return list;
  };
  const std::vector<float> points = numbers(3 * 1003), offsets = numbers(4 * 5 * 4 * 7);
  const std::vector<float> cubics = numbers(16 * 9);
  for (const bool extend : {false, true}) {
    FfdLattice lattice;
    for (const bool four : {true, false}) {
      const std::size_t counts[] = {4, four ? 4u : 5u, four ? 4u : 7u};
      std::copy(counts, counts + 3, lattice.counts);
      lattice.offsets = offsets.data();
      for (std::size_t a = 0; a < 3; ++a) {
        lattice.rows[4 * a + a] = 0.7f;
        lattice.rows[4 * a + (a + 1) % 3] = 0.21f;
        lattice.rows[4 * a + 3] = 0.4f;
        lattice.spans[a] = counts[a] - 3;
        lattice.pieces[a] = cubics.data();
      }
      lattice.border = ffd_border;
      lattice.reach = ffd_reach;
      lattice.extend = extend;
      for (const auto loop : {&FfdLanes::bernstein, &FfdLanes::bspline}) {
        std::vector<float> first(points.size());
        const std::size_t outside = (targets[0]->*loop)(points.data(), 1003, lattice, first.data());
        EXPECT_GT(outside, 100u);
        EXPECT_LT(outside, 1000u);
        for (std::size_t t = 1; t < runnable; ++t) {
          std::vector<float> moved(points.size());
          EXPECT_EQ((targets[t]->*loop)(points.data(), 1003, lattice, moved.data()), outside);
          EXPECT_EQ(std::memcmp(moved.data(), first.data(), 4 * first.size()), 0)
              << targets[t]->name;
        }
      }
    }
  }
}

TEST(FfdBoxes, hold_all_points_and_are_never_flat) {
  const Eigen::Matrix3d turned =
      (Eigen::AngleAxisd(0.7, Vec3d(1, 2, 3).normalized())).toRotationMatrix();
  for (const double scale : scales) {
    for (const Vec3f& flat : {Vec3f(1, 1, 1), Vec3f(1, 0, 1), Vec3f(1, 0, 0), Vec3f(0, 0, 0)}) {
      std::vector<Vec3f> points = test::random_points(200, 3, static_cast<float>(scale));
      for (Vec3f& p : points) p = p.cwiseProduct(flat);
      for (const Eigen::Matrix3d& axes : {Eigen::Matrix3d(Eigen::Matrix3d::Identity()), turned}) {
        for (const double margin : {0.0, 0.1}) {
          const LatticeBox box = box_around(points, axes, margin);
          const Lattice lattice(LatticeRest({4, 4, 4}, LatticeBasis::bspline, box));
          EXPECT_EQ(validate(lattice), std::nullopt);
          std::vector<Vec3f> moved(points.size());
          EXPECT_EQ(deform_by_lattice(lattice, {FfdOutside::stay}, points, moved), 0u);
          const double longest = box.edges[0].cwiseMax(box.edges[1]).cwiseMax(box.edges[2]).norm();
          for (const Vec3d& edge : box.edges) EXPECT_GE(edge.norm(), 0.001 * longest);
        }
      }
    }
  }
}

TEST(LatticeValue, says_what_is_wrong) {
  EXPECT_EQ(validate(Lattice()), std::nullopt);
  const auto wrong = [](const Lattice& lattice) { return validate(lattice).value_or(""); };
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  const LatticeBox unit;
  EXPECT_TRUE(
      has(wrong(Lattice(LatticeRest({1, 4, 4}, LatticeBasis::bspline, unit))), "from 2 to"));
  EXPECT_TRUE(has(wrong(Lattice(LatticeRest({4, 33, 4}, LatticeBasis::bspline, unit))), "33"));
  LatticeBox box;
  box.edges[1] = Vec3d(1, 1e-14, 0);
  EXPECT_TRUE(has(wrong(Lattice(LatticeRest({4, 4, 4}, LatticeBasis::bspline, box))), "volume"));
  box.edges[1] = Vec3d(0, 0, 0);
  EXPECT_TRUE(has(wrong(Lattice(LatticeRest({4, 4, 4}, LatticeBasis::bspline, box))), "shorter"));
  box.edges[1] = Vec3d(0, NAN, 0);
  EXPECT_TRUE(has(wrong(Lattice(LatticeRest({4, 4, 4}, LatticeBasis::bspline, box))), "within"));
  const Lattice sound(LatticeRest({4, 3, 2}, LatticeBasis::bernstein, unit));
  EXPECT_EQ(wrong(sound), "");
  std::vector<Vec3f> points = sound.positions;
  points[sound.index(1, 2, 1)].y() = NAN;
  EXPECT_EQ(wrong(sound.with_positions(points)), "point [1, 2, 1] is not a number");
  points.pop_back();
  EXPECT_TRUE(has(wrong(sound.with_positions(points)), "4 x 3 x 2 are 24"));
}

}  // namespace
}  // namespace sinew::kernels
