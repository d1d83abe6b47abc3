#include "nodes/kernels/mls_rotation.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <numbers>

#include "nodes/kernels/mls_lanes.h"
#include "tests/kernels/rotation_blocks.h"
#include "tests/kernels/shapes.h"

namespace sinew::kernels {
namespace {

using test::Blocks;
using test::Mat3;
using test::RandomMatrices;
using Places = std::vector<Vec3d>;

constexpr double pi = std::numbers::pi;
constexpr double scales[] = {1e-6, 1, 1e6};

double angle_between(const Mat3& a, const Mat3& b) {
  return Eigen::AngleAxisd(Eigen::Quaterniond(a.transpose() * b).normalized()).angle();
}

Places random_places(RandomMatrices& random, int count, const Vec3d& extent) {
  Places places;
  for (int i = 0; i < count; ++i) {
    places.push_back(extent.cwiseProduct(
        Vec3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1))));
  }
  return places;
}

// Controls with weights that fall with their number, about their means.
MlsMoment moment_of(const Places& rest, const Places& posed, const Vec3d& axis) {
  Vec3d from = Vec3d::Zero(), to = Vec3d::Zero();
  double sum = 0;
  const auto weight = [](std::size_t i) { return 1.0 / (1.0 + 0.5 * static_cast<double>(i)); };
  for (std::size_t i = 0; i < rest.size(); ++i) {
    from += weight(i) * rest[i];
    to += weight(i) * posed[i];
    sum += weight(i);
  }
  MlsMoment moment;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    moment.add(weight(i), rest[i] - from / sum, posed[i] - to / sum, axis);
  }
  return moment;
}

Places turned(const Places& places, const Mat3& turn, const Vec3d& shift) {
  Places all;
  for (const Vec3d& p : places) all.push_back(turn * p + shift);
  return all;
}

TEST(MlsRotation, the_quartic_agrees_with_singular_values) {
  RandomMatrices random(1);
  double worst = 0;
  int told = 0;
  for (int n = 0; n < 20000; ++n) {
    const double scale = scales[n % 3];
    const Mat3 m = scale * scale * random.matrix();
    const Mat3 best = rotation_part(m);
    const double gap = test::judge(m, best).gap;
    const double half = std::abs(std::cos(angle_between(Mat3::Identity(), best) / 2));
    const auto by_quartic = quartic_rotation(m);
    if (gap < 0.02 || half < 1e-3) continue;
    ++told;
    ASSERT_TRUE(by_quartic) << "gap " << gap << ", cos(theta/2) " << half;
    worst = std::max(worst, (by_quartic->toRotationMatrix() - best).cwiseAbs().maxCoeff());
  }
  EXPECT_LT(worst, 1e-8);
  EXPECT_GT(told, 15000);
  test::record("worst", worst);
}

TEST(MlsRotation, the_quartic_says_where_it_is_not_defined) {
  RandomMatrices random(2);
  for (int n = 0; n < 100; ++n) {
    const Mat3 spread =
        random.small_rotation(3).toRotationMatrix() * Vec3d(1, 0.6, 0.3).asDiagonal();
    const Mat3 symmetric = spread * spread.transpose();
    const Vec3d axis = random.direction();
    const auto at = [&](double angle) { return Eigen::AngleAxisd(angle, axis).toRotationMatrix(); };
    EXPECT_FALSE(quartic_rotation(at(pi) * symmetric));
    const double near = 179.9 * pi / 180;
    const auto nearly = quartic_rotation(at(near) * symmetric);
    ASSERT_TRUE(nearly);
    EXPECT_LT((nearly->toRotationMatrix() - at(near)).cwiseAbs().maxCoeff(), 1e-8);
    // What the other two say at both.
    for (const double angle : {pi, near}) {
      EXPECT_LT((least_twist_rotation(at(angle) * symmetric) - at(angle)).norm(), 1e-9);
    }
    EXPECT_FALSE(quartic_rotation(random.of_rank(1)));
  }
  EXPECT_FALSE(quartic_rotation(Mat3::Zero()));
  EXPECT_FALSE(quartic_rotation(Mat3::Constant(std::numeric_limits<double>::quiet_NaN())));
}

