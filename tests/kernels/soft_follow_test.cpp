// Bodies that are led: they rest on the led shape, follow it, and swing about it as declared.
#include "nodes/kernels/soft_follow.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "tests/kernels/figures.h"
#include "tests/kernels/led_scene.h"

namespace sinew::kernels {
namespace {

using namespace led_tests;
using test::Random;
using test::Tensors;

constexpr double pi = std::numbers::pi;

// --- the swing of one vertex ---------------------------------------------------------------------

// e(t) of e'' + 2 zeta omega e' + omega^2 e = 0 that begins at 1 with the speed s.
double swing(double omega, double zeta, double s, double t) {
  if (zeta < 1) {
    const double w = omega * std::sqrt(1 - zeta * zeta);
    return std::exp(-zeta * omega * t) *
           (std::cos(w * t) + (s + zeta * omega) / w * std::sin(w * t));
  }
  if (zeta == 1) return std::exp(-omega * t) * (1 + (s + omega) * t);
  const double w = omega * std::sqrt(zeta * zeta - 1);
  const double p = -zeta * omega + w, q = -zeta * omega - w;
  return ((s - q) * std::exp(p * t) - (s - p) * std::exp(q * t)) / (p - q);
}

TEST(SoftFollow, AVertexSwingsAsTheEquationSays) {
  double worst = 0;
  for (const double h : {1.0 / 480, 1.0 / 60, 1.0 / 24}) {
    for (const double f : {0.1, 1.0, 3.0, 5.9}) {
      for (const double zeta : {0.0, 0.05, 0.5, 0.999, 1.0, 1.5, 10.0}) {
        const LedVertex c = led_vertex(f, zeta, h);
        const double omega = 2 * pi * f;
        double e = swing(omega, zeta, 3, h), v = (e - 1) / h;
        for (int n = 2; n < 50; ++n) {
          v += -static_cast<double>(c.calm) * v - static_cast<double>(c.draw) * e / h;
          e += h * v;
          const double want = swing(omega, zeta, 3, n * h);
          EXPECT_NEAR(e, want, 3e-5) << f << " Hz, " << zeta << ", " << h << ", step " << n;
          worst = std::max(worst, std::abs(e - want));
        }
      }
    }
  }
  test::record("worst", worst);
}

TEST(SoftFollow, AVertexIsStableForAnyNumbers) {
  EXPECT_EQ(led_vertex(0, 0.2, frame), LedVertex{});
  EXPECT_EQ(led_vertex(-5, 0.2, frame), LedVertex{});
  EXPECT_EQ(led_vertex(1e9, 0, frame), (LedVertex{1, 1}));
  EXPECT_EQ(led_vertex(1e9, 5, frame), (LedVertex{1, 1}));
  Random random(3);
  for (int k = 0; k < 20000; ++k) {
    const double h = std::pow(10, random.uniform(-4, 0)), zeta = random.uniform(-0.1, 12);
    const LedVertex c = led_vertex(std::pow(10, random.uniform(-6, 6)), zeta, h);
    const double a = static_cast<double>(c.calm), b = static_cast<double>(c.draw);
    ASSERT_GE(a, 0);
    ASSERT_LE(a, 1);
    ASSERT_GE(b, 0);
    ASSERT_LE(b, 2 - a + 1e-6);  // what the proof in the header needs
  }
}

// --- at rest -------------------------------------------------------------------------------------

TEST(SoftFollow, ComesToRestOnTheLedShape) {
  double worst = 0;
  for (const MatchCase* c : bodies()) {
    for (const Vec3d& where : {Vec3d(0, 0, 0), Vec3d(3, -2, 1)}) {
      for (const double zeta : {0.2, 1.0}) {
        LedScene run(*c);
        run.zeta = zeta;
        run.settings.damping = 4;
        run.go(run.moved(bend(c->size(), 1.5, where)));
        run.stand(400);
        EXPECT_LE(run.off(), 2e-6) << c->name;
        EXPECT_LE(std::sqrt(run.motion().kinetic / run.motion().mass), 1e-4 * c->size()) << c->name;
        worst = std::max(worst, run.off());
      }
    }
  }
  test::record("off, sizes", worst);
}

// What is bent, flat, mirrored or in one point is at rest like that, even if nothing draws it.
TEST(SoftFollow, ALedShapeHasNoForce) {
  const auto shapes = [](const MatchCase& c) {
    const Vec3d centre = c.match().rest_centre();
    return std::vector<std::pair<std::string, Move>>{
        {"bent", bend(c.size(), 3)},
        {"flat", [](const Vec3d& p) { return Vec3d(p.x(), 0, p.z()); }},
        {"a line", [](const Vec3d& p) { return Vec3d(p.x(), 0, 0); }},
        {"a point", [](const Vec3d&) { return Vec3d(1, 2, 3); }},
        {"mirrored", [](const Vec3d& p) { return Vec3d(-p.x(), p.y(), p.z()); }},
        {"inside out", [](const Vec3d& p) { return Vec3d(-p); }},
        {"ten times", [=](const Vec3d& p) { return Vec3d(10 * (p - centre)); }},
    };
  };
  for (const MatchCase* c : bodies()) {
    for (const auto& [name, move] : shapes(*c)) {
      for (const double f : {0.0, 3.0}) {
        LedScene run(*c);
        run.swings = {f};
        run.settings.damping = 2;
        run.begin_on(run.moved(move));
        run.stand(10);
        EXPECT_LE(run.off(), 1e-5) << c->name << ", " << name << ", " << f << " Hz";
      }
    }
  }
}

TEST(SoftFollow, WeightMakesItSagByTheSquareOfTheSwing) {
  for (const double f : {2.0, 4.0}) {
    LedScene run(box());
    run.swings = {f};
    run.zeta = 0.3;
    run.steps = 16;
    run.settings.gravity = {0, -9.81f, 0};
    run.stand(200);
    const double sag = (box().match().rest_centre() - run.motion().centre).y();
    EXPECT_NEAR(sag * std::pow(2 * pi * f, 2) / 9.81, 1, 0.03) << f;
  }
}

// --- in motion -----------------------------------------------------------------------------------

TEST(SoftFollow, FollowsASteadyMotionWithoutLag) {
  double worst = 0;
  for (const MatchCase* c : bodies()) {
    for (const bool pinned : {false, true}) {
      LedScene run(*c);
      run.settings.damping = 4;
      std::vector<Pin> pins;
      for (uint32_t i = 0; i < c->count(); i += 9) pins.push_back({i, 1, Vec3f::Zero()});
      if (pinned) run.settings.pins = pins, run.holds_pins = true;
      const Vec3d speed = c->size() * Vec3d(0.5, 0.3, -0.2);
      for (int k = 1; k <= 250; ++k) {
        run.go(run.moved(shift(k * frame * speed)));
        if (pinned) {
          for (const Pin& pin : pins) {
            ASSERT_LE((run.state.positions[pin.vertex] - run.now[pin.vertex]).norm(),
                      3e-6 * c->size())
                << c->name << " " << k;
          }
        }
      }
      EXPECT_LE(run.off(), 2e-5) << c->name << pinned;
      const Vec3d mean = run.motion().momentum / run.motion().mass;
      EXPECT_LE((mean - speed).norm(), 1e-4 * speed.norm()) << c->name << pinned;
      worst = std::max(worst, run.off());
    }
  }
  test::record("off, sizes", worst);
}

// A body that grows or shears steadily has no jiggling to be damped.
TEST(SoftFollow, FollowsASteadyGrowthWithoutLag) {
  for (const MatchCase* c : bodies()) {
    LedScene run(*c);
    run.settings.damping = 10;
    for (int k = 1; k <= 200; ++k) {
      const double grown = 1 + 0.003 * k;
      run.go(run.moved(
          [&](const Vec3d& p) { return Vec3d(grown * p.x(), p.y() + 0.004 * k * p.x(), p.z()); }));
    }
    EXPECT_LE(run.off(), 5e-5) << c->name;
  }
}

TEST(SoftFollow, FollowsATurnNearly) {
  LedScene run(bar());
  run.swings = {4};
  run.zeta = 0.7;
  run.settings.damping = 4;
  const double rate = 1;  // rad/s: swung outwards by (rate / omega)^2 of the radius
  for (int k = 1; k <= 200; ++k) {
    const Eigen::AngleAxisd turn(rate * k * frame, Vec3d::UnitZ());
    run.go(run.moved([&](const Vec3d& p) { return Vec3d(turn * p); }));
  }
  EXPECT_LE(run.off(), 0.01);
  test::record("off, sizes", run.off());
}

struct Swing {
  double overshoot = 0;  // of the way that the led shape jumped
  double period = 0;     // s
  double decay = 0;      // from one turning point to the next
};
// The led shape jumps aside within one frame; how the centre swings about it.
Swing swing_after_jump(double f, double zeta, int steps) {
  LedScene run(box());
  run.swings = {f};
  run.zeta = zeta;
  run.steps = steps;
  const double way = 0.3;
  const Vec3d start = run.motion().centre;
  run.go(run.moved(shift({way, 0, 0})));
  std::vector<double> e;
  for (int k = 0; k < static_cast<int>(3 / (f * frame)) + 3; ++k) {
    run.stand(1);
    e.push_back((run.motion().centre - start).x() - way);
  }
  Swing seen;
  std::vector<double> crossings, peaks;
  double peak = 0;
  for (std::size_t k = 1; k < e.size(); ++k) {
    if (e[k - 1] * e[k] < 0) {
      crossings.push_back(static_cast<double>(k) - e[k] / (e[k] - e[k - 1]));
      if (crossings.size() > 1) peaks.push_back(peak);
      peak = 0;
    }
    peak = std::max(peak, std::abs(e[k]));
  }
  if (!crossings.empty()) {
    for (std::size_t k = 0; k < e.size(); ++k) {
      if (static_cast<double>(k) > crossings[0])
        seen.overshoot = std::max(seen.overshoot, e[k] / way);
    }
  }
  if (crossings.size() > 2) seen.period = (crossings[2] - crossings[0]) * frame;
  if (peaks.size() > 1) seen.decay = peaks[1] / peaks[0];
  return seen;
}

TEST(SoftFollow, OvershootsAndSwingsAsDeclared) {
  for (const double f : {0.8, 1.5, 3.0}) {
    for (const double zeta : {0.05, 0.15, 0.3}) {
      const Swing seen = swing_after_jump(f, zeta, 4);
      const double slower = std::sqrt(1 - zeta * zeta);
      const std::string what = std::to_string(f) + " Hz, " + std::to_string(zeta);
      EXPECT_NEAR(seen.period * f * slower, 1, 0.02) << what;
      EXPECT_GT(seen.overshoot, 0.1) << what;
      // Seen once a frame, so that peaks are a little cut.
      EXPECT_NEAR(seen.decay / std::exp(-pi * zeta / slower), 1, 0.1) << what;
    }
    // A mass on a spring and a damper whose other ends jump: exp(-2) of the jump.
    EXPECT_LE(swing_after_jump(f, 1, 4).overshoot, 0.15) << f;
    EXPECT_GT(swing_after_jump(f, 0.1, 4).overshoot, swing_after_jump(f, 0.5, 4).overshoot + 0.2);
  }
}

// Taken aside and let go, over a led shape that stands still.
TEST(SoftFollow, ReleasedFleshSwingsBackOnlyBelowADampingOfOne) {
  for (const double zeta : {0.1, 1.0, 3.0}) {
    LedScene run(box());
    run.swings = {1.5};
    run.zeta = zeta;
    for (Vec3f& p : run.state.positions) p.y() += 0.3f;
    const double rest = box().match().rest_centre().y();
    double least = 1, last = 1;
    for (int k = 0; k < 100; ++k) {
      run.stand(1);
      last = run.motion().centre.y() - rest;
      least = std::min(least, last);
    }
    if (zeta < 1) {
      EXPECT_LT(least, -0.15) << zeta;
    } else {
      EXPECT_GT(least, -1e-5) << zeta;
    }
    EXPECT_LT(std::abs(last), 0.03) << zeta;
  }
}

// The same jiggle whatever the steps.
TEST(SoftFollow, StepsDoNotChangeTheSwing) {
  const auto run_with = [](int steps) {
    LedScene run(box());
    run.swings = {2};
    run.zeta = 0.15;
    run.steps = steps;
    std::vector<double> way;
    for (int k = 1; k <= 100; ++k) {
      run.go(run.moved(shift({0.3 * std::sin(0.25 * k), 0, 0})));
      way.push_back(run.motion().centre.x() - box().match().rest_centre().x());
    }
    return way;
  };
  const std::vector<double> fine = run_with(32);
  double most = 0;
  for (const double w : fine) most = std::max(most, std::abs(w));
  EXPECT_GT(most, 0.35);
  for (const int steps : {2, 4, 8}) {
    const std::vector<double> coarse = run_with(steps);
    double off = 0;
    for (std::size_t k = 0; k < fine.size(); ++k)
      off = std::max(off, std::abs(coarse[k] - fine[k]));
    EXPECT_LE(off / most, 0.5 / steps) << steps;
    test::record(std::to_string(steps) + " steps, off, of the way", off / most);
  }
}

// A part that is held firmly takes along what is loose, which comes later.
TEST(SoftFollow, LooseFleshComesAfterWhatIsHeld) {
  LedScene run(bar());
  run.swings.clear();
  std::vector<uint32_t> loose;
  for (uint32_t i = 0; i < bar().count(); ++i) {
    const bool held = bar().solid.positions[i].x() < -0.4f;
    run.swings.push_back(held ? 200 : 0);
    if (bar().solid.positions[i].x() > 0.8f) loose.push_back(i);
  }
  run.settings.plan = plan_stiffness(2, StiffnessMethod::fast);
  double behind = 0, ahead = 0, firm = 0;
  for (int k = 1; k <= 60; ++k) {
    run.go(run.moved(shift({0, 0.4 * std::min(k, 10) / 10, 0})));
    double e = 0;
    for (const uint32_t i : loose) e += (run.state.positions[i] - run.now[i]).y();
    e /= static_cast<double>(loose.size());
    behind = std::min(behind, e), ahead = std::max(ahead, e);
    for (uint32_t i = 0; i < bar().count(); ++i) {
      if (run.swings[i] > 0) {
        firm = std::max<double>(firm, (run.state.positions[i] - run.now[i]).norm());
      }
    }
  }
  EXPECT_LT(behind, -0.05);
  EXPECT_GT(ahead, 0.02);
  EXPECT_LT(firm, 0.02);
  test::record("behind, m", behind);
  test::record("ahead, m", ahead);
  test::record("what is held, m", firm);
}

// --- activation, hand, books ---------------------------------------------------------------------

TEST(SoftFollow, TurnsAreThoseOfTheLedShape) {
  Random random(8);
  LaneFloats turns;
  MatchScratch scratch;
  for (const MatchCase* c : bodies()) {
    for (int k = 0; k < 10; ++k) {
      const Eigen::Quaterniond q =
          k == 0 ? Eigen::Quaterniond(0, 0, 1, 0) : random.rotation();  // half a turn first
      std::vector<Vec3f> led;
      for (const Vec3f& p : c->solid.positions) {
        led.push_back((2 * (q * p.cast<double>()) + Vec3d(5, 6, 7)).cast<float>());
      }
      led_turns(c->match(), led, scratch, turns);
      for (std::size_t i = 0; i < c->count(); ++i) {
        const std::size_t stride = c->match().stride();
        const Eigen::Quaternionf seen(turns[i], turns[stride + i], turns[2 * stride + i],
                                      turns[3 * stride + i]);
        ASSERT_LE(seen.cast<double>().angularDistance(q), 1e-3) << c->name;
      }
    }
  }
}

// Fibres turn with the led shape: a body that is led round does the same, turned.
TEST(SoftFollow, ActivationTurnsWithTheLedShape) {
  const Eigen::Quaterniond q(Eigen::AngleAxisd(2, Vec3d(1, 2, 3).normalized()));
  std::vector<Points> results;
  for (const bool turned : {false, true}) {
    LedScene run(bar());
    run.settings.damping = 4;
    Tensors t;
    for (const Vec3f& p : bar().solid.positions) {
      t.push_back(Vec3d(p.y() > 0 ? 0.8 : 1.2, 1, 1).asDiagonal());
    }
    test::set_tensors(bar().match(), t, run.tensors);
    if (turned) {
      run.begin_on(run.moved([&](const Vec3d& p) { return Vec3d(q * p); }));
      led_turns(bar().match(), run.now, run.scratch.match, run.turns);
      turn_tensors(bar().match(), run.turns, run.tensors);
      run.turns.clear();
    }
    run.stand(100);
    results.push_back(run.x());
    EXPECT_GT(run.off(), 0.02) << "it acts";
  }
  for (Vec3d& p : results[0]) p = q * p;
  EXPECT_LE(test::farthest(results[0], results[1]) / bar().size(), 2e-4);
}

TEST(SoftFollow, AHandPullsAndLetsGo) {
  LedScene run(bar());
  run.settings.damping = 4;
  const Vec3f to = bar().solid.positions[3] + Vec3f(0, 0.4f, 0);
  const Pull pull{3, 1e6f, to};
  run.settings.pulls = {&pull, 1};
  run.stand(100);
  EXPECT_LE((run.state.positions[3] - to).norm(), 0.02);
  run.settings.pulls = {};
  run.stand(300);
  EXPECT_LE(run.off(), 1e-5);
}

TEST(SoftFollow, BooksAgreeWithMomentum) {
  double worst = 0;
  for (const MatchCase* c : bodies()) {
    for (int which = 0; which < 3; ++which) {
      LedScene run(*c);
      run.settings.damping = 3;
      Random random(4);
      run.swings.clear();
      for (std::size_t i = 0; i < c->count(); ++i) run.swings.push_back(random.uniform(0, 8));
      const std::vector<Pin> pins = {{0, 1, Vec3f::Zero()}, {5, 0.4f, Vec3f::Zero()}};
      if (which > 0) run.settings.gravity = {1, -9.81f, 0};
      if (which > 1) run.settings.pins = pins, run.holds_pins = true;
      double scale = 0;
      for (int k = 1; k <= 60; ++k) {
        run.go(run.moved(bend(c->size(), 0.5 + std::sin(0.2 * k),
                              c->size() * Vec3d(0, 0.2 * std::sin(0.4 * k), 0))));
        scale = std::max(scale, run.motion().momentum.norm());
      }
      const double off = (run.motion().momentum - run.state.books.total()).norm() / scale;
      EXPECT_LE(off, 1e-5) << c->name << " " << which;
      EXPECT_GT(run.state.books.led.norm(), 0);
      worst = std::max(worst, off);
    }
  }
  test::record("worst", worst);
}

// The shape alone gives no momentum: what nothing draws stays where it is, as a whole.
TEST(SoftFollow, TheLedShapeAloneGivesNoMomentum) {
  for (const MatchCase* c : bodies()) {
    LedScene run(*c);
    run.swings = {0};
    run.settings.damping = 3;
    const Vec3d at = run.motion().centre;
    for (int k = 1; k <= 200; ++k) {
      run.go(run.moved(bend(c->size(), 0.5 + 0.4 * std::sin(0.2 * k), {0, 0.05 * k, 0})));
    }
    const SoftMotion m = run.motion();
    EXPECT_TRUE(run.state.books.total().isZero(0)) << c->name;
    EXPECT_LE((m.centre - at).norm(), 1e-3 * c->size()) << c->name;
  }
}

// As the header's formulas stand, in double precision.
TEST(SoftFollow, AgreesWithTheReference) {
  double worst = 0;
  for (const MatchCase* c : bodies()) {
    LedScene run(*c);
    Random random(2);
    run.settings.plan = plan_stiffness(2, StiffnessMethod::plain);
    run.settings.damping = 2;
    run.swings.clear();
    for (std::size_t i = 0; i < c->count(); ++i) run.swings.push_back(random.uniform(0, 10));
    Points x = run.x(), v(c->count(), Vec3d::Zero());
    Points last = test::to_double(run.now);
    for (int k = 1; k <= 8; ++k) {
      run.go(run.moved(bend(c->size(), 0.3 * k, {0.02 * k * k, 0, 0})));
      const Points next = test::to_double(run.now);
      const double h = frame / run.steps;
      for (int s = 0; s < run.steps; ++s) {
        test::MatchReference led = c->reference;
        Points u;
        for (std::size_t i = 0; i < x.size(); ++i) {
          led.rest[i] = last[i] + static_cast<double>(s) / run.steps * (next[i] - last[i]);
          u.push_back((next[i] - last[i]) / frame);
        }
        for (uint32_t r = 0; r < x.size(); ++r) led.rest_centres[r] = led.centre_of(r, led.rest);
        const Points goal = led.match(x, led.no_activation(), 2);
        Points w;  // v - u
        for (std::size_t i = 0; i < x.size(); ++i) {
          const LedVertex one = led_vertex(run.swings[i], run.zeta, h);
          const Vec3d before = v[i] + (goal[i] - x[i]) / h - u[i];
          w.push_back(before - static_cast<double>(one.calm) * before +
                      static_cast<double>(one.draw) * (led.rest[i] - x[i]) / h);
        }
        led.damp(x, 1 - std::exp(-h * 2), w);
        for (std::size_t i = 0; i < x.size(); ++i) x[i] += h * (v[i] = w[i] + u[i]);
      }
      last = next;
      const double off = test::farthest(run.x(), x) / c->size();
      EXPECT_LE(off, 1e-5) << c->name << " frame " << k;
      worst = std::max(worst, off);
    }
  }
  test::record("farthest, sizes", worst);
}

}  // namespace
}  // namespace sinew::kernels
