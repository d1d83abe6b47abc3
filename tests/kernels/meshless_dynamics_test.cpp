#include "nodes/kernels/meshless_dynamics.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <cmath>
#include <numbers>
#include <random>

#include "nodes/kernels/meshless_dynamics_step.h"
#include "nodes/kernels/meshless_nodes.h"
#include "nodes/kernels/primitives.h"
#include "tests/kernels/figures.h"

namespace sinew::kernels {
namespace {

using Body = std::shared_ptr<const MeshlessBody>;

Body sampled(Mesh mesh, double scale = 1) {
  for (Vec3f& p : mesh.positions) p *= static_cast<float>(scale);
  MeshlessSampling made = sample_meshless(mesh, {.count = 40});
  EXPECT_EQ(made.problem, SamplingProblem::none);
  return std::make_shared<const MeshlessBody>(std::move(made.body));
}
Body beam() {
  static const Body made = sampled(make_box({{0.3f, 1, 0.3f}, {4, 12, 4}}));
  return made;
}
Body cube() {
  static const Body made = sampled(make_box({{1, 1, 1}, {8, 8, 8}}));
  return made;
}
Body ball() {
  static const Body made = sampled(make_icosphere({0.5f, 6}));
  return made;
}

Motion still(const Body& body) {
  Motion motion;
  motion.bodies.push_back({body, {{0, body->nodes, false, {}, false}}});
  motion.size = body->size;
  return motion;
}
NodePlaces moved(const Body& body, const Eigen::Quaterniond& turn, const Vec3d& by) {
  NodePlaces places = body->nodes;
  for (Vec3d& y : places) y = turn * y + by;
  return places;
}
// Three poses, one of them bent.
Motion waving(const Body& body) {
  Motion motion = still(body);
  motion.bodies[0].frames.clear();
  for (int k = 0; k < 5; ++k) {
    const Eigen::Quaterniond turn(Eigen::AngleAxisd(0.5 * k, Vec3d(0, 0, 1)));
    NodePlaces places = moved(body, turn, Vec3d(0.5 * k, 0.3 * (k % 2), 0) * body->size);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const double x = body->nodes[i].y() / body->size;
      places[i].z() += 0.2 * (k % 2) * x * x * body->size;
    }
    motion.bodies[0].frames.push_back({0.5 * k, std::move(places), false, {}, true});
  }
  return motion;
}
Colliders ground(float friction = 0.5f) {
  Colliders list;
  list.list.emplace_back();
  list.list.back().friction = friction;
  return list;
}
DynamicsSettings free_fall() {
  DynamicsSettings s;
  s.gain = 0;
  return s;
}

double farthest(const NodePlaces& a, const NodePlaces& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, (a[i] - b[i]).norm());
  return most;
}
struct Sums {
  Vec3d centre{0, 0, 0}, momentum{0, 0, 0}, spin{0, 0, 0};
};
Sums sums(const DynamicsSpace& space, const DynamicBody& body) {
  const Eigen::MatrixXd& m = space.motion.mass;
  const auto n = static_cast<Eigen::Index>(body.places.size());
  const Eigen::Map<const Eigen::Matrix3Xd> y(body.places[0].data(), 3, n),
      v(body.velocities[0].data(), 3, n);
  Sums s;
  s.centre = (y * m).rowwise().sum();
  s.momentum = (v * m).rowwise().sum();
  const Eigen::Matrix3Xd heavy = v * m;
  for (Eigen::Index i = 0; i < n; ++i) {
    s.spin += Vec3d(y.col(i) - s.centre).cross(Vec3d(heavy.col(i)));
  }
  return s;
}

