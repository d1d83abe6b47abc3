#include "exchange/retime.h"

#include <gtest/gtest.h>

namespace sinew::exchange {
namespace {

// Remembers what it is given.
class Listener : public Writer {
 public:
  Result<void> add(const Scene& scene) override {
    scenes.push_back(scene);
    return {};
  }
  Result<Report> finish(const std::function<bool()>&) override { return Report{}; }
  std::vector<Scene> scenes;
};

Scene at(int frame, std::size_t vertices = 1) {
  Scene scene;
  scene.frame = frame;
  Body body;
  body.name = "body";
  body.mesh =
      Mesh(Topology{}, std::vector<Vec3f>(vertices, Vec3f(static_cast<float>(frame), 0, 0)));
  scene.bodies.push_back(std::move(body));
  return scene;
}

std::vector<Scene> sent(double fps, double out_fps, int first, int last, int step = 1) {
  Retime retime(fps, out_fps, first, last, step);
  Listener listener;
  for (int f = first; f <= last; f += step) EXPECT_TRUE(retime.feed(at(f), listener));
  EXPECT_EQ(listener.scenes.size(), static_cast<std::size_t>(retime.frame_count()));
  if (!listener.scenes.empty()) {
    EXPECT_EQ(listener.scenes[0].frame, retime.first_frame());
  }
  return listener.scenes;
}

TEST(Retime, TheSameRateChangesNothing) {
  const std::vector<Scene> scenes = sent(25, 25, 3, 9);
  ASSERT_EQ(scenes.size(), 7u);
  for (int k = 0; k < 7; ++k) {
    EXPECT_EQ(scenes[static_cast<std::size_t>(k)].frame, 3 + k);
    EXPECT_EQ(scenes[static_cast<std::size_t>(k)].seconds, (3 + k) / 25.0);
  }
}

TEST(Retime, AMotionLastsAsLongAsBefore) {
  for (const double out : {5.0, 24.0, 30.0, 50.0, 60.0, 120.0, 23.976}) {
    const std::vector<Scene> scenes = sent(25, out, 0, 50);
    EXPECT_NEAR(scenes.back().seconds, 2, 1 / out + 1e-9) << out;
    for (const Scene& s : scenes) {
      // The body goes 25 m a second.
      EXPECT_NEAR(static_cast<double>(s.bodies[0].mesh.positions[0].x()), 25 * s.seconds, 1e-4);
    }
  }
  EXPECT_EQ(sent(25, 50, 0, 50).size(), 101u);
  EXPECT_EQ(sent(25, 50, 10, 12).front().frame, 20);
  EXPECT_EQ(sent(24, 12, 1, 10).front().frame, 1);  // frame 1 of 24 is half a frame of 12
}

TEST(Retime, StepsAreFilledOrLeftOut) {
  EXPECT_EQ(sent(25, 5, 0, 20, 5).size(), 5u);
  const std::vector<Scene> filled = sent(25, 25, 0, 20, 5);
  ASSERT_EQ(filled.size(), 21u);
  EXPECT_NEAR(static_cast<double>(filled[7].bodies[0].mesh.positions[0].x()), 7, 1e-5);
}

TEST(Retime, BodiesThatBecomeOthersAreNotBlended) {
  Retime retime(10, 20, 0, 2, 1);
  Listener listener;
  EXPECT_TRUE(retime.feed(at(0, 1), listener));
  EXPECT_TRUE(retime.feed(at(1, 5), listener));
  EXPECT_TRUE(retime.feed(at(2, 5), listener));
  ASSERT_EQ(listener.scenes.size(), 5u);
  EXPECT_EQ(listener.scenes[1].bodies[0].mesh.vertex_count(), 1u);
}

}  // namespace
}  // namespace sinew::exchange
