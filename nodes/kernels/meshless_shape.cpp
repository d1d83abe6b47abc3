// Shape functions at one point: eqs. 2 to 6 of [Adams10], repaired.
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>

#include "nodes/kernels/meshless_nodes.h"

namespace sinew::kernels {

namespace {

using Vec4d = Eigen::Vector4d;
using Matrix4d = Eigen::Matrix4d;

double weight_of(double distance, double radius) {
  const double q = 1 - distance * distance / (radius * radius);
  return distance < radius ? q * q * q : 0;
}

// dw/dd.
double weight_slope(double distance, double radius) {
  const double q = 1 - distance * distance / (radius * radius);
  return distance < radius ? -6 * q * q * distance / (radius * radius) : 0;
}

bool covers_within(const Vec3d& point, std::span<const Vec3d> nodes,
                   std::span<const NodeInReach> reach, double radius, double leverage) {
  int count = 0;
  double total = 0;
  Vec3d mean(0, 0, 0);
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  for (const NodeInReach& n : reach) {
    const double w = weight_of(n.distance, radius);
    if (!(w > 0)) continue;
    ++count;
    const Vec3d away = (nodes[n.node] - point) / radius;
    total += w;
    mean += w * away;
    spread += w * away * away.transpose();
  }
  if (count < 4 || !(total > 1e-9)) return false;
  mean /= total;
  spread = spread / total - mean * mean.transpose();
  Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver;
  solver.computeDirect(spread, Eigen::EigenvaluesOnly);
  if (!(solver.eigenvalues()[0] > least_spread)) return false;
  return mean.dot(spread.ldlt().solve(mean)) < leverage;
}

// The radius nearest to the wanted one that covers the point; 0 if none does.
double covering_radius(const Vec3d& point, std::span<const Vec3d> nodes,
                       std::span<const NodeInReach> reach, double radius, double leverage) {
  double farthest = 0;
  for (const NodeInReach& n : reach) farthest = std::max(farthest, n.distance);
  double r = radius, too_small = 0;
  while (!covers_within(point, nodes, reach, r, leverage)) {
    if (!(r > 0) || r > 1.5 * farthest) return 0;
    too_small = r;
    r *= 1.15;
  }
  // No larger than needed, so that it changes smoothly from point to point.
  for (int i = 0; too_small > 0 && i < 12; ++i) {
    const double middle = 0.5 * (too_small + r);
    (covers_within(point, nodes, reach, middle, leverage) ? r : too_small) = middle;
  }
  return r;
}

}  // namespace

bool covers(const Vec3d& point, std::span<const Vec3d> nodes, std::span<const NodeInReach> reach,
            double radius) {
  return covers_within(point, nodes, reach, radius, most_leverage);
}

bool append_shape_row(const Vec3d& point, std::span<const Vec3d> nodes,
                      std::span<const NodeInReach> reach, double radius, ShapeRows& rows) {
  if (rows.first.empty()) rows.first.push_back(0);
  const auto end_row = [&] { rows.first.push_back(static_cast<uint32_t>(rows.node.size())); };
  // Where few nodes lie nearly in a plane, what is beside it is held by long levers, or not at all.
  double r = 0;
  for (double leverage = most_leverage; r == 0 && leverage < last_leverage; leverage *= 4) {
    r = covering_radius(point, nodes, reach, radius, leverage);
  }
  if (r == 0) {
    end_row();
    return false;
  }

  Matrix4d moment = Matrix4d::Zero();
  std::array<Matrix4d, 3> slopes{Matrix4d::Zero(), Matrix4d::Zero(), Matrix4d::Zero()};
  const auto basis = [&](const NodeInReach& n) {
    Vec4d p;
    p << 1, (nodes[n.node] - point) / r;
    return p;
  };
  for (const NodeInReach& n : reach) {
    const double w = weight_of(n.distance, r);
    if (!(w > 0)) continue;
    const Vec4d p = basis(n);
    const Matrix4d pp = p * p.transpose();
    moment += w * pp;
    const double slope = weight_slope(n.distance, r);
    for (int k = 0; k < 3; ++k) slopes[static_cast<std::size_t>(k)] += slope * n.gradient[k] * pp;
  }
  const Eigen::LDLT<Matrix4d> factor(moment);
  const Vec4d alpha = factor.solve(Vec4d::Unit(0));
  Eigen::Matrix<double, 4, 3> alpha_slope;
  for (int k = 0; k < 3; ++k) {
    const Vec4d right = Vec4d::Unit(k + 1) / r - slopes[static_cast<std::size_t>(k)] * alpha;
    alpha_slope.col(k) = factor.solve(right);
  }
  for (const NodeInReach& n : reach) {
    const double w = weight_of(n.distance, r);
    if (!(w > 0)) continue;
    const Vec4d p = basis(n);
    rows.node.push_back(n.node);
    rows.value.push_back(w * alpha.dot(p));
    rows.gradient.push_back(weight_slope(n.distance, r) * alpha.dot(p) * n.gradient +
                            w * (alpha_slope.transpose() * p));
  }
  end_row();
  return true;
}

}  // namespace sinew::kernels