TEST(MeshlessDynamics, FreeFlightIsAParabolaAndConvergesWithTheSquareOfTheStep) {
  const MeshlessDynamics dynamics(still(beam()));
  const DynamicsSpace space(beam());
  DynamicsState start = dynamics.begin(0);
  for (std::size_t i = 0; i < start.bodies[0].places.size(); ++i) {
    start.bodies[0].velocities[i] =
        Vec3d(1, 2, 0) + Vec3d(1, 0.5, 2).cross(start.bodies[0].places[i]);
  }
  DynamicsSettings s = free_fall();
  s.damping = 0;
  s.accuracy = 1e-11;
  s.stiffness = 1;
  const Sums before = sums(space, start.bodies[0]);
  std::vector<NodePlaces> ends;
  for (const double rate : {200.0, 400.0, 800.0}) {
    s.rate = rate;
    DynamicsState state = start;
    DynamicsRoom room;
    dynamics.advance(state, 0.5, s, {}, room);
    const Sums after = sums(space, state.bodies[0]);
    const Vec3d wanted = before.centre + 0.5 * before.momentum + 0.125 * s.gravity;
    EXPECT_LT((after.centre - wanted).norm(), 1e-9);
    EXPECT_LT((after.momentum - before.momentum - 0.5 * s.gravity).norm(), 1e-9);
    const double lost = (after.spin - before.spin).norm() / before.spin.norm();
    EXPECT_LT(lost, 1e-3 * std::pow(200 / rate, 2));
    test::record("angular momentum lost at " + std::to_string(rate), lost);
    ends.push_back(state.bodies[0].places);
  }
  const double order = std::log2(farthest(ends[0], ends[1]) / farthest(ends[1], ends[2]));
  test::record("order", order);
  EXPECT_NEAR(order, 2, 0.3);
}

TEST(MeshlessDynamics, WhatIsAtRestStaysToTheBit) {
  for (const double gain : {0.0, 0.05, 1.0}) {
    const MeshlessDynamics dynamics(still(beam()));
    DynamicsSettings s = free_fall();
    s.gain = gain;
    s.gravity.setZero();
    DynamicsState state = dynamics.begin(0);
    const NodePlaces at = state.bodies[0].places;
    DynamicsRoom room;
    for (int k = 1; k <= 10; ++k) dynamics.advance(state, 0.04 * k, s, {}, room);
    EXPECT_EQ(state.bodies[0].places, at) << gain;
  }
}

TEST(MeshlessDynamics, StiffnessIsTheFrequencyOfTheFirstSwing) {
  for (const Body& body : {beam(), cube(), ball()}) {
    const MeshlessDynamics dynamics(still(body));
    const DynamicsSpace space(body);
    Eigen::VectorXd swing;
    softest_swing(*body, space.motion.mass, &swing);
    DynamicsSettings s = free_fall();
    s.gravity.setZero();
    s.damping = 0;
    DynamicsState state = dynamics.begin(0);
    // Let go from there, and watched along it.
    const double by = 0.02 * body->size / swing.cwiseAbs().maxCoeff();
    const auto along = [&] {
      double sum = 0;
      for (std::size_t i = 0; i < body->node_count(); ++i) {
        const Vec3d off = state.bodies[0].places[i] - body->nodes[i];
        sum += off.dot(swing.segment<3>(static_cast<Eigen::Index>(3 * i)));
      }
      return sum;
    };
    for (std::size_t i = 0; i < body->node_count(); ++i) {
      state.bodies[0].places[i] += by * swing.segment<3>(static_cast<Eigen::Index>(3 * i));
    }
    DynamicsRoom room;
    std::vector<double> crossings;
    double last = along();
    for (int k = 1; k <= 200; ++k) {
      dynamics.advance(state, 0.01 * k, s, {}, room);
      const double now = along();
      if ((now > 0) != (last > 0)) crossings.push_back(0.01 * (k - now / (now - last)));
      last = now;
    }
    ASSERT_GT(crossings.size(), 4u);
    const double is =
        0.5 * static_cast<double>(crossings.size() - 1) / (crossings.back() - crossings.front());
    test::record("Hz for " + std::to_string(s.stiffness), is);
    EXPECT_NEAR(is, s.stiffness, 0.05 * s.stiffness);
  }
}

