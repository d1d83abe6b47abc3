// Obstacles between two frames, of every shape: where they are, how their surfaces move, and which
// of them have not moved but were put there.
#include "nodes/kernels/moving_obstacles.h"

#include <gtest/gtest.h>

#include <random>

#include "nodes/kernels/collide.h"

namespace sinew::kernels {
namespace {

std::shared_ptr<const HeightGrid> slope(float height) {
  HeightGrid grid;
  grid.counts = {3, 3};
  grid.origin = Vec2f(-5, -5);
  grid.spacing = Vec2f(5, 5);
  for (int i = 0; i < 9; ++i) grid.heights.push_back(height + 0.1f * static_cast<float>(i % 3));
  return std::make_shared<const HeightGrid>(grid);
}

// A ball of distances.
std::shared_ptr<const DistanceGrid> ball_grid(float radius) {
  DistanceGrid grid;
  grid.counts = {41, 41, 41};
  grid.origin = Vec3f(-2, -2, -2);
  grid.spacing = 0.1f;
  for (int k = 0; k < 41; ++k) {
    for (int j = 0; j < 41; ++j) {
      for (int i = 0; i < 41; ++i) {
        const Vec3f at = grid.origin + grid.spacing * Vec3f(Eigen::Vector3i(i, j, k).cast<float>());
        grid.distances.push_back(at.norm() - radius);
      }
    }
  }
  return std::make_shared<const DistanceGrid>(grid);
}

Collider of_shape(ColliderShape shape, float size) {
  Collider c;
  c.shape = shape;
  c.half = Vec3f(0.5f, 0.4f, 0.6f) * size;
  c.radius = shape == ColliderShape::box ? 0.05f * size : 0.5f * size;
  if (shape == ColliderShape::terrain) c.heights = slope(size);
  if (shape == ColliderShape::mesh) c.distances = ball_grid(size);
  return c;
}

constexpr ColliderShape every_shape[] = {ColliderShape::plane,   ColliderShape::sphere,
                                         ColliderShape::box,     ColliderShape::capsule,
                                         ColliderShape::terrain, ColliderShape::mesh};

TEST(MovingObstacles, WhatLiesOnTheSurfaceLayOnIt) {
  // A place on the surface at a moment, taken back by what its material has come, is on the surface
  // of the moment before: for shapes that move, turn and swell at once.
  std::mt19937 random(7);
  std::uniform_real_distribution<float> some(-1, 1);
  for (const ColliderShape shape : every_shape) {
    SCOPED_TRACE(shape_name(shape));
    for (int trial = 0; trial < 40; ++trial) {
      Colliders before, now;
      before.list = {of_shape(shape, 1)};
      now.list = {of_shape(shape, 1.06f)};
      Collider& c = now.list[0];
      c.position = 0.1f * Vec3f(some(random), some(random), some(random));
      c.rotation = Eigen::AngleAxisf(0.1f * some(random), Vec3f(1, 2, -1).normalized());
      const ObstacleFrame frame(&before, &now, 10);
      EXPECT_TRUE(frame.moves());
      Vec3d place = Vec3d(some(random), some(random), some(random)).normalized() * 1.2;
      for (int k = 0; k < 30; ++k) {
        const SurfaceDistance found = signed_distance(c, place);
        place -= found.distance * found.normal;
      }
      if (std::abs(signed_distance(c, place).distance) > 1e-6) continue;
      const Vec3d moved = frame.moved(0, c, place);
      EXPECT_NEAR(signed_distance(before.list[0], place - moved).distance, 0, 0.01) << trial;
      EXPECT_GT(moved.norm(), 0) << trial;
    }
  }
}

TEST(MovingObstacles, PartsOfAFrameAddUp) {
  for (const ColliderShape shape : every_shape) {
    SCOPED_TRACE(shape_name(shape));
    Colliders before, now;
    before.list = {of_shape(shape, 1)};
    now.list = {of_shape(shape, 1.2f)};
    now.list[0].position = Vec3f(0.3f, 0.1f, -0.2f);
    const ObstacleFrame frame(&before, &now, 10);
    Vec3d sum = Vec3d::Zero();
    const Vec3d place(0.4, 1.3, 0.2);
    for (int k = 0; k < 10; ++k) {
      Colliders from, to;
      frame.at(0.1f * static_cast<float>(k), from);
      frame.at(0.1f * static_cast<float>(k + 1), to);
      sum += frame.moved<double>(0, from.list[0], to.list[0], 0.1, place);
    }
    // Along the normal, about as much as over the whole.
    EXPECT_LT((sum - frame.moved<double>(0, before.list[0], now.list[0], 1, place)).norm(), 0.1);
    Colliders end;
    frame.at(1, end);
    EXPECT_LT((end.list[0].position - now.list[0].position).norm(), 1e-6f);
    EXPECT_NEAR(end.list[0].radius, now.list[0].radius, 1e-6f);
  }
}

TEST(MovingObstacles, WhatJumpsOrIsAnotherStandsStill) {
  Colliders before, now, at;
  before.list = {of_shape(ColliderShape::sphere, 1), of_shape(ColliderShape::box, 1)};
  const Vec3d place(0, 0.5, 0);
  const auto expect_put_there = [&](const char* what) {
    SCOPED_TRACE(what);
    const ObstacleFrame frame(&before, &now, 10);
    for (const float part : {0.0f, 0.3f, 1.0f}) {
      frame.at(part, at);
      ASSERT_EQ(at.list.size(), now.list.size());
      EXPECT_EQ(at.list[0], now.list[0]) << part;
    }
    EXPECT_EQ(frame.moved(0, now.list[0], place), Vec3d(0, 0, 0));
    EXPECT_EQ(frame.moved<float>(0, now.list[0], now.list[0], 1, Vec3f(0, 1, 0)), Vec3f(0, 0, 0));
  };
  now = before;
  now.list[0].position.x() = 11;
  expect_put_there("it jumps");
  now = before;
  now.list[0] = of_shape(ColliderShape::capsule, 1);
  expect_put_there("it is of another kind");
  now.list.pop_back();
  expect_put_there("there are fewer");
  now = before;
  now.list.push_back(before.list[0]);
  expect_put_there("there are more");
  // What does not jump beside it goes on.
  now = before;
  now.list[0].position.x() = 11;
  now.list[1].position.x() = 1;
  EXPECT_NEAR(ObstacleFrame(&before, &now, 10).moved(1, now.list[1], place).x(), 1, 1e-6);
  // Over many frames the same.
  const ObstaclesInTime time({0, 1}, {before, now}, 10);
  EXPECT_EQ(time.at(0).list[0], before.list[0]);
  EXPECT_EQ(time.at(0.5).list[0], now.list[0]);
  EXPECT_NEAR(time.at(0.5).list[1].position.x(), 0.5f, 1e-6f);
}

}  // namespace
}  // namespace sinew::kernels
