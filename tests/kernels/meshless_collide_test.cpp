#include "nodes/kernels/meshless_collide.h"

#include <gtest/gtest.h>

#include <cmath>

#include "nodes/kernels/collide.h"
#include "nodes/kernels/distance_grid.h"
#include "tests/kernels/figures.h"
#include "tests/kernels/meshless_bodies.h"

namespace sinew::kernels {
namespace {

using test::family_body;
using test::RandomVectors;
using test::rigidly;
using test::turned;

Collider obstacle(ColliderShape shape) {
  Collider c;
  c.shape = shape;
  c.position = {0.3f, -0.2f, 0.1f};
  c.rotation = turned(0.7, {1, 2, 3}).cast<float>();
  c.half = {0.4f, 0.3f, 0.5f};
  c.radius = shape == ColliderShape::box ? 0.05f : 0.4f;
  if (shape == ColliderShape::mesh) {
    c.distances = std::make_shared<const DistanceGrid>(
        make_distance_grid(SurfaceTree(test::family_mesh("sphere")), 24));
  }
  return c;
}

TEST(MeshlessCollide, SlopesOfDistancesAgreeWithDifferences) {
  RandomVectors random(1);
  for (const ColliderShape shape : {ColliderShape::plane, ColliderShape::sphere, ColliderShape::box,
                                    ColliderShape::capsule, ColliderShape::mesh}) {
    const Collider c = obstacle(shape);
    std::size_t off = 0;
    for (int trial = 0; trial < 300; ++trial) {
      const Vec3d x = (trial % 2 ? 0.4 : 1.5) * random();
      const DistanceSlope found = distance_with_slope(c, x);
      const double h = 1e-6;
      Vec3d slope;
      for (int k = 0; k < 3; ++k) {
        slope[k] = (distance_with_slope(c, x + h * Vec3d::Unit(k)).distance -
                    distance_with_slope(c, x - h * Vec3d::Unit(k)).distance) /
                   (2 * h);
      }
      off += (slope - found.slope).norm() > 1e-4;
    }
    // Over edges of cells and the middle of things there is none.
    EXPECT_LE(off, 2u) << shape_name(shape);
  }
}

TEST(MeshlessCollide, TheNearestOfSeveral) {
  Colliders all;
  const DistanceSlope none = distance_with_slope(all, Vec3d(0, 0, 0));
  EXPECT_GT(none.distance, 1e30);
  all.list = {obstacle(ColliderShape::sphere), obstacle(ColliderShape::plane)};
  RandomVectors random(2);
  for (int i = 0; i < 50; ++i) {
    const Vec3d x = random();
    EXPECT_EQ(distance_with_slope(all, x).distance,
              std::min(distance_with_slope(all.list[0], x).distance,
                       distance_with_slope(all.list[1], x).distance));
  }
}

TEST(MeshlessCollide, ObstaclesMoveFromTimeToTime) {
  Colliders a, b;
  a.list = {obstacle(ColliderShape::sphere)};
  b = a;
  b.list[0].position += Vec3f(2, 0, 0);
  b.list[0].radius = 0.8f;
  b.list[0].rotation = b.list[0].rotation * turned(1, {0, 1, 0}).cast<float>();
  const ObstaclesInTime moving({1, 3}, {a, b});
  EXPECT_TRUE(moving.moves());
  EXPECT_EQ(moving.at(0).list[0], a.list[0]);
  EXPECT_EQ(moving.at(9).list[0], b.list[0]);
  const Collider half = moving.at(2).list[0];
  EXPECT_NEAR(half.position.x(), 1.3f, 1e-6f);
  EXPECT_NEAR(half.radius, 0.6f, 1e-6f);
  EXPECT_NEAR(half.rotation.angularDistance(a.list[0].rotation), 0.5f, 1e-5f);
  EXPECT_TRUE(ObstaclesInTime().empty());
  EXPECT_TRUE(ObstaclesInTime().at(1).empty());
  EXPECT_FALSE(ObstaclesInTime(a).moves());
}

// The energies of a state with their gradients.
struct Scene {
  std::vector<std::shared_ptr<const MeshlessBody>> bodies;
  std::vector<ContactBody> prepared;
  Colliders obstacles;
  ContactWeights weights;

