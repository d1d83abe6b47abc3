// Bodies for the tests of shape matching and of soft bodies, and how to run matching on them in
// the solid's order.
#pragma once

#include <Eigen/Geometry>
#include <Eigen/SVD>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "nodes/kernels/cast_living.h"
#include "nodes/kernels/stuff.h"
#include "tests/kernels/shape_match_reference.h"
#include "tests/kernels/solids.h"

namespace sinew::test {

struct Random {
  std::mt19937 engine;
  explicit Random(unsigned seed) : engine(seed) {}
  double uniform(double a, double b) {
    return std::uniform_real_distribution<double>(a, b)(engine);
  }
  int whole(int a, int b) { return std::uniform_int_distribution<int>(a, b)(engine); }
  double normal() { return std::normal_distribution<double>()(engine); }
  Vec3d vector() { return Vec3d(normal(), normal(), normal()); }
  Vec3d direction() { return vector().normalized(); }
  Eigen::Quaterniond rotation() {
    return Eigen::Quaterniond(normal(), normal(), normal(), normal()).normalized();
  }
  // Symmetric, with eigenvalues in [1 / most, most].
  Eigen::Matrix3d stretch(double most) {
    const Eigen::Matrix3d d = rotation().toRotationMatrix();
    const double e = std::log(most);
    const Vec3d c(std::exp(uniform(-e, e)), std::exp(uniform(-e, e)), std::exp(uniform(-e, e)));
    return d * c.asDiagonal() * d.transpose();
  }
};

inline TetMesh stuffed_worm(std::size_t vertices) {
  kernels::WormShape shape;
  shape.vertices = 1500;
  shape.girth = 0.02f;
  kernels::StuffOptions options;
  options.vertices = vertices;
  options.keep_thin = false;
  return kernels::stuff_surface(kernels::make_worm(shape), options).solid;
}

struct MatchCase {
  std::string name;
  TetMesh solid;
  std::vector<float> masses;
  kernels::SoftBody body;
  MatchReference reference;

  MatchCase(std::string called, TetMesh rest, unsigned seed)
      : name(std::move(called)),
        solid(std::move(rest)),
        masses(uneven_masses(solid, seed)),
        body(solid, masses),
        reference(solid, masses) {}

  static std::vector<float> uneven_masses(const TetMesh& solid, unsigned seed) {
    Random random(seed);
    std::vector<float> factor(solid.vertex_count());
    for (float& f : factor) f = static_cast<float>(random.uniform(0.5, 2));
    return kernels::vertex_masses(solid, 1000, factor);
  }

