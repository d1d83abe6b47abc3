// Free-form deformation as the formulas say it: all points, one by one, in double precision, with
// Bernstein polynomials by powers and B-splines by the recursion over knots. Slow and plain: what
// the kernel is held against, in tests and in the benchmark.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "nodes/geometry/lattice.h"

namespace sinew::test {

inline double bernstein(int degree, int i, double s) {
  double binomial = 1;
  for (int k = 1; k <= i; ++k) binomial = binomial * (degree - i + k) / k;
  return binomial * std::pow(s, i) * std::pow(1 - s, degree - i);
}

// N_i,p(u); the last span is closed.
inline double cox_de_boor(const std::vector<double>& knots, int i, int p, double u) {
  const auto t = [&](int k) { return knots[static_cast<std::size_t>(k)]; };
  if (p == 0) {
    const bool last = u == knots.back() && t(i + 1) == knots.back();
    return t(i) < t(i + 1) && t(i) <= u && (u < t(i + 1) || last) ? 1 : 0;
  }
  double sum = 0;
  if (t(i + p) > t(i)) sum += (u - t(i)) / (t(i + p) - t(i)) * cox_de_boor(knots, i, p - 1, u);
  if (t(i + p + 1) > t(i + 1)) {
    sum += (t(i + p + 1) - u) / (t(i + p + 1) - t(i + 1)) * cox_de_boor(knots, i + 1, p - 1, u);
  }
  return sum;
}

inline double spline(int count, int i, double s) {
  const int degree = std::min(3, count - 1);
  std::vector<double> knots;
  for (int k = 0; k < count + degree + 1; ++k) {
    knots.push_back(std::clamp(k - degree, 0, count - degree) / double(count - degree));
  }
  return cox_de_boor(knots, i, degree, s);
}

inline double basis(LatticeBasis kind, uint32_t count, uint32_t i, double s) {
  const int n = static_cast<int>(count), at = static_cast<int>(i);
  return kind == LatticeBasis::bernstein ? bernstein(n - 1, at, s) : spline(n, at, s);
}

inline Vec3d reference_parameters(const LatticeBox& box, const Vec3d& place) {
  // By volumes, as in the paper: s = T x U . (x - X0) / (T x U . S).
  const Vec3d &s = box.edges[0], &t = box.edges[1], &u = box.edges[2], x = place - box.corner;
  return {t.cross(u).dot(x) / t.cross(u).dot(s), s.cross(u).dot(x) / s.cross(u).dot(t),
          s.cross(t).dot(x) / s.cross(t).dot(u)};
}

// Of a place inside.
inline Vec3d reference_place(const Lattice& lattice, const Vec3d& place) {
  const LatticeRest& rest = *lattice.rest;
  const Vec3d s = reference_parameters(rest.box, place);
  Vec3d sum(0, 0, 0);
  for (uint32_t k = 0; k < rest.counts[2]; ++k) {
    for (uint32_t j = 0; j < rest.counts[1]; ++j) {
      for (uint32_t i = 0; i < rest.counts[0]; ++i) {
        const double weight = basis(rest.basis, rest.counts[0], i, s[0]) *
                              basis(rest.basis, rest.counts[1], j, s[1]) *
                              basis(rest.basis, rest.counts[2], k, s[2]);
        sum += weight * lattice.positions[lattice.index(i, j, k)].cast<double>();
      }
    }
  }
  return sum;
}

// A box that is neither straight nor even, somewhere.
inline LatticeBox random_box(std::mt19937& random, double scale) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto vector = [&] { return Vec3d(uniform(random), uniform(random), uniform(random)); };
  LatticeBox box;
  box.corner = scale * vector();
  for (int k = 0; k < 3; ++k) {
    box.edges[static_cast<std::size_t>(k)] = scale * (Vec3d::Unit(k) * 1.5 + 0.4 * vector());
  }
  return box;
}

inline Lattice shaken(const LatticeRest& rest, std::mt19937& random, double by) {
  std::uniform_real_distribution<double> uniform(-by, by);
  std::vector<Vec3f> points = rest.points;
  for (Vec3f& p : points) {
    p += Vec3d(uniform(random), uniform(random), uniform(random)).cast<float>();
  }
  return Lattice(rest).with_positions(std::move(points));
}

// Places with parameters from `low` to `high`.
inline std::vector<Vec3f> places_in(const LatticeBox& box, std::size_t count, std::mt19937& random,
                                    double low = 0.001, double high = 0.999) {
  std::uniform_real_distribution<double> uniform(low, high);
  std::vector<Vec3f> places(count);
  for (Vec3f& p : places) {
    p = (box.corner + uniform(random) * box.edges[0] + uniform(random) * box.edges[1] +
         uniform(random) * box.edges[2])
            .cast<float>();
  }
  return places;
}

}  // namespace sinew::test
