// A smooth turning through rotations at uneven times: spherical cubic splines [Adams10, section 6.1
// and appendix].
//
//   S0(p, q, t) = p (p^-1 q)^t                                              along the arc
//   S(p, a, b, q, t) = S0(S0(p, q, t), S0(a, b, t), 2 t (1 - t))            eq. 31, repaired
//   tau_j = ((h-/h+) l+ - (h+/h-) l-) / (h+ + h-)                           1/s
//   a_j = R_j exp((h+ tau_j - l+)/2),  b_j-1 = R_j exp((-l- - h- tau_j)/2)
//
// with l+ = log(R_j^-1 R_j+1), l- = log(R_j^-1 R_j-1) and the gaps h+, h- in seconds. The paper
// prints the arguments of eq. 31 in the other order, which does not pass through p and q, and its
// eq. 33 takes frames to be evenly spaced; tau is the tangent of spline_weights.h instead, so that
// a constant angular velocity is kept exactly at any gaps. Its derivative (eq. 32) holds at the
// ends of a segment only: here rates go along with each operation (dual numbers), and the angular
// velocity omega = 2 S' S^-1 (eq. 34) is that of the curve wherever one looks.
//
// Logarithms are half rotation vectors, in the frame of the body. Neighbours are first put into one
// hemisphere: each gap is crossed by the shorter arc, and one of half a turn by either of the two.
// At the ends, and on both sides of a knot that breaks, the tangent is the arc's own; two knots are
// a plain S0. The curve turns with its knots when all of them are multiplied by a rotation, from
// either side.
//
// A tangent is limited to 1.25 turns in the longer of the gaps beside it, since a turns out of
// reach of the logarithm beyond; that happens where a quick turn is next to a long gap, or with a
// spin that is told.
#pragma once

#include <optional>
#include <vector>

#include "nodes/geometry/types.h"

namespace sinew::kernels {

struct RotationKnot {
  double time = 0;  // seconds; later than the knot before
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();  // of any length but 0
  bool breaks = false;        // no smoothness through it: one-sided tangents
  std::optional<Vec3d> spin;  // the angular velocity there, on both sides; in the world, rad/s
};

struct Turning {
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
  Vec3d spin = Vec3d::Zero();  // angular velocity in the world, rad/s
};

class RotationSpline {
 public:
  // Without knots: no rotation at any time.
  RotationSpline() = default;
  // Throws std::invalid_argument if times are not finite or do not increase, or if a rotation or a
  // spin is not one.
  explicit RotationSpline(std::vector<RotationKnot> knots);

  // Before the first and after the last knot: its rotation, spin 0. At a knot inside that breaks:
  // as the gap after it starts. Allocates nothing.
  Turning at(double time) const;

  // As they were given, but of unit length and each in the hemisphere of the one before.
  const std::vector<RotationKnot>& knots() const { return knots_; }
  std::size_t bytes() const;

 private:
  // p, a, and the arcs from p to q and from a to b.
  struct Segment {
    Eigen::Quaterniond p, a;
    Vec3d to_q, to_b;
  };

  std::vector<RotationKnot> knots_;
  std::vector<Segment> segments_;  // one fewer than knots
};

}  // namespace sinew::kernels
