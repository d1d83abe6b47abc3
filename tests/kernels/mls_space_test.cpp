#include "nodes/kernels/mls_space.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <numbers>

#include "nodes/kernels/mls_lanes.h"
#include "nodes/kernels/mls_rotation.h"
#include "tests/kernels/mls_reference.h"
#include "tests/kernels/rotation_blocks.h"
#include "tests/kernels/shapes.h"

namespace sinew::kernels {
namespace {

using test::RandomMatrices;
using Places = std::vector<Vec3d>;

constexpr double scales[] = {1e-6, 1, 1e6};

Places random_places(RandomMatrices& random, int count, double scale) {
  Places places;
  for (int i = 0; i < count; ++i) {
    places.push_back(scale *
                     Vec3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)));
  }
  return places;
}

std::vector<Vec3f> body(std::size_t count, unsigned seed, double scale) {
  return test::random_points(count, seed, static_cast<float>(1.5 * scale));
}

std::vector<Vec3f> moved(const std::vector<Vec3f>& rest, const Places& from, const Places& to,
                         double alpha = 1) {
  std::vector<Vec3f> out(rest.size());
  pose_space(prepare_space(rest, from, alpha), to, out);
  return out;
}

TEST(MlsSpace, agrees_with_the_reference) {
  unsigned seed = 10;
  double worst = 0, sum = 0;
  std::size_t count = 0;
  for (const double scale : scales) {
    for (const double alpha : {0.5, 1.0, 2.0}) {
      RandomMatrices random(++seed);
      const Places from = random_places(random, 4 + static_cast<int>(seed % 5), scale);
      Places to = from;  // bent, but not so far that a rotation hangs by a hair
      for (Vec3d& q : to) q += 0.4 * scale * random.direction();
      const std::vector<Vec3f> rest = body(2003, seed, scale);
      const std::vector<Vec3f> made = moved(rest, from, to, alpha);
      for (std::size_t v = 0; v < rest.size(); ++v) {
        const Vec3d must = test::reference_space(from, to, alpha, rest[v].cast<double>());
        const double error = (made[v].cast<double>() - must).norm() / scale;
        worst = std::max(worst, error);
        sum += error;
        ++count;
      }
    }
  }
  EXPECT_LT(worst, 2e-4);  // where some controls nearly are on a line
  EXPECT_LT(sum / static_cast<double>(count), 5e-6);
  test::record("mean_relative", sum / static_cast<double>(count));
  test::record("worst_relative", worst);
}

TEST(MlsSpace, controls_at_rest_move_nothing) {
  RandomMatrices random(1);
  for (const double scale : scales) {
    for (const int count : {0, 1, 2, 3, 7}) {
      const Places from = random_places(random, count, scale);
      const std::vector<Vec3f> rest = body(1001, 1, scale);
      EXPECT_EQ(moved(rest, from, from), rest) << count;
    }
  }
}

TEST(MlsSpace, rigid_motions_are_exact) {
  RandomMatrices random(2);
  double worst = 0;
  for (const double scale : scales) {
    for (int n = 0; n < 40; ++n) {
      const Places from = random_places(random, 3 + n % 6, scale);
      const Eigen::Matrix3d turn =
          n % 5 == 0 ? Eigen::AngleAxisd(std::numbers::pi, random.direction()).toRotationMatrix()
                     : random.rotation().toRotationMatrix();
      const Vec3d shift = scale * random.direction();
      Places to;
      for (const Vec3d& p : from) to.push_back(turn * p + shift);
      const std::vector<Vec3f> rest = body(501, 2, scale);
      const std::vector<Vec3f> made = moved(rest, from, to, 0.5 + 0.5 * (n % 4));
      for (std::size_t v = 0; v < rest.size(); ++v) {
        const Vec3d must = turn * rest[v].cast<double>() + shift;
        worst = std::max(worst, (made[v].cast<double>() - must).norm() / (5 * scale));
      }
    }
  }
  EXPECT_LT(worst, 1e-6);  // of the width of all
  test::record("worst_relative", worst);
}

