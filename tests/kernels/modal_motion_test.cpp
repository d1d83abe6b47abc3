// "Dynamic FFD" under "What must come out": motion of bodies that deform by modes.
#include "nodes/kernels/modal_motion.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <atomic>
#include <numbers>
#include <random>

#include "nodes/kernels/modal_system.h"
#include "tests/deadline.h"
#include "tests/kernels/modal_bodies.h"

namespace sinew::kernels {
namespace {

using namespace testing;

Mesh block(double height = 1) {
  return make_box({.size = Vec3f(0.8f, static_cast<float>(height), 0.6f), .segments = {6, 6, 6}});
}

// A block whose upper half also has a lattice of its own.
Modes nested_modes(const Mesh& mesh) {
  Modes modes = three_modes(mesh);
  LatticeBox upper = modes.lattices[0].rest->box;
  upper.corner += 0.5 * upper.edges[1];
  upper.edges[1] *= 0.5;
  const auto rest =
      std::make_shared<const LatticeRest>(std::array{4u, 4u, 4u}, LatticeBasis::bernstein, upper);
  ModeLattice local{rest, {mode_of(*rest, "nod", [](const Vec3d& s) -> Vec3d {
                      const double up = s.y() < 0.4 ? 0 : s.y();
                      return 0.2 * up * Vec3d(1, 0.3, 0.1);
                    })}};
  modes.lattices.insert(modes.lattices.begin(), std::move(local));
  return modes;
}

struct Moving {
  explicit Moving(ModalBody with)
      : body(std::move(with)),
        model(std::make_shared<const ModalModel>(body)),
        stepper(model),
        state(modal_rest(*model)) {}
  void run(double seconds, double frame = 0.04) {
    const int frames = static_cast<int>(std::lround(seconds / frame));
    for (int i = 0; i < frames; ++i) stepper.advance(settings, frame, state);
  }
  ModalEnergy energy() const { return modal_energy(*model, state, settings.gravity); }

