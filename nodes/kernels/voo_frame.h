// The frame of a vector offset operator, and the linear map that it makes of space
// [Hurmusiadis, sections 5.3 and 5.4].
//
//   u = V / |V|;  v = (k x u) / |k x u|, or j where u = +-k;  w = u x v      eqs. 5.9-5.12, at rest
//   [u v w](t) = turn(u(t), torsion (twist(t) - twist)) smallest(u -> u(t)) [u v w]
//   e = |V(t)| / |V| - 1                                                     eq. 5.24
//   s_u = 1 + eps e,  s_v = b a / sqrt(s_u),  s_w = a / (b sqrt(s_u))        eqs. 5.26, 5.30
//   F = [u v w](t) H diag(s_u, s_v, s_w) [u v w]^T                           eqs. 5.16, 5.31
//
// k, j: axes z and y of space; turn(n, x): rotation by x about n; H = 1 + h_v v u^T + h_w w u^T in
// the frame: planes across the axis slide along v and w (not in the thesis). det H = 1, so that
// det F = s_u s_v s_w = a^2 with and without shear. With a = b = 1 and no shear, V(t) = V gives
// F = I.
//
// The thesis builds the frame anew from u(t) and k at each moment, which spins it when the pin
// swings past +-k. Here it is built at rest only and carried by the smallest rotation, which is
// smooth in u(t) everywhere but at u(t) = -u. No choice that depends on u(t) alone can be smooth on
// the whole sphere; this one has its single bad direction as far away as possible. At it, the turn
// is the half turn about w; close to it, the frame still is a rotation, but depends on the side
// from which the pin came: voo_carry.h follows it in time and gives the spin that is missing here.
//
// s_u is kept within [1e-3, 1e6]: a pin that is squashed to nothing or turned inside out by eps
// leaves a body of finite size. A pin without length keeps its direction at rest.
#pragma once

#include "nodes/geometry/voo.h"

namespace sinew::kernels {

inline constexpr double least_voo_stretch = 1e-3, greatest_voo_stretch = 1e6;

// Columns u, v, w: a rotation matrix. The pose must have a length.
Eigen::Matrix3d rest_frame(const VooPose& rest);

// The smallest rotation that takes the unit vector `from` to the unit vector `to`; where they are
// opposite, first the half turn about `spare`, a unit vector across `from`.
Eigen::Matrix3d smallest_rotation(const Vec3d& from, const Vec3d& to, const Vec3d& spare);

// u of a pin: of length 1; at rest where it has no length.
Vec3d direction_of(const VooPose& rest, const VooPose& now);

// The frame at a moment, as above, and turned about u by `spin`, radians.
Eigen::Matrix3d frame_at(const Voo& voo, const VooPose& now, double spin = 0);

struct VooStrain {
  double e = 0;                      // of the pin itself
  double s_u = 1, s_v = 1, s_w = 1;  // of the space about it
};
VooStrain strain_at(const Voo& voo, const VooPose& now);

// F at a moment.
Eigen::Matrix3d deformation_at(const Voo& voo, const VooPose& now, double spin = 0);

}  // namespace sinew::kernels
