// Free-form deformation: a lattice of control points takes along what is inside of it
// [Sederberg86, section 3].
//
//   (s, t, u) of x:  x = X0 + s S + t T + u U                                            eq. 1
//   x' = sum over i, j, k of B_i(s) B_j(t) B_k(u) P_ijk                                  eq. 2
//
// X0, S, T, U: corner and edges of the box at rest, metres; P_ijk: the points now; B: Bernstein
// polynomials of degree n - 1, n points along an axis (2 to 32), or clamped uniform cubic B-splines
// [Piegl97, section 2.2] (of a lower degree where there are fewer than four points).
//
// With the points at rest at L_ijk (geometry/lattice.h) both bases give x' = x. So what is summed
// here is what the points have moved by:
//
//   x' = x + amount sum B_i(s) B_j(t) B_k(u) (P_ijk - L_ijk)
//
// which is the same, but a lattice at rest is the identity to the bit, and digits are lost only in
// the way that a vertex goes, not in its place.
//
// Outside of [0, 1] the polynomials run away. There each B_i goes on along its tangent, so that the
// whole is smooth at the border, and affine motions of the lattice are those of all space. Or what
// is outside stays, and tears at the border unless the outermost points rest.
//
// Sums go axis by axis: 84 products for each coordinate at 4 x 4 x 4, not 64 triple products.
// Parameters are not kept: to find them from the place of a vertex takes nine products more, a few
// in a hundred of all, and to keep them as much memory as the places. So nothing is prepared for a
// body, and a lattice that is laid anew costs no more than one that is moved. Same bits for any
// number of threads and all targets.
#pragma once

#include <cstdint>
#include <span>

#include "nodes/geometry/lattice.h"

namespace sinew::kernels {

enum class FfdOutside : uint8_t {
  stay,    // does not move
  extend,  // follows along the tangents of the border
};

struct FfdSettings {
  FfdOutside outside = FfdOutside::extend;
  double amount = 1;  // of the way
};

// What is so little outside, in parts of an edge, is inside: rounding would put there what lies on
// the border.
inline constexpr float ffd_border = 1e-5f;
// Farther out than so many edges, vertices follow as if they were there.
inline constexpr float ffd_reach = 1000;

// moved[i] = x' of points[i], with a sound lattice; `moved` is as long as `points`, and may be the
// same memory. Returns how many are outside.
std::size_t deform_by_lattice(const Lattice& lattice, const FfdSettings& settings,
                              std::span<const Vec3f> points, std::span<Vec3f> moved,
                              CancelView stop = {});

// The same with the ways of the points, P_ijk - L_ijk, one for each: they keep digits that the
// places of points far from the origin have not.
std::size_t deform_by_offsets(const LatticeRest& rest, std::span<const Vec3d> offsets,
                              const FfdSettings& settings, std::span<const Vec3f> points,
                              std::span<Vec3f> moved, CancelView stop = {});

// (s, t, u) of a place.
Vec3d lattice_parameters(const LatticeBox& box, const Vec3d& place);

// Whether such parameters are inside, as far as floats can tell.
inline bool is_inside_lattice(const Vec3d& parameters) {
  constexpr auto border = static_cast<double>(ffd_border);
  return parameters.minCoeff() >= -border && parameters.maxCoeff() <= 1 + border;
}

// B_i(s) of all points along an axis, as many as there are weights; outside of [0, 1] along the
// tangents. They sum to 1. For whoever needs them one by one; the loop has its own.
void lattice_weights(LatticeBasis basis, double s, std::span<double> weights);

// The box along the columns of `axes` (of unit length, at right angles) around all points, of which
// there is at least one, and on each side `margin` times its length more. A box that is flat gets a
// thickness: a hundredth of its longest edge.
LatticeBox box_around(std::span<const Vec3f> points, const Eigen::Matrix3d& axes, double margin);

// The box about a centre, with the given lengths along the axes.
LatticeBox box_about(const Vec3d& centre, const Vec3d& size, const Eigen::Matrix3d& axes);

}  // namespace sinew::kernels