  double energy(const std::vector<NodePlaces>& state, std::vector<NodePlaces>* slope = nullptr) {
    std::vector<const ContactBody*> contact;
    std::vector<const Vec3d*> places;
    std::vector<Vec3d*> gradients;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      contact.push_back(&prepared[b]);
      places.push_back(state[b].data());
      if (slope) gradients.push_back((*slope)[b].data());
    }
    ContactFrame frame;
    frame.place(contact, places, 0.1, true);
    return frame.add_obstacles(obstacles, weights, gradients) +
           frame.add_bodies(weights, gradients);
  }
  void add(const std::shared_ptr<const MeshlessBody>& body) {
    bodies.push_back(body);
    prepared.emplace_back(*body);
  }
};

void expect_slope(Scene& scene, const std::vector<NodePlaces>& state, unsigned seed) {
  std::vector<NodePlaces> slope = state, way = state;
  for (NodePlaces& list : slope) std::fill(list.begin(), list.end(), Vec3d(0, 0, 0));
  const double energy = scene.energy(state, &slope);
  ASSERT_GT(energy, 0);
  RandomVectors random(seed);
  double along = 0, length = 0;
  for (std::size_t b = 0; b < state.size(); ++b) {
    for (std::size_t i = 0; i < state[b].size(); ++i) {
      way[b][i] = random();
      along += way[b][i].dot(slope[b][i]);
      length += slope[b][i].squaredNorm();
    }
  }
  const auto at = [&](double t) {
    std::vector<NodePlaces> moved = state;
    for (std::size_t b = 0; b < state.size(); ++b) {
      for (std::size_t i = 0; i < state[b].size(); ++i) moved[b][i] += t * way[b][i];
    }
    return scene.energy(moved);
  };
  // Small steps: anchors and cells change from place to place.
  const double h = 1e-7 * scene.bodies[0]->size;
  EXPECT_NEAR((at(h) - at(-h)) / (2 * h), along, 3e-6 * std::sqrt(length));
}

TEST(MeshlessCollide, GradientsOfObstaclesAgreeWithDifferences) {
  for (const ColliderShape shape : {ColliderShape::plane, ColliderShape::sphere, ColliderShape::box,
                                    ColliderShape::capsule, ColliderShape::mesh}) {
    SCOPED_TRACE(shape_name(shape));
    for (unsigned seed = 1; seed <= 3; ++seed) {
      Scene scene;
      scene.add(family_body("sphere", 20));
      scene.obstacles.list = {obstacle(shape)};
      RandomVectors random(seed);
      expect_slope(scene, {random.beside(scene.bodies[0]->nodes, 0.03)}, seed);
    }
  }
}

TEST(MeshlessCollide, GradientsBetweenBodiesAgreeWithDifferences) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    Scene scene;
    scene.add(family_body("sphere", 20));
    scene.add(family_body("capsule", 20));
    scene.add(family_body("box", 40));
    RandomVectors random(seed);
    std::vector<NodePlaces> state;
    for (const auto& body : scene.bodies) {
      const NodePlaces strained = random.beside(body->nodes, 0.02);
      state.push_back(rigidly(strained, turned(random.number(), random()), 0.25 * random()));
    }
    expect_slope(scene, state, seed);
  }
}

// What one body does to another comes back: no net force, and no net torque for rigid poses.
TEST(MeshlessCollide, ActionAndReaction) {
  Scene scene;
  scene.add(family_body("sphere", 20));
  scene.add(family_body("capsule", 20));
  RandomVectors random(3);
  std::vector<NodePlaces> state{
      random.beside(scene.bodies[0]->nodes, 0.02),
      rigidly(scene.bodies[1]->nodes, turned(1, {1, 1, 0}), {0.3, 0.2, 0.1})};
  std::vector<NodePlaces> slope = state;
  for (NodePlaces& list : slope) std::fill(list.begin(), list.end(), Vec3d(0, 0, 0));
  scene.energy(state, &slope);
  Vec3d force(0, 0, 0), torque(0, 0, 0);
  double size = 0;
  for (std::size_t b = 0; b < 2; ++b) {
    for (std::size_t i = 0; i < slope[b].size(); ++i) {
      force += slope[b][i];
      torque += state[b][i].cross(slope[b][i]);
      size += slope[b][i].norm();
    }
  }
  EXPECT_GT(size, 1e-3);
  EXPECT_LT(force.norm(), 1e-10 * size);
  EXPECT_LT(torque.norm(), 1e-10 * size);
}

// Two balls that come nearer: the energy begins at the margin, without a jump.
TEST(MeshlessCollide, TheMarginBeginsSoftly) {
  Scene scene;
  scene.add(family_body("sphere", 20));
  scene.add(family_body("sphere", 20));
  scene.weights.margin = 0.05;
  double last = 0, first = 0;
  for (int i = 0; i <= 400; ++i) {
    const double apart = 1.1 - 0.0005 * i;
    const double e =
        scene.energy({scene.bodies[0]->nodes, test::shifted(*scene.bodies[1], {apart, 0, 0})});
    EXPECT_GE(e, last - 1e-12);
    EXPECT_LT(e - last, 0.02 + 0.1 * last) << apart;
    if (e > 0 && first == 0) first = apart;
    last = e;
  }
  // Balls of radius 0.5: they feel each other well before they touch.
  EXPECT_GT(first, 1.02);
  test::record("first", first);
}