  ModalBody body;
  std::shared_ptr<const ModalModel> model;
  ModalStepper stepper;
  ModalState state;
  ModalSettings settings;
};

void throw_about(ModalState& state, unsigned seed, double spin) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> any(-1, 1);
  state.turn = Eigen::Quaterniond(any(random), any(random), any(random), any(random)).normalized();
  state.velocity = Vec3d(any(random), 5 * any(random), any(random));
  state.spin = spin * Vec3d(any(random), any(random), any(random)).normalized();
  for (double& rate : state.rates) rate = 2 * any(random);
}

TEST(ModalPoints, DerivativesAreThoseOfThePlaces) {
  const Mesh mesh = block();
  for (const Modes& modes : {three_modes(mesh), nested_modes(mesh)}) {
    const auto space = std::make_shared<const ModalSpace>(modes, Vec3d(0.1, 0.2, 0.3));
    const ModalPoints points(space, mesh.positions);
    const std::size_t d = modes.count();
    std::mt19937 random(3);
    std::uniform_real_distribution<double> any(-0.4, 0.4);
    std::vector<double> g(d), r(d);
    for (double& x : g) x = any(random);
    for (double& x : r) x = any(random);
    ModalPoints::Room room;
    const auto places_at = [&](const std::vector<double>& amplitudes) {
      Eigen::Matrix3Xd out;
      points.set_moment(amplitudes, r, room);
      points.places(amplitudes, room, out);
      return out;
    };
    const double h = 1e-4;
    std::vector<double> ahead = g, behind = g;
    for (std::size_t n = 0; n < d; ++n) ahead[n] += h * r[n], behind[n] -= h * r[n];
    const Eigen::Matrix3Xd now = places_at(g), a = places_at(ahead), b = places_at(behind);
    points.set_moment(g, r, room);
    std::vector<double> ways(3 * d);
    double* const rows[3] = {ways.data(), ways.data() + d, ways.data() + 2 * d};
    for (std::size_t i = 0; i < points.size(); i += 5) {
      const auto c = static_cast<Eigen::Index>(i);
      const auto point = points.derivatives(i, g, r, room, rows);
      EXPECT_LT((point.place - now.col(c)).norm(), 1e-12);
      Vec3d along = Vec3d::Zero();
      for (std::size_t n = 0; n < d; ++n) along += r[n] * Vec3d(rows[0][n], rows[1][n], rows[2][n]);
      EXPECT_LT((along - (a.col(c) - b.col(c)) / (2 * h)).norm(), 1e-7);
      const Vec3d second = (a.col(c) - 2 * now.col(c) + b.col(c)) / (h * h);
      EXPECT_LT((point.second - second).norm(), 1e-5);
    }
  }
}

TEST(ModalPoints, AgreeWithTheGeometricDeformation) {
  const Mesh mesh = block();
  const Modes modes = three_modes(mesh);
  const auto space = std::make_shared<const ModalSpace>(modes, Vec3d::Zero());
  const ModalPoints points(space, mesh.positions);
  const std::vector<double> g = {0.3, -0.2, 0.4}, none(3, 0.0);
  Lattice lattice(*modes.lattices[0].rest);
  for (std::size_t n = 0; n < 3; ++n) {
    for (std::size_t p = 0; p < lattice.point_count(); ++p) {
      lattice.positions[p] += static_cast<float>(g[n]) * modes.lattices[0].modes[n].delta[p];
    }
  }
  std::vector<Vec3f> bent(mesh.vertex_count());
  deform_by_lattice(lattice, {}, mesh.positions, bent);
  ModalPoints::Room room;
  Eigen::Matrix3Xd out;
  points.set_moment(g, none, room);
  points.places(g, room, out);
  for (std::size_t i = 0; i < bent.size(); ++i) {
    EXPECT_LT((out.col(static_cast<Eigen::Index>(i)) - bent[i].cast<double>()).norm(), 2e-6);
  }
  // gamma = 0 is the identity.
  points.set_moment(none, none, room);
  points.places(none, room, out);
  for (std::size_t i = 0; i < bent.size(); ++i) {
    EXPECT_EQ(out.col(static_cast<Eigen::Index>(i)), mesh.positions[i].cast<double>());
  }
}

TEST(LatticeAxis, DerivativesAndSums) {
  for (const LatticeBasis basis : {LatticeBasis::bernstein, LatticeBasis::bspline}) {
    for (const uint32_t count : {2u, 3u, 4u, 5u, 9u}) {
      const LatticeAxis axis(basis, count);
      LatticeAxis::Weights at, ahead, behind;
      std::vector<double> plain(count);
      for (const double s : {-0.4, 0.013, 0.21, 0.5007, 0.77, 0.999, 1.3}) {
        const double h = 1e-5;
        axis.at(s, at);
        axis.at(s + h, ahead);
        axis.at(s - h, behind);
        lattice_weights(basis, s, plain);
        double sum = 0, place = 0;
        for (uint32_t i = 0; i < count; ++i) {
          EXPECT_NEAR(at.value[i], plain[i], 1e-12);
          EXPECT_NEAR(at.first[i], (ahead.value[i] - behind.value[i]) / (2 * h), 1e-7);
          EXPECT_NEAR(at.second[i], (ahead.first[i] - behind.first[i]) / (2 * h), 1e-6);
          sum += at.value[i];
          place += at.value[i] * rest_parameter(basis, count, i);
        }
        EXPECT_NEAR(sum, 1, 1e-12);
        EXPECT_NEAR(place, s, 1e-12);
      }
    }
  }
}

TEST(ModalSystem, MassIsSymmetricAndPositive) {
  Moving thing(body_of(block(), nested_modes(block())));
  throw_about(thing.state, 1, 3);
  for (double& g : thing.state.amplitudes) g = 0.5;
  ModalStepper::Room room;
  choose_awake(*thing.model, thing.state, room);
  assemble(*thing.model, thing.state.amplitudes, thing.state.rates, thing.state.spin, Vec3d::Zero(),
           room);
  const auto n = static_cast<Eigen::Index>(room.n);
  Eigen::MatrixXd lower =
      Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(room.matrix.data(), n, n);
  const Eigen::MatrixXd mass = lower.selfadjointView<Eigen::Lower>();
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(mass).eigenvalues()[0], 1e-4);
  // The kinetic energy is that of the points.
  Eigen::VectorXd q(n);
  const Vec3d v = thing.state.turn.conjugate() * thing.state.velocity;
  const Vec3d w = thing.state.turn.conjugate() * thing.state.spin;
  q << v, w, Eigen::Map<const Eigen::VectorXd>(thing.state.rates.data(), n - 6);
  const Eigen::VectorXd with_own_spin = q;
  assemble(*thing.model, thing.state.amplitudes, thing.state.rates, w, Vec3d::Zero(), room);
  EXPECT_NEAR(0.5 * with_own_spin.dot(mass * with_own_spin), thing.energy().kinetic,
              1e-9 * thing.energy().kinetic);
}

