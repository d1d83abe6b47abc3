#include "exchange/morph.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace sinew::exchange {
namespace {

using Shapes = std::vector<std::vector<Vec3f>>;

const auto never = [] { return false; };

// So many independent ways to deform, each with its own course.
Shapes waves(std::size_t frames, std::size_t vertices, int rank, float noise, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<float> normal;
  Shapes ways(static_cast<std::size_t>(rank), std::vector<Vec3f>(vertices));
  for (auto& way : ways)
    for (Vec3f& d : way) d = Vec3f(normal(engine), normal(engine), normal(engine));
  Shapes shapes(frames, std::vector<Vec3f>(vertices, Vec3f(0, 0, 0)));
  for (std::size_t f = 1; f < frames; ++f) {
    for (std::size_t k = 0; k < ways.size(); ++k) {
      const float w = 0.1f * std::sin(0.3f * static_cast<float>(f * (k + 1)));
      for (std::size_t v = 0; v < vertices; ++v) shapes[f][v] += w * ways[k][v];
    }
    for (Vec3f& d : shapes[f]) d += noise * Vec3f(normal(engine), normal(engine), normal(engine));
  }
  return shapes;
}

double farthest(const Shapes& shapes, const MorphTargets& found) {
  double worst = 0;
  for (std::size_t f = 0; f < shapes.size(); ++f) {
    for (std::size_t v = 0; v < shapes[f].size(); ++v) {
      Vec3d sum(0, 0, 0);
      for (std::size_t k = 0; k < found.targets.size(); ++k)
        sum += static_cast<double>(found.weights[f][k]) * found.targets[k][v].cast<double>();
      worst = std::max(worst, (sum - shapes[f][v].cast<double>()).norm());
    }
  }
  return worst;
}

TEST(Morph, AsManyTargetsAsThereAreWaysToDeform) {
  for (const int rank : {1, 3, 7}) {
    const Shapes shapes = waves(40, 300, rank, 0, 5);
    const MorphTargets found = find_targets(shapes, 1e-5, 0, never);
    EXPECT_EQ(found.targets.size(), static_cast<std::size_t>(2 * rank));  // each both ways
    EXPECT_LT(farthest(shapes, found), 1e-5);
  }
}

TEST(Morph, EveryVertexIsAsNearAsStated) {
  std::size_t before = 1000;
  for (const double tolerance : {1e-6, 1e-3, 1e-2, 0.1}) {
    const Shapes shapes = waves(30, 500, 4, 0.003f, 9);
    const MorphTargets found = find_targets(shapes, tolerance, 0, never);
    EXPECT_LE(found.error, tolerance);
    EXPECT_LE(farthest(shapes, found), tolerance + 1e-6);
    EXPECT_LE(found.targets.size(), before);
    before = found.targets.size();
    for (const auto& weights : found.weights)
      for (const float w : weights) EXPECT_TRUE(w >= 0 && w <= 1) << w;
  }
  EXPECT_LE(before, 8u);
}

TEST(Morph, NoMoreThanAreAllowedAndTheErrorIsTold) {
  const Shapes shapes = waves(30, 200, 6, 0, 2);
  const MorphTargets found = find_targets(shapes, 1e-6, 2, never);
  EXPECT_EQ(found.targets.size(), 2u);
  EXPECT_NEAR(found.error, farthest(shapes, found), 1e-5);
  EXPECT_GT(found.error, 1e-3);
}

TEST(Morph, WhatDoesNotDeformNeedsNone) {
  const Shapes still(5, std::vector<Vec3f>(10, Vec3f(0, 0, 0)));
  EXPECT_TRUE(find_targets(still, 1e-9, 0, never).targets.empty());
  EXPECT_TRUE(find_targets({}, 1e-9, 0, never).targets.empty());
  EXPECT_TRUE(find_targets(Shapes(3), 1e-9, 0, never).targets.empty());
  EXPECT_EQ(find_targets(waves(2, 10, 1, 0, 1), 1e-6, 0, never).targets.size(), 1u);
}

TEST(Morph, NeverMoreTargetsThanFrames) {
  const Shapes shapes = waves(9, 200, 8, 0.05f, 6);
  const MorphTargets found = find_targets(shapes, 1e-7, 0, never);
  EXPECT_EQ(found.targets.size(), 8u);
  EXPECT_EQ(found.error, 0);
  EXPECT_EQ(farthest(shapes, found), 0);
}

}  // namespace
}  // namespace sinew::exchange