TEST(MlsRotation, the_smallest_rotation_takes_one_direction_to_another) {
  RandomMatrices random(3);
  for (int n = 0; n < 1000; ++n) {
    const Vec3d a = random.direction(), axis = random.direction();
    for (const Vec3d& b : {random.direction(), a, Vec3d(-a)}) {
      const Mat3 r = turn_between(a, b, axis);
      EXPECT_LT((r * a - b).norm(), 1e-12);
      EXPECT_LT((r * r.transpose() - Mat3::Identity()).norm(), 1e-12);
      EXPECT_GT(r.determinant(), 0.5);
      const double angle = std::acos(std::clamp(a.dot(b), -1.0, 1.0));
      EXPECT_NEAR(angle_between(Mat3::Identity(), r), angle, 1e-6);
    }
    // Half a turn is made about the axis that is asked for, as far as it is across.
    const Vec3d across = a.cross(axis).normalized();
    EXPECT_LT((turn_between(a, -a, across) * across - across).norm(), 1e-12);
  }
  const Mat3 along = turn_between(Vec3d::UnitX(), -Vec3d::UnitX(), Vec3d::UnitX());
  EXPECT_LT((along * along.transpose() - Mat3::Identity()).norm(), 1e-12);
}

TEST(MlsRotation, controls_on_a_line_do_not_spin) {
  RandomMatrices random(4);
  for (const double scale : scales) {
    for (int n = 0; n < 300; ++n) {
      const Vec3d v = random.direction(), u = random.direction();
      const Vec3d at = scale * random.direction(), to = scale * random.direction();
      Places rest, posed;
      for (int i = 0; i < 2 + n % 4; ++i) {
        const double along = scale * (i + random.uniform(0, 0.5));
        rest.push_back(at + along * v);
        posed.push_back(to + along * u);
      }
      const MlsMoment moment = moment_of(rest, posed, Vec3d::UnitZ());
      const Mat3 least = turn_between(v, u, Vec3d::UnitZ());
      EXPECT_LT((moment.best_rotation(Vec3d::UnitZ()) - least).norm(), 1e-6) << n;
      EXPECT_LT((moment.steady_rotation() - least).norm(), 1e-6) << n;
    }
  }
}

TEST(MlsRotation, nothing_to_tell_is_no_rotation) {
  EXPECT_EQ(least_twist_rotation(Mat3::Zero()), Mat3::Identity());
  EXPECT_EQ(least_twist_rotation(Mat3::Constant(std::numeric_limits<double>::infinity())),
            Mat3::Identity());
  const Vec3d p(1, 2, 3), q(-4, 0, 1);
  for (const int count : {1, 2, 5}) {  // alone, or all at one place
    const Places rest(count, p), posed(count, q);
    EXPECT_EQ(moment_of(rest, posed, Vec3d::UnitZ()).steady_rotation(), Mat3::Identity());
    const MlsGuess guess = common_guess(rest, posed);
    EXPECT_EQ(guess.turn, Mat3::Identity());
  }
  EXPECT_EQ(common_guess({}, {}).turn, Mat3::Identity());
}

TEST(MlsRotation, rigid_motions_are_exact) {
  RandomMatrices random(5);
  for (const double scale : scales) {
    for (const Vec3d& extent : {Vec3d(1, 1, 1), Vec3d(1, 0.5, 0), Vec3d(1, 1e-3, 0)}) {
      for (int n = 0; n < 200; ++n) {
        const Places rest =
            random_places(random, (extent.y() < 0.1 ? 6 : 3) + n % 6, scale * extent);
        const Mat3 turn = n % 7 == 0 ? Eigen::AngleAxisd(pi, random.direction()).toRotationMatrix()
                                     : random.rotation().toRotationMatrix();
        const Places posed = turned(rest, turn, scale * random.direction());
        const MlsMoment moment = moment_of(rest, posed, flat_axis(rest));
        const double limit = extent.y() < 0.1 ? 1e-5 : 1e-8;
        EXPECT_LT((moment.best_rotation(Vec3d::UnitZ()) - turn).norm(), limit) << n;
        EXPECT_LT((moment.steady_rotation() - turn).norm(), limit) << n;
        EXPECT_LT((common_guess(rest, posed).turn - turn).norm(), limit) << n;
      }
    }
  }
}

// A figure in a plane, one of whose limbs goes round within it: where two hips and a foot stay, and
// the other foot turns about its hip.
TEST(MlsRotation, is_steady_while_a_limb_goes_round) {
  const Places rest = {{0, 0, 0}, {1, 0, 0}, {0, -3, 0}, {1, -3, 0}};
  const double weights[] = {1, 1, 0.2, 0.15};
  const double step = 1.0 * pi / 180;
  Mat3 last_best = Mat3::Identity(), last_steady = Mat3::Identity();
  double jump = 0, fastest = 0;
  for (int k = 0; k <= 720; ++k) {
    const double angle = k * step;
    Places posed = rest;
    posed[2] = 3 * Vec3d(std::sin(angle), -std::cos(angle), 0);
    Vec3d from = Vec3d::Zero(), to = Vec3d::Zero();
    double sum = 0;
    for (int i = 0; i < 4; ++i) {
      from += weights[i] * rest[i], to += weights[i] * posed[i], sum += weights[i];
    }
    MlsMoment moment;
    for (int i = 0; i < 4; ++i) {
      moment.add(weights[i], rest[i] - from / sum, posed[i] - to / sum, Vec3d::UnitZ());
    }
    const Mat3 best = moment.best_rotation(Vec3d::UnitZ()), steady = moment.steady_rotation();
    if (k > 0) {
      jump = std::max(jump, angle_between(last_best, best));
      fastest = std::max(fastest, angle_between(last_steady, steady));
      EXPECT_GT(steady(2, 2), 0.999) << "the body is turned inside out at " << k;
    }
    last_best = best, last_steady = steady;
  }
  EXPECT_GT(jump, 3);  // the best rotation does turn over: that is why there is a steady one
  EXPECT_LT(fastest, 20 * step);
  test::record("fastest", fastest / step);
}