TEST(ModalMotion, FlightIsAParabolaAndTheBooksAreKept) {
  for (const bool nested : {false, true}) {
    for (unsigned seed = 1; seed <= (nested ? 1u : 4u); ++seed) {
      const Mesh mesh = block();
      ModalBody body = body_of(mesh, nested ? nested_modes(mesh) : three_modes(mesh));
      std::fill(body.damping.begin(), body.damping.end(), 0.0);
      Moving thing(std::move(body));
      thing.settings.limit = 100;
      throw_about(thing.state, seed, 4.0);
      const ModalEnergy first = thing.energy();
      thing.run(10);
      const ModalEnergy last = thing.energy();
      const Vec3d parabola = first.centre + 10 * first.velocity + 50 * thing.settings.gravity;
      EXPECT_LT((last.centre - parabola).norm(), 1e-6 * (parabola - first.centre).norm());
      const double inner = first.kinetic + first.elastic;
      EXPECT_LT(std::abs(last.total() - first.total()), 1e-6 * inner) << nested << seed;
      EXPECT_LT((last.angular - first.angular).norm(), 1e-6 * first.angular.norm());
      EXPECT_LT((last.momentum - first.momentum - 10 * thing.model->total * thing.settings.gravity)
                    .norm(),
                1e-6 * last.momentum.norm());
    }
  }
}

TEST(ModalMotion, OneModeSwingsAtItsOwnFrequency) {
  const Mesh mesh = block();
  const auto rest = cage_around(mesh.positions);
  for (const double frequency : {0.5, 3.0, 20.0}) {
    DeformMode mode = mode_of(*rest, "squash", squash_shape(0.5));
    mode.frequency = frequency;
    mode.damping = 0;
    Moving thing(body_of(mesh, {{{rest, {mode}}}}));
    thing.settings.gravity.setZero();
    thing.state.amplitudes[0] = 0.01;
    double last = 0.01, first_cross = 0, last_cross = 0;
    int crossings = 0;
    for (int i = 0; i < 4000; ++i) {
      thing.stepper.advance(thing.settings, 0.002, thing.state);
      const double now = thing.state.amplitudes[0];
      if (last > 0 && now <= 0) {
        const double at = thing.state.time - 0.002 * now / (now - last);
        if (crossings++ == 0) first_cross = at;
        last_cross = at;
      }
      last = now;
    }
    EXPECT_NEAR((crossings - 1) / (last_cross - first_cross), frequency, 1e-3 * frequency);
  }
}

TEST(ModalMotion, EnergyDecays) {
  Moving thing(body_of(block(), three_modes(block())));
  throw_about(thing.state, 5, 4.0);
  thing.settings.gravity.setZero();
  thing.settings.deactivate = false;
  double last = thing.energy().total();
  for (int i = 0; i < 100; ++i) {
    thing.run(0.04);
    const double now = thing.energy().total();
    EXPECT_LE(now, last * (1 + 1e-7));  // the error that flight allows itself
    last = now;
  }
}