TEST(MeshlessDynamics, EnergyNeverGrowsByItself) {
  std::mt19937 engine(1);
  std::normal_distribution<double> normal;
  for (const Body& body : {beam(), cube(), ball()}) {
    const MeshlessDynamics dynamics(still(body));
    DynamicsSettings s = free_fall();
    s.gravity.setZero();
    s.damping = 0;
    DynamicsState state = dynamics.begin(0);
    for (Vec3d& v : state.bodies[0].velocities) {
      v = body->size * Vec3d(normal(engine), normal(engine), normal(engine));
    }
    const auto energy = [&] {
      return dynamics.motion_energy(0, state.bodies[0].velocities) +
             dynamics.strain_energy(0, state.bodies[0].places, s);
    };
    const double first = energy();
    DynamicsRoom room;
    for (int k = 1; k <= 50; ++k) {
      dynamics.advance(state, 0.04 * k, s, {}, room);
      EXPECT_LE(energy(), first * (1 + 1e-6));
    }
  }
}

TEST(MeshlessDynamics, RandomDropsComeToRestAndDoNotSinkIn) {
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const Colliders floor = ground();
  double deepest = 0, quickest = 0;
  for (int drop = 0; drop < 24; ++drop) {
    const Body body = drop % 3 == 0 ? beam() : drop % 3 == 1 ? cube() : ball();
    const MeshlessDynamics dynamics(still(body));
    DynamicsSettings s = free_fall();
    s.stiffness = 0.5 * std::pow(60, 0.5 + 0.5 * uniform(engine));
    s.damping = 0.2;
    Eigen::Quaterniond turn(uniform(engine), uniform(engine), uniform(engine), uniform(engine));
    turn.normalize();
    DynamicsState state = dynamics.begin(0);
    state.bodies[0].places = moved(body, turn, Vec3d(0, 10 * body->size, 0));
    DynamicsRoom room;
    for (int k = 1; k <= 250; ++k) {
      const DynamicsReport report =
          dynamics.advance(state, 0.04 * k, s, {&floor, &floor, {}}, room);
      ASSERT_TRUE(report.sound) << drop;
      for (std::size_t v = 0; v < body->at_vertices.size(); ++v) {
        const Vec3d place = place_of(body->at_vertices, v, state.bodies[0].places);
        deepest = std::max(deepest, -place.y() / body->size);
      }
    }
    const double speed =
        std::sqrt(2 * dynamics.motion_energy(0, state.bodies[0].velocities)) / body->size;
    // A ball may still roll.
    if (body != ball()) quickest = std::max(quickest, speed);
    EXPECT_LT(speed, body == ball() ? 1 : 0.05) << drop << " " << s.stiffness;
  }
  test::record("deepest, sizes", deepest);
  test::record("quickest at the end, sizes/s", quickest);
  EXPECT_LT(deepest, 0.01);
}

TEST(MeshlessDynamics, GainDecidesHowCloselyItFollows) {
  const Motion motion = waving(beam());
  const MeshlessDynamics dynamics(motion);
  const BodySpline lead(motion.bodies[0]);
  NodePlaces goal(beam()->node_count());
  double last = 1e9;
  for (const double gain : {0.0, 0.05, 1.0}) {
    DynamicsSettings s;
    s.gain = gain;
    DynamicsState state = dynamics.begin(0);
    DynamicsRoom room;
    double off = 0;
    for (int k = 1; k <= 50; ++k) {
      dynamics.advance(state, 0.04 * k, s, {}, room);
      lead.at(0.04 * k, goal);
      off = std::max(off, farthest(state.bodies[0].places, goal));
    }
    test::record("off at gain " + std::to_string(gain), off);
    EXPECT_LT(off, last);
    last = off;
  }
  EXPECT_LT(last, 0.02);
}

