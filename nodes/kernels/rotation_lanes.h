// The inner part of rotation.h, in lanes.
#pragma once

#include "nodes/kernels/lanes.h"

namespace sinew::kernels {

inline constexpr int most_rotation_rounds = 12;

// r = the matrix of the quaternion q, which need not have length 1.
SINEW_INLINE void matrix_of(const Lanes (&q)[4], Lanes (&r)[9]) {
  const Lanes norm2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  const Lanes s = 2.0f / norm2;
  const Lanes wx = s * q[0] * q[1], wy = s * q[0] * q[2], wz = s * q[0] * q[3];
  const Lanes xx = s * q[1] * q[1], xy = s * q[1] * q[2], xz = s * q[1] * q[3];
  const Lanes yy = s * q[2] * q[2], yz = s * q[2] * q[3], zz = s * q[3] * q[3];
  r[0] = 1.0f - yy - zz;
  r[1] = xy - wz;
  r[2] = xz + wy;
  r[3] = xy + wz;
  r[4] = 1.0f - xx - zz;
  r[5] = yz - wx;
  r[6] = xz - wy;
  r[7] = yz + wx;
  r[8] = 1.0f - xx - yy;
}

// The step omega for the matrices a at the rotations r; all entries of a are at most about 1.
SINEW_INLINE void rotation_step(const Lanes (&a)[9], const Lanes (&r)[9], Lanes (&omega)[3]) {
  // W = A R^T
  const Lanes w00 = a[0] * r[0] + a[1] * r[1] + a[2] * r[2];
  const Lanes w01 = a[0] * r[3] + a[1] * r[4] + a[2] * r[5];
  const Lanes w02 = a[0] * r[6] + a[1] * r[7] + a[2] * r[8];
  const Lanes w10 = a[3] * r[0] + a[4] * r[1] + a[5] * r[2];
  const Lanes w11 = a[3] * r[3] + a[4] * r[4] + a[5] * r[5];
  const Lanes w12 = a[3] * r[6] + a[4] * r[7] + a[5] * r[8];
  const Lanes w20 = a[6] * r[0] + a[7] * r[1] + a[8] * r[2];
  const Lanes w21 = a[6] * r[3] + a[7] * r[4] + a[8] * r[5];
  const Lanes w22 = a[6] * r[6] + a[7] * r[7] + a[8] * r[8];
  Lanes ax = w21 - w12, ay = w02 - w20, az = w10 - w01;
  // H = tr(S) I - S
  Lanes h00 = w11 + w22, h11 = w00 + w22, h22 = w00 + w11;
  const Lanes h01 = -0.5f * (w01 + w10), h02 = -0.5f * (w02 + w20), h12 = -0.5f * (w12 + w21);
  const auto determinant = [&](Lanes d0, Lanes d1, Lanes d2) {
    return d0 * (d1 * d2 - h12 * h12) + h01 * (h02 * h12 - h01 * d2) + h02 * (h01 * h12 - h02 * d1);
  };
  // Nearly singular counts as not definite: there the step would be large and mean nothing.
  const Lanes mean = (h00 + h11 + h22) * (1.0f / 3), least_det = 3e-6f * mean * mean * mean;
  const LaneBits definite =
      (h00 > 0) & (h00 * h11 > h01 * h01) & (determinant(h00, h11, h22) > least_det);
  if (largest_lane(definite ? all_lanes(0) : all_lanes(1)) > 0) {
    // The eigenvalues are mean + 2 p cos(...). The least is made positive; and where there is no
    // slope, as half a turn away from the top, any small one will do.
    const Lanes d0 = h00 - mean, d1 = h11 - mean, d2 = h22 - mean;
    const Lanes off = h01 * h01 + h02 * h02 + h12 * h12;
    const Lanes p = lane_sqrt((d0 * d0 + d1 * d1 + d2 * d2 + 2.0f * off) * (1.0f / 6)) + 1e-9f;
    const Lanes low = 0.5f - 0.25f * determinant(d0, d1, d2) / (p * p * p);
    const Lanes root = lane_sqrt(larger(low, all_lanes(0)));
    const Lanes least = mean - p - p * root * (1.1547f - 0.1547f * root);  // to 0.01 p
    const Lanes shift = definite ? all_lanes(0) : larger(0.05f * p - least, all_lanes(0));
    const LaneBits flat = ~definite & (least < -0.02f * p) & (p > 1e-5f) &
                          (ax * ax + ay * ay + az * az < 2.5e-3f * p * p);
    const Lanes slope = flat ? 0.05f * p : all_lanes(0);
    ax += 0.64f * slope, ay += 0.48f * slope, az -= 0.6f * slope;
    h00 += shift, h11 += shift, h22 += shift;
  }
  const Lanes c00 = h11 * h22 - h12 * h12, c01 = h02 * h12 - h01 * h22;
  const Lanes c02 = h01 * h12 - h02 * h11, c11 = h00 * h22 - h02 * h02;
  const Lanes c12 = h01 * h02 - h00 * h12, c22 = h00 * h11 - h01 * h01;
  const Lanes per_det = 1.0f / (h00 * c00 + h01 * c01 + h02 * c02);
  omega[0] = (c00 * ax + c01 * ay + c02 * az) * per_det;
  omega[1] = (c01 * ax + c11 * ay + c12 * az) * per_det;
  omega[2] = (c02 * ax + c12 * ay + c22 * az) * per_det;
}

// Turns q by omega, at most 1.5 rad (a Cayley step); where nothing sound comes out q stays. Gives
// |omega|^2.
SINEW_INLINE Lanes turn_lanes(const Lanes (&omega)[3], Lanes (&q)[4]) {
  const Lanes turn2 = omega[0] * omega[0] + omega[1] * omega[1] + omega[2] * omega[2];
  const Lanes longest = all_lanes(1.5f);
  const Lanes scale =
      turn2 > longest * longest ? 0.5f * longest / lane_sqrt(turn2) : all_lanes(0.5f);
  const Lanes x = omega[0] * scale, y = omega[1] * scale, z = omega[2] * scale;
  // (1, x, y, z) q
  const Lanes w0 = q[0], x0 = q[1], y0 = q[2], z0 = q[3];
  const Lanes w1 = w0 - x * x0 - y * y0 - z * z0;
  const Lanes x1 = x0 + x * w0 + y * z0 - z * y0;
  const Lanes y1 = y0 + y * w0 + z * x0 - x * z0;
  const Lanes z1 = z0 + z * w0 + x * y0 - y * x0;
  const Lanes length = lane_sqrt(w1 * w1 + x1 * x1 + y1 * y1 + z1 * z1);
  const LaneBits sound = length > 0.5f;  // not so for NaN, either
  const Lanes per_length = 1.0f / (sound ? length : all_lanes(1));
  q[0] = sound ? w1 * per_length : w0;
  q[1] = sound ? x1 * per_length : x0;
  q[2] = sound ? y1 * per_length : y0;
  q[3] = sound ? z1 * per_length : z0;
  return turn2;
}

// Brings q to the rotation part of a.
SINEW_INLINE void polar_lanes(const Lanes (&matrix)[9], Lanes (&q)[4]) {
  Lanes size = all_lanes(1e-30f);
  for (int k = 0; k < 9; ++k) size += lane_abs(matrix[k]);
  const Lanes per_size = 1.0f / size;
  Lanes a[9], r[9], omega[3];
  for (int k = 0; k < 9; ++k) a[k] = matrix[k] * per_size;
  for (int round = 0; round < most_rotation_rounds; ++round) {
    matrix_of(q, r);
    rotation_step(a, r, omega);
    if (!(largest_lane(turn_lanes(omega, q)) > 1e-6f)) break;
  }
}

}  // namespace sinew::kernels