TEST(ModalMotion, EveryAttitudeIsAsGoodAsAnyOther) {
  // The same throw, turned as a whole, gives the same motion turned.
  Moving plain(body_of(block(), three_modes(block())));
  plain.settings.gravity.setZero();
  throw_about(plain.state, 9, 6.0);
  const ModalState start = plain.state;
  plain.run(2);
  std::mt19937 random(2);
  std::uniform_real_distribution<double> any(-1, 1);
  for (int i = 0; i < 20; ++i) {
    // Among them turns by a right angle about y, where Euler's angles would lock.
    Eigen::Quaterniond by(any(random), any(random), any(random), any(random));
    by.normalize();
    if (i < 4) by = Eigen::AngleAxisd(std::numbers::pi / 2 * i, Vec3d(0, 1, 0));
    Moving other(plain.body);
    other.settings.gravity.setZero();
    other.state = start;
    other.state.place = by * start.place;
    other.state.turn = by * start.turn;
    other.state.velocity = by * start.velocity;
    other.state.spin = by * start.spin;
    other.run(2);
    EXPECT_LT((other.state.place - by * plain.state.place).norm(), 1e-8);
    EXPECT_LT(
        (other.state.turn.toRotationMatrix() - (by * plain.state.turn).toRotationMatrix()).norm(),
        1e-6);
  }
}

TEST(ModalMotion, ABlockHoldsBelowTheAngleOfFrictionAndSlidesAbove) {
  for (const double angle : {15.0, 22.0, 28.0, 35.0}) {
    const double mu = std::tan(25 * std::numbers::pi / 180);
    const double slope = angle * std::numbers::pi / 180;
    const Mesh mesh = block(0.3);
    Moving thing(body_of(mesh, three_modes(mesh, 0.2)));
    Colliders colliders;
    Collider plane = ground(static_cast<float>(mu));
    plane.rotation =
        Eigen::Quaternionf(Eigen::AngleAxisf(static_cast<float>(slope), Vec3f(0, 0, 1)));
    colliders.list.push_back(plane);
    thing.settings.colliders = &colliders;
    thing.state.turn = Eigen::AngleAxisd(slope, Vec3d(0, 0, 1));
    thing.state.place = thing.state.turn * Vec3d(0, 0.151, 0);
    thing.run(1);
    const Vec3d along = thing.state.turn * Vec3d(1, 0, 0);
    const double before = thing.state.place.dot(along);
    thing.run(2);
    const double way = std::abs(thing.state.place.dot(along) - before);
    if (angle < 25) {
      EXPECT_LT(way, 2e-3) << angle;
    } else {
      // a = g (sin - mu cos) from 1 s on; from rest at about 0.
      const double a = 9.81 * (std::sin(slope) - mu * std::cos(slope));
      EXPECT_NEAR(way, 0.5 * a * (9 - 1), 0.12 * 0.5 * a * 8) << angle;
    }
  }
}

TEST(ModalMotion, AtStandardSettingsFlightKeepsItsMomentum) {
  // Damped modes come to rest while it turns, and may not take momentum along.
  Moving thing(body_of(block(), three_modes(block())));
  thing.settings.gravity.setZero();
  throw_about(thing.state, 6, 5.0);
  const ModalEnergy first = thing.energy();
  thing.run(10);
  const ModalEnergy last = thing.energy();
  EXPECT_LT((last.momentum - first.momentum).norm(), 1e-6 * first.momentum.norm());
  EXPECT_LT((last.angular - first.angular).norm(), 1e-6 * first.angular.norm());
}

