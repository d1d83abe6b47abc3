// Bodies that are led: the same bits whatever the threads and the rooms, and nothing that blows up,
// wherever they are led.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/kernels/figures.h"
#include "tests/kernels/led_scene.h"
#include "tests/kernels/shapes.h"

namespace sinew::kernels {
namespace {

using namespace led_tests;
using test::Random;
using test::Tensors;

// --- the same bits -------------------------------------------------------------------------------

void expect_same(const SoftState& a, const SoftState& b) {
  EXPECT_TRUE(a.positions == b.positions);
  EXPECT_TRUE(a.velocities == b.velocities);
  EXPECT_TRUE(a.rotations == b.rotations);
  EXPECT_TRUE(a.tensors == b.tensors);
}

// What is not led does not care whether its room has seen a led body, and the other way round.
TEST(SoftFollow, RoomsRememberNothing) {
  LedScene led(bar()), plain(bar()), fresh(bar());
  led.go(led.moved(bend(2, 1)));
  for (LedScene* run : {&plain, &fresh}) {
    run->settings.gravity = {0, -3, 1};
    run->settings.damping = 2;
  }
  plain.scratch = std::move(led.scratch);
  for (int k = 0; k < 10; ++k) {
    for (LedScene* run : {&plain, &fresh}) {
      step_soft_body(bar().body, run->settings, 0.01, run->tensors, 1, run->scratch, run->state);
    }
  }
  expect_same(plain.state, fresh.state);
  EXPECT_EQ(plain.state.books.led, Vec3d(0, 0, 0));
  led.scratch = std::move(plain.scratch);
  LedScene again(bar());
  again.go(again.moved(bend(2, 1)));
  led.stand(3);
  again.stand(3);
  expect_same(led.state, again.state);
}

TEST(SoftFollow, SameBitsOnAnyNumberOfThreads) {
  const MatchCase large("large", test::shaken_box({2, 1, 1}, {24, 14, 14}, 4), 3);
  ASSERT_GT(large.count(), 4096u);
  test::expect_same_for_threads([&] {
    LedScene run(large);
    run.settings.damping = 3;
    run.swings.clear();
    for (const Vec3f& p : large.solid.positions) run.swings.push_back(3 + 2 * p.x());
    const std::vector<Pin> pins = {{0, 1, Vec3f::Zero()}, {9, 0.4f, Vec3f::Zero()}};
    run.settings.pins = pins;
    run.holds_pins = true;
    test::set_tensors(large.match(), Tensors(large.count(), Vec3d(1.2, 0.9, 1).asDiagonal()),
                      run.tensors);
    for (int k = 1; k < 8; ++k) {
      run.go(run.moved(bend(2, 0.2 * k, {0.1 * k, 0, 0})));
      led_turns(large.match(), run.now, run.scratch.match, run.turns);
      turn_tensors(large.match(), run.turns, run.tensors);
    }
    std::vector<float> all(run.turns.begin(), run.turns.end());
    all.insert(all.end(), run.tensors.begin(), run.tensors.end());
    for (std::size_t i = 0; i < large.count(); ++i) {
      for (int k = 0; k < 3; ++k) {
        all.push_back(run.state.positions[i][k]);
        all.push_back(run.state.velocities[i][k]);
      }
    }
    const Vec3d total = run.state.books.total();
    for (int k = 0; k < 3; ++k) all.push_back(static_cast<float>(total[k]));
    return all;
  });
}

// --- anything ------------------------------------------------------------------------------------

// A led shape drawn at random, near the body or far away, whole or spoilt.
std::vector<Vec3f> any_shape(const MatchCase& c, Random& random) {
  const double size = c.size();
  const int kind = random.whole(0, 7);
  const Eigen::Matrix3d turn = random.rotation().toRotationMatrix() * random.stretch(2);
  const Vec3d to = size * (random.whole(0, 3) == 0 ? 50 : 1) * random.vector();
  const Vec3d axis = random.direction();
  std::vector<Vec3f> out;
  for (const Vec3f& at : c.solid.positions) {
    Vec3d p = at.cast<double>() - c.match().rest_centre();
    if (kind == 1) p = -p;
    if (kind == 2) p -= p.dot(axis) * axis;
    if (kind == 3) p = p.dot(axis) * axis;
    if (kind == 4) p.setZero();
    if (kind == 5) p = 0.5 * size * random.vector();
    if (kind == 6) p *= 20;
    out.push_back((turn * p + to).cast<float>());
  }
  return out;
}

TEST(SoftFollow, AnythingStaysBoundedAndComesBack) {
  double most = 0, worst = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const MatchCase& c = *bodies()[seed % 3];
    LedScene run(c);
    run.settings.plan = plan_stiffness(
        random.whole(1, 20), random.whole(0, 1) ? StiffnessMethod::fast : StiffnessMethod::plain);
    run.steps = random.whole(1, 4);
    run.zeta = random.whole(0, 1) ? random.uniform(0, 1) : random.uniform(0, 10);
    run.settings.damping = random.whole(0, 1) ? static_cast<float>(random.uniform(0, 100)) : 0;
    run.swings.clear();
    const int firm = random.whole(0, 2);
    for (std::size_t i = 0; i < c.count(); ++i) {
      run.swings.push_back(firm == 0   ? std::pow(10, random.uniform(-2, 6))
                           : firm == 1 ? 1e6 * random.whole(0, 1)
                                       : random.uniform(0, 30));
    }
    const double dt = std::pow(2, random.uniform(std::log2(1.0 / 240), std::log2(1.0 / 12)));
    double reach = c.size();
    for (int k = 0; k < 60; ++k) {
      run.go(random.whole(0, 2) ? run.now : any_shape(c, random), dt);
      for (const Vec3f& p : run.now) reach = std::max<double>(reach, p.norm());
      double extent = 0;
      for (std::size_t i = 0; i < c.count(); ++i) {
        ASSERT_TRUE(run.state.positions[i].allFinite()) << seed;
        ASSERT_TRUE(run.state.velocities[i].allFinite()) << seed;
        extent = std::max<double>(extent, run.state.positions[i].norm());
      }
      ASSERT_LE(extent, 10 * reach) << seed << " frame " << k;
      most = std::max(most, extent / reach);
    }
    // Led back to the shape at rest, and with something that calms it, it finds its way there.
    run.swings = {3};
    run.zeta = 0.7;
    run.settings.damping = 5;
    run.go(c.solid.positions);
    run.stand(250);
    EXPECT_LE(run.off(), 1e-3) << seed << " " << c.name;
    worst = std::max(worst, run.off());
  }
  test::record("extent / reach", most);
  test::record("off at the end, sizes", worst);
}

// Numbers at the end of what floats can hold: nothing that is not finite comes out.
TEST(SoftFollow, HugeNumbersStayFinite) {
  for (const float huge : {1e10f, 1e19f, 1e30f, 3e38f}) {
    LedScene run(box());
    run.settings.damping = 2;
    std::vector<Vec3f> led = box().solid.positions;
    for (std::size_t i = 0; i < led.size(); i += 2) led[i] *= huge;
    run.go(led);
    run.stand(3);
    for (Vec3f& p : led) p = -p;
    run.go(led);
    run.stand(3);
    for (std::size_t i = 0; i < led.size(); ++i) {
      ASSERT_TRUE(run.state.positions[i].allFinite()) << huge;
      ASSERT_TRUE(run.state.velocities[i].allFinite()) << huge;
    }
  }
}

}  // namespace
}  // namespace sinew::kernels
