// One body that is led, for tests: a frame at a time, with the led shape as a list of places.
#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "nodes/kernels/soft_body.h"
#include "tests/kernels/match_cases.h"

namespace sinew::kernels::led_tests {

using test::MatchCase;
using test::Points;

inline constexpr double frame = 1.0 / 25;  // s

inline const MatchCase& box() {
  static const MatchCase made("box", make_tet_box({1, 1, 1}, {4, 4, 4}), 1);
  return made;
}
inline const MatchCase& bar() {
  static const MatchCase made("bar", test::shaken_box({2, 0.6f, 0.6f}, {10, 3, 3}, 2), 2);
  return made;
}
inline const MatchCase& bell() {
  static const MatchCase made("bell", test::bell(0.7f, 1, 7, 2), 3);
  return made;
}
inline std::vector<const MatchCase*> bodies() { return {&box(), &bar(), &bell()}; }

using Move = std::function<Vec3d(const Vec3d&)>;

// One body that is led from frame to frame.
struct LedScene {
  const MatchCase& made;
  std::vector<Vec3f> before, now;
  std::vector<double> swings = {3};  // one, or one per vertex
  double zeta = 0.2;
  bool holds_pins = false;
  int steps = 2;
  SoftSettings settings;
  SoftState state;
  SoftScratch scratch;
  LaneFloats tensors, turns;

  explicit LedScene(const MatchCase& c) : made(c), now(c.solid.positions) {
    settings.plan = plan_stiffness(6, StiffnessMethod::fast);
    state = rest_state(c.body, c.solid);
    rest_tensors(c.body, tensors);
  }
  std::vector<Vec3f> moved(const Move& move) const {
    std::vector<Vec3f> out;
    for (const Vec3f& p : made.solid.positions) out.push_back(move(p.cast<double>()).cast<float>());
    return out;
  }
  void begin_on(std::vector<Vec3f> led) {
    now = std::move(led);
    state.positions = now;
  }
  // A frame, in which the led shape goes to `next`.
  void go(std::vector<Vec3f> next, double dt = frame) {
    before = std::move(now);
    now = std::move(next);
    std::vector<LedVertex> vertices;
    for (const double f : swings) vertices.push_back(led_vertex(f, zeta, dt / steps));
    const Led led{before, now, vertices, holds_pins, turns};
    settings.led = &led;
    for (int k = 0; k < steps; ++k) {
      settings.frame_from = static_cast<float>(k) / static_cast<float>(steps);
      settings.frame_to = static_cast<float>(k + 1) / static_cast<float>(steps);
      step_soft_body(made.body, settings, dt / steps, tensors, 1.0f / static_cast<float>(steps - k),
                     scratch, state);
    }
    settings.led = nullptr;
  }
  void stand(int frames, double dt = frame) {
    for (int k = 0; k < frames; ++k) go(now, dt);
  }
  SoftMotion motion() const { return soft_motion(made.body, state); }
  Points x() const { return test::to_double(state.positions); }
  // The farthest vertex from where it is led, in sizes.
  double off() const { return test::farthest(x(), test::to_double(now)) / made.size(); }
};

// Bent about z, stretched, and put elsewhere.
inline Move bend(double size, double by, const Vec3d& shift = Vec3d::Zero()) {
  return [=](const Vec3d& p) -> Vec3d {
    const double angle = by * p.x() / size, radius = size / by;
    return Vec3d((radius - p.y()) * std::sin(angle), radius - (radius - p.y()) * std::cos(angle),
                 1.2 * p.z()) +
           shift;
  };
}
inline Move shift(const Vec3d& by) {
  return [=](const Vec3d& p) { return Vec3d(p + by); };
}

}  // namespace sinew::kernels::led_tests