// Whatever a body does to itself, it does not get on in empty space: neither by poses that are held
// so firmly that flight is stepped implicitly, nor by amplitudes that are stopped at their limit.
TEST(ModalMotion, NoControllerThrustsABodyThroughEmptySpace) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> any(-1, 1);
  for (int trial = 0; trial < 24; ++trial) {
    const Mesh mesh = block(0.5 + 0.5 * (trial % 3));
    const Modes modes = trial % 2 ? nested_modes(mesh) : three_modes(mesh);
    Moving thing(body_of(mesh, modes));
    PoseGraph graph;
    for (const ModeLattice& lattice : modes.lattices) {
      for (const DeformMode& mode : lattice.modes) graph.modes.push_back(mode.name);
    }
    for (int pose = 0; pose < 3; ++pose) {
      GraphPose one{0.15 + 0.1 * pose, {}};
      for (std::size_t m = 0; m < graph.modes.size(); ++m) one.amplitudes.push_back(any(random));
      graph.poses.push_back(std::move(one));
    }
    graph.frequency = trial < 8 ? 4 : 40;
    const ModalControl control(*thing.model, modes, graph);
    thing.settings.control = &control;
    thing.settings.gravity.setZero();
    thing.settings.limit = trial < 16 ? 1 : 0.3;
    if (trial % 4 == 3) throw_about(thing.state, 6, 2.0);
    const ModalEnergy first = thing.energy();
    thing.run(4);
    const ModalEnergy last = thing.energy();
    const double size = thing.model->size, mass = thing.model->total;
    EXPECT_LT((last.velocity - first.velocity).norm(), 1e-6 * size) << trial;
    EXPECT_LT((last.centre - first.centre - 4 * first.velocity).norm(), 1e-5 * size) << trial;
    EXPECT_LT((last.angular - first.angular).norm(), 1e-5 * mass * size * size) << trial;
  }
}

TEST(ModalMotion, GroundThatMovesTakesTheBodyAlong) {
  for (const double speed : {-3.0, -0.5, 0.5, 2.0, 5.0}) {
    const Mesh mesh = block(0.4);
    Moving thing(body_of(mesh, three_modes(mesh, 0.2)));
    thing.state.place.y() += 0.2;
    Colliders before, now;
    before.list.push_back(ground());
    now = before;
    thing.settings.colliders = &now;
    thing.settings.colliders_before = &before;
    double height = 0;
    for (int frame = 0; frame < 60; ++frame) {
      before = now;
      // Slowly at first, so that nothing is thrown or left behind.
      height += 0.04 * speed * std::min(1.0, frame / 40.0);
      now.list[0].position.y() = static_cast<float>(height);
      thing.stepper.advance(thing.settings, 0.04, thing.state);
    }
    Eigen::Matrix3Xd places;
    ModalPoints::Room room;
    thing.model->touching.set_moment(thing.state.amplitudes, thing.state.rates, room);
    thing.model->touching.places(thing.state.amplitudes, room, places);
    const Eigen::Matrix3Xd world = thing.state.turn.toRotationMatrix() * places;
    const double lowest = world.row(1).minCoeff() + thing.state.place.y();
    EXPECT_NEAR(lowest, height, 0.005 * thing.model->size) << speed;
    EXPECT_LT(thing.state.books.deepest, 0.01 * thing.model->size) << speed;
  }
}

TEST(ModalMotion, TwoObstaclesAtOnePlaceHoldAsOne) {
  const Mesh mesh = block(0.3);
  Moving thing(body_of(mesh, three_modes(mesh, 0.2)));
  thing.state.place.y() += 0.151;
  Colliders colliders;
  colliders.list.push_back(ground(0.5f));
  colliders.list.push_back(ground(0.5f));
  thing.settings.colliders = &colliders;
  thing.settings.gravity = Vec3d(3, -9.81, 0);  // less than friction holds
  thing.run(2);
  const Vec3d before = thing.state.place;
  thing.run(4);
  EXPECT_LT((thing.state.place - before).norm(), 2e-3);
}

TEST(ModalMotion, CanBeStopped) {
  Moving thing(body_of(block(), three_modes(block())));
  std::atomic<bool> flag = true;
  thing.settings.stop = CancelView{&flag};
  EXPECT_THROW(thing.run(1), Stopped);
}

