#include "nodes/kernels/meshless_motion.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/kernels/figures.h"
#include "tests/kernels/meshless_scenes.h"
#include "tests/kernels/shapes.h"

namespace sinew::kernels {
namespace {

using test::family_body;
using test::from_to;
using test::RandomVectors;
using test::rigidly;
using test::shifted;
using test::turned;
using test::whole_key;

using State = std::vector<std::vector<NodePlaces>>;

void expect_finite(const Motion& motion) {
  for (const BodyMotion& b : motion.bodies) {
    for (const MotionFrame& f : b.frames) {
      for (const Vec3d& x : f.places) ASSERT_TRUE(x.allFinite());
    }
  }
}

// ---- The energy ---------------------------------------------------------------------------------

// Everything that a motion can be asked for: told velocities, a break, keys of some points, their
// velocities, points that are held, bodies whose keys begin later and end earlier.
std::vector<KeyedBody> busy_bodies() {
  const auto ball = family_body("sphere", 20), box = family_body("box", 40);
  RandomVectors random(1);
  KeyedBody a{ball,
              {whole_key(0, shifted(*ball, {0, 0, 0})), whole_key(0.5, {}), whole_key(1.1, {}),
               whole_key(2, rigidly(ball->nodes, turned(1, {1, 2, 3}), {2, 0.4, 0}))},
              {{5, 0.7, Vec3d(1, 0.3, 0)}}};
  a.keys[0].velocities = random.beside(NodePlaces(20, Vec3d(1, 1, 0)), 0.3);
  a.keys[3].velocities = random.beside(NodePlaces(20, Vec3d(1, -1, 0)), 0.3);
  a.keys[1].kind = MotionKey::Kind::points;
  a.keys[1].points = {{17, 1, Vec3d(0.5, 0.4, 0.2)}, {60, 0.5, Vec3d(0.8, 0.3, 0)}};
  a.keys[1].point_velocities = {{40, 1, Vec3d(1, 2, 3)}};
  a.keys[2] = whole_key(1.1, random.beside(shifted(*ball, {1, 0.5, 0}), 0.05));
  a.keys[2].breaks = true;
  a.keys[2].point_velocities = {{11, 0.8, Vec3d(0, -1, 2)}};
  KeyedBody b{box,
              {whole_key(0.25, shifted(*box, {1.5, 0, 0.1})),
               whole_key(1.8, rigidly(box->nodes, turned(2, {0, 1, 0.3}), {0.3, 0, 0}))},
              {}};
  MotionKey guess = whole_key(0.9, rigidly(box->nodes, turned(1, {0, 1, 0.3}), {0.9, 0, 0}));
  guess.kind = MotionKey::Kind::guess;
  guess.turned = {{3, 2, Vec3d(0.3, 0.1, 0.2)}, {8, 1, Vec3d(-0.1, 0.4, 0)}};
  b.keys.insert(b.keys.begin() + 1, guess);
  b.keys[0].point_velocities = {{3, 1, Vec3d(-1, 0, 0)}};
  b.keys[2].point_velocities = {{9, 1, Vec3d(0, 1, 0)}};
  return {a, b};
}

// The frames of the keys and some between, all of them beside where they would be.
MotionProgress busy_state(const MotionSolver& solver, double beside) {
  MotionProgress progress = solver.begin();
  for (const double time : {0.37, 0.83, 1.57}) {
    std::size_t at = 0;
    while (progress.times[at] < time) ++at;
    progress.places.insert(progress.places.begin() + static_cast<std::ptrdiff_t>(at),
                           progress.places[at]);
    progress.times.insert(progress.times.begin() + static_cast<std::ptrdiff_t>(at), time);
  }
  RandomVectors random(4);
  for (auto& frame : progress.places) {
    for (NodePlaces& places : frame) places = random.beside(places, beside);
  }
  return progress;
}

// The slope along a random way against differences, in parts of the gradient's length.
double slope_error(const MotionSolver& solver, const MotionProgress& progress, double h,
                   unsigned seed) {
  State gradient;
  solver.energy(progress, &gradient);
  State way = gradient;
  RandomVectors random(seed);
  double along = 0, length = 0;
  for (std::size_t j = 0; j < gradient.size(); ++j) {
    for (std::size_t b = 0; b < gradient[j].size(); ++b) {
      double any = 0;
      for (const Vec3d& g : gradient[j][b]) any += g.squaredNorm();
      for (std::size_t i = 0; i < gradient[j][b].size(); ++i) {
        way[j][b][i] = any > 0 ? random() : Vec3d(0, 0, 0);  // whole keys are no unknowns
        along += way[j][b][i].dot(gradient[j][b][i]);
      }
      length += any;
    }
  }
  const auto at = [&](double t) {
    MotionProgress moved = progress;
    for (std::size_t j = 0; j < way.size(); ++j) {
      for (std::size_t b = 0; b < way[j].size(); ++b) {
        for (std::size_t i = 0; i < way[j][b].size(); ++i) {
          moved.places[j][b][i] += t * way[j][b][i];
        }
      }
    }
    return solver.energy(moved);
  };
  const double slope = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
  EXPECT_GT(length, 0);
  return std::abs(slope - along) / std::sqrt(length);
}

TEST(MeshlessMotionEnergy, EachTermHasItsGradient) {
  struct Term {
    const char* name;
    double MotionWeights::*weight;
    double h, within;
  };
  // Contacts have other anchors and cells from place to place: small steps, and fewer digits.
  const std::vector<Term> terms{{"position", &MotionWeights::position, 1e-3, 1e-7},
                                {"strain", &MotionWeights::strain, 2e-4, 1e-7},
                                {"volume", &MotionWeights::volume, 2e-4, 1e-7},
                                {"acceleration", &MotionWeights::acceleration, 1e-3, 1e-7},
                                {"velocity", &MotionWeights::velocity, 1e-3, 1e-7},
                                {"spin", &MotionWeights::spin, 1e-3, 1e-7},
                                {"obstacles", &MotionWeights::obstacles, 1e-8, 1e-5},
                                {"bodies", &MotionWeights::bodies, 1e-8, 1e-5}};
  for (const Term& term : terms) {
    SCOPED_TRACE(term.name);
    MotionSettings settings;
    settings.weights = {0, 0, 0, 0, 0, 0, 0, 0};
    settings.weights.*term.weight = 1;
    settings.gravity = {0, -9.8, 1};
    const MotionSolver solver(busy_bodies(), ObstaclesInTime(test::one_sphere({1, 0, 0}, 0.4)),
                              settings);
    const MotionProgress state = busy_state(solver, 0.02);
    double worst = 0;
    for (unsigned seed = 1; seed <= 3; ++seed) {
      worst = std::max(worst, slope_error(solver, state, term.h, seed));
    }
    EXPECT_LT(worst, term.within);
    test::record(term.name, worst);
  }
}

// Added frames on the way do not change what strain and acceleration cost of a uniform motion.
TEST(MeshlessMotionEnergy, RigidUniformMotionsCostNothing) {
  const auto body = family_body("figure", 40);
  MotionSettings settings;
  settings.weights.spin = 1;
  const MotionSolver solver({from_to(body, {0, 0, 0}, {3, 1, 2}, 2)}, {}, settings);
  MotionProgress progress = solver.begin();
  for (const double t : {0.2, 0.3, 1.1}) {
    progress.times.insert(progress.times.end() - 1, t);
    progress.places.insert(progress.places.end() - 1, {shifted(*body, Vec3d(3, 1, 2) * t / 2)});
  }
  EXPECT_LT(solver.energy(progress), 1e-20);
}

// ---- Motions ------------------------------------------------------------------------------------

TEST(MeshlessMotion, RigidKeysAreJoinedRigidly) {
  const auto body = family_body("figure", 40);
  KeyedBody keyed = from_to(body, {0, 0, 0}, {2, 0, 0}, 1.5);
  keyed.keys.insert(keyed.keys.begin() + 1,
                    whole_key(0.6, rigidly(body->nodes, turned(1.5, {1, 2, 3}), {1, 1, 0})));
  const MotionSolver solver({keyed}, {}, {});
  const Motion motion = find_motion(solver);
  double worst = 0;
  const ElasticSamples elastic(*body);
  test::for_moments(motion, 60, [&](double, const std::vector<NodePlaces>& y) {
    worst = std::max(worst, elastic.energy(y[0], {1, 1}));
  });
  EXPECT_LT(worst, 1e-12);
  // Keys are met to the bit.
  EXPECT_EQ(motion.bodies[0].frames.front().places, keyed.keys.front().places);
  EXPECT_EQ(motion.bodies[0].frames.back().places, keyed.keys.back().places);
}

TEST(MeshlessMotion, AnObstacleIsPassedAllVerticesAsked) {
  for (const char* name : {"sphere", "capsule"}) {
    const auto body = family_body(name, 20);
    const ObstaclesInTime obstacle(test::one_sphere({2, 0.1, 0}, 0.6));
    const MotionSolver solver({from_to(body, {0, 0, 0}, {4, 0, 0}, 2)}, obstacle, {});
    const Motion motion = find_motion(solver);
    const int moments = 10 * static_cast<int>(motion.bodies[0].frames.size());
    const double depth = test::depth_in(motion, obstacle, moments);
    EXPECT_LT(depth, 0.01 * body->size) << name;
    test::record(std::string("depth ") + name, depth / body->size);
    test::record(std::string("frames ") + name,
                 static_cast<double>(motion.bodies[0].frames.size()));
  }
}

TEST(MeshlessMotion, AMovingObstacleIsPassed) {
  const auto body = family_body("sphere", 20);
  Colliders before = test::one_sphere({2, -2, 0.1}, 0.5),
            after = test::one_sphere({2, 2, 0.1}, 0.5);
  const ObstaclesInTime obstacle({0, 2}, {before, after});
  const MotionSolver solver({from_to(body, {0, 0, 0}, {4, 0, 0}, 2)}, obstacle, {});
  const Motion motion = find_motion(solver);
  const int moments = 10 * static_cast<int>(motion.bodies[0].frames.size());
  const double depth = test::depth_in(motion, obstacle, moments);
  EXPECT_LT(depth, 0.01 * body->size);
  test::record("depth", depth / body->size);
}

TEST(MeshlessMotion, TwoBodiesPassEachOther) {
  const auto ball = family_body("sphere", 20), capsule = family_body("capsule", 20);
  const MotionSolver solver(
      {from_to(ball, {0, 0, 0}, {4, 0, 0}, 2), from_to(capsule, {4, 0.1, 0}, {0, 0.1, 0}, 2)}, {},
      {});
  const Motion motion = find_motion(solver);
  const double depth =
      test::depth_between(motion, 10 * static_cast<int>(motion.bodies[0].frames.size()));
  EXPECT_LT(depth, 0.01 * motion.size);
  test::record("depth", depth / motion.size);
}

TEST(MeshlessMotion, ThoseWhoMeetHeadOnFindAWay) {
  const auto body = family_body("sphere", 20);
  for (const int count : {2, 4, 12}) {
    SCOPED_TRACE(count);
    const double radius = count > 4 ? 4 : 2;
    const MotionSolver solver(test::ring_exchange(body, count, radius, 2), {}, {});
    const Motion motion = find_motion(solver);
    expect_finite(motion);
    const double depth =
        test::depth_between(motion, 10 * static_cast<int>(motion.bodies[0].frames.size()));
    EXPECT_LT(depth, 0.01 * body->size);
    test::record("depth " + std::to_string(count), depth / body->size);
    test::record("depth as found " + std::to_string(count), motion.depth / body->size);
    test::record("frames " + std::to_string(count),
                 static_cast<double>(motion.bodies[0].frames.size()));
  }
}

TEST(MeshlessMotion, KeysOfSomePointsAreMet) {
  const auto body = family_body("capsule", 20);
  KeyedBody keyed = from_to(body, {0, 0, 0}, {3, 0, 0}, 2);
  MotionKey key;
  key.time = 0.8;
  key.kind = MotionKey::Kind::points;
  const Vec3d target(1.2, 1.3, 0.4);
  key.points = {{4, 1, target}};
  keyed.keys.insert(keyed.keys.begin() + 1, key);
  const MotionSolver solver({keyed}, {}, {});
  const Motion motion = find_motion(solver);
  NodePlaces y(20);
  BodySpline(motion.bodies[0]).at(0.8, y);
  EXPECT_LT((place_of(body->at_vertices, 4, y) - target).norm(), 0.02 * body->size);
}

TEST(MeshlessMotion, HeldPointsStay) {
  const auto body = family_body("capsule", 20);
  KeyedBody keyed = from_to(body, {0, 0, 0}, {0, 0, 0}, 2);
  const Vec3d foot = body->rest.positions[0].cast<double>();
  keyed.held = {{0, 1, foot}};
  MotionKey key;
  key.time = 1;
  key.kind = MotionKey::Kind::points;
  const uint32_t top = static_cast<uint32_t>(body->rest.vertex_count() - 1);
  key.points = {{top, 1, body->rest.positions[top].cast<double>() + Vec3d(0.5, -0.2, 0)}};
  keyed.keys.insert(keyed.keys.begin() + 1, key);
  const Motion motion = find_motion(MotionSolver({keyed}, {}, {}));
  double off = 0;
  test::for_moments(motion, 40, [&](double, const std::vector<NodePlaces>& y) {
    off = std::max(off, (place_of(body->at_vertices, 0, y[0]) - foot).norm());
  });
  EXPECT_LT(off, 0.05 * body->size);
  test::record("off", off / body->size);
}

TEST(MeshlessMotion, GuessesChooseTheSide) {
  const auto body = family_body("sphere", 20);
  for (const double side : {1.0, -1.0}) {
    KeyedBody keyed = from_to(body, {0, 0, 0}, {4, 0, 0}, 2);
    MotionKey guess = whole_key(1, shifted(*body, {2, 1.3 * side, 0}));
    guess.kind = MotionKey::Kind::guess;
    keyed.keys.insert(keyed.keys.begin() + 1, guess);
    const ObstaclesInTime obstacle(test::one_sphere({2, 0, 0}, 0.6));
    const Motion motion = find_motion(MotionSolver({keyed}, obstacle, {}));
    NodePlaces y(20);
    BodySpline(motion.bodies[0]).at(1, y);
    Vec3d middle(0, 0, 0);
    for (std::size_t i = 0; i < 20; ++i) middle += body->masses[i] * y[i];
    EXPECT_GT(middle.y() * side, 0.8);
    EXPECT_LT(middle.y() * side, 1.25);
  }
}

TEST(MeshlessMotion, GravityGivesAParabola) {
  const auto body = family_body("sphere", 20);
  MotionSettings settings;
  settings.gravity = {0, -9.81, 0};
  const double time = 1;
  const Motion motion =
      find_motion(MotionSolver({from_to(body, {0, 0, 0}, {2, 0, 0}, time)}, {}, settings));
  double worst = 0;
  ASSERT_GE(motion.bodies[0].frames.size(), 5u);
  for (const MotionFrame& frame : motion.bodies[0].frames) {
    const double t = frame.time;
    const NodePlaces exact = shifted(*body, {2 * t, 0.5 * 9.81 * t * (time - t), 0});
    for (std::size_t i = 0; i < 20; ++i) {
      worst = std::max(worst, (frame.places[i] - exact[i]).norm());
    }
  }
  EXPECT_LT(worst, 0.01);
  test::record("worst", worst);
}

TEST(MeshlessMotion, ABounceBreaks) {
  const auto body = family_body("sphere", 20);
  const auto jump = [&](bool breaks) {
    KeyedBody keyed = from_to(body, {0, 1, 0}, {2, 1, 0}, 1);
    keyed.keys.insert(keyed.keys.begin() + 1, whole_key(0.5, shifted(*body, {1, 0, 0})));
    keyed.keys[1].breaks = breaks;
    MotionSettings settings;
    settings.gravity = {0, -9.81, 0};
    const Motion motion = find_motion(MotionSolver({keyed}, {}, settings));
    const BodySpline spline(motion.bodies[0]);
    NodePlaces y(20), before(20), after(20);
    spline.at(0.5 - 1e-6, y, before);
    spline.at(0.5 + 1e-6, y, after);
    return (after[0] - before[0]).y();
  };
  EXPECT_GT(jump(true), 3);
  EXPECT_LT(std::abs(jump(false)), 1e-3);
}

// How much the angular momentum of the frames differs from gap to gap.
double spin_changes(double weight) {
  const auto body = family_body("capsule", 20);
  RandomVectors random(3);
  KeyedBody keyed{body, {}, {}};
  keyed.keys = {whole_key(0, body->nodes),
                whole_key(0.3, rigidly(body->nodes, turned(0.3, {0, 0, 1}), {1, 0, 0})),
                whole_key(1, rigidly(body->nodes, turned(2.2, {0, 0.3, 1}), {3, 0, 0}))};
  for (const double t : {0.15, 0.5, 0.65, 0.8}) {
    NodePlaces y(20);
    MotionKey guess = whole_key(t, shifted(*body, {3 * t, 0, 0}));
    guess.kind = MotionKey::Kind::guess;
    keyed.keys.push_back(guess);
  }
  keyed.keys[1].kind = MotionKey::Kind::guess;
  std::sort(keyed.keys.begin(), keyed.keys.end(),
            [](const MotionKey& a, const MotionKey& b) { return a.time < b.time; });
  MotionSettings settings;
  settings.weights.spin = weight;
  const Motion motion = find_motion(MotionSolver({keyed}, {}, settings));
  std::vector<Vec3d> momenta;
  const BodySpline spline(motion.bodies[0]);
  for (int i = 1; i < 20; ++i) {
    NodePlaces y(20), v(20);
    spline.at(i / 20.0, y, v);
    Vec3d middle(0, 0, 0), drift(0, 0, 0), j(0, 0, 0);
    for (std::size_t n = 0; n < 20; ++n) {
      middle += body->masses[n] * y[n];
      drift += body->masses[n] * v[n];
    }
    for (std::size_t n = 0; n < 20; ++n) {
      j += body->masses[n] * (y[n] - middle).cross(v[n] - drift);
    }
    momenta.push_back(j);
  }
  Vec3d mean(0, 0, 0);
  for (const Vec3d& j : momenta) mean += j / static_cast<double>(momenta.size());
  double sum = 0;
  for (const Vec3d& j : momenta) sum += (j - mean).squaredNorm();
  return std::sqrt(sum / static_cast<double>(momenta.size())) / mean.norm();
}

TEST(MeshlessMotion, AngularMomentumIsKeptInFlight) {
  const double without = spin_changes(0), with = spin_changes(1);
  EXPECT_LT(with, 0.7 * without);
  test::record("without", without);
  test::record("with", with);
}

// ---- The same bits ------------------------------------------------------------------------------

std::vector<double> numbers_of(const Motion& motion) {
  std::vector<double> all;
  for (const BodyMotion& b : motion.bodies) {
    for (const MotionFrame& f : b.frames) {
      all.push_back(f.time);
      for (const Vec3d& x : f.places) all.insert(all.end(), {x[0], x[1], x[2]});
    }
  }
  return all;
}

MotionSolver exchange(double size = 1) {
  auto body = family_body("sphere", 20);
  if (size != 1) body = test::scaled_body(*body, size);
  MotionSettings settings;
  settings.weights.spin = 0.1;
  settings.most_frames = 18;
  settings.tolerance = 1e-6;
  return MotionSolver(test::ring_exchange(body, 6, 2 * size, 2),
                      ObstaclesInTime(test::one_sphere(size * Vec3d(0.1, 0, 0.05), 0.3 * size)),
                      settings);
}

TEST(MeshlessMotion, ThreadsDoNotMatter) {
  const MotionSolver solver = exchange();
  test::expect_same_for_threads([&] { return numbers_of(find_motion(solver)); });
}

TEST(MeshlessMotion, StoppedSearchesGoOnWithTheSameBits) {
  const MotionSolver solver = exchange();
  const Motion whole = find_motion(solver);
  MotionProgress kept = solver.begin();
  int rounds = 0;
  while (!kept.finished) {
    // What survives is what progress says; the solver is made anew.
    MotionProgress again = kept;
    exchange().refine(again);
    kept = again;
    ++rounds;
  }
  EXPECT_GT(rounds, 2);
  EXPECT_EQ(numbers_of(solver.motion(kept)), numbers_of(whole));
}

TEST(MeshlessMotion, SizeDoesNotMatter) {
  const std::vector<double> one = numbers_of(find_motion(exchange()));
  const std::size_t stride = 1 + 3 * 20;
  for (const double size : {1.0 / 1024, 1024.0}) {
    const std::vector<double> other = numbers_of(find_motion(exchange(size)));
    ASSERT_EQ(one.size(), other.size());
    double worst = 0;
    for (std::size_t i = 0; i < one.size(); ++i) {
      worst = std::max(worst, std::abs(one[i] - (i % stride ? other[i] / size : other[i])));
    }
    EXPECT_LT(worst, 1e-6) << size;
    test::record("worst", worst);
  }
}

// ---- Hostile ------------------------------------------------------------------------------------

TEST(MeshlessMotionHostile, NobodyAndOneKey) {
  const MotionSolver nobody({}, {}, {});
  EXPECT_TRUE(find_motion(nobody).bodies.empty());
  const auto body = family_body("sphere", 20);
  KeyedBody keyed{body, {whole_key(1, shifted(*body, {1, 2, 3}))}, {}};
  const Motion motion = find_motion(MotionSolver({keyed}, {}, {}));
  ASSERT_EQ(motion.bodies[0].frames.size(), 1u);
  EXPECT_EQ(motion.bodies[0].frames[0].places, keyed.keys[0].places);
}

TEST(MeshlessMotionHostile, AKeyInsideAnObstacleIsKept) {
  const auto body = family_body("sphere", 20);
  const ObstaclesInTime obstacle(test::one_sphere({4, 0, 0}, 1));
  const MotionSolver solver({from_to(body, {0, 0, 0}, {4, 0, 0}, 2)}, obstacle, {});
  const Motion motion = find_motion(solver);
  expect_finite(motion);
  EXPECT_EQ(motion.bodies[0].frames.back().places, shifted(*body, {4, 0, 0}));
  EXPECT_GT(motion.depth, 0.4);
}

TEST(MeshlessMotionHostile, TimesThatAreTheSame) {
  const auto body = family_body("sphere", 20);
  KeyedBody twice = from_to(body, {0, 0, 0}, {1, 0, 0}, 0);
  EXPECT_THROW(find_motion(MotionSolver({twice}, {}, {})), std::invalid_argument);
  // Those of two bodies, all but the same, are one frame.
  KeyedBody one = from_to(body, {0, 0, 0}, {1, 0, 0}, 0.3);
  KeyedBody two = from_to(body, {0, 3, 0}, {1, 3, 0}, 0.1 + 0.2);
  two.keys[0].velocities = NodePlaces(20, Vec3d(0, 1, 0));
  const MotionSolver solver({one, two}, {}, {});
  EXPECT_EQ(solver.begin().times.size(), 2u);
  expect_finite(find_motion(solver));
}

TEST(MeshlessMotionHostile, BodiesInTheSamePlace) {
  const auto body = family_body("sphere", 20);
  MotionSettings settings;
  settings.most_frames = 8;
  const MotionSolver solver(
      {from_to(body, {0, 0, 0}, {1, 0, 0}, 1), from_to(body, {0, 0, 0}, {1, 0, 0}, 1)}, {},
      settings);
  expect_finite(find_motion(solver));
}

TEST(MeshlessMotionHostile, WeightsAtTheirEnds) {
  const auto body = family_body("sphere", 20);
  for (const MotionWeights& w :
       {MotionWeights{0, 0, 0, 0, 0, 0, 0, 0},
        MotionWeights{1e6, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6},
        MotionWeights{0, 1, 1, 0, 0, 100, 0, 0}, MotionWeights{0, 0, 0, 1, 0, 100, 0, 1}}) {
    MotionSettings settings;
    settings.weights = w;
    settings.most_frames = 8;
    const MotionSolver solver({from_to(body, {0, 0, 0}, {4, 0, 0}, 2)},
                              ObstaclesInTime(test::one_sphere({2, 0.1, 0}, 0.6)), settings);
    expect_finite(find_motion(solver));
  }
}

}  // namespace
}  // namespace sinew::kernels