TEST(MlsSpace, controls_are_interpolated) {
  RandomMatrices random(3);
  for (const double scale : scales) {
    for (const int count : {1, 2, 3, 6}) {
      Places from = random_places(random, count, scale);
      std::vector<Vec3f> rest = body(100, 3, scale);
      for (int i = 0; i < count; ++i) {
        rest[17 * i] = from[i].cast<float>();
        from[i] = rest[17 * i].cast<double>();
      }
      const Places to = random_places(random, count, scale);
      const std::vector<Vec3f> made = moved(rest, from, to);
      for (int i = 0; i < count; ++i) EXPECT_EQ(made[17 * i], to[i].cast<float>());
      // And from nearby, whatever the rotation there.
      for (int i = 0; i < count; ++i) {
        const Vec3d near = from[i] + 1e-5 * scale * random.direction();
        const std::vector<Vec3f> there = moved({near.cast<float>()}, from, to);
        EXPECT_LT((there[0].cast<double>() - to[i]).norm(), 2e-5 * scale);
      }
    }
  }
}

TEST(MlsSpace, one_control_shifts_everything) {
  for (const double scale : scales) {
    const Vec3d p = scale * Vec3d(1, 2, 3), q = scale * Vec3d(-1, 0.5, 2);
    const std::vector<Vec3f> rest = body(100, 4, scale);
    for (const int count : {1, 3}) {  // alone, or several at one place
      const std::vector<Vec3f> made = moved(rest, Places(count, p), Places(count, q));
      for (std::size_t v = 0; v < rest.size(); ++v) {
        EXPECT_LT((made[v].cast<double>() - (rest[v].cast<double>() + q - p)).norm(), 1e-6 * scale);
      }
    }
  }
}

TEST(MlsSpace, a_line_of_controls_does_not_spin) {
  RandomMatrices random(5);
  for (const double scale : scales) {
    for (int n = 0; n < 60; ++n) {
      const Vec3d v = random.direction(), at = scale * random.direction();
      const Vec3d u = n % 6 == 0 ? v : n % 6 == 1 ? Vec3d(-v) : random.direction();
      const Vec3d to_at = scale * random.direction();
      Places from, to;
      for (int i = 0; i < 2 + n % 3; ++i) {
        from.push_back(at + scale * i * v);
        to.push_back(to_at + scale * i * u);
      }
      const Eigen::Matrix3d least = turn_between(v, u, flat_axis(from));
      const std::vector<Vec3f> rest = body(101, 5, scale);
      const std::vector<Vec3f> made = moved(rest, from, to);
      for (std::size_t i = 0; i < rest.size(); ++i) {
        const Vec3d must = least * (rest[i].cast<double>() - at) + to_at;
        ASSERT_LT((made[i].cast<double>() - must).norm(), 1e-5 * scale) << n;
      }
    }
  }
}

TEST(MlsSpace, a_bent_line_is_finite_and_continuous) {
  // Three controls on a line; the last goes round in small steps.
  const Places from = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  const std::vector<Vec3f> rest = body(500, 6, 1);
  const MlsSpace space = prepare_space(rest, from);
  std::vector<Vec3f> last, now(rest.size());
  for (int k = 0; k <= 340; ++k) {
    const double angle = 0.5 * k * std::numbers::pi / 180;
    Places to = from;
    to[2] = Vec3d(1 + std::cos(angle), std::sin(angle), 0);
    pose_space(space, to, now);
    for (std::size_t v = 0; v < rest.size(); ++v) {
      ASSERT_TRUE(now[v].allFinite());
      if (k > 0) {
        ASSERT_LT((now[v] - last[v]).norm(), 0.15f) << k;
      }
    }
    last = now;
  }
}

