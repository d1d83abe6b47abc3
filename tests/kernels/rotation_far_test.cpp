// Rotations from any start: the first frame, large jumps, bodies that are scrambled. The tests of
// small steps are in rotation_test.cpp and shape_match_test.cpp.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "nodes/kernels/rotation.h"
#include "tests/kernels/match_cases.h"
#include "tests/kernels/rotation_blocks.h"

namespace sinew::kernels {
namespace {

using test::Blocks;
using test::expect_right;
using test::many;
using test::Mat3;
using test::Quaternion;
using Random = test::RandomMatrices;

TEST(RotationFromFar, Anything) {
  Random random(3);
  Blocks blocks;
  for (std::size_t k = 0; k < many; ++k) blocks.add(random.matrix(), random.rotation());
  expect_right(blocks, "far");
}

TEST(RotationFromFar, ColdFromIdentity) {
  Random random(4);
  Blocks blocks;
  for (std::size_t k = 0; k < many; ++k) blocks.add(random.matrix(), Quaternion::Identity());
  expect_right(blocks, "cold");
}

TEST(RotationFromFar, Reflections) {
  Random random(5);
  Blocks blocks;
  for (std::size_t k = 0; k < many; ++k) {
    const Vec3d s(random.uniform(0.5, 1), random.uniform(0.5, 1), -random.uniform(0.01, 0.3));
    const Mat3 a = random.rotation().toRotationMatrix() * s.asDiagonal() *
                   random.rotation().toRotationMatrix();
    blocks.add(a, random.rotation());
  }
  expect_right(blocks, "reflections");
}

// Half a turn away the gradient is zero: the worst place there is, and what a body that was put
// down the other way round starts from.
TEST(RotationFromFar, FromExactlyHalfATurnAway) {
  Random random(6);
  Blocks blocks;
  const Vec3d axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (const Vec3d& axis : axes) {
    const Quaternion half(Eigen::AngleAxisd(std::numbers::pi, axis));
    for (const Vec3d& s : {Vec3d(1, 1, 1), Vec3d(1, 0.5, 0.25), Vec3d(0.3, 0.5, 1)}) {
      Mat3 a = half.toRotationMatrix() * s.asDiagonal();
      a = a.unaryExpr([](double x) { return std::abs(x) < 1e-9 ? 0.0 : x; });
      blocks.add(a, Quaternion::Identity());
      blocks.add(s.asDiagonal(), Quaternion(0, axis[0], axis[1], axis[2]));
    }
  }
  for (int k = 0; k < 200; ++k) {
    const Mat3 a = random.matrix();
    const Eigen::JacobiSVD<Mat3> svd(a, Eigen::ComputeFullU);
    const Quaternion half(Eigen::AngleAxisd(std::numbers::pi, svd.matrixU().col(k % 3)));
    blocks.add(a, half * Quaternion(rotation_part(a)));
  }
  expect_right(blocks, "half a turn");
}

// Rank 2 has a rotation (the third direction follows); rank 1 and 0 have many: any of the best.
TEST(RotationFromFar, Degenerate) {
  Random random(7);
  for (const int rank : {2, 1, 0}) {
    Blocks blocks;
    for (std::size_t k = 0; k < many; ++k) {
      const Mat3 a = random.of_rank(rank);
      blocks.add(a, random.rotation());
    }
    expect_right(blocks, "rank " + std::to_string(rank));
  }
}

TEST(RotationFromFar, AnyScale) {
  for (int exponent = -18; exponent <= 18; exponent += 3) {
    Random random(9);
    Blocks blocks;
    for (std::size_t k = 0; k < 640; ++k) {
      const Mat3 a = random.matrix();
      blocks.add(std::pow(10.0, exponent) * a, random.rotation());
    }
    expect_right(blocks, "1e" + std::to_string(exponent));
  }
}

// What follows from it for bodies: put down in any way, and scrambled beyond recognition.
TEST(RotationFromFar, ShapeMatchingKeepsRigidMotions) {
  double worst = 0;
  for (const auto& c : test::match_cases()) {
    test::Random random(7);
    for (int seed = 0; seed < 4; ++seed) {
      const Quaternion turn = random.rotation();
      test::Points x = c->rest();
      for (Vec3d& p : x) p = turn * p;
      x = test::rounded(x);
      const test::Points goal = test::match(*c, x, c->reference.no_activation(),
                                            plan_stiffness(1, StiffnessMethod::plain));
      const double off = test::farthest(goal, x) / c->size();
      EXPECT_LE(off, 2e-6) << c->name;
      worst = std::max(worst, off);
    }
  }
  test::record("farthest, sizes", worst);
}

TEST(RotationFromFar, ShapeMatchingAgreesWithTheReference) {
  double worst = 0;
  for (const auto& c : test::match_cases()) {
    test::Random random(10);
    for (int seed = 0; seed < 3; ++seed) {
      const test::Points x = test::deformed(*c, random, 0.1).x;
      const test::Tensors t = c->reference.no_activation();
      const test::Points goal = test::match(*c, x, t, plan_stiffness(1, StiffnessMethod::plain));
      const double off = test::farthest(goal, c->reference.match(x, t, 1)) / c->size();
      EXPECT_LE(off, 1e-5) << c->name << " seed " << seed;
      worst = std::max(worst, off);
    }
  }
  test::record("farthest, sizes", worst);
}

TEST(RotationFromFar, ShapeMatchingKeepsMomentum) {
  double worst = 0;
  for (const auto& c : test::match_cases()) {
    test::Random random(12);
    test::Points x = c->rest();
    for (Vec3d& p : x) p = 0.3 * c->size() * random.vector();
    x = test::rounded(x);
    for (int seed = 0; seed < 4; ++seed) {
      const test::Points goal =
          test::match(*c, x, c->reference.no_activation(),
                      plan_stiffness(1, StiffnessMethod::plain), random.rotation());
      const test::MomentumBooks b = test::momentum_books(c->reference, x, goal);
      EXPECT_LE(b.linear, 1e-6) << c->name;
      EXPECT_LE(b.angular, 1e-4) << c->name;
      worst = std::max(worst, b.angular);
    }
  }
  test::record("angular", worst);
}

}  // namespace
}  // namespace sinew::kernels
