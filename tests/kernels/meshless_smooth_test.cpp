// Motions that are as smooth as they can be, and do not swing past their keys.
#include "nodes/kernels/meshless_smooth.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/kernels/figures.h"
#include "tests/kernels/meshless_scenes.h"

namespace sinew::kernels {
namespace {

using test::family_body;
using test::from_to;
using test::RandomVectors;
using test::rigidly;
using test::shifted;
using test::turned;
using test::whole_key;

Vec3d middle_at(const Motion& motion, double time) {
  return BodySpline(motion.bodies[0]).rigid_at(time).middle;
}

// Keys at uneven times of a body that only turns.
KeyedBody turning(const std::shared_ptr<const MeshlessBody>& body, const std::vector<double>& times,
                  const std::vector<Eigen::Quaterniond>& turns) {
  KeyedBody keyed{body, {}, {}};
  for (std::size_t k = 0; k < times.size(); ++k) {
    keyed.keys.push_back(whole_key(times[k], rigidly(body->nodes, turns[k], {0, 0, 0})));
  }
  return keyed;
}

double degrees_from_rest(const Eigen::Matrix3d& turn) {
  return Eigen::AngleAxisd(turn).angle() * 180 / std::numbers::pi;
}

// How far beyond both of its keys any gap turns, in degrees from rest.
double overshoot_of(const Motion& motion, const KeyedBody& keyed) {
  const BodySpline spline(motion.bodies[0]);
  const auto at = [&](double t) { return degrees_from_rest(spline.rigid_at(t).turn); };
  double most = 0;
  for (std::size_t k = 0; k + 1 < keyed.keys.size(); ++k) {
    const double a = keyed.keys[k].time, b = keyed.keys[k + 1].time;
    for (int i = 1; i < 40; ++i) {
      most = std::max(most, at(a + (b - a) * i / 40) - std::max(at(a), at(b)));
    }
  }
  return most;
}

TEST(MeshlessMotionSmoothness, UnevenRigidKeysGetFramesAndDoNotSwingPast) {
  const auto body = family_body("box", 20);
  RandomVectors random(12);
  std::mt19937 numbers(5);
  double worst = 0, free = 0;
  std::vector<std::vector<double>> sets{{10, 17, 41, 50}};
  while (sets.size() < 8) {
    std::vector<double> frames{0};
    while (frames.size() < 3 + sets.size() % 3) {
      frames.push_back(frames.back() + std::uniform_int_distribution<int>(4, 40)(numbers));
    }
    sets.push_back(frames);
  }
  for (std::vector<double> times : sets) {
    std::vector<Eigen::Quaterniond> turns;
    for (double& t : times) {
      t /= 25;
      turns.push_back(turned(std::uniform_real_distribution<double>(0, 1.7)(numbers), random()));
    }
    const KeyedBody keyed = turning(body, times, turns);
    MotionSettings settings;
    const Motion motion = find_motion(MotionSolver({keyed}, {}, settings));
    EXPECT_GT(motion.bodies[0].frames.size(), times.size());
    worst = std::max(worst, overshoot_of(motion, keyed));
    settings.overshoot = 1;
    free = std::max(free, overshoot_of(find_motion(MotionSolver({keyed}, {}, settings)), keyed));
  }
  EXPECT_LT(worst, 12);
  EXPECT_GT(free, 25);
  test::record("degrees past keys", worst);
  test::record("degrees past keys, free", free);
}

// Whatever the times and the turns: frames that are added do not bend what nothing bends.
TEST(MeshlessMotionSmoothness, RigidKeysAtAnyTimesAreJoinedRigidly) {
  RandomVectors random(3);
  std::mt19937 numbers(8);
  const auto any = [&](double from, double to) {
    return std::uniform_real_distribution<double>(from, to)(numbers);
  };
  double worst = 0;
  std::size_t added = 0;
  for (const char* name : {"box", "figure"}) {
    const auto body = family_body(name, 20);
    const ElasticSamples elastic(*body);
    for (int set = 0; set < 8; ++set) {
      std::vector<double> times{0};
      while (times.size() < 4) times.push_back(times.back() + any(0.16, 1.2));
      std::vector<Eigen::Quaterniond> turns;
      for (std::size_t k = 0; k < times.size(); ++k) {
        turns.push_back(
            turned(set == 0 ? 3.1 * static_cast<double>(k % 2) : any(0, 3.1), random()));
      }
      KeyedBody keyed = turning(body, times, turns);
      // A velocity that is told moves the whole, too.
      if (set == 1) keyed.keys[0].velocities = NodePlaces(body->node_count(), Vec3d(0, 3, 0));
      MotionSettings settings;
      settings.weights.acceleration = set % 3 == 0 ? 0.01 : any(0.001, 1);
      settings.overshoot = set % 2;
      const Motion motion = find_motion(MotionSolver({keyed}, {}, settings));
      added += motion.bodies[0].frames.size() - times.size();
      test::for_moments(motion, 100, [&](double, const std::vector<NodePlaces>& y) {
        worst = std::max(worst, elastic.energy(y[0], {1, 1}));
      });
    }
  }
  EXPECT_GT(added, 16u) << "frames that are added are what is asked here";
  EXPECT_LT(worst, 1e-12);
  test::record("strain", worst);
}

// The farthest that two motions of a body are from each other, in sizes.
double apart(const Motion& a, const Motion& b) {
  const MeshlessBody& body = *a.bodies[0].body;
  const BodySpline one(a.bodies[0]), other(b.bodies[0]);
  double most = 0;
  NodePlaces x(body.node_count()), y = x;
  for (int i = 0; i <= 100; ++i) {
    const double t = one.first() + (one.last() - one.first()) * i / 100;
    one.at(t, x);
    other.at(t, y);
    for (std::size_t n = 0; n < x.size(); ++n) most = std::max(most, (x[n] - y[n]).norm());
  }
  return most / body.size;
}

// Between rigid keys nothing is weighed against it: any weight gives the same turn, which is not
// that of the keys alone.
TEST(MeshlessMotionSmoothness, RigidKeysFeelIt) {
  const auto body = family_body("box", 20);
  const KeyedBody keyed = turning(body, {0.4, 0.68, 1.64, 2},
                                  {turned(0, {1, 0, 0}), turned(1.4, {0, 0, 1}),
                                   turned(0.5, {0, 1, 0.3}), turned(0.2, {1, 0, 0})});
  MotionSettings settings;
  settings.overshoot = 1;
  const Motion usual = find_motion(MotionSolver({keyed}, {}, settings));
  settings.weights.acceleration = 1;
  const Motion calm = find_motion(MotionSolver({keyed}, {}, settings));
  settings.most_frames = 4;
  const Motion keys = find_motion(MotionSolver({keyed}, {}, settings));
  EXPECT_LT(apart(usual, calm), 2e-3);
  EXPECT_GT(apart(usual, keys), 0.01);
  test::record("usual and calm", apart(usual, calm));
  test::record("usual and the keys alone", apart(usual, keys));
}

// What bends weighs it against strain.
TEST(MeshlessMotionSmoothness, ItsWeightCounts) {
  const auto body = family_body("capsule", 20);
  KeyedBody keyed = from_to(body, {0, 0, 0}, {0, 0, 0}, 2);
  MotionKey pulled;
  pulled.time = 0.5;
  pulled.kind = MotionKey::Kind::points;
  const Vec3d top = body->rest.positions.back().cast<double>();
  pulled.points = {{0, 1, body->rest.positions[0].cast<double>()},
                   {static_cast<uint32_t>(body->rest.vertex_count() - 1), 1,
                    top + 0.3 * body->size * Vec3d(1, 0.2, 0.5)}};
  keyed.keys.insert(keyed.keys.begin() + 1, pulled);
  std::vector<Motion> found;
  for (const double weight : {0.01, 1.0, 100.0}) {
    MotionSettings settings;
    settings.weights.acceleration = weight;
    found.push_back(find_motion(MotionSolver({keyed}, {}, settings)));
    for (const MotionFrame& frame : found.back().bodies[0].frames) {
      for (const Vec3d& x : frame.places) ASSERT_TRUE(x.allFinite());
    }
  }
  EXPECT_GT(apart(found[0], found[1]), 0.01);
  EXPECT_GT(apart(found[1], found[2]), 0.01);
}

// The natural cubic spline through x at t, by its second differences.
double natural_spline(const std::vector<double>& t, const std::vector<double>& x, double at) {
  const auto n = static_cast<Eigen::Index>(t.size());
  Eigen::MatrixXd a = Eigen::MatrixXd::Identity(n, n);
  Eigen::VectorXd b = Eigen::VectorXd::Zero(n);
  const auto h = [&](Eigen::Index j) {
    return t[static_cast<std::size_t>(j) + 1] - t[static_cast<std::size_t>(j)];
  };
  const auto slope = [&](Eigen::Index j) {
    return (x[static_cast<std::size_t>(j) + 1] - x[static_cast<std::size_t>(j)]) / h(j);
  };
  for (Eigen::Index j = 1; j + 1 < n; ++j) {
    a(j, j - 1) = h(j - 1) / 6;
    a(j, j) = (h(j - 1) + h(j)) / 3;
    a(j, j + 1) = h(j) / 6;
    b[j] = slope(j) - slope(j - 1);
  }
  const Eigen::VectorXd m = a.partialPivLu().solve(b);
  Eigen::Index j = 0;
  while (j + 2 < n && at > t[static_cast<std::size_t>(j) + 1]) ++j;
  const auto k = static_cast<std::size_t>(j);
  const double u = t[k + 1] - at, w = at - t[k];
  return (m[j] * u * u * u + m[j + 1] * w * w * w) / (6 * h(j)) +
         (x[k] / h(j) - m[j] * h(j) / 6) * u + (x[k + 1] / h(j) - m[j + 1] * h(j) / 6) * w;
}

// What is moved and not turned has the motion of least acceleration, which is known.
TEST(MeshlessMotionSmoothness, TheLeastAccelerationIsTheNaturalSpline) {
  const auto body = family_body("sphere", 20);
  const std::vector<double> t{0.4, 0.68, 1.64, 2, 2.6}, x{0, 1.1, 0.7, 2, 1.5};
  KeyedBody keyed{body, {}, {}};
  for (std::size_t k = 0; k < t.size(); ++k) {
    keyed.keys.push_back(whole_key(t[k], shifted(*body, {x[k], 0.3 * x[k], 0})));
  }
  MotionSettings settings;
  settings.overshoot = 1;
  const Motion motion = find_motion(MotionSolver({keyed}, {}, settings));
  double worst = 0;
  const double begin = middle_at(motion, t[0]).x();
  for (int i = 0; i <= 220; ++i) {
    const double at = 0.4 + 0.01 * i;
    worst = std::max(worst, std::abs(middle_at(motion, at).x() - begin - natural_spline(t, x, at)));
  }
  EXPECT_LT(worst, 0.02 * body->size);
  EXPECT_LT(motion.bodies[0].frames.size(), 40u) << "it knows when it is smooth enough";
  test::record("off the natural spline", worst / body->size);
}

// Figure 9, lower left: a velocity that is told at the first of two keys.
TEST(MeshlessMotionSmoothness, AToldVelocityBendsTheWholeWay) {
  const auto body = family_body("sphere", 20);
  KeyedBody keyed = from_to(body, {0, 0, 0}, {2, 0, 0}, 1);
  keyed.keys[0].velocities = NodePlaces(20, Vec3d(0, 3, 0));
  const Motion motion = find_motion(MotionSolver({keyed}, {}, {}));
  EXPECT_GT(motion.bodies[0].frames.size(), 2u);
  double worst = 0;
  const Vec3d begin = middle_at(motion, 0);
  for (int i = 0; i <= 100; ++i) {
    // A cubic with y'' = 0 at its free end.
    const double t = i / 100.0, x = 2 * (1.5 * t * t - 0.5 * t * t * t);
    const double y = 3 * (t - 1.5 * t * t + 0.5 * t * t * t);
    worst = std::max(worst, (middle_at(motion, t) - begin - Vec3d(x, y, 0)).norm());
  }
  EXPECT_LT(worst, 0.02 * body->size);
  test::record("off the cubic", worst / body->size);
}

// Uniform motions are as smooth as can be with the frames of their keys.
TEST(MeshlessMotionSmoothness, UniformMotionsNeedNoFrames) {
  const auto body = family_body("capsule", 20);
  KeyedBody keyed{body, {}, {}};
  for (const double t : {0.0, 0.3, 1.0, 1.2}) {
    keyed.keys.push_back(
        whole_key(t, rigidly(body->nodes, turned(t, {1, 2, 0.5}), Vec3d(t, 2 * t, 0))));
  }
  // The middle of the body moves evenly only if it is what the body turns about.
  Vec3d middle(0, 0, 0);
  double total = 0;
  for (std::size_t i = 0; i < 20; ++i) {
    middle += body->masses[i] * body->nodes[i];
    total += body->masses[i];
  }
  middle /= total;
  for (MotionKey& key : keyed.keys) {
    const Eigen::Quaterniond turn = turned(key.time, {1, 2, 0.5});
    for (Vec3d& y : key.places) y += middle - turn * middle;
  }
  const BodyMotion motion = keys_as_motion(keyed);
  for (const double miss : smooth_misses(motion, {0, 0, 0})) EXPECT_LT(miss, 1e-6);
  KeyedBody limited = keyed;
  limit_overshoot(limited, 0);
  for (const MotionKey& key : limited.keys) EXPECT_FALSE(key.velocities.has_value());
  EXPECT_EQ(find_motion(MotionSolver({keyed}, {}, {})).bodies[0].frames.size(), 4u);
}

}  // namespace
}  // namespace sinew::kernels
