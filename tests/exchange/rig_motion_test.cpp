#include "exchange/rig_motion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace sinew::exchange {
namespace {

// A trunk of three joints with two arms at its top.
std::vector<Joint> tree() {
  return {{"root", -1, {0, 0, 0}},   {"middle", 0, {0, 1, 0}},  {"top", 1, {0, 2, 0}},
          {"left", 2, {-1, 2.2, 0}}, {"right", 2, {1, 2.2, 0}}, {"hand", 4, {1.8, 2.0, 0.1}}};
}

std::vector<Vec3d> rest_of(const std::vector<Joint>& joints) {
  std::vector<Vec3d> places;
  for (const Joint& j : joints) places.push_back(j.rest);
  return places;
}

Eigen::Quaterniond turned(double angle, const Vec3d& axis) {
  return Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis.normalized()));
}

TEST(RigMotion, AtRestNothingIsTurned) {
  const std::vector<Joint> joints = tree();
  for (const JointFrame& f : frames_of(joints, rest_of(joints)))
    EXPECT_LT(f.turn.angularDistance(Eigen::Quaterniond::Identity()), 1e-9);
}

TEST(RigMotion, WhatTurnsAsAWholeIsTurnedSo) {
  const std::vector<Joint> joints = tree();
  const Eigen::Quaterniond turn = turned(1.9, {0.2, 1, -0.5});
  std::vector<Vec3d> places;
  for (const Joint& j : joints) places.push_back(turn * j.rest + Vec3d(1, 2, 3));
  const std::vector<JointFrame> frames = frames_of(joints, places);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    EXPECT_LT((frames[j].place - places[j]).norm(), 1e-12);
    // One bone alone does not say how it is turned about itself; all say where it points.
    for (std::size_t k = 0; k < joints.size(); ++k) {
      if (joints[k].parent != static_cast<int>(j)) continue;
      const Vec3d carried = frames[j].carry(joints[k].rest, joints[j].rest);
      EXPECT_LT((carried - places[k]).norm(), 1e-9) << joints[k].name;
    }
  }
}

// Joints and offsets together give what was, whatever the skeleton does.
TEST(RigMotion, BoundBodiesAreWhereTheyWere) {
  const std::vector<Joint> joints = tree();
  std::mt19937 engine(3);
  std::normal_distribution<double> normal;
  const auto random = [&] { return Vec3d(normal(engine), normal(engine), normal(engine)); };
  std::vector<std::vector<JointFrame>> frames;
  std::vector<std::vector<Vec3f>> places;
  for (int f = 0; f < 12; ++f) {
    std::vector<Vec3d> now;
    // From a little to wild.
    for (const Joint& j : joints) now.push_back(j.rest + 0.12 * f * random());
    frames.push_back(frames_of(joints, now));
    std::vector<Vec3f>& body = places.emplace_back();
    std::mt19937 same(7);
    std::uniform_real_distribution<float> even(-1, 1);
    for (int v = 0; v < 400; ++v) {
      const Vec3f p(1.5f * even(same), 1 + 1.2f * even(same), 0.3f * even(same));
      body.push_back(p + 0.1f * static_cast<float>(f) * Vec3f(p.y(), -p.x(), 0.2f));
    }
  }
  std::vector<std::vector<Vec3f>> offsets = places;
  const Bound bound = bind_to(joints, frames, offsets);
  double worst = 0;
  for (std::size_t f = 0; f < frames.size(); ++f) {
    for (std::size_t v = 0; v < places[f].size(); ++v) {
      const Vec3d p = (bound.rest[v] + offsets[f][v]).cast<double>();
      Vec3d sum(0, 0, 0);
      float parts = 0;
      for (std::size_t k = 0; k < 4; ++k) {
        const std::size_t j = bound.binding.joints[v][k];
        sum +=
            static_cast<double>(bound.binding.parts[v][k]) * frames[f][j].carry(p, joints[j].rest);
        parts += bound.binding.parts[v][k];
      }
      EXPECT_NEAR(parts, 1, 1e-6);
      worst = std::max(worst, (sum - places[f][v].cast<double>()).norm());
    }
  }
  EXPECT_LT(worst, 1e-5);
}

}  // namespace
}  // namespace sinew::exchange