TEST(MeshlessCollide, DepthIsHowDeepItIs) {
  const auto body = family_body("sphere", 40);
  const ContactBody prepared(*body);
  const std::vector<const ContactBody*> contact{&prepared, &prepared};
  for (const double deep : {0.05, 0.1, 0.2}) {
    const NodePlaces a = body->nodes, b = test::shifted(*body, {1 - deep, 0, 0});
    const std::vector<const Vec3d*> places{a.data(), b.data()};
    ContactFrame frame;
    frame.place(contact, places, 0.1, true);
    EXPECT_NEAR(frame.depth({}), deep, 0.03);
  }
  Colliders floor;
  floor.list.push_back({});
  const NodePlaces y = test::shifted(*body, {0, 0.4, 0});
  const std::vector<const Vec3d*> places{y.data()};
  ContactFrame frame;
  frame.place(std::span(contact).first(1), places, 0.1, true);
  EXPECT_NEAR(frame.depth(floor), 0.1, 0.01);
}

// Bodies that drift about: a frame that keeps its list of pairs finds what a new one finds, bit by
// bit, and so does one that is used for other bodies in between.
TEST(MeshlessCollide, WhatIsKeptChangesNothing) {
  Scene scene;
  const auto body = family_body("capsule", 20);
  for (int i = 0; i < 9; ++i) scene.add(body);
  std::vector<const ContactBody*> contact;
  for (const ContactBody& p : scene.prepared) contact.push_back(&p);
  std::vector<NodePlaces> state;
  for (int i = 0; i < 9; ++i) {
    state.push_back(test::shifted(*body, {0.45 * (i % 3), 0.1 * i, 0.42 * (i / 3)}));
  }
  RandomVectors random(11);
  ContactFrame kept;
  int met = 0;
  for (int step = 0; step < 200; ++step) {
    // Small steps and now and then a leap.
    for (NodePlaces& places : state) {
      const Vec3d by = (step % 40 == 39 ? 0.3 : 0.01) * random();
      for (Vec3d& y : places) y += by + 0.002 * random();
    }
    std::vector<const Vec3d*> places;
    for (const NodePlaces& p : state) places.push_back(p.data());
    ContactFrame fresh;
    std::vector<NodePlaces> a(9, NodePlaces(body->node_count(), Vec3d(0, 0, 0))), b = a;
    std::vector<Vec3d*> into_a, into_b;
    for (int i = 0; i < 9; ++i) {
      into_a.push_back(a[static_cast<std::size_t>(i)].data());
      into_b.push_back(b[static_cast<std::size_t>(i)].data());
    }
    const ContactWeights weights{1, 1, 0.05};
    const std::size_t count = step % 50 == 49 ? 4 : 9;
    fresh.place(std::span(contact).first(count), std::span(places).first(count), 0.05, true);
    kept.place(std::span(contact).first(count), std::span(places).first(count), 0.05, false);
    const double energy = fresh.add_bodies(weights, into_a);
    EXPECT_EQ(energy, kept.add_bodies(weights, into_b)) << step;
    EXPECT_EQ(a, b) << step;
    EXPECT_EQ(fresh.depth({}), kept.depth({})) << step;
    met += energy > 0;
  }
  EXPECT_GT(met, 50);
}

// A small obstacle given as a mesh, in any direction from a large body: none is passed over.
TEST(MeshlessCollide, ObstaclesThatAreMeshesAreNotPassedOver) {
  Mesh stick = make_capsule({0.02f, 0.5f, 12, 4, 8, Axis::y});
  const Eigen::Quaternionf lean = turned(0.8, {1, 0, 1}).cast<float>();
  for (Vec3f& p : stick.positions) p = lean * p;
  Scene scene;
  scene.add(family_body("sphere", 40));
  Collider c;
  c.shape = ColliderShape::mesh;
  c.distances = std::make_shared<const DistanceGrid>(make_distance_grid(SurfaceTree(stick), 32));
  scene.obstacles.list = {c};
  RandomVectors random(4);
  for (int i = 0; i < 200; ++i) {
    const NodePlaces y = test::shifted(*scene.bodies[0], 0.75 * random().normalized());
    bool inside = false;
    for (const uint32_t v : scene.bodies[0]->touching) {
      const Vec3d at = place_of(scene.bodies[0]->at_vertices, v, y);
      inside |= distance_with_slope(c, at).distance < 0;
    }
    EXPECT_TRUE(!inside || scene.energy({y}) > 0);
  }
}

TEST(MeshlessCollideHostile, CrushedBodiesAreFinite) {
  Scene scene;
  scene.add(family_body("sphere", 20));
  scene.add(family_body("box", 40));
  scene.obstacles.list = {obstacle(ColliderShape::sphere)};
  std::vector<NodePlaces> state{NodePlaces(20, Vec3d(0, 0, 0)), scene.bodies[1]->nodes};
  std::vector<NodePlaces> slope{NodePlaces(20, Vec3d(0, 0, 0)), NodePlaces(40, Vec3d(0, 0, 0))};
  EXPECT_TRUE(std::isfinite(scene.energy(state, &slope)));
  for (Vec3d& x : state[1]) x.y() = -x.y();
  EXPECT_TRUE(std::isfinite(scene.energy(state, &slope)));
  for (const NodePlaces& list : slope) {
    for (const Vec3d& x : list) EXPECT_TRUE(x.allFinite());
  }
}

}  // namespace
}  // namespace sinew::kernels
