#include "nodes/kernels/mls_rotation.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <vector>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/mls_lanes.h"
#include "nodes/kernels/vectors.h"
#include "nodes/kernels/voo_frame.h"

namespace sinew::kernels {

namespace {

using Matrix = Eigen::Matrix3d;

constexpr double told_from = 1e-10;  // f0: from here on M itself tells the twist
constexpr double most_hold = 1e-8;
constexpr double half_turn = 1e-12;  // 1 + cos of an angle that counts as half a turn
// The least length of the unnormalised quaternion, about cos(theta/2) times two gaps between the
// roots, all of a moment of size 1: below, less than half of the digits are left.
constexpr double least_quartic = 1e-7;

// M = left diag(values) right^T with rotations on both sides, so that the last value is negative if
// M is a mirror image.
struct Singular {
  Vec3d values;
  Matrix left, right;
  double sum() const { return values.sum(); }  // the largest tr(R^T M)
  double told() const { return values[0] > 0 ? (values[1] + values[2]) / values[0] : 0; }
  Matrix rotation() const { return left * right.transpose(); }
};

Singular singular_of(const Matrix& m) {
  const Eigen::JacobiSVD<Matrix> svd(m, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Singular s{svd.singularValues(), svd.matrixU(), svd.matrixV()};
  if (s.left.determinant() < 0) s.left.col(2) *= -1, s.values[2] *= -1;
  if (s.right.determinant() < 0) s.right.col(2) *= -1, s.values[2] *= -1;
  return s;
}

// How much of a guess M needs, in its largest singular value.
double hold_of(const Singular& s) {
  const double missing = std::max(0.0, 1 - std::max(0.0, s.told()) / told_from);
  return most_hold * missing * missing;
}

double size_of(const Matrix& m) {
  const double size = m.cwiseAbs().maxCoeff();
  return std::isfinite(size) ? size : 0;
}

}  // namespace

std::optional<Eigen::Quaterniond> quartic_rotation(const Matrix& moment) {
  const double size = moment.norm();
  if (!(size > 0) || !std::isfinite(size)) return std::nullopt;
  const Matrix m = moment / size;  // |M| = 1
  Matrix cofactors;
  cofactors.row(0) = m.row(1).cross(m.row(2));
  cofactors.row(1) = m.row(2).cross(m.row(0));
  cofactors.row(2) = m.row(0).cross(m.row(1));
  const double det = m.row(0).dot(cofactors.row(0)), rest = 1 - 4 * cofactors.squaredNorm();
  double mu = std::sqrt(3.0);  // the sum of the singular values is not larger
  for (int round = 0; round < 100; ++round) {
    const double value = ((mu * mu - 2) * mu - 8 * det) * mu + rest;
    const double slope = (4 * mu * mu - 4) * mu - 8 * det;
    if (!(slope > 0)) break;
    const double step = value / slope;
    mu -= step;
    if (!(step > 1e-16)) break;  // from above it only falls
  }
  const Matrix a = (mu + m.trace()) * Matrix::Identity() - m - m.transpose();
  const Vec3d v(m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1));
  // g = adj(a) V / det(a); as a quaternion without the division.
  Matrix adjugate;
  adjugate.row(0) = a.col(1).cross(a.col(2));
  adjugate.row(1) = a.col(2).cross(a.col(0));
  adjugate.row(2) = a.col(0).cross(a.col(1));
  const Vec3d g = adjugate * v;
  const Eigen::Quaterniond q(a.row(0).dot(adjugate.col(0)), g.x(), g.y(), g.z());
  const double length = q.norm();
  if (!(length > least_quartic)) return std::nullopt;
  return Eigen::Quaterniond(q.coeffs() / length);
}

Matrix turn_between(const Vec3d& a, const Vec3d& b, const Vec3d& axis) {
  const Vec3d across = axis - axis.dot(a) * a;
  const bool is_across = across.norm() > 1e-6 * axis.norm();
  const Vec3d spare = is_across ? across.normalized() : any_perpendicular(a);
  // So near to half a turn the direction of the way is made of rounding.
  if (1 + a.dot(b) < half_turn) return 2 * spare * spare.transpose() - Matrix::Identity();
  return smallest_rotation(a, b, spare);
}

Matrix least_twist_rotation(const Matrix& moment, const Vec3d& axis) {
  const double size = size_of(moment);
  if (!(size > 0)) return Matrix::Identity();
  const Matrix m = moment / size;
  const Singular s = singular_of(m);
  const double hold = hold_of(s);
  if (!(hold > 0)) return s.rotation();
  const Matrix guess = turn_between(s.right.col(0), s.left.col(0), axis);
  return rotation_part(m + hold * s.values[0] * guess);
}

void MlsMoment::add_products(double weight, const Vec3d& p, const Vec3d& q) {
  rest += weight * p.squaredNorm();
  posed += weight * q.squaredNorm();
  products += weight * q * p.transpose();
}

void MlsMoment::add(double weight, const Vec3d& p, const Vec3d& q, const Vec3d& axis) {
  add_products(weight, p, q);
  const double p2 = p.squaredNorm(), q2 = q.squaredNorm();
  if (!(p2 > 0) || !(q2 > 0)) return;
  turns += weight * std::sqrt(p2 * q2) * turn_between(p.normalized(), q.normalized(), axis);
}

Matrix MlsMoment::best_rotation(const Vec3d& axis) const {
  return least_twist_rotation(products, axis);
}

Matrix MlsMoment::steady_rotation() const {
  const double size = std::sqrt(rest) * std::sqrt(posed);
  if (!(size > 0) || !std::isfinite(size) || !(size_of(turns) > 0)) return Matrix::Identity();
  const Matrix m = products / size;
  const Singular s = singular_of(m);
  const double spread = std::max(0.0, 1 - s.sum());  // kappa
  const double more = spread > 1e-12 ? spread : 0;   // what is less is rounding
  return rotation_part(m + (more + hold_of(s) * s.values[0]) * (turns / size));
}

Matrix MlsMoment::small_rotation() const {
  const double size = std::sqrt(rest) * std::sqrt(posed);
  if (!(size > 0) || !std::isfinite(size)) return Matrix::Identity();
  return rotation_part(products / size + small_hold * Matrix::Identity());
}

Vec3d flat_axis(std::span<const Vec3d> points) {
  Vec3d mean = Vec3d::Zero();
  for (const Vec3d& p : points) mean += p / static_cast<double>(points.size());
  Matrix spread = Matrix::Zero();
  for (const Vec3d& p : points) spread += (p - mean) * (p - mean).transpose();
  const double size = size_of(spread);
  if (!(size > 0)) return Vec3d::UnitZ();
  const Eigen::SelfAdjointEigenSolver<Matrix> by_spread(spread / size);
  // On a line two directions are as flat; that nearest to z is no worse than another.
  const Vec3d& least = by_spread.eigenvectors().col(0);
  if (by_spread.eigenvalues()[1] > 1e-12) return least;
  const Vec3d along = by_spread.eigenvectors().col(2);
  const Vec3d across = Vec3d::UnitZ() - along.z() * along;
  return across.norm() > 1e-3 ? across.normalized() : any_perpendicular(along);
}

MlsGuess common_guess(std::span<const Vec3d> rest, std::span<const Vec3d> posed) {
  MlsGuess guess;
  if (rest.empty()) return guess;
  const double share = 1 / static_cast<double>(rest.size());
  Vec3d from = Vec3d::Zero(), to = Vec3d::Zero();
  for (std::size_t i = 0; i < rest.size(); ++i) from += share * rest[i], to += share * posed[i];
  const Vec3d axis = flat_axis(rest);
  MlsMoment moment, still;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    moment.add(1, rest[i] - from, posed[i] - to, axis);
    still.add(1, rest[i] - from, rest[i] - from, axis);
  }
  guess.turn = moment.steady_rotation();
  const auto told = [](const Matrix& m) {
    const double size = size_of(m);
    return size > 0 ? std::abs(singular_of(m / size).told()) : 1;
  };
  const double least = std::max(1e-30, std::min(told(moment.products), told(still.products)));
  guess.hold = std::clamp(1e-9 / least, 1e-7, 1e-3);
  return guess;
}