  const kernels::MatchBody& match() const { return body.match(); }
  double size() const { return match().size(); }
  std::size_t count() const { return solid.vertex_count(); }
  // How large a region is: the root of the mean square.
  double spacing(std::size_t r) const {
    double sum = 0;
    for (const uint32_t i : reference.regions[r]) {
      sum += (reference.rest[i] - reference.rest_centres[r]).squaredNorm();
    }
    return std::sqrt(sum / static_cast<double>(reference.regions[r].size()));
  }
  // At rest, about the origin.
  Points rest() const {
    Points x = to_double(solid.positions);
    for (Vec3d& p : x) p -= match().rest_centre();
    return x;
  }
};

inline TetMesh placed(TetMesh solid, double scale, const Vec3d& shift) {
  for (Vec3f& p : solid.positions) {
    p = (scale * p.cast<double>() + shift).cast<float>();
  }
  return solid;
}

// Several shapes, each small, of the usual size, large, and at rest far from the origin.
inline const std::vector<std::unique_ptr<MatchCase>>& match_cases() {
  static const std::vector<std::unique_ptr<MatchCase>> all = [] {
    const std::pair<std::string, TetMesh> shapes[] = {
        {"box", kernels::make_tet_box({1, 1, 1}, {4, 4, 4})},
        {"shaken", shaken_box({2, 1, 1}, {6, 3, 3}, 1)},
        {"shaken 2", shaken_box({1, 1.5f, 1}, {4, 5, 3}, 2, 0.3f)},
        {"bell", bell(0.7f, 1, 7, 2)},
        {"worm", stuffed_worm(400)},
    };
    std::vector<std::unique_ptr<MatchCase>> cases;
    unsigned seed = 0;
    for (const auto& [name, solid] : shapes) {
      const double size =
          kernels::MatchBody(solid, std::vector<float>(solid.vertex_count(), 1)).size();
      for (const double scale : {1.0, 1e-3, 1e3}) {
        cases.push_back(std::make_unique<MatchCase>(name + (scale < 1   ? ", small"
                                                            : scale > 1 ? ", large"
                                                                        : ""),
                                                    placed(solid, scale, Vec3d::Zero()), ++seed));
      }
      cases.push_back(std::make_unique<MatchCase>(
          name + ", far away", placed(solid, 1, size * Vec3d(60, -80, 30)), ++seed));
    }
    return cases;
  }();
  return all;
}

inline void set_points(const kernels::MatchBody& body, const Points& x,
                       kernels::LaneFloats& quads) {
  for (std::size_t i = 0; i < body.count(); ++i) {
    for (int k = 0; k < 3; ++k) quads[4 * i + k] = static_cast<float>(x[body.order()[i]][k]);
  }
}
inline Points get_points(const kernels::MatchBody& body, const kernels::LaneFloats& quads) {
  Points x(body.count());
  for (std::size_t i = 0; i < body.count(); ++i) {
    x[body.order()[i]] = Vec3d(quads[4 * i], quads[4 * i + 1], quads[4 * i + 2]);
  }
  return x;
}
inline Points rounded(Points x) {
  for (Vec3d& p : x) p = p.cast<float>().cast<double>();
  return x;
}

inline void set_tensors(const kernels::MatchBody& body, const Tensors& t,
                        kernels::LaneFloats& out) {
  const std::size_t stride = body.stride();
  out.resize(6 * stride);
  for (std::size_t i = 0; i < body.count(); ++i) {
    const Eigen::Matrix3d& m = t[body.order()[i]];
    const double part[6] = {m(0, 0), m(1, 1), m(2, 2), m(0, 1), m(1, 2), m(2, 0)};
    for (std::size_t k = 0; k < 6; ++k) out[k * stride + i] = static_cast<float>(part[k]);
  }
}
inline void set_rotations(const kernels::MatchBody& body, const Eigen::Quaterniond& q,
                          kernels::LaneFloats& out) {
  const double part[4] = {q.w(), q.x(), q.y(), q.z()};
  for (std::size_t k = 0; k < 4; ++k) {
    for (std::size_t i = 0; i < body.stride(); ++i) {
      out[k * body.stride() + i] = static_cast<float>(part[k]);
    }
  }
}

// The goal of x (about the origin), from rotations that start at `warm`.
inline Points match(const MatchCase& c, const Points& x, const Tensors& t,
                    const kernels::MatchPlan& plan,
                    const Eigen::Quaterniond& warm = Eigen::Quaterniond::Identity()) {
  kernels::MatchScratch scratch;
  scratch.fit(c.match());
  set_points(c.match(), x, scratch.x);
  set_tensors(c.match(), t, scratch.tensors);
  set_rotations(c.match(), warm, scratch.rotations);
  kernels::match_shape(c.match(), plan, {}, scratch);
  return get_points(c.match(), scratch.goal);
}

inline double farthest(const Points& a, const Points& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, (a[i] - b[i]).norm());
  return most;
}

// What goal - x gives to the momenta, in parts of what it could.
struct MomentumBooks {
  double linear = 0, angular = 0;
};
inline MomentumBooks momentum_books(const MatchReference& body, const Points& x,
                                    const Points& goal) {
  const Vec3d centre = body.mass_centre(x);
  Vec3d p = Vec3d::Zero(), l = Vec3d::Zero();
  double most_p = 0, most_l = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double m = body.masses[i];
    const Vec3d d = goal[i] - x[i], r = x[i] - centre;
    p += m * d;
    l += m * r.cross(d);
    most_p += m * d.norm();
    most_l += m * r.norm() * d.norm();
  }
  return {p.norm() / most_p, l.norm() / most_l};
}

// `from` moved rigidly to where it comes nearest to `to`.
inline Points aligned(const Points& from, const Points& to) {
  Vec3d a = Vec3d::Zero(), b = Vec3d::Zero();
  for (const Vec3d& p : from) a += p / static_cast<double>(from.size());
  for (const Vec3d& p : to) b += p / static_cast<double>(to.size());
  Eigen::Matrix3d m = Eigen::Matrix3d::Zero();
  for (std::size_t i = 0; i < from.size(); ++i) m += (to[i] - b) * (from[i] - a).transpose();
  const Eigen::Matrix3d r = kernels::rotation_part(m);
  Points out;
  for (const Vec3d& p : from) out.push_back(r * (p - a) + b);
  return out;
}
inline double rms(const Points& a, const Points& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]).squaredNorm();
  return std::sqrt(sum / static_cast<double>(a.size()));
}

// Stretched, bent by a wave, and each vertex shaken by a part of its spacing.
struct Deformed {
  Points x;
  Eigen::Quaterniond turn;  // near the rotations of the regions
};
inline Deformed deformed(const MatchCase& c, Random& random, double shake) {
  const Eigen::Quaterniond rotation = random.rotation();
  const Eigen::Matrix3d turn = rotation.toRotationMatrix() * random.stretch(1.3);
  const Vec3d wave = 3 * random.vector() / c.size(), along = 0.1 * c.size() * random.direction();
  Points x = c.rest();
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] =
        turn * (x[i] + std::sin(wave.dot(x[i])) * along) + shake * c.spacing(i) * random.vector();
  }
  return {rounded(x), rotation};
}

}  // namespace sinew::test
