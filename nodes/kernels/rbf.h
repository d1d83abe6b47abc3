// Interpolation of scattered values through space by radial basis functions:
//   f(x) = sum_j w_j |x - c_j|^3 + a + b . x,   with sum_j w_j = 0 and sum_j w_j c_j = 0,
// the function of least "bending" through the constraints f(c_i) = v_i [Carr01, section 3]. The
// cubic and not the linear kernel, so that the gradient is smooth, too:
//   grad f(x) = sum_j 3 w_j |x - c_j| (x - c_j) + b.
// Linear functions come out exactly. Where the constraints lie in a plane or on a line, the linear
// part lives in that plane or line only; a single constraint gives a constant.
//
// How it is solved. Points are moved into the unit box. P holds 1 and the coordinates along the
// directions that the points span, m columns; Q [R; 0] = P by Householder. With the weights
// w = Q [0; z], P^T w = 0 holds by itself, and z solves a system whose matrix, the lower right
// (N - m)^2 of Q^T K Q, is positive definite, since the kernel is so on that subspace: one Cholesky
// factorisation (half the work of LU, no pivots) for all columns of values. A ridge (1e-15, up to
// 1e-9 of the points' number) is added only if a pivot fails. In any case the solution is refined
// against the matrix without it.
//
// Accuracy. Constraints are met to 1e-8 of the range of their values, unless neighbours that are
// closer than about 1/500 of the box differ by a large part of the range: then weights exceed 1e7,
// and their sum loses digits. What was reached stands in the report. That holds for values in
// double precision, whose terms are exact to 3e-16 of themselves. Values as floats come from terms
// that are exact to 6e-15, summed in double precision and rounded once: 1e-7 of the range where the
// above holds.
// The same bits come out on any number of threads and on any CPU.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "nodes/geometry/types.h"

namespace sinew::kernels {

struct RbfOptions {
  // Constraints that are solved for at once. Of more, a subset is chosen: the worst are added until
  // all are within the tolerance, or this many are used.
  std::size_t max_centres = 2000;
  double tolerance = 1e-4;  // of the range of the values; only for more than max_centres
  // 0: constraints are met. Otherwise a length, as a part of the box's longest side: the field need
  // not follow what changes within less than it, so that noise does not make it swing [Carr01,
  // section 5]. (K + length^3 I) w + P c = v instead of K w + P c = v.
  double smoothing = 0;
  // The same for each constraint, as a length in metres; empty: 0 for all. The larger, the less a
  // constraint counts.
  std::span<const double> softness;
};

struct RbfReport {
  // Largest |f(c_i) - v_i| over the constraints (duplicates merged) that have no softness of their
  // own, over the range of the values; the worst of all columns.
  double residual = 0;
  std::size_t used = 0;            // centres
  std::size_t merged = 0;          // constraints that lie where another one lies
  std::size_t contradictions = 0;  // places whose merged constraints differ; their mean is used
  std::size_t left_out = 0;        // different places that are no centres, beyond max_centres
  std::size_t dropped = 0;         // constraints that are not finite
  int dimension = 0;               // 0: a point, 1: a line, 2: a plane, 3: a body
  bool ridge = false;              // whether one was needed
};

struct RbfField {
  // In the unit box: u = (x - offset) * scale.
  Vec3d offset{0, 0, 0};
  double scale = 1;
  std::size_t columns = 0;
  std::vector<double> x, y, z;                // centres, `used` each
  std::vector<double> weights;                // of column c from c * used
  std::vector<std::array<double, 4>> linear;  // per column: a, b, in the unit box
  RbfReport report;

  std::size_t centre_count() const { return x.size(); }
  std::size_t bytes() const;
};

// Values: `columns` of points.size() each, one column after the other. Without (finite) constraints
// the field is 0 everywhere.
RbfField solve_rbf(std::span<const Vec3f> points, std::span<const double> values,
                   std::size_t columns = 1, const RbfOptions& options = {}, CancelView stop = {});

// The values at points, one column after the other: out has columns * points.size().
void evaluate(const RbfField& field, std::span<const Vec3f> points, std::span<float> out,
              CancelView stop = {});
void evaluate(const RbfField& field, std::span<const Vec3f> points, std::span<double> out,
              CancelView stop = {});

// The same at points that are in the unit box already.
void evaluate_unit_box(const RbfField& field, std::span<const double> x, std::span<const double> y,
                       std::span<const double> z, std::span<double> out, CancelView stop = {});

// The gradients of one column, per metre.
void evaluate_gradient(const RbfField& field, std::span<const Vec3f> points, std::span<Vec3f> out,
                       std::size_t column = 0, CancelView stop = {});

// One point, by a plain loop: what the functions above are tested and measured against.
double evaluate_at(const RbfField& field, const Vec3f& point, std::size_t column = 0);

}  // namespace sinew::kernels
