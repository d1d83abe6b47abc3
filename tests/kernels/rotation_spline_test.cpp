#include "nodes/kernels/rotation_spline.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "tests/kernels/rotation_blocks.h"

namespace sinew::kernels {
namespace {

using test::Quaternion;
using test::RandomMatrices;

constexpr double pi = std::numbers::pi;
using Knots = std::vector<RotationKnot>;

Quaternion turned(const Vec3d& rotation_vector) {
  const double angle = rotation_vector.norm();
  if (!(angle > 0)) return Quaternion::Identity();
  return Quaternion(Eigen::AngleAxisd(angle, rotation_vector / angle));
}

// How far apart as rotations, in radians.
double apart(const Quaternion& a, const Quaternion& b) {
  const Quaternion d = a.conjugate() * b;
  return 2 * std::atan2(d.vec().norm(), std::abs(d.w()));
}

// Rotations a turn of at most `most` apart, at uneven times.
Knots wandering(std::size_t count, double most, unsigned seed) {
  RandomMatrices random(seed);
  Knots knots;
  double time = 3;
  Quaternion at = random.rotation();
  for (std::size_t j = 0; j < count; ++j) {
    knots.push_back({time, at, false, {}});
    time += random.uniform(0.2, 1.5);
    at = at * random.small_rotation(most);
    if (j % 2 == 0) at.coeffs() = -at.coeffs();  // the same rotation
  }
  return knots;
}

// By differences of fourth order.
Vec3d spin_by_differences(const RotationSpline& spline, double time, double step) {
  const auto turn = [&](double by) -> Vec3d {
    const Quaternion d = spline.at(time + by).rotation * spline.at(time - by).rotation.conjugate();
    const double angle = std::atan2(d.vec().norm(), d.w());
    return d.vec().norm() > 0 ? Vec3d(2 * angle / d.vec().norm() * d.vec()) : Vec3d::Zero();
  };
  return (8 * turn(step) - turn(2 * step)) / (12 * step);
}

TEST(RotationSpline, keeps_a_constant_angular_velocity_exactly) {
  RandomMatrices random(1);
  for (int round = 0; round < 50; ++round) {
    const Vec3d spin = random.uniform(0, 2) * random.direction();  // at most 3 rad in a gap
    const Quaternion start = random.rotation();
    Knots knots;
    double time = random.uniform(-5, 5);
    const double first = time;
    for (int j = 0; j < 2 + round % 6; ++j) {
      knots.push_back({time, turned((time - first) * spin) * start, false, {}});
      if (round % 3 == 1) knots.back().breaks = true;
      if (round % 3 == 2) knots.back().spin = spin;
      time += std::pow(10, random.uniform(-2, 0.17));
    }
    const RotationSpline spline(knots);
    for (int i = 0; i <= 100; ++i) {
      const double t = first + 0.01 * i * (knots.back().time - first);
      const Turning there = spline.at(std::min(t, knots.back().time));
      EXPECT_LT(apart(there.rotation, turned((t - first) * spin) * start), 1e-12);
      EXPECT_LT((there.spin - spin).norm(), 1e-11);
    }
  }
}

TEST(RotationSpline, has_the_angular_velocity_of_its_differences) {
  // From turns so small that series are used, to half turns.
  for (const double most : {1e-9, 1e-4, 0.02, 0.3, 1.5, 3.1}) {
    for (unsigned seed = 0; seed < 10; ++seed) {
      Knots knots = wandering(7, most, seed);
      if (seed % 2 == 1) knots[3].spin = Vec3d(0.3 * most, -most, 0.5 * most);
      const RotationSpline spline(knots);
      for (std::size_t j = 0; j + 1 < knots.size(); ++j) {
        const double h = knots[j + 1].time - knots[j].time;
        for (const double part : {0.02, 0.2, 0.5, 0.71, 0.98}) {
          const double t = knots[j].time + part * h;
          const Vec3d spin = spline.at(t).spin;
          const double step = 1e-3 * h, rounding = 1e-15 / step;
          const Vec3d difference = spin_by_differences(spline, t, step);
          EXPECT_LT((spin - difference).norm(), 1e-6 * std::max(spin.norm(), most) + rounding)
              << "turns of " << most << ", seed " << seed << ", knot " << j << " + " << part;
        }
      }
    }
  }
}

TEST(RotationSpline, passes_through_its_knots_smoothly) {
  for (const double most : {1e-6, 0.5, 2.0, 3.1}) {
    const Knots knots = wandering(9, most, 17);
    const RotationSpline spline(knots);
    for (std::size_t j = 0; j < knots.size(); ++j) {
      const double t = knots[j].time;
      EXPECT_LT(apart(spline.at(t).rotation, knots[j].rotation), 1e-15);
      EXPECT_EQ(spline.at(t).rotation.coeffs(), spline.knots()[j].rotation.coeffs());
      if (j == 0 || j + 1 == knots.size()) continue;
      const double step = 1e-9;
      EXPECT_LT(apart(spline.at(t - step).rotation, knots[j].rotation), 100 * step);
      EXPECT_LT((spline.at(t - step).spin - spline.at(t).spin).norm(), 1e-6 * most);
    }
  }
}

TEST(RotationSpline, is_a_plain_arc_between_two_knots) {
  RandomMatrices random(2);
  const Quaternion a = random.rotation(), b = random.rotation();
  const RotationSpline spline({{1, a, false, {}}, {3, b, false, {}}});
  for (double t = 0; t <= 1; t += 0.1) {
    EXPECT_LT(apart(spline.at(1 + 2 * t).rotation, a.slerp(t, b)), 1e-13);
    EXPECT_NEAR(spline.at(1 + 2 * t).spin.norm(), apart(a, b) / 2, 1e-13);
  }
}

TEST(RotationSpline, turns_with_its_knots_from_either_side) {
  RandomMatrices random(3);
  Knots knots = wandering(6, 2, 4);
  knots[2].breaks = true;
  knots[4].spin = Vec3d(1, 2, -1);
  const Quaternion left = random.rotation(), right = random.rotation();
  Knots moved = knots;
  for (RotationKnot& k : moved) {
    k.rotation = left * k.rotation * right;
    if (k.spin) k.spin = left * *k.spin;
  }
  const RotationSpline spline(knots), moved_spline(moved);
  for (double t = knots.front().time; t < knots.back().time; t += 0.07) {
    const Turning a = spline.at(t), b = moved_spline.at(t);
    EXPECT_LT(apart(left * a.rotation * right, b.rotation), 1e-12);
    EXPECT_LT((left * a.spin - b.spin).norm(), 1e-11);
  }
}

TEST(RotationSpline, breaks_and_takes_a_spin_that_is_told) {
  Knots knots = wandering(7, 1, 5);
  knots[2].breaks = true;
  knots[4].spin = Vec3d(0.7, -0.4, 1.1);
  knots[0].spin = Vec3d(0, 2, 0);
  const RotationSpline spline(knots);
  const auto arc = [&](std::size_t j) {
    return RotationSpline({knots[j], knots[j + 1]}).at(knots[j].time).spin;
  };
  EXPECT_LT((spline.at(knots[0].time).spin - Vec3d(0, 2, 0)).norm(), 1e-12);
  EXPECT_LT((spline.at(knots[2].time - 1e-10).spin - arc(1)).norm(), 1e-7);
  EXPECT_LT((spline.at(knots[2].time).spin - arc(2)).norm(), 1e-12);
  EXPECT_GT((arc(1) - arc(2)).norm(), 0.1);
  EXPECT_LT((spline.at(knots[4].time - 1e-10).spin - *knots[4].spin).norm(), 1e-7);
  EXPECT_LT((spline.at(knots[4].time).spin - *knots[4].spin).norm(), 1e-12);
  // The last arc starts smoothly, and ends as an arc.
  EXPECT_LT((spline.at(knots[6].time).spin - arc(5)).norm(), 1e-12);
}

TEST(RotationSpline, follows_a_told_spin_of_a_turn_in_a_gap) {
  for (const double speed : {0.5, 1.0, 1.25}) {
    const Vec3d spin(0, 2 * pi * speed, 0);
    Knots knots = wandering(4, 3.0, 6);
    for (std::size_t j = 0; j < knots.size(); ++j) knots[j].time = static_cast<double>(j);
    knots[1].spin = knots[2].spin = spin;
    const RotationSpline spline(knots);
    for (const double t : {1 - 1e-10, 1.0, 2 - 1e-10, 2.0}) {
      EXPECT_LT((spline.at(t).spin - spin).norm(), 1e-6) << speed << " " << t;
    }
  }
  // Faster ones are slowed down, in their own direction.
  Knots knots = wandering(3, 1, 7);
  knots[1].spin = Vec3d(0, 1e6, 0);
  const Vec3d spin = RotationSpline(knots).at(knots[1].time).spin;
  EXPECT_GT(spin.y(), 0);
  EXPECT_LT(spin.cross(Vec3d::UnitY()).norm(), 1e-9 * spin.norm());
  EXPECT_LT(spin.norm(), 100);
}

TEST(RotationSpline, does_not_swing_back_at_its_ends) {
  // Turns about one axis that only grow: the first and the last gap do not leave their arcs.
  for (const double middle : {0.3, 0.7, 1.5}) {
    const double angles[] = {0, 0.4, 0.4 + middle, 0.8 + middle};
    Knots knots;
    for (int j = 0; j < 4; ++j) {
      knots.push_back({static_cast<double>(j), turned({0, angles[j], 0}), false, {}});
    }
    const RotationSpline spline(knots);
    for (double t = 0; t < 3; t += 0.01) EXPECT_GE(spline.at(t).spin.y(), 0) << t;
  }
}

TEST(RotationSpline, stays_finite_at_half_turns_and_uneven_gaps) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    RandomMatrices random(seed);
    Knots knots;
    double time = 0;
    const Vec3d axis = random.direction();
    Quaternion at = random.rotation();
    for (int j = 0; j < 8; ++j) {
      knots.push_back({time, at, seed % 5 == 4 && j == 3, {}});
      if (seed % 3 == 2) knots.back().spin = random.uniform(0, 20) * random.direction();
      time += std::pow(10.0, random.uniform(seed % 2 ? -4.0 : -0.5, 1));
      const double off = seed % 4 == 0 ? 0 : std::pow(10.0, -static_cast<double>(seed % 16));
      at = at * Quaternion(Eigen::AngleAxisd(pi + (j % 2 ? off : -off),
                                             seed % 2 ? axis : random.direction()));
    }
    const RotationSpline spline(knots);
    for (int i = 0; i <= 2000; ++i) {
      const Turning there = spline.at(knots.back().time * i / 2000);
      ASSERT_TRUE(there.rotation.coeffs().allFinite() && there.spin.allFinite()) << seed;
      ASSERT_NEAR(there.rotation.norm(), 1, 1e-12);
    }
    for (const RotationKnot& k : knots) {
      EXPECT_LT(apart(spline.at(k.time).rotation, k.rotation), 1e-14);
    }
  }
}

