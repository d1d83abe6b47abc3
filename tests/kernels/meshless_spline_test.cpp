#include "nodes/kernels/meshless_spline.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/kernels/figures.h"
#include "tests/kernels/meshless_bodies.h"

namespace sinew::kernels {
namespace {

using test::family_body;
using test::RandomVectors;
using test::rigidly;
using test::turned;

MotionFrame frame_at(double time, NodePlaces places) {
  MotionFrame frame;
  frame.time = time;
  frame.places = std::move(places);
  return frame;
}

double farthest(std::span<const Vec3d> a, std::span<const Vec3d> b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, (a[i] - b[i]).norm());
  return worst;
}

// How much any distance between two nodes is changed.
double strained(std::span<const Vec3d> now, std::span<const Vec3d> rest) {
  double worst = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      worst = std::max(worst, std::abs((now[i] - now[j]).norm() - (rest[i] - rest[j]).norm()));
    }
  }
  return worst;
}

// Random poses at random times; velocities at some.
BodyMotion random_motion(const std::string& name, unsigned seed, std::size_t frames, bool told) {
  const auto body = family_body(name, 20);
  RandomVectors random(seed);
  BodyMotion motion{body, {}};
  double time = random.number();
  for (std::size_t j = 0; j < frames; ++j) {
    NodePlaces places = random.beside(body->nodes, 0.05 * body->size);
    places = rigidly(places, turned(random.number(), random()), body->size * random());
    motion.frames.push_back(frame_at(time, std::move(places)));
    if (told && j % 2 == 0) {
      // Spins of more than a turn in a gap are limited: see rotation_spline.h.
      motion.frames.back().velocities = random.beside(NodePlaces(20, random()), 0.3 * body->size);
    }
    time += 0.1 + std::abs(random.number());
  }
  return motion;
}

TEST(MeshlessSpline, RigidKeysAreJoinedRigidly) {
  double worst = 0;
  for (const char* name : {"box", "figure", "squid"}) {
    const auto body = family_body(name, 20);
    for (unsigned seed = 1; seed <= 5; ++seed) {
      RandomVectors random(seed);
      // The rest, and a pose that is strained: both only move.
      for (const NodePlaces& shape : {body->nodes, random.beside(body->nodes, 0.1 * body->size)}) {
        BodyMotion motion{body, {}};
        for (int j = 0; j < 3; ++j) {
          motion.frames.push_back(frame_at(
              j + 0.3 * j * j, rigidly(shape, turned(2.5 * std::sin(random.number()), random()),
                                       body->size * random())));
        }
        const BodySpline spline(motion);
        NodePlaces y(20);
        for (int i = 0; i <= 100; ++i) {
          spline.at(3.2 * i / 100, y);
          worst = std::max(worst, strained(y, shape) / body->size);
        }
      }
    }
  }
  EXPECT_LT(worst, 1e-9);
  test::record("worst", worst);
}

TEST(MeshlessSpline, AScrewIsFollowedExactly) {
  const auto body = family_body("figure", 20);
  const Vec3d axis = Vec3d(1, 2, 2) / 3, drift(0.3, -1, 0.5);
  Vec3d middle(0, 0, 0);
  for (std::size_t i = 0; i < 20; ++i) middle += body->masses[i] * body->nodes[i];
  const auto pose = [&](double t) {
    const Eigen::Quaterniond turn = turned(1.7 * t, axis);
    return rigidly(body->nodes, turn, middle + drift * t - turn * middle);
  };
  BodyMotion motion{body, {}};
  for (const double t : {0.0, 0.4, 1.3, 1.5, 2.9}) motion.frames.push_back(frame_at(t, pose(t)));
  const BodySpline spline(motion);
  NodePlaces y(20), v(20);
  for (int i = 0; i <= 200; ++i) {
    const double t = 2.9 * i / 200;
    spline.at(t, y, v);
    const NodePlaces exact = pose(t);
    EXPECT_LT(farthest(y, exact), 1e-12);
    if (i == 0 || i == 200) continue;
    for (std::size_t n = 0; n < 20; ++n) {
      const Vec3d arm = exact[n] - middle - drift * t;
      EXPECT_LT((v[n] - drift - 1.7 * axis.cross(arm)).norm(), 1e-11);
    }
  }
}

TEST(MeshlessSpline, FramesAreMetAndItIsSmooth) {
  for (const bool told : {false, true}) {
    for (unsigned seed = 1; seed <= 6; ++seed) {
      const BodyMotion motion = random_motion("hand", seed, 6, told);
      const double size = motion.body->size;
      const BodySpline spline(motion);
      NodePlaces y(20), before(20), after(20), v0(20), v1(20);
      for (std::size_t j = 0; j < motion.frames.size(); ++j) {
        const MotionFrame& frame = motion.frames[j];
        spline.at(frame.time, y);
        EXPECT_LT(farthest(y, frame.places), 1e-12 * size);
        if (j == 0 || j + 1 == motion.frames.size()) continue;
        const double h = 1e-9;
        spline.at(frame.time - h, before, v0);
        spline.at(frame.time + h, after, v1);
        EXPECT_LT(farthest(before, after), 1e-6);
        EXPECT_LT(farthest(v0, v1), 1e-5);
        if (frame.velocities) {
          EXPECT_LT(farthest(v1, *frame.velocities), 1e-5);
        }
      }
    }
  }
}