// A beam that is led into a bend, held there, and let go of: the most that a node's velocity
// changes in a frame, in sizes a second, and what is left of the bend two seconds later.
struct LetGo {
  double jerk = 0, strain = 0;
};
LetGo let_go(const Body& body, double blend, double bend) {
  Motion motion = still(body);
  NodePlaces bent = body->nodes;
  for (Vec3d& y : bent) y.z() += bend * y.y() * y.y() / body->size;
  motion.bodies[0].frames.push_back({0.4, bent, false, {}, true});
  const MeshlessDynamics dynamics(motion);
  DynamicsSettings s;
  s.gravity = {0, 0, 0};
  s.damping = 0.2;
  s.blend = blend;
  DynamicsState state = dynamics.begin(0);
  DynamicsRoom room;
  LetGo seen;
  for (int frame = 1; frame <= 75; ++frame) {
    s.gain = frame <= 25 ? 0.3 : 0;
    const NodePlaces before = state.bodies[0].velocities;
    dynamics.advance(state, 0.04 * frame, s, {}, room);
    const double change = farthest(state.bodies[0].velocities, before) / body->size;
    if (frame > 25) seen.jerk = std::max(seen.jerk, change);
  }
  seen.strain = dynamics.strain(0, state.bodies[0].places);
  return seen;
}

TEST(MeshlessDynamics, LettingGoDoesNotThrowItsLimbs) {
  for (const Body& body : {beam(), cube()}) {
    for (const double bend : {0.3, 1.0}) {
      const LetGo at_once = let_go(body, 0, bend), blended = let_go(body, 0.5, bend);
      EXPECT_LT(blended.jerk, 0.35 * at_once.jerk) << bend;
      EXPECT_LT(blended.strain, 0.05) << "it finds back to its own shape";
      test::record("jerk at once " + std::to_string(bend), at_once.jerk);
      test::record("jerk blended " + std::to_string(bend), blended.jerk);
    }
  }
}

// What flies is caught by a motion that is elsewhere.
TEST(MeshlessDynamics, CatchingDoesNotSnap) {
  const auto snap = [](double blend) {
    const MeshlessDynamics dynamics(still(beam()));
    DynamicsSettings s;
    s.gravity = {0, 0, 0};
    s.blend = blend;
    DynamicsState state = dynamics.begin(0);
    for (Vec3d& v : state.bodies[0].velocities) v = {1, 0, 0};
    DynamicsRoom room;
    double most = 0;
    for (int frame = 1; frame <= 60; ++frame) {
      s.gain = frame <= 10 ? 0 : 0.3;
      const NodePlaces before = state.bodies[0].places;
      dynamics.advance(state, 0.04 * frame, s, {}, room);
      most = std::max(most, farthest(state.bodies[0].places, before));
    }
    EXPECT_LT(farthest(state.bodies[0].places, beam()->nodes), 0.01) << "it is caught in the end";
    return most;
  };
  const double at_once = snap(0), blended = snap(0.5);
  EXPECT_LT(blended, 0.5 * at_once);
  test::record("way in a frame, at once", at_once);
  test::record("way in a frame, blended", blended);
}

// However a body comes to be led: it turns back and goes to where it belongs, and neither stops
// nor is thrown past it.
TEST(MeshlessDynamics, CatchingGoesTheWayOnce) {
  const MeshlessDynamics dynamics(still(beam()));
  enum class By { gain, more_gain, loose, coming };
  double most = 0;
  for (const By by : {By::gain, By::more_gain, By::loose, By::coming}) {
    for (const double gain : {0.05, 0.3, 1.0}) {
      for (const double damping : {0.0, 0.1, 1.0}) {
        DynamicsSettings s;
        s.gravity = {0, 0, 0};
        s.blend = 0.5;
        s.damping = damping;
        BodyStates from;
        from.list.push_back({beam(), moved(beam(), Eigen::Quaterniond::Identity(), {0.4, 0, 0}),
                             NodePlaces(beam()->node_count(), Vec3d(1, 0, 0))});
        const std::vector<std::vector<double>> loose(
            1, std::vector<double>(beam()->node_count(), 1.0));
        DynamicsState state = dynamics.begin(0, from);
        DynamicsRoom room;
        double before = 0.4, way_before = 0.04, nearest = 1, change = 0;
        for (int frame = 1; frame <= 60; ++frame) {
          const bool free = frame <= 10 && by != By::coming;
          DynamicsWorld world;
          if (free && by == By::loose) world.loose = loose;
          s.gain = !free || by == By::loose ? gain : by == By::more_gain ? 1e-6 : 0;
          dynamics.advance(state, 0.04 * frame, s, world, room);
          double middle = 0;
          for (std::size_t i = 0; i < beam()->node_count(); ++i) {
            middle += (state.bodies[0].places[i] - beam()->nodes[i]).x() /
                      static_cast<double>(beam()->node_count());
          }
          change = std::max(change, std::abs(middle - before - way_before));
          way_before = middle - before;
          before = middle;
          nearest = std::min(nearest, middle);
        }
        EXPECT_LT(change, 0.15) << static_cast<int>(by) << " " << gain << " " << damping;
        EXPECT_GT(nearest, -0.1) << static_cast<int>(by) << " " << gain << " " << damping;
        most = std::max(most, change);
      }
    }
  }
  test::record("most change of the way of a frame, m", most);
}