TEST(MlsRotation, batches_agree_with_singular_values) {
  RandomMatrices random(6);
  for (const double hold : {0.0, 1e-7}) {
    const MlsGuess guess{random.rotation().toRotationMatrix(), hold};
    Blocks blocks;
    for (std::size_t n = 0; n < test::many; ++n) {
      const double scale = scales[n % 3];
      blocks.add(scale * scale * random.matrix(), test::Quaternion::Identity());
    }
    mls_rotations(blocks.a, guess, blocks.q);
    test::expect_unit(blocks, "batch");
    double worst = 0;
    for (std::size_t i = 0; i < blocks.count; ++i) {
      const test::Judged j = test::judge(blocks.matrix(i), blocks.rotation(i));
      EXPECT_LT(j.loss, 1e-4) << i << " gap " << j.gap;
      if (j.gap > test::well_conditioned) worst = std::max(worst, j.error);
    }
    EXPECT_LT(worst, hold > 0 ? 2e-5 : 5e-6);
    test::record(hold > 0 ? "worst, held" : "worst", worst);
  }
}

TEST(MlsRotation, batches_know_no_history_and_take_the_guess_where_nothing_tells) {
  RandomMatrices random(7);
  const MlsGuess guess{random.rotation().toRotationMatrix(), 1e-3};
  Blocks blocks;
  for (int n = 0; n < 1600; ++n) {
    blocks.add(n % 4 == 3 ? random.matrix() : random.of_rank(n % 3), random.rotation());
  }
  blocks.add(Mat3::Constant(std::numeric_limits<double>::quiet_NaN()), random.rotation());
  Blocks again = blocks;
  for (auto& block : again.q) {
    for (auto& row : block.at) std::fill(std::begin(row), std::end(row), 0.5f);
  }
  mls_rotations(blocks.a, guess, blocks.q);
  mls_rotations(again.a, guess, again.q);
  for (std::size_t i = 0; i < blocks.count; ++i) {
    EXPECT_EQ(blocks.raw(i).coeffs(), again.raw(i).coeffs());
    ASSERT_TRUE(blocks.raw(i).coeffs().allFinite());
    const Mat3 m = blocks.matrix(i);
    if (m.norm() == 0 || !m.allFinite()) {
      EXPECT_LT((blocks.rotation(i) - guess.turn).norm(), 1e-5);
      continue;
    }
    const test::Judged told =
        test::judge(m / m.cwiseAbs().sum() + guess.hold * guess.turn, blocks.rotation(i));
    EXPECT_LT(told.loss, 1e-5) << i;
  }
}

TEST(MlsRotation, has_the_same_bits_on_every_target) {
  RandomMatrices random(8);
  const MlsGuess guess{random.rotation().toRotationMatrix(), 1e-7};
  Blocks blocks;
  for (std::size_t n = 0; n < 4096; ++n) {
    blocks.add(n % 9 == 8 ? random.of_rank(static_cast<int>(n % 3)) : random.matrix(),
               test::Quaternion::Identity());
  }
  const MlsLanes* list[3];
  const std::size_t count = runnable_mls_lanes(list);
  std::vector<std::vector<QuaternionBlock>> all;
  std::vector<std::vector<uint16_t>> unsettled;
  for (std::size_t k = 0; k < count; ++k) {
    all.push_back(blocks.q);
    unsettled.emplace_back(blocks.a.size());
    list[k]->rotations(blocks.a[0].at[0], start_of(guess), all[k][0].at[0], unsettled[k].data(),
                       blocks.a.size());
    EXPECT_EQ(std::memcmp(all[k].data(), all[0].data(), all[0].size() * sizeof(QuaternionBlock)), 0)
        << list[k]->name;
    EXPECT_EQ(unsettled[k], unsettled[0]);
  }
  test::expect_same_for_threads([&] {
    std::vector<QuaternionBlock> q(blocks.q.size());
    mls_rotations(blocks.a, guess, q);
    const float* const first = q[0].at[0];
    return std::vector<float>(first, first + 64 * q.size());
  });
}

}  // namespace
}  // namespace sinew::kernels
