#include "nodes/kernels/meshless_carried.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "nodes/kernels/rigid_fit.h"

namespace sinew::kernels {
namespace {

using Columns = Eigen::Map<const NodeColumns>;

// Below this square of an angle series are used.
constexpr double small_square = 1e-4;

Columns columns(std::span<const Vec3d> places) {
  return Columns(places.empty() ? nullptr : places[0].data(), 3,
                 static_cast<Eigen::Index>(places.size()));
}

Eigen::Matrix3d cross_matrix(const Vec3d& v) {
  Eigen::Matrix3d m;
  m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return m;
}

Eigen::Matrix3d inverse_of(Eigen::Matrix3d m) {
  m.diagonal().array() += 1e-12 * std::max(std::abs(m.trace()), 1e-300);
  return m.inverse();
}

Eigen::Matrix3d inertia_of(const NodeColumns& arms, const Eigen::VectorXd& masses) {
  const Eigen::Matrix3d second = arms * masses.asDiagonal() * arms.transpose();
  return second.trace() * Eigen::Matrix3d::Identity() - second;
}

// Sum of a_i x b_i.
Vec3d sum_of_crosses(const NodeColumns& a, const NodeColumns& b) {
  const Eigen::Matrix3d p = a * b.transpose();
  return {p(1, 2) - p(2, 1), p(2, 0) - p(0, 2), p(0, 1) - p(1, 0)};
}

}  // namespace

CarriedRest::CarriedRest(const MeshlessBody& body) {
  masses = Eigen::Map<const Eigen::VectorXd>(body.masses.data(),
                                             static_cast<Eigen::Index>(body.masses.size()));
  masses /= masses.sum();
  const Columns nodes = columns(body.nodes);
  middle = nodes * masses;
  arms = nodes.colwise() - middle;
  inertia_inverse = inverse_of(inertia_of(arms, masses));
}

void CarriedRest::take_whole(NodeColumns& d) const {
  const Vec3d mean = d * masses;
  const Vec3d spin = inertia_inverse * sum_of_crosses(arms * masses.asDiagonal(), d);
  d.colwise() -= mean;
  d.noalias() -= cross_matrix(spin) * arms;
}

void CarriedRest::take_whole_transposed(NodeColumns& forces) const {
  const Vec3d sum = forces.rowwise().sum();
  const Vec3d spin = inertia_inverse * sum_of_crosses(arms, forces);
  forces.noalias() -= sum * masses.transpose();
  forces.noalias() -= cross_matrix(spin) * (arms * masses.asDiagonal());
}

Carried Carried::of(const CarriedRest& rest, std::span<const Vec3d> places) {
  const Columns y = columns(places);
  Carried carried;
  carried.middle = y * rest.masses;
  NodeColumns arms = y.colwise() - carried.middle;
  const Eigen::Matrix3d product = arms * rest.masses.asDiagonal() * rest.arms.transpose();
  if (const double scale = product.cwiseAbs().maxCoeff(); scale > 0 && std::isfinite(scale)) {
    carried.turn = rotation_part(product / scale);
  }
  carried.detail = carried.turn.transpose() * arms - rest.arms;
  return carried;
}

void Carried::places_beside(const CarriedRest& rest, const Vec3d& move, const Vec3d& turn_by,
                            const NodeColumns& bend, std::span<Vec3d> places) const {
  const double angle = turn_by.norm();
  Eigen::Matrix3d now = turn;
  if (angle > 0) now = turn * Eigen::AngleAxisd(angle, turn_by / angle).toRotationMatrix();
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    places[i] = middle + move + now * (rest.arms.col(k) + detail.col(k) + bend.col(k));
  }
}

CarriedRates CarriedRates::of(const CarriedRest& rest, std::span<const Vec3d> places,
                              std::span<const Vec3d> velocities) {
  const Carried at = Carried::of(rest, places);
  const NodeColumns arms = rest.arms + at.detail;
  CarriedRates rates;
  rates.drift = columns(velocities) * rest.masses;
  rates.detail = at.turn.transpose() * (columns(velocities).colwise() - rates.drift);
  const Vec3d momentum = sum_of_crosses(arms * rest.masses.asDiagonal(), rates.detail);
  rates.spin = inverse_of(inertia_of(arms, rest.masses)) * momentum;
  rates.detail.noalias() -= cross_matrix(rates.spin) * arms;
  return rates;
}

void CarriedSlope::add_to(std::span<Vec3d> gradient, const CarriedRest& rest,
                          const Carried& at) const {
  const NodeColumns arms = rest.arms + at.detail;
  const Eigen::Matrix3d s = arms * rest.masses.asDiagonal() * rest.arms.transpose();
  const Eigen::Matrix3d even = 0.5 * (s + s.transpose());
  const Eigen::Matrix3d by_turn = even.trace() * Eigen::Matrix3d::Identity() - even;
  const Vec3d turning = torque - sum_of_crosses(arms, detail);
  const Vec3d q = inverse_of(by_turn) * turning;
  const Vec3d moving = force - at.turn * detail.rowwise().sum();
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    const Vec3d own = detail.col(k) + rest.masses[k] * q.cross(Vec3d(rest.arms.col(k)));
    gradient[i] += rest.masses[k] * moving + at.turn * own;
  }
}

Vec3d rotation_vector(const Eigen::Matrix3d& turn) {
  Eigen::Quaterniond q(turn);
  if (q.w() < 0) q.coeffs() = -q.coeffs();
  const double sine = q.vec().norm();
  if (sine < 1e-8) return 2 * q.vec();
  return 2 * std::atan2(sine, q.w()) / sine * q.vec();
}

Eigen::Matrix3d rotation_vector_slope(const Vec3d& v) {
  const double square = v.squaredNorm();
  double bend = 1.0 / 12 * (1 + square / 60);
  if (square >= small_square) {
    const double half = 0.5 * std::sqrt(square);
    bend = (1 - half * std::cos(half) / std::sin(half)) / square;
  }
  const Eigen::Matrix3d x = cross_matrix(v);
  return Eigen::Matrix3d::Identity() + 0.5 * x + bend * x * x;
}

Eigen::Matrix3d rotation_slope(const Vec3d& v) {
  const double square = v.squaredNorm();
  double first = 0.5 * (1 - square / 12), second = 1.0 / 6 * (1 - square / 20);
  if (square >= small_square) {
    const double angle = std::sqrt(square);
    first = (1 - std::cos(angle)) / square;
    second = (angle - std::sin(angle)) / (square * angle);
  }
  const Eigen::Matrix3d x = cross_matrix(v);
  return Eigen::Matrix3d::Identity() - first * x + second * x * x;
}

}  // namespace sinew::kernels
