// The rotation in a rigid moving least squares fit [Schaefer06, Cuno07]. Controls at p_i go to q_i
// with weights w_i; about the weighted means, p^_i = p_i - p* and q^_i = q_i - q*, the best
// rotation is the one with the largest tr(R^T M) of the moment
//   M = sum w_i q^_i p^_i^T            3x3, m^2; its size does not matter
//
// Three ways to it, which agree wherever M tells the rotation:
// - by the quartic [Cuno07; Cuno08, section 2]. With g = n tan(theta/2) and V = sum w p^ x q^,
//     (lambda I - M - M^T) g = V,   lambda = mu + tr M,
//     mu the largest root of mu^4 - 2 |M|^2 mu^2 - 8 det(M) mu + |M|^4 - 4 |cof M|^2 = 0.
//   All roots are real, so that Newton's method from an upper bound falls onto the largest. (The
//   paper prints (M + M^T - lambda I) u = V^T; g is undefined at theta = pi, and so is everything
//   where all p^ or all q^ lie on a line.)
// - by singular values: rotation_part() of rotation.h.
// - by Newton's method on the rotations, sixteen at a time, for bodies.
//
// What M does not tell. Limbs are lines of controls: about such a line any twist is as good as
// another. There the smallest one is taken, that is the rotation by the smallest angle, by adding a
// little of a guess to M, as much as is needed and nothing where M itself tells: of
//   f = (s_2 + s_3 sign det M) / s_1,   s the singular values,
// hold (1 - f / f0)^2 s_1 R_guess for f < f0. Where there is no M at all the rotation is the guess.
//
// What M tells badly. Controls often lie in a plane, as those of a standing figure do. When one of
// them goes far round within that plane, det M changes its sign, and the best rotation turns the
// body inside out: it jumps by half a turn out of the plane. No warm start prevents that, since
// tr(R^T M) has one maximum only. So `steady` rotations add, beside M,
//   P = sum w_i |p^_i| |q^_i| R(p^_i -> q^_i),   R(a -> b) the smallest rotation from a to b,
// in which every control tells all three directions. Within a plane P and M have the same angle,
// arg sum w |p^| |q^| e^(i phi), and P keeps the plane's sides apart. It counts by how little rigid
// the controls have moved: kappa = E / sqrt(S_p S_q), with S_p = sum w |p^|^2, S_q = sum w |q^|^2
// and E = sqrt(S_p S_q) - max tr(R^T M) >= 0, which is 0 for a rigid motion (and for one with a
// scale): that stays exact. All of it is a function of the pose alone. Such a function cannot be
// continuous everywhere: a limb that has come half a turn round sideways is where it would be had
// it come forwards, and one pose has one rotation. The plane of the controls has the right of way.
#pragma once

#include <optional>
#include <span>

#include "nodes/geometry/types.h"
#include "nodes/kernels/rotation.h"

namespace sinew::kernels {

// The rotation of M by the quartic; nothing where it is not defined: half a turn, controls on a
// line or at one place, a mirror image with two equal sides.
std::optional<Eigen::Quaterniond> quartic_rotation(const Eigen::Matrix3d& moment);

// The smallest rotation from direction a to direction b, unit vectors: smallest_rotation() of
// voo_frame.h. Where they are opposite, within 1e-6, the direction of the way is made of rounding;
// there it is half a turn about what `axis` has across a.
Eigen::Matrix3d turn_between(const Vec3d& a, const Vec3d& b, const Vec3d& axis);

// The best rotation of M, with the smallest twist where M leaves that open. The identity if M is 0
// or not finite.
Eigen::Matrix3d least_twist_rotation(const Eigen::Matrix3d& moment,
                                     const Vec3d& axis = Vec3d::UnitZ());

inline constexpr double small_hold = 0.2;

// Sums over controls, from which the steady rotation follows.
struct MlsMoment {
  Eigen::Matrix3d products = Eigen::Matrix3d::Zero();  // M
  Eigen::Matrix3d turns = Eigen::Matrix3d::Zero();     // P
  double rest = 0, posed = 0;                          // S_p, S_q

  // p^ and q^; `axis` as above.
  void add(double weight, const Vec3d& p, const Vec3d& q, const Vec3d& axis);
  void add_products(double weight, const Vec3d& p, const Vec3d& q);  // all but P
  Eigen::Matrix3d best_rotation(const Vec3d& axis) const;  // of M, with the smallest twist
  Eigen::Matrix3d steady_rotation() const;
  // Of a little motion: the rotation part of M / sqrt(S_p S_q) + small_hold I. Controls that pass
  // through a line or a plane turn nothing over, as the best rotation would.
  Eigen::Matrix3d small_rotation() const;
};

// The direction in which points spread least, a unit vector: across their plane, if they lie in
// one. What half turns are made about where nothing else tells.
Vec3d flat_axis(std::span<const Vec3d> points);

// What a batch of rotations has in common: where to start, and how much of that is added to M.
struct MlsGuess {
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
  double hold = 1e-7;  // in sums of the sizes of the entries of M, in the frame of the guess
};

// The guess for all places about some controls: their steady rotation with equal weights. It holds
// 1e-7, and up to 1e-3 where they are so nearly on a line, at rest or in the pose, that floats
// cannot tell the twist. The rotation of a rigid motion, so that its result does not depend on it.
MlsGuess common_guess(std::span<const Vec3d> rest, std::span<const Vec3d> posed);

// The rotation part of M + hold |R_guess^T M| R_guess for each of the moments, as quaternions, |.|
// the sum of the sizes. Newton's method from the guess, whatever was in q; what has not settled
// after 12 rounds is done by singular values. Same bits on every target. Moments that are not
// finite have the guess.
void mls_rotations(std::span<const MatrixBlock> moments, const MlsGuess& guess,
                   std::span<QuaternionBlock> q);

// The same of one moment in double precision.
Eigen::Matrix3d guided_rotation(const Eigen::Matrix3d& moment, const MlsGuess& guess);

// The guess as the loops in lanes take it (mls_lanes.h).
struct MlsStart;
MlsStart start_of(const MlsGuess& guess);

}  // namespace sinew::kernels
