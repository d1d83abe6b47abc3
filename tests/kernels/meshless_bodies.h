// What the tests of meshless bodies share: bodies of many shapes, each sampled once, and poses of
// them.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "nodes/geometry/meshless_keys.h"
#include "nodes/kernels/cast_living.h"
#include "nodes/kernels/meshless_nodes.h"
#include "nodes/kernels/primitives.h"
#include "tests/kernels/u_shape.h"

namespace sinew::test {

struct NamedBody {
  std::string name;
  Mesh mesh;
};

inline std::vector<NamedBody> meshless_family() {
  using namespace kernels;
  std::vector<NamedBody> all;
  all.push_back({"box", make_box({{0.4f, 1, 0.3f}, {5, 12, 4}})});
  all.push_back({"sphere", make_icosphere({0.5f, 6})});
  all.push_back({"torus", make_torus({1, 0.3f, 40, 16, Axis::y})});
  all.push_back({"capsule", make_capsule({0.2f, 1.5f, 16, 6, 12, Axis::y})});
  all.push_back({"U", make_u_mesh({})});
  all.push_back({"figure", make_figure({.vertices = 2500})});
  all.push_back({"hand", make_hand({.vertices = 2500})});
  all.push_back({"squid", make_squid({.vertices = 2500})});
  all.push_back({"whale", make_whale({.vertices = 2000})});
  return all;
}

inline const Mesh& family_mesh(const std::string& name) {
  static const std::vector<NamedBody> all = meshless_family();
  for (const NamedBody& b : all) {
    if (b.name == name) return b.mesh;
  }
  throw std::invalid_argument(name);
}

inline Mesh scaled_mesh(Mesh mesh, float by) {
  for (Vec3f& p : mesh.positions) p *= by;
  return mesh;
}

// Sampled once for all tests of the program.
inline std::shared_ptr<const MeshlessBody> family_body(const std::string& name, int count,
                                                       float size = 1) {
  static std::map<std::tuple<std::string, int, float>, std::shared_ptr<const MeshlessBody>> made;
  auto& body = made[{name, count, size}];
  if (!body) {
    kernels::MeshlessSampling sampling =
        kernels::sample_meshless(scaled_mesh(family_mesh(name), size), {.count = count});
    EXPECT_EQ(sampling.problem, kernels::SamplingProblem::none) << name;
    body = std::make_shared<const MeshlessBody>(std::move(sampling.body));
  }
  return body;
}

// A body that is another one made larger, to the last bits but for rounding.
inline std::shared_ptr<const MeshlessBody> scaled_body(const MeshlessBody& body, double by) {
  auto large = std::make_shared<MeshlessBody>(body);
  large->rest = scaled_mesh(body.rest, static_cast<float>(by));
  large->size *= by;
  large->radius *= by;
  for (Vec3d& x : large->nodes) x *= by;
  for (Vec3d& x : large->samples) x *= by;
  for (ShapeRows* rows : {&large->at_vertices, &large->at_samples, &large->at_touching}) {
    for (Vec3d& g : rows->gradient) g /= by;
  }
  auto distances = std::make_shared<DistanceGrid>(*body.distances);
  distances->origin *= static_cast<float>(by);
  distances->spacing *= static_cast<float>(by);
  for (float& d : distances->distances) d *= static_cast<float>(by);
  large->distances = std::move(distances);
  return large;
}

inline NodePlaces rigidly(std::span<const Vec3d> nodes, const Eigen::Quaterniond& turn,
                          const Vec3d& by) {
  NodePlaces places;
  for (const Vec3d& x : nodes) places.push_back(turn * x + by);
  return places;
}

inline NodePlaces shifted(const MeshlessBody& body, const Vec3d& by) {
  return rigidly(body.nodes, Eigen::Quaterniond::Identity(), by);
}

inline Eigen::Quaterniond turned(double angle, const Vec3d& axis) {
  return Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis.normalized()));
}

class RandomVectors {
 public:
  explicit RandomVectors(unsigned seed) : engine_(seed) {}
  double number() { return normal_(engine_); }
  Vec3d operator()() { return {number(), number(), number()}; }
  NodePlaces beside(std::span<const Vec3d> places, double by) {
    NodePlaces moved(places.begin(), places.end());
    for (Vec3d& x : moved) x += by * (*this)();
    return moved;
  }

 private:
  std::mt19937 engine_;
  std::normal_distribution<double> normal_;
};

inline MotionKey whole_key(double time, NodePlaces places) {
  MotionKey key;
  key.time = time;
  key.places = std::move(places);
  return key;
}

inline Mesh surface_of(const MeshlessBody& body, std::span<const Vec3d> places) {
  Mesh mesh = body.rest;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    mesh.positions[v] = place_of(body.at_vertices, v, places).cast<float>();
  }
  return mesh;
}

}  // namespace sinew::test