// Controls in space, in a plane, on a line, and two at one place: twice round in steps that meet
// the half turn, about an axis across them.
TEST(MlsSpace, two_turns_of_all_controls_are_followed_without_a_leap) {
  const Places sets[] = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                         {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                         {{0, 0, 0}, {1, 0, 0}},
                         {{0, 0, 0}, {0, 0, 0}, {1, 0, 0}}};
  const std::vector<Vec3f> rest = body(60, 7, 1);
  for (const Places& from : sets) {
    const MlsSpace space = prepare_space(rest, from);
    std::vector<Vec3f> now(rest.size());
    for (double angle = 0; angle <= 720; angle += 0.9) {
      for (const double at : {angle, angle + 0.05}) {  // 179.95 and 180 are among them
        const Eigen::Matrix3d turn(
            Eigen::AngleAxisd(at * std::numbers::pi / 180, Vec3d::UnitZ()).toRotationMatrix());
        Places to;
        for (const Vec3d& p : from) to.push_back(turn * p + Vec3d(0.3, 0, 0));
        pose_space(space, to, now);
        for (std::size_t v = 0; v < rest.size(); ++v) {
          const Vec3d must = turn * rest[v].cast<double>() + Vec3d(0.3, 0, 0);
          ASSERT_LT((now[v].cast<double>() - must).norm(), 2e-5) << at << ", " << from.size();
        }
      }
    }
  }
}

TEST(MlsSpace, what_is_not_finite_stays_alone) {
  RandomMatrices random(7);
  const Places from = random_places(random, 5, 1), to = random_places(random, 5, 1);
  std::vector<Vec3f> rest = body(64, 7, 1);
  const std::vector<Vec3f> sound = moved(rest, from, to);
  rest[20].y() = std::numeric_limits<float>::quiet_NaN();
  rest[37].x() = std::numeric_limits<float>::infinity();
  const std::vector<Vec3f> made = moved(rest, from, to);
  for (std::size_t v = 0; v < rest.size(); ++v) {
    if (v == 20 || v == 37) {
      EXPECT_FALSE(made[v].allFinite());
    } else {
      EXPECT_EQ(made[v], sound[v]);
    }
  }
  Places bad = to;
  bad[2].z() = std::numeric_limits<double>::quiet_NaN();
  std::vector<Vec3f> out(rest.size());
  const MlsSpace space = prepare_space(rest, from);
  EXPECT_THROW(pose_space(space, bad, out), std::invalid_argument);
  EXPECT_THROW(pose_space(space, Places(4), out), std::invalid_argument);
  EXPECT_THROW(prepare_space(rest, bad), std::invalid_argument);
  EXPECT_THROW(prepare_space(rest, from, 0), std::invalid_argument);
}

TEST(MlsSpace, has_the_same_bits_on_every_target_and_any_number_of_threads) {
  RandomMatrices random(8);
  const std::vector<Vec3f> rest = body(20011, 8, 1);
  for (const int count : {2, 6}) {
    const Places from = random_places(random, count, 1), to = random_places(random, count, 1);
    test::expect_same_for_threads([&] { return prepare_space(rest, from); });
    const MlsSpace space = prepare_space(rest, from);
    test::expect_same_for_threads([&] {
      std::vector<Vec3f> out(rest.size());
      pose_space(space, to, out);
      return out;
    });
    std::vector<MlsControl> controls(to.size());
    for (std::size_t i = 0; i < to.size(); ++i) {
      for (int k = 0; k < 3; ++k) {
        controls[i].left[k] = static_cast<float>(0.3 * to[i][k]);
        controls[i].shift[k] = static_cast<float>(to[i][k] - from[i][k]);
      }
    }
    MlsStart start = start_of(common_guess(from, to));
    start.line = space.line.has_value();
    for (int k = 0; k < 3 && start.line; ++k) {
      start.along[k] = static_cast<float>((*space.line)[k]);
    }
    const MlsSpaceView view{controls.size(), space.weights.data(), space.spreads.data(),
                            space.offsets.data()};
    const std::size_t tiles = space.rest.size() / 48;
    const MlsLanes* list[3];
    std::vector<float> first;
    for (std::size_t k = 0; k < runnable_mls_lanes(list); ++k) {
      std::vector<float> out(space.rest.size());
      std::vector<uint16_t> unsettled(tiles);
      list[k]->space(view, controls.data(), start, space.rest.data(), 0, tiles, out.data(),
                     unsettled.data());
      if (k == 0) first = out;
      EXPECT_EQ(std::memcmp(out.data(), first.data(), 4 * out.size()), 0) << list[k]->name;
    }
  }
}

}  // namespace
}  // namespace sinew::kernels
