// Vector offset operators by the formulas, one vertex at a time, in double precision and with
// nothing prepared: what the kernels are compared with. Also random operators to compare on.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "nodes/geometry/voo.h"

namespace sinew::test {

struct VooState {
  Voo voo;
  VooPose now;
  Eigen::Matrix3d memory = Eigen::Matrix3d::Zero();  // G
  double viscosity = 0, creep = 0;                   // nu, mu
};

enum class Translate { active, damped, everywhere };

class VooReference {
 public:
  explicit VooReference(const Voo& voo) : voo_(voo) {
    const Vec3d vector = voo.rest.tip - voo.rest.head;
    u_ = vector / vector.norm();
    const Vec3d k(0, 0, 1);
    if (k.cross(u_).norm() < 1e-12) {
      v_ = Vec3d(0, 1, 0);
    } else {
      v_ = k.cross(u_).normalized();
    }
    w_ = u_.cross(v_);
    const Eigen::AngleAxisd twist(voo.rest.twist, u_);
    v_ = twist * v_;
    w_ = twist * w_;
  }

  Eigen::Matrix3d frame() const {
    Eigen::Matrix3d m;
    m << u_, v_, w_;
    return m;
  }

  // Rodrigues' way: about u x u(t), by the angle between the two.
  Eigen::Matrix3d frame_at(const VooPose& now) const {
    const Vec3d u = (now.tip - now.head).normalized();
    const Vec3d axis = u_.cross(u);
    const double angle = std::atan2(axis.norm(), u_.dot(u));
    Eigen::Matrix3d carried = frame();
    if (axis.norm() > 1e-14) {
      carried = Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix() * carried;
    }
    const double torsion = voo_.coefficients.torsion * (now.twist - voo_.rest.twist);
    return Eigen::AngleAxisd(torsion, u).toRotationMatrix() * carried;
  }

  Eigen::Matrix3d deformation(const VooPose& now) const {
    const VooCoefficients& c = voo_.coefficients;
    const double e = (now.tip - now.head).norm() / (voo_.rest.tip - voo_.rest.head).norm() - 1;
    const double su = std::clamp(1 + c.elongation * e, 1e-3, 1e6);
    const double sv = c.cross_section * c.volume / std::sqrt(su);
    const double sw = c.volume / (c.cross_section * std::sqrt(su));
    Eigen::Matrix3d local;
    local << su, 0, 0, c.shear[0] * su, sv, 0, c.shear[1] * su, 0, sw;
    return frame_at(now) * local * frame().transpose();
  }

  double delta(const Vec3d& r) const {
    const VooPose& p = voo_.rest;
    const auto& radii = voo_.field.radii;
    const double A = radii[0], B = radii[1], C = radii[2];
    const auto polar = [&](const Vec3d& centre, double outward) {
      const Vec3d q = r - centre;
      const double z = q.dot(u_), c = z * outward > 0 ? C * voo_.field.cap : C;
      const double x = q.dot(v_) / A, y = q.dot(w_) / B;
      return std::sqrt(x * x + y * y + z * z / (c * c));
    };
    switch (voo_.field.centre) {
      case VooCentre::head:
        return polar(p.head, -1);
      case VooCentre::tip:
        return polar(p.tip, 1);
      case VooCentre::both: {
        const double h = polar(p.head, -1), t = polar(p.tip, 1);
        return h > 1 && t > 1 ? std::min(h, t) : std::min(h, 1.0) * std::min(t, 1.0);
      }
      case VooCentre::length:
        break;
    }
    const Vec3d q = r - (p.head + p.tip) / 2;
    const double z = q.dot(u_) / C;
    if (std::abs(z) >= 1) return 1e300;
    return std::hypot(q.dot(v_) / A, q.dot(w_) / B) / std::sqrt(1 - z * z);
  }
  bool active(const Vec3d& r) const {
    return voo_.field.beyond == VooBeyond::as_edge || delta(r) <= 1;
  }
  double damp(const Vec3d& r) const {
    const VooCoefficients& c = voo_.coefficients;
    const double at = std::clamp(std::min(delta(r), 1.0) + c.locality, 0.0, 1.0);
    return 1 - c.flexibility * std::pow(std::max(voo_.damping.evaluate(at), 0.0), c.weight);
  }

