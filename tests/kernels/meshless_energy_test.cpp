#include "nodes/kernels/meshless_energy.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <unsupported/Eigen/AutoDiff>

#include "nodes/kernels/meshless_pose.h"
#include "tests/kernels/figures.h"
#include "tests/kernels/meshless_bodies.h"

namespace sinew::kernels {
namespace {

using test::family_body;
using test::RandomVectors;
using test::rigidly;
using test::turned;

double norm_of(std::span<const Vec3d> list) {
  double sum = 0;
  for (const Vec3d& x : list) sum += x.squaredNorm();
  return std::sqrt(sum);
}

TEST(MeshlessEnergy, RigidMotionsCostNothing) {
  double worst = 0, slope = 0;
  for (const auto& [name, mesh] : test::meshless_family()) {
    const auto body = family_body(name, 40);
    const ElasticSamples elastic(*body);
    ElasticSamples::Room room;
    for (int trial = 0; trial < 4; ++trial) {
      RandomVectors random(static_cast<unsigned>(trial));
      const NodePlaces y =
          rigidly(body->nodes, turned(random.number(), random()), trial * body->size * random());
      NodePlaces gradient(y.size(), Vec3d(0, 0, 0));
      worst = std::max(worst, elastic.add(y, gradient, {1, 1}, room));
      slope = std::max(slope, norm_of(gradient) * body->size);
    }
  }
  EXPECT_LT(worst, 1e-20);
  EXPECT_LT(slope, 1e-9);
  test::record("energy", worst);
}

// Stretched by s along one axis: strain (s^2 - 1)^2, volume (s - 1)^2; sums of V are 1.
TEST(MeshlessEnergy, StretchesCostWhatTheyShould) {
  const auto body = family_body("figure", 40);
  const ElasticSamples elastic(*body);
  for (const double s : {0.5, 0.9, 1.3, 2.0}) {
    NodePlaces y = body->nodes;
    for (Vec3d& p : y) p.x() *= s;
    EXPECT_NEAR(elastic.energy(y, {1, 0}), std::pow(s * s - 1, 2), 1e-10);
    EXPECT_NEAR(elastic.energy(y, {0, 1}), std::pow(s - 1, 2), 1e-10);
    for (Vec3d& p : y) p = turned(1, {1, 2, 3}) * p;
    EXPECT_NEAR(elastic.energy(y, {2, 3}), 2 * std::pow(s * s - 1, 2) + 3 * std::pow(s - 1, 2),
                1e-9);
  }
}

TEST(MeshlessEnergy, GradientsAgreeWithDifferences) {
  for (const auto& [name, mesh] : test::meshless_family()) {
    SCOPED_TRACE(name);
    const auto body = family_body(name, 40);
    const ElasticSamples elastic(*body);
    ElasticSamples::Room room;
    for (const ElasticWeights& weights : {ElasticWeights{1, 0}, {0, 1}, {1, 1}}) {
      RandomVectors random(11);
      const NodePlaces y = random.beside(body->nodes, 0.05 * body->size);
      NodePlaces gradient(y.size(), Vec3d(0, 0, 0));
      elastic.add(y, gradient, weights, room);
      NodePlaces way(y.size());
      double along = 0;
      for (std::size_t i = 0; i < y.size(); ++i) {
        way[i] = random();
        along += way[i].dot(gradient[i]);
      }
      const auto at = [&](double t) {
        NodePlaces z = y;
        for (std::size_t i = 0; i < z.size(); ++i) z[i] += t * way[i];
        return elastic.energy(z, weights);
      };
      // Five points: what is left is the rounding.
      const double h = 3e-4 * body->size;
      const double slope = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
      EXPECT_NEAR(slope / along, 1, 1e-7);
    }
  }
}

TEST(MeshlessEnergy, ManyPosesAtOnceAreTheSame) {
  const auto body = family_body("hand", 40);
  const ElasticSamples elastic(*body);
  ElasticSamples::Room room;
  RandomVectors random(5);
  for (std::size_t count = 1; count <= ElasticSamples::lanes; ++count) {
    std::vector<NodePlaces> poses, gradients(count, NodePlaces(40, Vec3d(0, 0, 0)));
    std::vector<const Vec3d*> places;
    std::vector<Vec3d*> slopes;
    std::vector<double> energies(count);
    for (std::size_t k = 0; k < count; ++k) {
      poses.push_back(random.beside(body->nodes, 0.03 * body->size));
    }
    for (std::size_t k = 0; k < count; ++k) {
      places.push_back(poses[k].data());
      slopes.push_back(gradients[k].data());
    }
    elastic.add_many(places, slopes, energies, {1, 2}, room);
    for (std::size_t k = 0; k < count; ++k) {
      NodePlaces one(40, Vec3d(0, 0, 0));
      const double energy = elastic.add(poses[k], one, {1, 2}, room);
      EXPECT_NEAR(energies[k] / energy, 1, 1e-13);
      for (std::size_t i = 0; i < one.size(); ++i) one[i] -= gradients[k][i];
      EXPECT_LT(norm_of(one), 1e-11 * norm_of(gradients[k]));
    }
  }
}

TEST(MeshlessEnergy, AnotherShapeToRestIn) {
  const auto body = family_body("capsule", 20);
  const ElasticSamples elastic(*body);
  ElasticSamples::Room room;
  RandomVectors random(6);
  const NodePlaces rest = random.beside(body->nodes, 0.03 * body->size);
  std::vector<Eigen::Matrix3d> reference;
  for (std::size_t s = 0; s < elastic.sample_count(); ++s) {
    reference.push_back(gradient_of(body->at_samples, s, rest).inverse());
  }
  NodePlaces gradient(20, Vec3d(0, 0, 0));
  const NodePlaces moved = rigidly(rest, turned(1, {3, 2, 1}), {1, 2, 3});
  EXPECT_LT(elastic.add(moved, gradient, {1, 1}, room, reference), 1e-20);
  EXPECT_LT(norm_of(gradient), 1e-8);
  // And its gradient elsewhere.
  const NodePlaces y = random.beside(rest, 0.03 * body->size);
  std::fill(gradient.begin(), gradient.end(), Vec3d(0, 0, 0));
  elastic.add(y, gradient, {1, 1}, room, reference);
  for (int trial = 0; trial < 10; ++trial) {
    const std::size_t i = static_cast<std::size_t>(trial) % 20;
    const int k = trial % 3;
    const auto at = [&](double t) {
      NodePlaces z = y;
      z[i][k] += t;
      return elastic.add(z, {}, {1, 1}, room, reference);
    };
    const double h = 1e-4 * body->size;
    const double slope = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
    EXPECT_NEAR(slope, gradient[i][k], 1e-7 * norm_of(gradient));
  }
}

// The Hessian at rest, in sizes of the body, by differences of the gradient.
Eigen::VectorXd rest_modes(const MeshlessBody& body) {
  const ElasticSamples elastic(body);
  ElasticSamples::Room room;
  const std::size_t n = body.node_count();
  const auto count = static_cast<Eigen::Index>(3 * n);
  Eigen::MatrixXd hessian(count, count);
  const double h = 1e-5 * body.size;
  for (std::size_t j = 0; j < 3 * n; ++j) {
    Eigen::VectorXd column = Eigen::VectorXd::Zero(count);
    for (const double sign : {1.0, -1.0}) {
      NodePlaces y = body.nodes, gradient(n, Vec3d(0, 0, 0));
      y[j / 3][static_cast<int>(j % 3)] += sign * h;
      elastic.add(y, gradient, {1, 1}, room);
      column += sign * Eigen::Map<const Eigen::VectorXd>(gradient[0].data(), count);
    }
    hessian.col(static_cast<Eigen::Index>(j)) = column * (body.size * body.size / (2 * h));
  }
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(0.5 * (hessian + hessian.transpose()),
                                                        Eigen::EigenvaluesOnly)
      .eigenvalues();
}

TEST(MeshlessEnergy, OnlyTheSixRigidMotionsAreFree) {
  double least = 1;
  for (const auto& [name, mesh] : test::meshless_family()) {
    for (const int count : {12, 40}) {
      if (name == "torus" && count == 12) continue;  // they lie in a plane
      SCOPED_TRACE(name + " " + std::to_string(count));
      const Eigen::VectorXd modes = rest_modes(*family_body(name, count));
      const double largest = modes[modes.size() - 1];
      EXPECT_LT(std::abs(modes[5]), 1e-8 * largest);
      EXPECT_GT(modes[6], 1e-6 * largest);
      EXPECT_GT(modes[6], 1e3 * std::abs(modes[5]));
      least = std::min(least, modes[6] / largest);
    }
  }
  test::record("softest", least);
}

// A plain reference of the energy of a pose, for automatic differentiation.
template <class Number>
Number plain_energy(const MeshlessBody& body, std::span<const PoseHandle> handles,
                    const PoseWeights& weights, const std::vector<std::array<Number, 3>>& y) {
  Number energy(0.0);
  for (std::size_t s = 0; s < body.samples.size(); ++s) {
    std::array<std::array<Number, 3>, 3> f;
    for (auto& row : f) row.fill(Number(0.0));
    for (uint32_t k = body.at_samples.first[s]; k < body.at_samples.first[s + 1]; ++k) {
      for (std::size_t a = 0; a < 3; ++a) {
        for (std::size_t b = 0; b < 3; ++b) {
          f[a][b] +=
              y[body.at_samples.node[k]][a] * body.at_samples.gradient[k][static_cast<int>(b)];
        }
      }
    }
    Number strain(0.0);
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::size_t b = 0; b < 3; ++b) {
        Number c = f[0][a] * f[0][b] + f[1][a] * f[1][b] + f[2][a] * f[2][b];
        if (a == b) c -= 1.0;
        strain += c * c;
      }
    }
    Number off = f[0][0] * (f[1][1] * f[2][2] - f[1][2] * f[2][1]) -
                 f[0][1] * (f[1][0] * f[2][2] - f[1][2] * f[2][0]) +
                 f[0][2] * (f[1][0] * f[2][1] - f[1][1] * f[2][0]);
    off -= 1.0;
    energy += (strain * weights.strain + off * off * weights.volume) * body.volumes[s];
  }
  for (const PoseHandle& handle : handles) {
    for (const uint32_t v : handle.vertices) {
      const Vec3d target = handle.target(body.rest.positions[v].cast<double>());
      const double w = weights.handles * handle.weight /
                       (static_cast<double>(handle.vertices.size()) * body.size * body.size);
      for (std::size_t c = 0; c < 3; ++c) {
        Number off(-target[static_cast<int>(c)]);
        for (uint32_t k = body.at_vertices.first[v]; k < body.at_vertices.first[v + 1]; ++k) {
          off += y[body.at_vertices.node[k]][c] * body.at_vertices.value[k];
        }
        energy += off * off * w;
      }
    }
  }
  return energy;
}

