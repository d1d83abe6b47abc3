// A soft body that is led: at each moment something else, a posed skeleton or a lattice, says where
// every vertex would be, and the flesh comes after it, overshoots and swings. This joins shape
// matching to skeletons and keyframes, which [Ijiri09, section 7] leaves to the future.
//
// Two things lead. With y the led place of a vertex (m) and u its velocity (m/s), both at the
// beginning of a step of h seconds:
//
// 1. The led shape is the shape at rest of that moment. Regions are matched to y in place of x0,
//    so that a knee that is bent is not pulled straight, and any led shape, even one that is flat
//    or inside out, is without force where it is. Its c0 are made at each step, by one gathering
//    pass.
// 2. Each vertex is drawn to its place, as a swing of the frequency f (Hz) and the damping zeta (1:
//    just no overshoot) about a place that moves by u:
//      v <- v + a (u - v) + b (y - x) / h
//      a = 1 - r^2,  b = 1 + r^2 - 2 r cos(theta)
//      r = exp(-zeta omega h),  theta = omega h sqrt(1 - zeta^2),  omega = 2 pi f
//    Beyond zeta = 1, cos becomes cosh. Together with x <- x + h v, the distance e = x - y has
//      e_(n+1) = 2 r cos(theta) e_n - r^2 e_(n-1),
//    whose solutions are those of e'' + 2 zeta omega e' + omega^2 e = 0 at the times n h: frequency
//    and decay do not depend on the step. A backward Euler step would eat the swing: at 3 Hz and
//    1/50 s it adds 0.19 to zeta.
//
// Drawing v to u, and not to 0, is what lets a body follow without lag: x = y, v = u stays so. The
// damper hangs between flesh and bone. With v drawn to 0 it would hang between flesh and the room,
// and a body that is led at u would stay behind by 2 zeta u / omega, as if led through honey. The
// price: what the damper takes along overshoots a jump of the led shape by exp(-2) of it even at
// zeta = 1; flesh that is only let go does not. The damping of regions acts on v - u, too, since a
// led shape that grows is no jiggling.
//
// A steady acceleration g, such as gravity, moves the place of rest by h^2 g / b, which is
// g / omega^2 but for a part zeta omega h of it.
//
// Stable for any f, zeta and h, each vertex having its own. Let L be one run of passes, g - x =
// -L e, whose eigenvalues are in [0, 1] in the metric of the masses; A and B have a and b on their
// diagonals. For an eigenvector, scaled by sqrt(1 - a), let d be its mean of 1 - a and k its mean
// of (1 - A)^1/2 L (1 - A)^1/2 + B. Then
//   lambda^2 - (1 + d - k) lambda + d = 0,
// and both roots are in the unit circle where 0 <= d <= 1 and 0 <= k <= 2 (1 + d). With theta at
// most pi / 2, each b <= 2 - a, so that k <= 1 + 2 d, with room to spare. So theta is kept there: a
// swing of fewer than four steps cannot be seen at the frames; it decays the faster the stronger it
// is, and in the limit a = b = 1, which puts the vertex onto its place.
//
// Activation acts on top: T belongs to the solid at rest, so it is turned as the led shape is,
// T <- Q T Q^T, with Q_r the rotation from rest to led of region r; the heading of bristles, too.
//
// Within a frame the led shape goes straight from the last frame's to this one's. A led shape that
// turns by phi in a frame is thus smaller by 1 - cos(phi / 2) half-way: a thousandth at 5
// degrees.
#pragma once

#include <span>

#include "nodes/kernels/shape_match.h"

namespace sinew::kernels {

// How a vertex is drawn in a step: which part of its speed against the led place, and of its
// distance, goes. a and b of the above.
struct LedVertex {
  float calm = 0, draw = 0;
  bool operator==(const LedVertex&) const = default;
};
// For steps of h seconds. `swings` in Hz and `damping` as zeta, both at least 0; below counts as 0.
LedVertex led_vertex(double swings, double damping, double h);

struct Led {
  // m, per vertex of the solid: at the beginning and at the end of the frame.
  std::span<const Vec3f> before, now;
  // For steps as long as this one: one, or one per vertex of the solid.
  std::span<const LedVertex> vertices;
  // Pins hold vertices on the led shape, whatever their `to` says.
  bool holds_pins = false;
  // led_turns() of `now`; may be empty if no friction has a direction.
  std::span<const float> turns;
};

// The led shape in a step, inside order.
struct LedScratch {
  LaneFloats place;                   // quads: y at the beginning, from where x is measured
  LaneFloats speed;                   // quads: u
  LaneFloats rest, weighted, centre;  // as in a RingView
  void fit(const MatchBody& body);
};

// Fills the scratch for a step that goes from the part `from` of the frame to the part `to`, with x
// measured from `origin`. Returns the rest shape of the step, which points into the scratch.
RingView lead_rest(const MatchBody& body, const Led& led, float from, float to, double h,
                   const Vec3f& origin, LedScratch& scratch);

// v += a (u - v) + b (y - x) / h, after lead_rest().
void draw_to_led(const MatchBody& body, const Led& led, double h, const LedScratch& scratch,
                 std::span<const float> x, std::span<float> v);

// v += times * u.
void add_led_speed(const MatchBody& body, float times, const LedScratch& scratch,
                   std::span<float> v);

// How each region is turned from rest to led: quaternions, four arrays of `stride`. A function of
// the led shape alone; where that says nothing, as in a point, the identity.
void led_turns(const MatchBody& body, std::span<const Vec3f> led, MatchScratch& scratch,
               LaneFloats& out);

// T <- Q T Q^T, for tensors as a step takes them.
void turn_tensors(const MatchBody& body, std::span<const float> turns, LaneFloats& tensors);

}  // namespace sinew::kernels
