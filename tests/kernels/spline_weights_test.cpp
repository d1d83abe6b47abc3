#include "nodes/kernels/spline_weights.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>

namespace sinew::kernels {
namespace {

using Values = std::vector<double>;

std::vector<SplineKnot> uneven_knots(std::size_t count, unsigned seed, double scale = 1) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> gap(0.05, 2);
  std::vector<SplineKnot> knots;
  double time = -1;
  for (std::size_t j = 0; j < count; ++j) {
    knots.push_back({scale * time});
    time += gap(engine);
  }
  return knots;
}

double tangent(const SplineTangent& t, const Values& y, std::size_t j) {
  return (j > 0 ? t.before * y[j - 1] : 0) + t.here * y[j] +
         (j + 1 < y.size() ? t.after * y[j + 1] : 0);
}

struct Moving {
  double place, speed;
};

// By the four weights and the tangents of the two knots.
Moving by_weights(const std::vector<SplineKnot>& knots, const Values& y, double time,
                  const Values& told = {}) {
  const std::vector<KnotTangents> tangents = spline_tangents(knots);
  const SplineWeights w = spline_weights(knots, time);
  const std::size_t k = w.knot;
  if (knots.size() < 2) return {w.p0 * y[0], w.dp0 * y[0]};
  const double m0 = knots[k].told ? told[k] : tangent(tangents[k].out, y, k);
  const double m1 = knots[k + 1].told ? told[k + 1] : tangent(tangents[k + 1].in, y, k + 1);
  return {w.p0 * y[k] + w.m0 * m0 + w.p1 * y[k + 1] + w.m1 * m1,
          w.dp0 * y[k] + w.dm0 * m0 + w.dp1 * y[k + 1] + w.dm1 * m1};
}

Moving by_blend(const std::vector<SplineKnot>& knots, const Values& y, double time,
                const Values& told = {}) {
  const SplineBlend b = spline_blend(knots, spline_tangents(knots), time);
  Moving sum = {0, 0};
  for (std::size_t i = 0; i < 4; ++i) {
    sum.place += b.value[i] * y[b.knot[i]];
    sum.speed += b.rate[i] * y[b.knot[i]];
  }
  for (std::size_t i = 0; i < 2; ++i) {
    const uint32_t j = b.knot[1 + i];
    if (!knots[j].told) continue;
    sum.place += b.told[i] * told[j];
    sum.speed += b.told_rate[i] * told[j];
  }
  return sum;
}

Values random_values(std::size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> normal;
  Values y(count);
  for (double& x : y) x = normal(engine);
  return y;
}

// Places in the gaps, the knots, and places outside.
std::vector<double> times_of(const std::vector<SplineKnot>& knots) {
  std::vector<double> times = {knots.front().time - 1, knots.back().time + 1};
  for (std::size_t j = 0; j < knots.size(); ++j) {
    times.push_back(knots[j].time);
    for (int i = 1; j + 1 < knots.size() && i < 10; ++i) {
      times.push_back(knots[j].time + 0.1 * i * (knots[j + 1].time - knots[j].time));
    }
  }
  return times;
}

TEST(SplineWeights, pass_through_the_knots_and_stand_still_outside) {
  for (const std::size_t count : {1u, 2u, 3u, 8u}) {
    const auto knots = uneven_knots(count, 3);
    const Values y = random_values(count, 4);
    for (std::size_t j = 0; j < count; ++j) {
      EXPECT_EQ(by_weights(knots, y, knots[j].time).place, y[j]);
    }
    EXPECT_EQ(by_weights(knots, y, knots.front().time - 3).place, y.front());
    EXPECT_EQ(by_weights(knots, y, knots.front().time - 3).speed, 0);
    EXPECT_EQ(by_weights(knots, y, knots.back().time + 3).place, y.back());
    EXPECT_EQ(by_weights(knots, y, knots.back().time + 3).speed, 0);
  }
}

TEST(SplineWeights, keep_a_constant_velocity_exactly) {
  for (const double scale : {1e-6, 1.0, 1e6}) {
    for (const std::size_t count : {2u, 3u, 9u}) {
      const auto knots = uneven_knots(count, 5, scale);
      Values y;
      for (const SplineKnot& k : knots) y.push_back(2 - 3 * k.time / scale);
      for (const double t : times_of(knots)) {
        if (t < knots.front().time || t > knots.back().time) continue;
        EXPECT_NEAR(by_weights(knots, y, t).place, 2 - 3 * t / scale, 1e-13);
        EXPECT_NEAR(by_weights(knots, y, t).speed * scale, -3, 1e-12);
      }
    }
  }
}

TEST(SplineWeights, keep_a_constant_acceleration_inside) {
  const auto knots = uneven_knots(9, 6);
  Values y;
  for (const SplineKnot& k : knots) y.push_back(1 + k.time * (2 - 3 * k.time));
  const auto tangents = spline_tangents(knots);
  for (std::size_t j = 1; j + 1 < knots.size(); ++j) {
    EXPECT_NEAR(tangent(tangents[j].in, y, j), 2 - 6 * knots[j].time, 1e-10);
    EXPECT_NEAR(tangent(tangents[j].out, y, j), 2 - 6 * knots[j].time, 1e-10);
  }
  for (const double t : times_of(knots)) {  // so the gaps between inner knots are exact
    if (t < knots[1].time || t > knots[knots.size() - 2].time) continue;
    EXPECT_NEAR(by_weights(knots, y, t).place, 1 + t * (2 - 3 * t), 1e-10);
    EXPECT_NEAR(by_weights(knots, y, t).speed, 2 - 6 * t, 1e-10);
  }
}

TEST(SplineWeights, are_those_of_the_derivative) {
  const auto knots = uneven_knots(7, 7);
  const Values y = random_values(7, 8);
  const double step = 1e-6;
  for (std::size_t j = 0; j + 1 < knots.size(); ++j) {
    const double h = knots[j + 1].time - knots[j].time;
    for (const double part : {0.1, 0.37, 0.5, 0.93}) {
      const double t = knots[j].time + part * h;
      const double difference =
          by_weights(knots, y, t + step).place - by_weights(knots, y, t - step).place;
      EXPECT_NEAR(by_weights(knots, y, t).speed, difference / (2 * step), 1e-6);
    }
  }
}

TEST(SplineWeights, are_smooth_at_the_knots_unless_they_break) {
  auto knots = uneven_knots(8, 9);
  knots[3].breaks = true;
  const Values y = random_values(8, 10);
  for (std::size_t j = 1; j + 1 < knots.size(); ++j) {
    const double before = by_weights(knots, y, knots[j].time - 1e-11).speed;
    const double after = by_weights(knots, y, knots[j].time).speed;
    if (j != 3) {
      EXPECT_NEAR(before, after, 1e-8);
      continue;
    }
    EXPECT_NEAR(before, (y[3] - y[2]) / (knots[3].time - knots[2].time), 1e-8);
    EXPECT_NEAR(after, (y[4] - y[3]) / (knots[4].time - knots[3].time), 1e-12);
  }
}

TEST(SplineWeights, take_a_velocity_that_is_told) {
  auto knots = uneven_knots(6, 11);
  knots[0].told = knots[2].told = knots[5].told = knots[2].breaks = true;
  const Values y = random_values(6, 12), told = {1, 0, -2, 0, 0, 3};
  EXPECT_NEAR(by_weights(knots, y, knots[0].time, told).speed, 1, 1e-12);
  EXPECT_NEAR(by_weights(knots, y, knots[2].time - 1e-11, told).speed, -2, 1e-8);
  EXPECT_NEAR(by_weights(knots, y, knots[2].time, told).speed, -2, 1e-12);
  EXPECT_NEAR(by_weights(knots, y, knots[5].time, told).speed, 3, 1e-12);
}

TEST(SplineBlend, is_the_weights_with_the_tangents_put_in) {
  for (const std::size_t count : {1u, 2u, 3u, 8u}) {
    auto knots = uneven_knots(count, 13);
    const Values y = random_values(count, 14), told = random_values(count, 15);
    for (int round = 0; round < 3; ++round) {
      if (round == 1) knots[count / 2].breaks = true;
      if (round == 2) knots[count / 2].told = knots[0].told = true;
      for (const double t : times_of(knots)) {
        const Moving a = by_weights(knots, y, t, told), b = by_blend(knots, y, t, told);
        EXPECT_NEAR(a.place, b.place, 1e-12);
        EXPECT_NEAR(a.speed, b.speed, 1e-10);
        const SplineBlend blend = spline_blend(knots, spline_tangents(knots), t);
        EXPECT_NEAR(std::accumulate(blend.value.begin(), blend.value.end(), 0.0), 1, 1e-12);
        EXPECT_NEAR(std::accumulate(blend.rate.begin(), blend.rate.end(), 0.0), 0, 1e-10);
      }
    }
  }
}

TEST(SplineTangents, refuse_times_that_do_not_increase) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double second : {0.0, -1.0, nan}) {
    const SplineKnot knots[] = {{0}, {second}};
    EXPECT_THROW(spline_tangents(knots), std::invalid_argument) << second;
  }
  EXPECT_TRUE(spline_tangents({}).empty());
}

}  // namespace
}  // namespace sinew::kernels
