// Cubic Hermite splines through knots at uneven times, as weights: what is found once for a time
// serves every point that moves [Adams10, section 6.1, "Catmull-Rom splines"].
//
//   y(t) = p0 y_k + m0 y'_k + p1 y_k+1 + m1 y'_k+1        t_k <= t <= t_k+1
//   y'_j = (h- s+ + h+ s-) / (h+ + h-)                    s+ and s- the slopes of the gaps h+, h-
//
// The tangent y'_j is that of the parabola through a knot and its two neighbours: the frames of a
// motion are not evenly spaced, and the usual half of y_j+1 - y_j-1 would not even keep a constant
// speed. At the ends, and on either side of a knot that breaks, the tangent is the slope of the one
// gap: two knots give a straight line, and nothing swings back where a motion starts. A knot may
// tell its velocity instead. Exact for motions of constant velocity, and at the inner knots the
// tangents are for those of constant acceleration.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew::kernels {

struct SplineKnot {
  double time = 0;      // seconds; later than the knot before
  bool breaks = false;  // no smoothness through it: one-sided tangents
  bool told = false;    // its velocity is told, on both sides: the tangents here are all 0
};

// y'_j = before y_j-1 + here y_j + after y_j+1, 1/s; the three sum to 0. A neighbour that is not
// there has 0.
struct SplineTangent {
  double before = 0, here = 0, after = 0;
};
// Those by which a knot is reached and left. Different only where it breaks.
struct KnotTangents {
  SplineTangent in, out;
};

// Throws std::invalid_argument if times are not finite or do not increase.
std::vector<KnotTangents> spline_tangents(std::span<const SplineKnot> knots);

// The weights at a time, and those of the velocity: dp0 and the others, by the second. Tangents are
// by the second too. Before the first and after the last knot all is as there, and still.
struct SplineWeights {
  uint32_t knot = 0;  // k; if there is one knot only, all but p0 are 0
  double p0 = 1, m0 = 0, p1 = 0, m1 = 0;
  double dp0 = 0, dm0 = 0, dp1 = 0, dm1 = 0;
};
// At a knot inside: the start of the gap after it. There must be a knot.
SplineWeights spline_weights(std::span<const SplineKnot> knots, double time);

// The same with the tangents put in: y(t) = sum value[i] y_knot[i] + sum told[i] v_knot[1 + i], v
// the velocities that are told (0 for knots that tell none).
struct SplineBlend {
  std::array<uint32_t, 4> knot = {};  // k - 1 .. k + 2, kept within the knots; weight 0 outside
  std::array<double, 4> value = {};   // sum to 1
  std::array<double, 4> rate = {};    // of y'(t), 1/s; sum to 0
  std::array<double, 2> told = {};    // seconds
  std::array<double, 2> told_rate = {};
};
SplineBlend spline_blend(std::span<const SplineKnot> knots, std::span<const KnotTangents> tangents,
                         double time);

}  // namespace sinew::kernels