TEST(MeshlessDynamics, LooseEndsLagBehindWhatIsLed) {
  Motion motion = still(beam());
  motion.bodies[0].frames.push_back(
      {0.4, moved(beam(), Eigen::Quaterniond::Identity(), Vec3d(2, 0, 0)), false, {}, false});
  const MeshlessDynamics dynamics(motion);
  std::vector<std::vector<double>> loose(1);
  for (const Vec3d& x : beam()->nodes) loose[0].push_back(x.y() > 0 ? 1 : 0);
  for (const bool align : {false, true}) {
    DynamicsSettings s;
    s.align = align;
    s.gain = 0.5;
    s.gravity.setZero();
    DynamicsState state = dynamics.begin(0);
    for (Vec3d& v : state.bodies[0].velocities) v.setZero();
    DynamicsRoom room;
    dynamics.advance(state, 0.2, s, {nullptr, nullptr, loose}, room);
    double led = 0, free = 0, led_count = 0, free_count = 0;
    for (std::size_t i = 0; i < loose[0].size(); ++i) {
      const double by = state.bodies[0].places[i].x() - beam()->nodes[i].x();
      (loose[0][i] > 0 ? free : led) += by;
      (loose[0][i] > 0 ? free_count : led_count) += 1;
    }
    test::record("led goes", led / led_count);
    test::record("loose goes", free / free_count);
    EXPECT_LT(free / free_count, led / led_count - 0.1) << align;
  }
}

TEST(MeshlessDynamics, FrictionHoldsOnASlopeAndLetsGoOnASteeperOne) {
  for (const double angle : {20.0, 34.0}) {  // atan 0.5 is 26.6 degrees
    Colliders slope = ground(0.5f);
    const Eigen::Quaterniond turn(
        Eigen::AngleAxisd(angle * std::numbers::pi / 180, Vec3d(0, 0, 1)));
    slope.list[0].rotation = turn.cast<float>();
    const MeshlessDynamics dynamics(still(cube()));
    DynamicsSettings s = free_fall();
    s.stiffness = 10;
    s.damping = 0.5;
    DynamicsState state = dynamics.begin(0);
    state.bodies[0].places = moved(cube(), turn, turn * Vec3d(0, 0.504, 0));
    DynamicsRoom room;
    const DynamicsWorld world{&slope, &slope, {}};
    const DynamicsSpace space(cube());
    dynamics.advance(state, 0.5, s, world, room);
    const Vec3d at = sums(space, state.bodies[0]).centre;
    dynamics.advance(state, 1.5, s, world, room);
    const double slid = (sums(space, state.bodies[0]).centre - at).norm();
    test::record("slid in a second", slid);
    EXPECT_EQ(slid > 0.02, angle > 27) << slid;
  }
}

