#include "nodes/kernels/voo_frame.h"

#include <algorithm>
#include <cmath>

namespace sinew::kernels {

namespace {

using Matrix = Eigen::Matrix3d;

// Of unit length, or `otherwise` if v is 0; also for vectors whose square is beyond the numbers.
Vec3d direction_or(const Vec3d& v, const Vec3d& otherwise) {
  const double largest = v.cwiseAbs().maxCoeff();
  if (!(largest > 0)) return otherwise;
  return (v / largest).normalized();
}

Matrix half_turn(const Vec3d& axis) { return 2 * axis * axis.transpose() - Matrix::Identity(); }

Matrix turn(const Vec3d& axis, double angle) {
  return Eigen::AngleAxisd(angle, axis).toRotationMatrix();
}

}  // namespace

Matrix rest_frame(const VooPose& rest) {
  const Vec3d u = direction_or(rest.vector(), Vec3d::UnitZ());
  // k x u has no length at +-k: j takes its place, made to lie across u.
  Vec3d v(-u.y(), u.x(), 0);
  if (v.norm() < 1e-12) v = Vec3d::UnitY() - u.y() * u;
  v.normalize();
  const Vec3d w = u.cross(v).normalized();
  const double c = std::cos(rest.twist), s = std::sin(rest.twist);
  Matrix frame;
  frame << u, c * v + s * w, c * w - s * v;
  return frame;
}

// Two half turns about directions that are an angle apart make one turn by twice that angle: about
// `from`, then about the direction half way to `to`. Nothing is divided by 1 + cos.
Matrix smallest_rotation(const Vec3d& from, const Vec3d& to, const Vec3d& spare) {
  const Vec3d middle = from + to;
  if (middle.norm() > 1e-8) return half_turn(middle.normalized()) * half_turn(from);
  return smallest_rotation(-from, to, spare) * half_turn(spare);
}

Vec3d direction_of(const VooPose& rest, const VooPose& now) {
  return direction_or(now.vector(), direction_or(rest.vector(), Vec3d::UnitZ()));
}

Matrix frame_at(const Voo& voo, const VooPose& now, double spin) {
  const Matrix rest = rest_frame(voo.rest);
  const Vec3d u = rest.col(0);
  const Vec3d u_now = direction_or(now.vector(), u);
  const double angle = voo.coefficients.torsion * (now.twist - voo.rest.twist) + spin;
  // A pin that has not turned keeps its frame to the last bit, and with it F = I.
  const Matrix carried = u_now == u ? rest : smallest_rotation(u, u_now, rest.col(2)) * rest;
  return angle == 0 ? carried : turn(u_now, angle) * carried;
}

VooStrain strain_at(const Voo& voo, const VooPose& now) {
  const VooCoefficients& c = voo.coefficients;
  VooStrain s;
  s.e = now.vector().stableNorm() / voo.rest.vector().stableNorm() - 1;
  s.s_u = std::clamp(1 + c.elongation * s.e, least_voo_stretch, greatest_voo_stretch);
  const double across = c.volume / std::sqrt(s.s_u);
  s.s_v = c.cross_section * across;
  s.s_w = across / c.cross_section;
  return s;
}

Matrix deformation_at(const Voo& voo, const VooPose& now, double spin) {
  const VooStrain s = strain_at(voo, now);
  const std::array<double, 2>& shear = voo.coefficients.shear;
  const Matrix rest = rest_frame(voo.rest), frame = frame_at(voo, now, spin);
  if (frame == rest && s.s_u == 1 && s.s_v == 1 && s.s_w == 1 && shear[0] == 0 && shear[1] == 0) {
    return Matrix::Identity();  // [u v w] [u v w]^T is that up to rounding only
  }
  Matrix local = Vec3d(s.s_u, s.s_v, s.s_w).asDiagonal();
  local(1, 0) = shear[0] * s.s_u;
  local(2, 0) = shear[1] * s.s_u;
  return frame * local * rest.transpose();
}

}  // namespace sinew::kernels