TEST(ModalMotion, ALocalForceMovesGlobalModes) {
  const Mesh mesh = block();
  Moving thing(body_of(mesh, nested_modes(mesh)));
  thing.settings.gravity.setZero();
  BodyForces forces;
  forces.list.push_back({BodyForceKind::force, Vec3f(0.4f, 0.5f, 0.3f), Vec3f(0, 30, 0)});
  const ModalPulls pulls(*thing.model, forces, forces);
  thing.settings.pulls = &pulls;
  thing.run(0.2);
  for (const double g : thing.state.amplitudes) EXPECT_GT(std::abs(g), 1e-3);
}

TEST(ModalMotion, ABodyDropsBouncesAndComesToRest) {
  Moving thing(body_of(block(), three_modes(block())));
  Colliders colliders;
  colliders.list.push_back(ground());
  thing.settings.colliders = &colliders;
  thing.state.place = Vec3d(0, 3, 0);
  throw_about(thing.state, 4, 2);
  thing.state.velocity.setZero();
  thing.run(8);
  EXPECT_LT(thing.energy().kinetic, 1e-4);
  EXPECT_LT(thing.state.books.deepest, 0.01 * thing.model->size);
  double force = 0;
  for (const ModalGrip& grip : thing.state.grips) force += grip.force.y();
  EXPECT_NEAR(force, thing.model->total * 9.81, 0.01 * thing.model->total * 9.81);
}

TEST(ModalMotion, PinsHold) {
  Moving thing(body_of(block(), three_modes(block())));
  BodyForces forces;
  forces.list.push_back({BodyForceKind::pin, Vec3f(0.4f, 0.5f, 0.3f), Vec3f(0.4f, 0.5f, 0.3f)});
  const ModalPulls pulls(*thing.model, forces, forces);
  thing.settings.pulls = &pulls;
  thing.run(3);
  ModalPoints::Room room;
  Eigen::Matrix3Xd place;
  pulls.points().set_moment(thing.state.amplitudes, thing.state.rates, room);
  pulls.points().places(thing.state.amplitudes, room, place);
  const Vec3d held = thing.state.place + thing.state.turn * place.col(0);
  EXPECT_LT((held - Vec3d(0.4, 0.5, 0.3)).norm(), 2e-3);
  EXPECT_GT((thing.state.place - Vec3d::Zero()).norm(), 0.2);  // it swings below
}

// Springs within their ranges, from nearby to a thousand kilometres away: their force at one place
// must not turn the body ever faster until nothing is a number any more.
TEST(ModalMotion, WhateverPullsABodyStaysFiniteAndThrowsNothing) {
  const sinew::testing::Deadline deadline(300);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> any(-1, 1), share(0, 1);
  const Mesh mesh = block();
  for (int k = 0; k < 24; ++k) {
    SCOPED_TRACE(k);
    Moving thing(body_of(mesh, k % 3 == 0 ? nested_modes(mesh) : three_modes(mesh), 24, 60));
    Colliders colliders;
    colliders.list.push_back(ground());
    if (k % 2 == 0) thing.settings.colliders = &colliders;
    thing.settings.limit = k % 5 == 0 ? 100 : 1.5;
    thing.settings.steps_per_second = k % 7 == 0 ? 10 : 240;
    thing.settings.steps_fit = k % 4 == 1;
    thing.settings.stop = CancelView{&deadline.passed()};
    thing.state.place = Vec3d(0, 0.5, 0);
    BodyForces forces;
    for (int n = 0; n < 1 + k % 3; ++n) {
      const double away = std::pow(10, 6 * share(random));
      const Vec3d to = away * Vec3d(any(random), any(random), any(random));
      forces.list.push_back({BodyForceKind::spring, mesh.positions[random() % mesh.vertex_count()],
                             to.cast<float>(), static_cast<float>(std::pow(10, 3 * share(random))),
                             static_cast<float>(share(random))});
    }
    const ModalPulls pulls(*thing.model, forces, forces);
    thing.settings.pulls = &pulls;
    for (int frame = 0; frame < 10; ++frame) {
      ASSERT_TRUE(thing.stepper.advance(thing.settings, 0.04, thing.state)) << frame;
      EXPECT_LT(thing.state.velocity.norm(), 1e5);
      for (const double g : thing.state.amplitudes) {
        EXPECT_LE(std::abs(g), 1.05 * thing.settings.limit + 1e-9);
      }
    }
  }
}