  // What it adds to r; share: of T.
  Vec3d offset(const VooState& s, const Chart* viscous, Translate translate, const Vec3d& r,
               double share = 1) const {
    if (!active(r)) return Vec3d::Zero();
    const Eigen::Matrix3d A = deformation(s.now) - Eigen::Matrix3d::Identity();
    const double g = viscous ? viscous->evaluate(std::min(delta(r), 1.0)) : 0;
    const double nu = viscous ? s.viscosity : 0;
    const Vec3d T = s.now.head - voo_.rest.head, q = r - voo_.rest.head;
    Vec3d moved = ((1 - nu * g) * A + nu * s.creep * g * s.memory) * q;
    if (translate == Translate::damped) moved += T;
    moved *= share * damp(r);
    if (translate == Translate::active) moved += share * T;
    return moved;
  }

 private:
  Voo voo_;
  Vec3d u_, v_, w_;
};

// r' of the sum of operators.
inline Vec3d reference_place(const std::vector<VooState>& states, const Chart* viscous,
                             Translate translate, const Vec3d& r) {
  Vec3d place = r;
  for (const VooState& s : states) {
    place += VooReference(s.voo).offset(s, viscous, translate, r);
    if (translate == Translate::everywhere) place += s.now.head - s.voo.rest.head;
  }
  return place;
}

class RandomVoos {
 public:
  explicit RandomVoos(unsigned seed) : random_(seed) {}

  double number(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  Vec3d point(double extent) {
    return {number(-extent, extent), number(-extent, extent), number(-extent, extent)};
  }
  Vec3d direction() {
    std::normal_distribution<double> normal;
    return Vec3d(normal(random_), normal(random_), normal(random_)).normalized();
  }
  Chart chart() {
    Chart c;
    const int count = 2 + static_cast<int>(number(0, 5));
    for (int i = 0; i < count; ++i) {
      c.points.push_back({static_cast<double>(i) / (count - 1), number(0, 1)});
    }
    c.interpolation = number(0, 1) < 0.5 ? Interpolation::linear : Interpolation::smooth;
    return c;
  }
  // In a body about the size of `scale`.
  Voo voo(double scale) {
    Voo v;
    v.rest.head = point(0.6 * scale);
    v.rest.tip = v.rest.head + number(0.3, 1) * scale * direction();
    v.rest.twist = number(-2, 2);
    v.coefficients = {.elongation = number(-0.5, 2),
                      .volume = number(0.5, 1.5),
                      .cross_section = number(0.5, 2),
                      .flexibility = number(-0.5, 2),
                      .locality = number(-0.4, 0.4),
                      .weight = number(0.3, 2),
                      .torsion = number(-1, 2),
                      .shear = {number(-0.5, 0.5), number(-0.5, 0.5)}};
    v.field.centre = static_cast<VooCentre>(static_cast<int>(number(0, 3.999)));
    for (double& r : v.field.radii) r = number(0.4, 1.5) * scale;
    v.field.cap = number(0.2, 1.5);
    v.damping = chart();
    v.blend = number(0.1, 2);
    return v;
  }
  VooPose pose(const Voo& v, double scale) {
    return {v.rest.head + point(0.3 * scale), v.rest.tip + point(0.5 * scale),
            v.rest.twist + number(-2, 2)};
  }
  Eigen::Matrix3d matrix(double size) {
    Eigen::Matrix3d m;
    for (int k = 0; k < 9; ++k) m(k) = number(-size, size);
    return m;
  }
  VooState state(double scale) {
    VooState s;
    s.voo = voo(scale);
    s.now = pose(s.voo, scale);
    s.memory = matrix(0.5);
    s.viscosity = number(-0.5, 2);
    s.creep = number(0, 1);
    return s;
  }

 private:
  std::mt19937 random_;
};

}  // namespace sinew::test