TEST(MeshlessSpline, ToldVelocitiesAreMetAtTheEnds) {
  const BodyMotion motion = random_motion("hand", 9, 5, true);
  const BodySpline spline(motion);
  NodePlaces a(20), b(20);
  const double h = 1e-6;
  spline.at(spline.first(), a);
  spline.at(spline.first() + h, b);
  for (std::size_t i = 0; i < 20; ++i) b[i] = (b[i] - a[i]) / h;
  EXPECT_LT(farthest(b, *motion.frames.front().velocities), 1e-3);
  spline.at(spline.last(), a);
  spline.at(spline.last() - h, b);
  for (std::size_t i = 0; i < 20; ++i) b[i] = (a[i] - b[i]) / h;
  EXPECT_LT(farthest(b, *motion.frames.back().velocities), 1e-3);
}

TEST(MeshlessSpline, VelocitiesAgreeWithDifferences) {
  double worst = 0;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    const BodyMotion motion = random_motion("squid", seed, 5, seed % 2 == 0);
    const BodySpline spline(motion);
    NodePlaces a(20), b(20), c(20), d(20), y(20), v(20);
    const double h = 1e-4;
    for (std::size_t j = 0; j + 1 < motion.frames.size(); ++j) {
      const double t0 = motion.frames[j].time, t1 = motion.frames[j + 1].time;
      for (int i = 1; i < 10; ++i) {
        const double t = t0 + (t1 - t0) * i / 10;
        spline.at(t, y, v);
        spline.at(t - h, a);
        spline.at(t + h, b);
        spline.at(t - 2 * h, c);
        spline.at(t + 2 * h, d);
        for (std::size_t n = 0; n < 20; ++n) {
          a[n] = (8 * (b[n] - a[n]) - (d[n] - c[n])) / (12 * h);
        }
        worst = std::max(worst, farthest(a, v));
      }
    }
  }
  EXPECT_LT(worst, 1e-7);
  test::record("worst", worst);
}

// One-sided at a break: what comes after it does not matter before it.
TEST(MeshlessSpline, BreaksSeparate) {
  BodyMotion motion = random_motion("box", 3, 5, false);
  motion.frames[2].breaks = true;
  BodyMotion other = motion;
  RandomVectors random(8);
  other.frames[3].places = random.beside(other.frames[3].places, 1);
  const BodySpline one(motion), two(other);
  NodePlaces a(20), b(20), v0(20), v1(20);
  const double middle = motion.frames[2].time;
  for (int i = 0; i <= 20; ++i) {
    const double t = motion.frames[0].time + (middle - motion.frames[0].time) * i / 20;
    one.at(t, a);
    two.at(t, b);
    EXPECT_LT(farthest(a, b), 1e-12);
  }
  one.at(middle - 1e-9, a, v0);
  one.at(middle + 1e-9, a, v1);
  EXPECT_GT(farthest(v0, v1), 0.1);
}

TEST(MeshlessSpline, MovesAndGrowsWithItsFrames) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const BodyMotion motion = random_motion("capsule", seed, 5, true);
    RandomVectors random(seed + 50);
    const Eigen::Quaterniond turn = turned(random.number() * 2, random());
    const Vec3d by = 3 * random();
    BodyMotion moved = motion;
    for (MotionFrame& f : moved.frames) {
      f.places = rigidly(f.places, turn, by);
      if (f.velocities) f.velocities = rigidly(*f.velocities, turn, {0, 0, 0});
    }
    const BodySpline one(motion), two(moved);
    NodePlaces a(20), b(20), va(20), vb(20);
    for (int i = -5; i <= 55; ++i) {
      const double t = one.first() + (one.last() - one.first()) * i / 50;
      one.at(t, a, va);
      two.at(t, b, vb);
      EXPECT_LT(farthest(rigidly(a, turn, by), b), 1e-11);
      EXPECT_LT(farthest(rigidly(va, turn, {0, 0, 0}), vb), 1e-9);
    }
  }
}

TEST(MeshlessSplineHostile, OneFrameAndTimesThatDoNotIncrease) {
  BodyMotion motion = random_motion("box", 1, 1, true);
  const BodySpline spline(motion);
  NodePlaces y(20), v(20);
  for (const double t : {-1e9, motion.frames[0].time, 1e9}) {
    spline.at(t, y, v);
    EXPECT_LT(farthest(y, motion.frames[0].places), 1e-12);
    for (const Vec3d& x : v) EXPECT_TRUE(x.allFinite());
  }
  motion.frames.push_back(motion.frames[0]);
  EXPECT_THROW(BodySpline{motion}, std::invalid_argument);
}

// All nodes in one place, or the body inside out: no rotation is better than another.
TEST(MeshlessSplineHostile, CollapsedFramesAreFinite) {
  BodyMotion motion = random_motion("box", 2, 4, true);
  motion.frames[1].places.assign(20, Vec3d(1, 2, 3));
  for (Vec3d& x : motion.frames[2].places) x = -x;
  const BodySpline spline(motion);
  NodePlaces y(20), v(20);
  for (int i = 0; i <= 60; ++i) {
    spline.at(spline.first() + (spline.last() - spline.first()) * i / 60, y, v);
    for (const Vec3d& x : y) EXPECT_TRUE(x.allFinite());
    for (const Vec3d& x : v) EXPECT_TRUE(x.allFinite());
  }
}

}  // namespace
}  // namespace sinew::kernels