TEST(RotationSpline, stands_still_outside_and_with_one_knot) {
  EXPECT_EQ(RotationSpline().at(1).rotation.coeffs(), Quaternion::Identity().coeffs());
  const Quaternion r = RandomMatrices(8).rotation();
  const Vec3d none = Vec3d::Zero();
  const RotationSpline one({{2, r, false, Vec3d(1, 1, 1)}});
  for (const double t : {-1.0, 2.0, 9.0}) {
    EXPECT_LT(apart(one.at(t).rotation, r), 1e-15);
    EXPECT_EQ(one.at(t).spin, none);
  }
  const Knots knots = wandering(5, 2, 9);
  const RotationSpline spline(knots);
  EXPECT_LT(apart(spline.at(-100).rotation, knots.front().rotation), 1e-15);
  EXPECT_LT(apart(spline.at(100).rotation, knots.back().rotation), 1e-15);
  EXPECT_EQ(spline.at(-100).spin, none);
  EXPECT_EQ(spline.at(100).spin, none);
  EXPECT_TRUE(spline.at(std::numeric_limits<double>::quiet_NaN()).spin.allFinite());
}

TEST(RotationSpline, refuses_what_is_no_rotation_or_not_in_order) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Quaternion one = Quaternion::Identity();
  EXPECT_THROW(RotationSpline({{1, one, false, {}}, {1, one, false, {}}}), std::invalid_argument);
  EXPECT_THROW(RotationSpline({{nan, one, false, {}}}), std::invalid_argument);
  EXPECT_THROW(RotationSpline({{1, Quaternion(0, 0, 0, 0), false, {}}}), std::invalid_argument);
  EXPECT_THROW(RotationSpline({{1, Quaternion(nan, 0, 0, 0), false, {}}}), std::invalid_argument);
  EXPECT_THROW(RotationSpline({{1, one, false, Vec3d(nan, 0, 0)}}), std::invalid_argument);
  const RotationSpline large({{1, Quaternion(1e200, 0, 1e200, 0), false, {}}});
  EXPECT_LT(apart(large.at(1).rotation, turned({0, pi / 2, 0})), 1e-15);
}

}  // namespace
}  // namespace sinew::kernels
