// What a body needs to move by modes, found for any mesh; and the way from keys to physics and
// back.
#include "nodes/kernels/modal_setup.h"

#include <gtest/gtest.h>

#include <random>

#include "nodes/kernels/everyday_bodies.h"
#include "nodes/kernels/measure.h"
#include "nodes/kernels/modal_keys.h"
#include "nodes/kernels/modes.h"
#include "nodes/kernels/teapot.h"
#include "tests/kernels/modal_bodies.h"

namespace sinew::kernels {
namespace {

using namespace testing;

TEST(MassPoints, HaveTheMassTheCentreAndTheInertiaOfTheBody) {
  for (const double scale : {1e-6, 1.0, 1e6}) {
    const auto s = static_cast<float>(scale);
    Mesh mesh = make_box({.size = Vec3f(0.8f, 1.2f, 0.6f) * s, .segments = {4, 4, 4}});
    for (Vec3f& p : mesh.positions) p += Vec3f(3, 0, 1) * s;
    const std::vector<MassPoint> points = mass_points(mesh, 5, 32, {});
    EXPECT_GE(points.size(), 16u);
    EXPECT_LE(points.size(), 40u);
    double mass = 0;
    Vec3d centre = Vec3d::Zero(), squares = Vec3d::Zero();
    for (const MassPoint& p : points) {
      mass += double{p.mass};
      centre += double{p.mass} * p.at.cast<double>();
    }
    centre /= mass;
    for (const MassPoint& p : points) {
      squares += double{p.mass} * (p.at.cast<double>() - centre).cwiseAbs2();
    }
    EXPECT_NEAR(mass, 5, 1e-4);
    EXPECT_LT((centre - Vec3d(3, 0, 1) * scale).norm(), 0.01 * scale);
    // Second moments of a block: m l^2 / 12 along each side; the samples know them to a few parts
    // in a hundred.
    const Vec3d expected = 5.0 / 12 * Vec3d(0.64, 1.44, 0.36) * scale * scale;
    for (int a = 0; a < 3; ++a) EXPECT_NEAR(squares[a] / expected[a], 1, 0.08) << scale;
  }
}

TEST(MassPoints, OpenAndThinSurfacesCarryMassToo) {
  const Mesh sheet = make_grid({});
  EXPECT_GE(mass_points(sheet, 1, 16, {}).size(), 4u);
  EXPECT_TRUE(mass_points(Mesh(), 1, 16, {}).empty());
}

TEST(MassPoints, EveryPartHasSome) {
  const Mesh mesh = make_box({.size = Vec3f(1, 1, 1), .segments = {8, 8, 8}});
  LatticeBox corner;
  corner.corner = Vec3d(0.3, 0.3, 0.3);
  for (Vec3d& edge : corner.edges) edge *= 0.25;
  const std::vector<LatticeBox> parts = {corner};
  const auto is_in = [&](const MassPoint& p) {
    const Vec3d at = (p.at.cast<double>() - corner.corner) / 0.25;
    return (at.array() >= -0.1).all() && (at.array() <= 1.1).all();
  };
  const std::vector<MassPoint> points = mass_points(mesh, 1, 16, parts);
  EXPECT_GE(std::count_if(points.begin(), points.end(), is_in),
            static_cast<std::ptrdiff_t>(least_masses_in_part));
}

TEST(TouchingVertices, AreSpreadAndBeginWithTheExtremes) {
  const Mesh mesh = make_box({.size = Vec3f(1, 2, 3), .segments = {9, 9, 9}});
  const std::vector<uint32_t> some = touching_vertices(mesh, 40);
  EXPECT_EQ(some.size(), 40u);
  EXPECT_TRUE(std::is_sorted(some.begin(), some.end()));
  int corners = 0;
  for (const uint32_t v : some) {
    corners += (mesh.positions[v].cwiseAbs() - Vec3f(0.5f, 1, 1.5f)).norm() < 1e-5f;
  }
  EXPECT_EQ(corners, 8);
  EXPECT_EQ(touching_vertices(mesh, 100000).size(), mesh.vertex_count());
  EXPECT_TRUE(touching_vertices(Mesh(), 10).empty());
}

// How much deeper the deepest vertex of a body is in a plane than the deepest of some, in sizes, at
// worst and in the mean: turned at random, mostly upright, and bent.
struct Missed {
  float worst = 0, mean = 0;
};
Missed missed(const Mesh& mesh, std::span<const uint32_t> points) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> some(-1, 1);
  const Modes modes = three_modes(mesh);
  const float size = bounding_box(mesh.positions).sizes().maxCoeff();
  constexpr int trials = 300;
  Missed out;
  for (int trial = 0; trial < trials; ++trial) {
    const std::vector<double> bends = {0.3 * some(random), 0.3 * some(random), 0.3 * some(random)};
    std::vector<Vec3f> bent(mesh.vertex_count());
    deform_by_modes(modes, bends, {}, mesh.positions, bent);
    const Vec3f down = Vec3d(0.4 * some(random), -1, 0.4 * some(random)).normalized().cast<float>();
    float all = -1e9f, touching = -1e9f;
    for (const Vec3f& p : bent) all = std::max(all, down.dot(p));
    for (const uint32_t v : points) touching = std::max(touching, down.dot(bent[v]));
    out.worst = std::max(out.worst, (all - touching) / size);
    out.mean += (all - touching) / size / trials;
  }
  return out;
}

TEST(ReachingVertices, WhateverPartComesToTheGroundComesWithOneOfThem) {
  const std::pair<const char*, Mesh> cast[] = {
      {"table", mesh_body(table_body({}), 2500)},
      {"teapot", mesh_body(teapot_body({}), 3000)},
      {"car", mesh_body(car_body({}), 3000)},
      {"block", make_box({.size = Vec3f(0.8f, 0.5f, 0.6f), .segments = {12, 12, 12}})}};
  for (const auto& [name, mesh] : cast) {
    for (const std::size_t count : {std::size_t{100}, std::size_t{300}}) {
      const std::vector<uint32_t> points = reaching_vertices(mesh, count);
      EXPECT_EQ(points.size(), count) << name;
      EXPECT_TRUE(std::is_sorted(points.begin(), points.end()));
      const Missed reaching = missed(mesh, points),
                   even = missed(mesh, touching_vertices(mesh, count));
      std::printf("%s, %d points: mean %.5f, worst %.5f sizes; even %.5f, %.5f\n", name,
                  static_cast<int>(count), double{reaching.mean}, double{reaching.worst},
                  double{even.mean}, double{even.worst});
      EXPECT_LT(reaching.mean, count < 200 ? 0.006f : 0.002f) << name;
      EXPECT_LT(reaching.mean, (count < 200 ? 1.1f : 0.85f) * even.mean) << name;
      EXPECT_LE(reaching.worst, (count < 200 ? 1.01f : 1) * even.worst) << name;
      // Its four feet have corners, which come first.
      const bool has_feet = std::string_view(name) == "table";
      EXPECT_LT(reaching.mean, (has_feet ? 0.7f : 1.1f) * even.mean) << name;
    }
  }
  EXPECT_EQ(reaching_vertices(cast[3].second, 100000).size(), cast[3].second.vertex_count());
  EXPECT_TRUE(reaching_vertices(Mesh(), 10).empty());
}

TEST(ModalBodies, StandUnderTheirOwnWeight) {
  // With automatic stiffness: the weight bends it, and what the ground pushes with as much again.
  const Mesh mesh = make_box({.size = Vec3f(0.8f, 1, 0.6f), .segments = {6, 6, 6}});
  const ModalBody body = body_of(mesh, three_modes(mesh));
  const auto model = std::make_shared<const ModalModel>(body);
  ModalStepper stepper(model);
  ModalState state = modal_rest(*model);
  state.place.y() += 0.5;
  Colliders colliders;
  colliders.list.push_back(ground());
  ModalSettings settings;
  settings.colliders = &colliders;
  for (int frame = 0; frame < 200; ++frame) stepper.advance(settings, 0.04, state);
  for (const double g : state.amplitudes) EXPECT_LT(std::abs(g), 2 * automatic_sag);
}

ModalKey key_at(double t) {
  return {Vec3d(2 * t, 1 - t * t, 0),
          Eigen::Quaterniond(Eigen::AngleAxisd(0.7 * t, Vec3d(0, 0, 1))),
          {0.3 * t, -t * t}};
}

TEST(ModalKeys, VelocitiesAreThoseOfTheKeys) {
  ModalKeys keys;
  const double dt = 0.04;
  for (int frame = 0; frame < 6; ++frame) keys.add(key_at(frame * dt));
  const ModalKeys::Motion motion = keys.motion(dt);
  const double t = 5 * dt;
  EXPECT_LT((motion.velocity - Vec3d(2, -2 * t, 0)).norm(), 1e-9);  // exact for parabolas
  EXPECT_LT((motion.spin - Vec3d(0, 0, 0.7)).norm(), 1e-9);
  EXPECT_NEAR(motion.rates[0], 0.3, 1e-9);
  EXPECT_NEAR(motion.rates[1], -2 * t, 1e-9);
}

TEST(ModalKeys, WhatIsOffRunsOutSmoothly) {
  const double dt = 0.01;
  ModalKeys keys;
  for (int frame = 0; frame < 4; ++frame) keys.add(key_at(frame * dt));
  ModalState state;
  state.place = Vec3d(1, 2, 3);
  state.velocity = Vec3d(0, -3, 1);
  state.turn = Eigen::AngleAxisd(1.2, Vec3d(0, 1, 0));
  state.amplitudes = {0.5, 0.2};
  state.rates = {1, -2};
  ModalOffset offset = offset_of(state, keys, dt, 0.4);
  Vec3d last = state.place, before = state.place - dt * state.velocity;
  for (int frame = 4; frame < 60; ++frame) {
    keys.add(key_at(frame * dt));
    follow_keys(keys, dt, offset, state);
    // No jump in place or velocity: second differences stay small.
    EXPECT_LT((state.place - 2 * last + before).norm(), 0.02) << frame;
    before = last;
    last = state.place;
  }
  EXPECT_LT((state.place - key_at(0.59).place).norm(), 1e-12);
  EXPECT_LT(state.turn.angularDistance(key_at(0.59).turn), 1e-9);
  EXPECT_EQ(offset.length, 0);
}

}  // namespace
}  // namespace sinew::kernels