TEST(MeshlessEnergy, AgreesWithAutomaticDifferentiation) {
  using Dual = Eigen::AutoDiffScalar<Eigen::VectorXd>;
  const auto body = family_body("U", 40);
  std::vector<PoseHandle> handles(2);
  handles[0].vertices = handle_vertices(body->rest, {0.5, 4, 0.5}, 0.5);
  handles[1].vertices = handle_vertices(body->rest, {2, 4, 0.5}, 0.5);
  handles[1].weight = 0.3;
  handles[1].by = Vec3d(1, 0.5, -0.2);
  handles[1].turn = turned(0.7, {1, 1, 0});
  const PoseWeights weights{500, 1.5, 0.7};
  PoseSolver solver(body, handles, weights);
  RandomVectors random(2);
  for (int trial = 0; trial < 3; ++trial) {
    const NodePlaces y = random.beside(body->nodes, 0.05 * body->size);
    NodePlaces gradient(y.size());
    const double energy = solver.energy(handles, y, gradient);
    std::vector<std::array<Dual, 3>> dual(y.size());
    const auto count = static_cast<Eigen::Index>(3 * y.size());
    for (std::size_t i = 0; i < y.size(); ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        dual[i][k] = Dual(y[i][static_cast<int>(k)], count, static_cast<Eigen::Index>(3 * i + k));
      }
    }
    const Dual plain = plain_energy<Dual>(*body, handles, weights, dual);
    EXPECT_NEAR(energy / plain.value(), 1, 1e-12);
    const Eigen::Map<const Eigen::VectorXd> ours(gradient[0].data(), count);
    EXPECT_LT((ours - plain.derivatives()).norm(), 1e-11 * ours.norm());
  }
}

}  // namespace
}  // namespace sinew::kernels
