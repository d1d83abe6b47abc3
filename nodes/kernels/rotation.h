// The rotation part of 3x3 matrices: the R with det R = +1 that is nearest to A, which is the
// orthogonal factor of A = R S if det A > 0.
//
// Newton's method on the rotations, from where the last one was (a warm start). With W = A R^T,
// S = (W + W^T) / 2 and a the axial vector of W - W^T, the objective tr(R^T A) has the gradient a
// and the Hessian -(tr(S) I - S) under R <- exp([omega]) R, so that
//   (tr(S) I - S) omega = a,     R <- cayley(omega) R
// and where that matrix is not positive definite, its least eigenvalue is shifted above 0, so that
// every step climbs; where there is no slope, as half a turn away from the top, a small one is put
// there. (Mueller's step a / |tr S| [Mueller16] cycles where tr S is near 0.) tr(R^T A) has no
// local maximum beside the global one, so the start matters for time only. A block of 16 stops when
// its largest |omega| was below 1e-3 (the next error is of its square), after 1 or 2 rounds in
// motion, at the latest after 12.
//
// Where A says nothing (all zero, or one direction only) R stays as near to the start as it can.
// Any scale of A is the same; A must be finite.
#pragma once

#include <span>

#include "nodes/geometry/types.h"

namespace sinew::kernels {

// Sixteen matrices, entry 3 * row + column of all of them together.
struct alignas(64) MatrixBlock {
  float at[9][16];
};
// Sixteen unit quaternions: w, x, y, z.
struct alignas(64) QuaternionBlock {
  float at[4][16];
};

// Improves q[i] to the rotation part of a[i].
void polar_rotations(std::span<const MatrixBlock> a, std::span<QuaternionBlock> q);

// One matrix without a start, by singular values in double precision, with the sign of the smallest
// turned where that makes the determinant +1. For cold starts, and as the reference of the above.
Eigen::Matrix3d rotation_part(const Eigen::Matrix3d& a);

}  // namespace sinew::kernels
