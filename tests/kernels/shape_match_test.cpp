#include "nodes/kernels/shape_match.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "nodes/kernels/soft_body.h"
#include "tests/kernels/figures.h"
#include "tests/kernels/match_cases.h"
#include "tests/kernels/shapes.h"

namespace sinew::kernels {
namespace {

using Books = test::MomentumBooks;
using test::MatchCase;
using test::Points;
using test::Random;
using test::Tensors;
using Quaternion = Eigen::Quaterniond;

constexpr StiffnessMethod methods[] = {StiffnessMethod::plain, StiffnessMethod::fast};
std::string name_of(StiffnessMethod m) { return m == StiffnessMethod::plain ? "plain" : "fast"; }

TEST(ShapeMatch, PlansCoverTheirSpan) {
  for (const int n : {1, 2, 6, 15, 50, 100}) {
    const MatchPlan plain = plan_stiffness(n, StiffnessMethod::plain);
    EXPECT_EQ(plain.stages.size(), static_cast<std::size_t>(n));
    const MatchPlan fast = plan_stiffness(n, StiffnessMethod::fast);
    EXPECT_LE(fast.stages.size(), plain.stages.size());
    // With matched = l y the plan is a polynomial of l: 1 at 1, of slope N there, within [-1, 1].
    const auto value = [&](double l) {
      double y1 = 1, y2 = 1;
      for (const MatchMix& mix : fast.stages) {
        const double y = (mix.match * l + mix.last) * y1 + mix.before * y2;
        y2 = y1;
        y1 = y;
      }
      return y1;
    };
    EXPECT_NEAR(value(1), 1, 1e-5) << n;
    EXPECT_NEAR((value(1) - value(1 - 1e-4)) / 1e-4, n, 0.02 * n) << n;
    for (double l = 0; l <= 1; l += 1e-3) EXPECT_LE(std::abs(value(l)), 1 + 1e-6) << n << " " << l;
    test::record("stages of " + std::to_string(n), static_cast<double>(fast.stages.size()));
  }
}

TEST(ShapeMatch, KeepsRigidMotions) {
  std::map<std::string, double> worst;
  for (const auto& c : test::match_cases()) {
    Random random(7);
    for (int seed = 0; seed < 4; ++seed) {
      const Quaternion turn = seed == 0 ? Quaternion::Identity() : random.rotation();
      const Vec3d shift = seed == 0 ? Vec3d(Vec3d::Zero()) : Vec3d(c->size() * random.direction());
      Points x = c->rest();
      for (Vec3d& p : x) p = turn * p + shift;
      x = test::rounded(x);
      for (const StiffnessMethod method : methods) {
        for (const int n : {1, 2, 6, 15}) {
          const Points goal =
              test::match(*c, x, c->reference.no_activation(), plan_stiffness(n, method), turn);
          const double off = test::farthest(goal, x) / c->size();
          EXPECT_LE(off, 2e-6) << c->name << " " << n << " " << name_of(method);
          double& most = worst[name_of(method) + " " + std::to_string(n)];
          most = std::max(most, off);
        }
      }
    }
  }
  for (const auto& [what, off] : worst) test::record(what, off);
}

TEST(ShapeMatch, UniformTensorIsAFixedPoint) {
  double worst = 0;
  for (const auto& c : test::match_cases()) {
    Random random(8);
    for (int seed = 0; seed < 4; ++seed) {
      const Eigen::Matrix3d t = random.stretch(2);
      const Quaternion turn = random.rotation();
      const Vec3d shift = c->size() * random.direction();
      Points x = c->rest();
      for (Vec3d& p : x) p = turn * (t * p) + shift;
      x = test::rounded(x);
      for (const StiffnessMethod method : methods) {
        for (const int n : {1, 2, 6, 15}) {
          const Points goal =
              test::match(*c, x, Tensors(c->count(), t), plan_stiffness(n, method), turn);
          const double off = test::farthest(goal, x) / c->size();
          EXPECT_LE(off, 4e-6) << c->name << " " << n << " " << name_of(method);
          worst = std::max(worst, off);
        }
      }
    }
  }
  test::record("farthest, sizes", worst);
}

TEST(ShapeMatch, UniformTensorIsReachedFromRest) {
  double worst = 0;
  for (const auto& c : test::match_cases()) {
    Random random(9);
    for (int seed = 0; seed < 2; ++seed) {
      const Eigen::Matrix3d t = random.stretch(1.6);
      MatchScratch scratch;
      scratch.fit(c->match());
      test::set_points(c->match(), c->rest(), scratch.x);
      test::set_tensors(c->match(), Tensors(c->count(), t), scratch.tensors);
      const MatchPlan plan = plan_stiffness(50, StiffnessMethod::fast);
      for (int step = 0; step < 400; ++step) {
        match_shape(c->match(), plan, {}, scratch);
        std::swap(scratch.x, scratch.goal);
      }
      Points want = c->rest();
      for (Vec3d& p : want) p = t * p;
      const Points got = test::get_points(c->match(), scratch.x);
      const double off = test::rms(test::aligned(want, got), got) / c->size();
      EXPECT_LE(off, 1e-4) << c->name;
      worst = std::max(worst, off);
    }
  }
  test::record("rms, sizes", worst);
}

// Tensors that differ from region to region.
Tensors random_tensors(const MatchCase& c, Random& random, double most) {
  Tensors t;
  for (std::size_t i = 0; i < c.count(); ++i) t.push_back(random.stretch(most));
  return t;
}
// As the kernel gets them.
Tensors rounded(Tensors t) {
  for (Eigen::Matrix3d& m : t) m = m.cast<float>().cast<double>();
  return t;
}

TEST(ShapeMatch, AgreesWithTheReference) {
  std::map<int, double> worst;
  for (const auto& c : test::match_cases()) {
    Random random(10);
    for (int seed = 0; seed < 3; ++seed) {
      const auto [x, turn] = test::deformed(*c, random, 0.1);
      const Tensors t = rounded(random_tensors(*c, random, 1.3));
      for (const int n : {1, 2, 6}) {
        const Points goal = test::match(*c, x, t, plan_stiffness(n, StiffnessMethod::plain), turn);
        const Points want = c->reference.match(x, t, n);
        const double off = test::farthest(goal, want) / c->size();
        EXPECT_LE(off, 1e-5) << c->name << " " << n << " seed " << seed;
        worst[n] = std::max(worst[n], off);
      }
    }
  }
  for (const auto& [n, off] : worst) test::record("farthest of " + std::to_string(n), off);
}

TEST(ShapeMatch, KeepsMomentum) {
  std::map<std::string, Books> worst;
  for (const auto& c : test::match_cases()) {
    Random random(11);
    for (int seed = 0; seed < 3; ++seed) {
      const auto [x, turn] = test::deformed(*c, random, 0.1);
      const Tensors t = random_tensors(*c, random, 1.3);
      for (const StiffnessMethod method : methods) {
        for (const int n : {1, 2, 6, 15, 50}) {
          const Points goal = test::match(*c, x, t, plan_stiffness(n, method), turn);
          const Books b = test::momentum_books(c->reference, x, goal);
          EXPECT_LE(b.linear, 1e-6) << c->name << " " << n << " " << name_of(method);
          EXPECT_LE(b.angular, 1e-5) << c->name << " " << n << " " << name_of(method);
          Books& w = worst[name_of(method) + " " + std::to_string(n)];
          w.linear = std::max(w.linear, b.linear);
          w.angular = std::max(w.angular, b.angular);
        }
      }
    }
  }
  for (const auto& [what, b] : worst) {
    test::record(what + ", linear", b.linear);
    test::record(what + ", angular", b.angular);
  }
}

// ---------------------------------------------------------------------------------------------
// Stiffness

struct Hold {
  std::vector<Pin> pins;
  void at(const TetMesh& solid, const auto& where) {
    for (uint32_t i = 0; i < solid.vertex_count(); ++i) {
      if (where(solid.positions[i])) pins.push_back({i, 1, solid.positions[i]});
    }
  }
};

// How far the ends of a bar hang down when it has come to rest.
double sag(const TetMesh& solid, const std::vector<float>& masses, const Hold& hold,
           const MatchPlan& plan, const auto& is_end) {
  const SoftBody body(solid, masses);
  SoftState state = rest_state(body, solid);
  SoftScratch scratch;
  SoftSettings settings;
  settings.plan = plan;
  settings.pins = hold.pins;
  settings.gravity = {0, -9.81f, 0};
  LaneFloats tensors;
  rest_tensors(body, tensors);
  const double h = 1.0 / 60;
  settings.damping = static_cast<float>(0.1 / h);
  double before = 0;
  for (int step = 0; step < 20000; ++step) {
    // Drag lets go of slow modes in the end and of fast ones at first.
    settings.drag = static_cast<float>((step < 500 ? 0.2 : 0.02) / h);
    step_soft_body(body, settings, h, tensors, 1, scratch, state);
    if (step % 500 != 499) continue;
    double now = 0;
    int count = 0;
    for (std::size_t i = 0; i < solid.vertex_count(); ++i) {
      if (!is_end(solid.positions[i])) continue;
      now += solid.positions[i].y() - state.positions[i].y();
      ++count;
    }
    now /= count;
    if (std::abs(now - before) < 1e-4 * std::abs(now)) return now;
    before = now;
  }
  ADD_FAILURE() << "not at rest";
  return before;
}

TEST(ShapeMatch, FastStiffnessIsThatOfThePasses) {
  const TetMesh solid = make_tet_box({1.2f, 0.3f, 0.3f}, {12, 3, 3});
  const std::vector<float> masses = vertex_masses(solid, 1000, {});
  Hold end, middle;
  end.at(solid, [](const Vec3f& p) { return p.x() < -0.59f; });
  middle.at(solid, [](const Vec3f& p) { return std::abs(p.x()) < 0.01f; });
  for (const Hold* hold : {&end, &middle}) {
    double last[2] = {1e9, 1e9};
    for (const int n : {1, 2, 6, 15, 50}) {
      double seen[2];
      for (const StiffnessMethod method : methods) {
        const std::size_t k = method == StiffnessMethod::fast;
        seen[k] = sag(solid, masses, *hold, plan_stiffness(n, method),
                      [](const Vec3f& p) { return p.x() > 0.59f; });
        EXPECT_LT(seen[k], last[k]) << n << " " << name_of(method);
        last[k] = n < 3 && method == StiffnessMethod::fast ? last[k] : seen[k];
        test::record(std::string(hold == &end ? "end" : "middle") + " " + std::to_string(n) + " " +
                         name_of(method) + ", m",
                     seen[k]);
      }
      if (n >= 6) {
        EXPECT_NEAR(seen[1] / seen[0], 1, 0.15) << n;
      }
    }
  }
}

// ---------------------------------------------------------------------------------------------
// Damping

Points damped(const MatchCase& c, const Points& x, const Points& v, float amount) {
  LaneFloats at(4 * c.match().stride(), 0), moving(4 * c.match().stride(), 0),
      motions(8 * c.match().stride(), 0);
  test::set_points(c.match(), x, at);
  test::set_points(c.match(), v, moving);
  damp_motion(c.match(), at, amount, motions, moving);
  return test::get_points(c.match(), moving);
}

TEST(ShapeMatch, DampingLeavesRigidMotions) {
  double worst = 0;
  for (const auto& c : test::match_cases()) {
    Random random(13);
    const Points x = test::deformed(*c, random, 0.1).x;
    const Vec3d omega = random.direction() / c->size(), shift = random.direction();
    Points v;
    for (const Vec3d& p : x) v.push_back(shift + omega.cross(p));
    v = test::rounded(v);
    const double off = test::farthest(damped(*c, x, v, 1), v);
    EXPECT_LE(off, 5e-6) << c->name;
    worst = std::max(worst, off);
  }
  test::record("farthest, of the speed", worst);
}

TEST(ShapeMatch, DampingKeepsMomentumAndTakesEnergy) {
  Books worst;
  double least = 1e9;
  for (const auto& c : test::match_cases()) {
    Random random(14);
    for (int kind = 0; kind < 3; ++kind) {
      const Points x = test::deformed(*c, random, 0.1).x;
      Points v;
      const Vec3d wave = 3 * random.vector() / c->size();
      for (const Vec3d& p : x) {
        v.push_back(kind == 0   ? random.vector()
                    : kind == 1 ? Vec3d(std::sin(wave.dot(p)) * random.direction())
                                : Vec3d(std::sin(wave.dot(p)) * Vec3d::UnitX()));
      }
      v = test::rounded(v);
      double before = c->reference.kinetic(v);
      for (const float amount : {0.1f, 0.5f, 1.0f}) {
        const Points after = damped(*c, x, v, amount);
        Points change;
        for (std::size_t i = 0; i < v.size(); ++i) change.push_back(x[i] + after[i] - v[i]);
        const Books b = test::momentum_books(c->reference, x, change);
        EXPECT_LE(b.linear, 2e-6) << c->name;
        EXPECT_LE(b.angular, 2e-5) << c->name;
        worst.linear = std::max(worst.linear, b.linear);
        worst.angular = std::max(worst.angular, b.angular);
        const double now = c->reference.kinetic(after);
        EXPECT_LT(now, before) << c->name << " " << amount;
        least = std::min(least, 1 - now / c->reference.kinetic(v));
        before = now;
        Points want = v;
        c->reference.damp(x, amount, want);
        EXPECT_LE(test::farthest(after, want), 1e-5) << c->name;
      }
    }
  }
  test::record("linear", worst.linear);
  test::record("angular", worst.angular);
  test::record("least part of the energy", least);
}

// ---------------------------------------------------------------------------------------------

TEST(ShapeMatch, StrainOfALinearMapIsExact) {
  double worst = 0;
  for (const auto& c : test::match_cases()) {
    Random random(15);
    Eigen::Matrix3d f;
    for (int k = 0; k < 9; ++k) f(k / 3, k % 3) = random.normal();
    std::vector<Vec3f> positions, directions;
    for (const Vec3d& p : c->rest()) {
      positions.push_back((f * p).cast<float>());
      directions.push_back(random.direction().cast<float>());
    }
    const std::vector<float> strain = measured_strain(c->match(), positions, directions);
    const std::vector<float> along_x = measured_strain(c->match(), positions, {});
    for (std::size_t i = 0; i < strain.size(); ++i) {
      const double want = (f * directions[i].cast<double>()).norm() - 1;
      worst = std::max(worst, std::abs(strain[i] - want));
      worst = std::max(worst, std::abs(along_x[i] - (f.col(0).norm() - 1)));
    }
  }
  EXPECT_LE(worst, 1e-4);
  test::record("worst", worst);
}

struct Circle {
  Vec2d centre;
  double radius, off;  // off: farthest of the points from the circle
};
// Least squares of x^2 + y^2 = 2 a x + 2 b y + c.
Circle fit_circle(const std::vector<Vec2d>& points) {
  Eigen::Matrix3d m = Eigen::Matrix3d::Zero();
  Vec3d b = Vec3d::Zero();
  for (const Vec2d& p : points) {
    const Vec3d row(2 * p.x(), 2 * p.y(), 1);
    m += row * row.transpose();
    b += row * p.squaredNorm();
  }
  const Vec3d s = m.inverse() * b;
  Circle circle{{s[0], s[1]}, std::sqrt(s[2] + s[0] * s[0] + s[1] * s[1]), 0};
  for (const Vec2d& p : points) {
    circle.off = std::max(circle.off, std::abs((p - circle.centre).norm() - circle.radius));
  }
  return circle;
}

struct Bent {
  double radius = 0, want = 0, off = 0;
  int steps = 0;
};
// Figure 5: the lower side longer by a, the upper one shorter.
Bent bend(const std::array<int, 3>& cells, double a, int n) {
  const double thick = 0.4;
  const Vec3f size(static_cast<float>(thick * cells[0] / cells[1]), 0.4f, 0.4f);
  const TetMesh solid = make_tet_box(size, cells);
  const SoftBody body(solid, vertex_masses(solid, 1000, {}));
  Tensors t;
  for (const Vec3f& p : solid.positions) {
    const double up = p.y() / thick + 0.5;
    t.push_back(Vec3d(a + (1 / a - a) * up, 1, 1).asDiagonal());
  }
  LaneFloats tensors;
  rest_tensors(body, tensors);
  test::set_tensors(body.match(), t, tensors);
  SoftSettings settings;
  settings.plan = plan_stiffness(n, StiffnessMethod::fast);
  const double h = 1.0 / 60;
  settings.damping = static_cast<float>(0.2 / h);
  settings.drag = static_cast<float>(0.03 / h);
  SoftState state = rest_state(body, solid);
  SoftScratch scratch;
  Bent bent;
  bent.want = thick * (a + 1 / a) / (2 * (a - 1 / a));
  for (bent.steps = 0; bent.steps < 4000;) {
    for (int k = 0; k < 100; ++k, ++bent.steps) {
      step_soft_body(body, settings, h, tensors, 1, scratch, state);
    }
    std::vector<Vec2d> line;
    for (std::size_t i = 0; i < solid.vertex_count(); ++i) {
      const Vec3f& p = solid.positions[i];
      if (std::abs(p.y()) > 1e-4f || std::abs(p.z()) > 1e-4f) continue;
      if (std::abs(p.x()) > 0.5f * size.x() - 0.4f) continue;  // the ends are less bent
      line.emplace_back(state.positions[i].x(), state.positions[i].y());
    }
    const Circle circle = fit_circle(line);
    const bool done = std::abs(circle.radius / bent.radius - 1) < 1e-3;
    bent.radius = circle.radius;
    bent.off = circle.off;
    if (done) break;
  }
  return bent;
}

// A region has one T: what bends inside of it resists. That makes the radius too large by a part
// that goes with the square of the cells' size, 1 + 2.7 / n^2 of n cells across.
TEST(ShapeMatch, BeamBendsToItsCircle) {
  for (const double a : {1.05, 1.1, 1.2}) {
    const std::string what = "a = " + std::to_string(a).substr(0, 4);
    std::map<int, double> part;
    for (const int cells : {4, 6, 8}) {
      if (cells == 8 && a != 1.1) continue;
      const Bent bent = bend({(cells == 4 ? 10 : 5) * cells, cells, cells}, a, 50);
      part[cells] = bent.radius / bent.want;
      EXPECT_LE(bent.off / bent.radius, 0.01) << what << ", " << cells;
      EXPECT_NEAR(part[cells], 1, cells == 4 ? 0.2 : 0.1) << what << ", " << cells;
      const std::string where = what + ", " + std::to_string(cells) + " cells across, ";
      test::record(where + "radius / expected", part[cells]);
      test::record(where + "off the circle / radius", bent.off / bent.radius);
      test::record(where + "steps", bent.steps);
    }
    if (a != 1.1) continue;
    EXPECT_NEAR((4 * part[8] - part[4]) / 3, 1, 0.02) << what << ", without cells";
  }
}

// At rest nothing is left of N: it is only how fast one gets there.
TEST(ShapeMatch, BeamsCircleDoesNotDependOnStiffness) {
  const double radius = bend({20, 4, 4}, 1.1, 50).radius;
  for (const int n : {6, 15, 100}) {
    const Bent bent = bend({20, 4, 4}, 1.1, n);
    EXPECT_NEAR(bent.radius / radius, 1, 0.01) << n;
    test::record(std::to_string(n) + ", radius / that of 50", bent.radius / radius);
    test::record(std::to_string(n) + ", steps", bent.steps);
  }
}

TEST(ShapeMatch, SameBitsOnAnyNumberOfThreads) {
  const TetMesh solid = test::shaken_box({2, 1, 1}, {24, 14, 14}, 4);
  ASSERT_GT(solid.vertex_count(), 4096u);
  const MatchCase c("large", solid, 3);
  Random random(16);
  const Points x = test::deformed(c, random, 0.2).x;
  const Tensors t = random_tensors(c, random, 1.3);
  test::expect_same_for_threads([&] {
    std::vector<float> all;
    for (const StiffnessMethod method : methods) {
      MatchScratch scratch;
      scratch.fit(c.match());
      test::set_points(c.match(), x, scratch.x);
      test::set_tensors(c.match(), t, scratch.tensors);
      LaneFloats motions(8 * c.match().stride(), 0);
      for (int step = 0; step < 3; ++step) {
        match_shape(c.match(), plan_stiffness(6, method), {}, scratch);
        damp_motion(c.match(), scratch.x, 0.3f, motions, scratch.goal);
        all.insert(all.end(), scratch.goal.begin(), scratch.goal.end());
        all.insert(all.end(), scratch.rotations.begin(), scratch.rotations.end());
        std::swap(scratch.x, scratch.goal);
      }
    }
    return all;
  });
}

}  // namespace
}  // namespace sinew::kernels