Matrix guided_rotation(const Matrix& moment, const MlsGuess& guess) {
  const Matrix left = guess.turn.transpose() * moment;
  const double size = left.cwiseAbs().sum();
  if (!(size > 0) || !std::isfinite(size)) return guess.turn;
  return guess.turn * rotation_part(left / size + guess.hold * Matrix::Identity());
}

MlsStart start_of(const MlsGuess& guess) {
  MlsStart start{};
  const Eigen::Quaterniond q(guess.turn);
  const double parts[4] = {q.w(), q.x(), q.y(), q.z()};
  for (int k = 0; k < 9; ++k) start.turn[k] = static_cast<float>(guess.turn(k / 3, k % 3));
  for (int k = 0; k < 4; ++k) start.quaternion[k] = static_cast<float>(parts[k]);
  start.hold = static_cast<float>(guess.hold);
  return start;
}

void mls_rotations(std::span<const MatrixBlock> moments, const MlsGuess& guess,
                   std::span<QuaternionBlock> q) {
  const MlsStart start = start_of(guess);
  const MlsLanes& lanes = mls_lanes();
  parallel_blocks(
      moments.size(),
      [&](std::size_t begin, std::size_t end) {
        std::vector<uint16_t> unsettled(end - begin);
        lanes.rotations(moments[begin].at[0], start, q[begin].at[0], unsettled.data(), end - begin);
        for (std::size_t b = begin; b < end; ++b) {
          for (std::size_t lane = 0; lane < 16; ++lane) {
            if (!(unsettled[b - begin] >> lane & 1)) continue;
            Matrix m;
            for (int k = 0; k < 9; ++k) {
              m(k / 3, k % 3) = static_cast<double>(moments[b].at[k][lane]);
            }
            const Eigen::Quaterniond best(guided_rotation(m, guess));
            const double parts[4] = {best.w(), best.x(), best.y(), best.z()};
            for (int k = 0; k < 4; ++k) q[b].at[k][lane] = static_cast<float>(parts[k]);
          }
        }
      },
      256);
}

}  // namespace sinew::kernels