TEST(MeshlessDynamics, GoesOnFromAStateAndHandsItOn) {
  const Motion motion = waving(beam());
  const MeshlessDynamics dynamics(motion);
  const DynamicsState middle = dynamics.begin(0.7);
  const BodyStates handed = dynamics.states(middle);
  const DynamicsState on = dynamics.begin(0.7, handed);
  EXPECT_EQ(on.bodies[0].places, middle.bodies[0].places);
  EXPECT_EQ(on.bodies[0].velocities, middle.bodies[0].velocities);
  // Simulated for a while, then a motion that is told to begin so.
  DynamicsState state = on;
  DynamicsRoom room;
  dynamics.advance(state, 0.9, free_fall(), {}, room);
  const BodyStates end = dynamics.states(state);
  BodyMotion next{beam(),
                  {{0.9, end.list[0].places, false, end.list[0].velocities, true},
                   {2, beam()->nodes, false, {}, true}}};
  const BodySpline spline(next);
  NodePlaces places(beam()->node_count()), velocities(places);
  spline.at(0.9, places, velocities);
  EXPECT_LT(farthest(places, end.list[0].places), 1e-9);
  EXPECT_LT(farthest(velocities, end.list[0].velocities), 1e-9);
}

TEST(MeshlessDynamics, SameBitsOnAnyThreads) {
  Motion motion;
  for (int k = 0; k < 3; ++k) {
    const NodePlaces at =
        moved(cube(), Eigen::Quaterniond::Identity(), Vec3d(0.2 * k, 0.6 + 1.3 * k, 0));
    motion.bodies.push_back({cube(), {{0, at, false, {}, false}}});
  }
  const MeshlessDynamics dynamics(motion);
  const Colliders floor = ground();
  std::vector<NodePlaces> ends;
  for (const std::size_t threads : {1, 2}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    DynamicsState state = dynamics.begin(0);
    DynamicsRoom room;
    for (int k = 1; k <= 15; ++k) {
      dynamics.advance(state, 0.04 * k, free_fall(), {&floor, &floor, {}}, room);
    }
    ends.push_back(state.bodies[2].places);
  }
  EXPECT_EQ(ends[0], ends[1]);
}

TEST(MeshlessDynamics, BodiesPushEachOtherApart) {
  Motion motion;
  for (int k = 0; k < 2; ++k) {
    const NodePlaces at =
        moved(cube(), Eigen::Quaterniond::Identity(), Vec3d(0.1 * k, 0.51 + 1.2 * k, 0));
    motion.bodies.push_back({cube(), {{0, at, false, {}, false}}});
  }
  const MeshlessDynamics dynamics(motion);
  const Colliders floor = ground();
  DynamicsSettings s = free_fall();
  s.stiffness = 10;
  s.damping = 0.3;
  DynamicsState state = dynamics.begin(0);
  DynamicsRoom room;
  for (int k = 1; k <= 100; ++k) {
    ASSERT_TRUE(dynamics.advance(state, 0.04 * k, s, {&floor, &floor, {}}, room).sound);
  }
  const DynamicsSpace space(cube());
  const double gap =
      sums(space, state.bodies[1]).centre.y() - sums(space, state.bodies[0]).centre.y();
  test::record("distance of two stacked cubes", gap);
  EXPECT_GT(gap, 0.9);
  EXPECT_LT(gap, 1.05);
}

TEST(MeshlessDynamics, ScalesWithTheBody) {
  std::vector<Vec3d> ends;
  for (const double scale : {0x1p-10, 1.0, 0x1p10}) {
    const Body body = sampled(make_box({{0.3f, 1, 0.3f}, {4, 12, 4}}), scale);
    const MeshlessDynamics dynamics(still(body));
    DynamicsSettings s = free_fall();
    s.gravity *= scale;
    s.accuracy = 1e-8;
    DynamicsState state = dynamics.begin(0);
    for (Vec3d& y : state.bodies[0].places) y.y() += 1 * scale;
    const Colliders floor = ground();
    DynamicsRoom room;
    for (int k = 1; k <= 20; ++k) {
      dynamics.advance(state, 0.04 * k, s, {&floor, &floor, {}}, room);
    }
    ends.push_back(sums(DynamicsSpace(body), state.bodies[0]).centre / scale);
  }
  EXPECT_LT((ends[0] - ends[1]).norm(), 1e-3);
  EXPECT_LT((ends[2] - ends[1]).norm(), 1e-3);
}

}  // namespace
}  // namespace sinew::kernels