// Whatever a state is given, no step goes back in time, and the answer says that it was stopped.
TEST(ModalMotion, AStateThatIsNotFiniteEndsTheSteps) {
  const sinew::testing::Deadline deadline(60);
  for (const double bad : {std::nan(""), double{INFINITY}}) {
    for (const int what : {0, 1, 2, 3}) {
      Moving thing(body_of(block(), three_modes(block())));
      thing.settings.stop = CancelView{&deadline.passed()};
      Colliders colliders;
      colliders.list.push_back(ground());
      thing.settings.colliders = &colliders;
      if (what == 0) thing.state.spin.x() = bad;
      if (what == 1) thing.state.velocity.y() = bad;
      if (what == 2) thing.state.rates[1] = bad;
      if (what == 3) thing.state.amplitudes[0] = bad;
      EXPECT_FALSE(thing.stepper.advance(thing.settings, 0.04, thing.state)) << what;
    }
  }
}

TEST(ModalMotion, FramesOfAnyLengthAndThreadsGiveTheSame) {
  Moving one(body_of(block(), three_modes(block()))), two(one.body);
  throw_about(one.state, 3, 2);
  two.state = one.state;
  one.run(1, 0.1);
  two.run(1, 0.05);
  EXPECT_LT((one.state.place - two.state.place).norm(), 1e-6);
}

TEST(ModalModel, SuperfluousModesAreRefusedByName) {
  const Mesh mesh = block();
  const auto rest = cage_around(mesh.positions);
  const auto flaw_with = [&](const DeformMode& more) {
    Modes modes = three_modes(mesh);
    modes.lattices[0].modes.push_back(more);
    return modal_inertia(modes, body_of(mesh, three_modes(mesh)).masses).flaw;
  };
  EXPECT_NE(flaw_with(mode_of(*rest, "again", squash_shape(0.2)))
                .find("'again' does to the mass points what 'squash' already does"),
            std::string::npos);
  EXPECT_NE(flaw_with(mode_of(*rest, "both",
                              [](const Vec3d& s) -> Vec3d {
                                return squash_shape(0.2)(s) + shear_shape(0.3)(s);
                              }))
                .find("'squash' and 'shear' already do together"),
            std::string::npos);
  EXPECT_NE(flaw_with(mode_of(*rest, "lift",
                              [](const Vec3d&) -> Vec3d {
                                return {0, 1, 0};
                              }))
                .find("'lift' only moves or turns the body"),
            std::string::npos);
  EXPECT_NE(flaw_with(mode_of(*rest, "none",
                              [](const Vec3d&) -> Vec3d {
                                return {0, 0, 0};
                              }))
                .find("'none' moves no mass point"),
            std::string::npos);
  EXPECT_EQ(flaw_with(mode_of(*rest, "twist", twist_shape(0.3))), "");
}

TEST(ModalMotion, ModesAtRestSleepAndWake) {
  Moving thing(body_of(block(), three_modes(block())));
  Colliders colliders;
  colliders.list.push_back(ground());
  thing.settings.colliders = &colliders;
  thing.state.place = Vec3d(0, 0.55, 0);
  thing.run(6);
  for (const uint8_t asleep : thing.state.asleep) EXPECT_TRUE(asleep);
  const ModalState quiet = thing.state;
  thing.run(1);
  EXPECT_LT((thing.state.place - quiet.place).norm(), 1e-3);
  thing.state.velocity = Vec3d(0, 3, 0);  // it jumps, and lands
  thing.state.bound = INFINITY;
  bool woke = false;
  for (int frame = 0; frame < 20; ++frame) {
    thing.run(0.04);
    for (const uint8_t asleep : thing.state.asleep) woke = woke || !asleep;
  }
  EXPECT_TRUE(woke);
}

}  // namespace
}  // namespace sinew::kernels
