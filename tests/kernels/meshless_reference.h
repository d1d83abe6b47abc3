// Meshless surfaces as the formulas have them, one vertex after another in double precision; and
// shape functions by moving least squares, for tests and benchmarks that need some.
#pragma once

#include <Eigen/LU>
#include <algorithm>
#include <limits>
#include <vector>

#include "nodes/geometry/parallel.h"
#include "nodes/geometry/shape_rows.h"

namespace sinew::test {

struct PlainSurface {
  std::vector<Vec3d> places, normals;
};

// eqs. 1 and 9 [Adams10].
inline void plain_vertex(const ShapeRows& rows, std::size_t p, std::span<const Vec3d> u, Vec3d& x,
                         Vec3d& n) {
  const Vec3d normal = n;
  for (uint32_t e = rows.first[p]; e < rows.first[p + 1]; ++e) {
    x += rows.value[e] * u[rows.node[e]];
    n += rows.gradient[e].dot(normal) * u[rows.node[e]];
  }
  n.normalize();
}

inline PlainSurface plain_surface(const ShapeRows& rows, std::span<const Vec3f> rest,
                                  std::span<const Vec3f> normals, std::span<const Vec3d> u) {
  PlainSurface out;
  for (std::size_t p = 0; p < rest.size(); ++p) {
    out.places.push_back(rest[p].cast<double>());
    out.normals.push_back(normals[p].cast<double>());
    plain_vertex(rows, p, u, out.places.back(), out.normals.back());
  }
  return out;
}

struct PointShape {
  std::vector<uint32_t> node;
  std::vector<double> value;
  std::vector<Vec3d> gradient;
};

// Phi_i = w_i alpha . p_i with p_i = (1, (x_i - x) / r), M alpha = e0 and w = (1 - d^2/r^2)^3, and
// its derivative; d is the plain distance here.
inline PointShape shape_at(const Vec3d& x, std::span<const Vec3d> nodes, double r) {
  PointShape made;
  std::vector<Eigen::Vector4d> basis;
  std::vector<double> weight;
  std::vector<Vec3d> slope;
  Eigen::Matrix4d m = Eigen::Matrix4d::Zero(), dm[3] = {m, m, m};
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    const Vec3d to = (nodes[i] - x) / r;
    const double left = 1 - to.squaredNorm();
    if (!(left > 0)) continue;
    const Eigen::Vector4d p(1, to.x(), to.y(), to.z());
    const double w = left * left * left;
    const Vec3d dw = 6 * left * left / r * to;
    m += w * p * p.transpose();
    for (int k = 0; k < 3; ++k) {
      const Eigen::Vector4d dp = -Eigen::Vector4d::Unit(k + 1) / r;
      dm[k] += dw[k] * p * p.transpose() + w * (dp * p.transpose() + p * dp.transpose());
    }
    made.node.push_back(i);
    basis.push_back(p), weight.push_back(w), slope.push_back(dw);
  }
  const Eigen::Matrix4d inverse = m.inverse();
  const Eigen::Vector4d alpha = inverse.col(0);
  Eigen::Vector4d dalpha[3];
  for (int k = 0; k < 3; ++k) dalpha[k] = -inverse * (dm[k] * alpha);
  for (std::size_t j = 0; j < basis.size(); ++j) {
    const double along = alpha.dot(basis[j]);
    Vec3d g = along * slope[j];
    for (int k = 0; k < 3; ++k) g[k] += weight[j] * (dalpha[k].dot(basis[j]) - alpha[k + 1] / r);
    made.value.push_back(weight[j] * along);
    made.gradient.push_back(g);
  }
  return made;
}

inline ShapeRows mls_rows(std::span<const Vec3f> points, std::span<const Vec3d> nodes, double r) {
  std::vector<PointShape> all(points.size());
  parallel_blocks(points.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p) all[p] = shape_at(points[p].cast<double>(), nodes, r);
  });
  ShapeRows rows;
  rows.first.push_back(0);
  for (PointShape& shape : all) {
    rows.node.insert(rows.node.end(), shape.node.begin(), shape.node.end());
    rows.value.insert(rows.value.end(), shape.value.begin(), shape.value.end());
    rows.gradient.insert(rows.gradient.end(), shape.gradient.begin(), shape.gradient.end());
    rows.first.push_back(static_cast<uint32_t>(rows.node.size()));
    shape = {};
  }
  return rows;
}

// Points that are as far from each other as can be, and how far any point is from the nearest.
struct SpreadNodes {
  std::vector<Vec3d> places;
  double gap = 0;
};
inline SpreadNodes spread_nodes(std::span<const Vec3f> points, std::size_t count) {
  SpreadNodes nodes;
  std::vector<double> away(points.size(), std::numeric_limits<double>::infinity());
  std::size_t next = 0;
  while (nodes.places.size() < count && !points.empty()) {
    nodes.places.push_back(points[next].cast<double>());
    for (std::size_t p = 0; p < points.size(); ++p) {
      away[p] = std::min(away[p], (points[p].cast<double>() - nodes.places.back()).squaredNorm());
    }
    const auto farthest = std::max_element(away.begin(), away.end());
    next = static_cast<std::size_t>(farthest - away.begin());
    nodes.gap = std::sqrt(*farthest);
  }
  return nodes;
}

}  // namespace sinew::test
