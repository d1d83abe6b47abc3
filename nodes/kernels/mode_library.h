// Ready-made deformation modes: how far each point of a lattice goes at amplitude 1
// [Faloutsos97, section 4.1], for a lattice around anything.
//
// With p = (s, t, u) - 1/2 of a place, from -1/2 to 1/2 along each edge, S_a the edges of the box,
// metres, a the axis, b where it goes towards, c the third, and b, c both others where a mode has
// no towards:
//
//   bend      (4 p_a^2 - 1/3) S_b             both ends go the same way, the middle the other
//   shear     p_a S_b
//   squash    -p_a S_a + p_b S_b / 2 + p_c S_c / 2
//   stretch   p_a S_a
//   twist     p_a (pi / 2) S_a / |S_a| x (p_b S_b + p_c S_c)
//   taper     p_a (p_b S_b + p_c S_c)
//
// each times `size`: the ends are so many edges apart (a bend: from the middle), or turned against
// each other by so many right angles, to first order. All are polynomials, of degree 2 at most in
// one parameter, and the points of the lattice are their coefficients. So the body itself moves as
// above, to the rounding, whatever the counts and the basis; only a bend wants three points along
// its axis, without which there is none. None moves the middle of the box, on the mean. Shear,
// squash, and twist keep the volume to first order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nodes/geometry/lattice.h"

namespace sinew::kernels {

// `drawn` is not of the library: somebody says of each point where it goes.
enum class ModeKind : uint8_t { bend, shear, squash, stretch, twist, taper, drawn };

// Whether such modes go towards another axis than their own.
constexpr bool has_toward(ModeKind kind) {
  return kind == ModeKind::bend || kind == ModeKind::shear;
}

// `toward`, or the axis after `axis` where they are the same.
constexpr int other_axis(int axis, int toward) { return toward == axis ? (axis + 1) % 3 : toward; }

// Of each point of the lattice, in its order; metres. All 0 for what is drawn, and for a bend of
// two points. Axes are those of the lattice: 0, 1, 2.
std::vector<Vec3f> mode_delta(const LatticeRest& rest, ModeKind kind, int axis, int toward,
                              double size);

// "bend y to x", "squash y", "drawn".
std::string default_mode_name(ModeKind kind, int axis, int toward);

}  // namespace sinew::kernels
