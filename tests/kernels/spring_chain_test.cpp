#include "nodes/kernels/spring_chain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace sinew::kernels {
namespace {

bool all_finite(const SpringChainState& state) {
  for (const Vec3f& p : state.positions) {
    if (!p.allFinite()) return false;
  }
  for (const Vec3f& v : state.velocities) {
    if (!v.allFinite()) return false;
  }
  return true;
}

TEST(SpringChain, comes_to_rest_at_the_analytic_stretch) {
  SpringChainParams params;
  params.drag = 2;
  const int n = 10;
  SpringChainState state = make_spring_chain(n, {0, 2, 0}, {1, 0, 0}, params);
  for (int frame = 0; frame < 2400; ++frame)
    state = step_spring_chain(state, {0, 2, 0}, 1 / 60.f, params);
  // Spring i carries all particles from i on.
  const double weight = params.mass / n * 9.81;
  double y = 2;
  for (int i = 0; i < n; ++i) {
    y -= params.length / n + (n - i) * weight / params.stiffness;
    EXPECT_NEAR(state.positions[i][1], y, 2e-3) << i;
    EXPECT_NEAR(state.positions[i][0], 0, 2e-3);
  }
}

TEST(SpringChain, energy_only_goes_down) {
  SpringChainParams params;
  params.drag = 0;
  params.damping = 0;
  SpringChainState state = make_spring_chain(8, {0, 0, 0}, {1, 0.3f, 0.2f}, params);
  const double start = spring_chain_energy(state, params);
  double last = start;
  for (int frame = 0; frame < 600; ++frame) {
    state = step_spring_chain(state, {0, 0, 0}, 1 / 60.f, params);
    const double now = spring_chain_energy(state, params);
    EXPECT_LT(now, last + 1e-2);
    last = std::min(last, now);
  }
  EXPECT_LE(last, start);
}

TEST(SpringChain, a_pendulum_has_the_right_period) {
  SpringChainParams params;
  params.stiffness = std::numeric_limits<float>::infinity();
  params.drag = 0;
  params.damping = 0;
  params.substeps = 64;
  const float angle = 0.05f;
  SpringChainState state =
      make_spring_chain(1, {0, 0, 0}, {std::sin(angle), -std::cos(angle), 0}, params);
  const double dt = 1.0 / 240;
  double first = -1, second = -1, t = 0;
  float last = state.positions[0][0];
  while (second < 0 && t < 10) {
    state = step_spring_chain(state, {0, 0, 0}, static_cast<float>(dt), params);
    t += dt;
    const float x = state.positions[0][0];
    if (last > 0 && x <= 0) {
      const double crossing = t - dt * x / (x - last);
      (first < 0 ? first : second) = crossing;
    }
    last = x;
  }
  EXPECT_NEAR(second - first, 2 * M_PI * std::sqrt(1 / 9.81), 0.01);
}

TEST(SpringChain, stays_finite_for_anything) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> exponent(-9, 9), uniform(-1, 1);
  for (int run = 0; run < 300; ++run) {
    SpringChainParams params;
    params.length = std::pow(10.f, exponent(random));
    params.mass = std::pow(10.f, exponent(random));
    params.stiffness = run % 5 ? std::pow(10.f, exponent(random)) : INFINITY;
    params.damping = std::pow(10.f, exponent(random));
    params.drag = run % 3 ? std::pow(10.f, exponent(random)) : 0;
    params.substeps = 1 + run % 20;
    const float dt = std::pow(10.f, exponent(random) / 3);
    SpringChainState state =
        make_spring_chain(1 + run % 30, {0, 0, 0}, {uniform(random), 0, 1}, params);
    for (int frame = 0; frame < 30; ++frame) {
      const Vec3f anchor(uniform(random) * 100, uniform(random) * 100, 0);
      state = step_spring_chain(state, anchor, dt, params);
      ASSERT_TRUE(all_finite(state)) << run << " " << frame;
    }
  }
  const SpringChainParams bad{-1, NAN, -5, -1, NAN, {NAN, INFINITY, 0}, -3};
  SpringChainState state = make_spring_chain(-4, {0, 0, 0}, {NAN, 0, 0}, bad);
  EXPECT_EQ(state.positions.size(), 1u);
  EXPECT_TRUE(all_finite(step_spring_chain(state, {1, 1, 1}, 0.1f, bad)));
}

TEST(SpringChain, is_a_pure_function_and_time_zero_changes_nothing) {
  const SpringChainParams params;
  const SpringChainState start = make_spring_chain(5, {0, 0, 0}, {1, 0, 0}, params);
  const SpringChainState copy = start;
  const SpringChainState once = step_spring_chain(start, {0, 1, 0}, 0.1f, params);
  EXPECT_EQ(start, copy);
  EXPECT_EQ(once, step_spring_chain(start, {0, 1, 0}, 0.1f, params));
  EXPECT_EQ(step_spring_chain(start, {0, 0, 0}, 0, params), start);
  EXPECT_EQ(once.anchor, Vec3f(0, 1, 0));
}

TEST(SpringChain, does_not_care_where_it_hangs) {
  const SpringChainParams params;
  SpringChainState a = make_spring_chain(5, {0, 0, 0}, {1, 0, 0}, params);
  SpringChainState b = make_spring_chain(5, {8, -4, 2}, {1, 0, 0}, params);
  for (int frame = 0; frame < 60; ++frame) {
    a = step_spring_chain(a, {0, 0, 0}, 1 / 60.f, params);
    b = step_spring_chain(b, {8, -4, 2}, 1 / 60.f, params);
  }
  for (int i = 0; i < 5; ++i) {
    EXPECT_LT((b.positions[i] - a.positions[i] - Vec3f(8, -4, 2)).norm(), 1e-3f);
  }
}

}  // namespace
}  // namespace sinew::kernels
