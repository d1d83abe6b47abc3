// What becomes of a strain after it is let go [Hurmusiadis, chapter 6, sections 7.3 and 7.4], as a
// function of time: nothing is stepped, so that it does not depend on how often it is asked.
//
//   e      strain at release; e_e, e_f the elastic and the fracture limit
//   sigma  stress at e, from the chart; s the elasticity coefficient; m the mass
//   e_p    what stays: 0 below e_e, e - sigma / s above                                    6.36
//   tau    seconds since the release; D how long the restoration takes; zeta the damping
//   r      relaxation, counted from when the stress began, `held` seconds before the release
//
//   e <= e_e         s = tangent of the chart at e, on the side of smaller strain          6.3.1
//   e_e < e < e_f    s = sigma(e_e) / e_e                                                  6.35
//   e >= e_f         nothing goes back                                                     6.39
//
//   x = e_p + (e - e_p) A cos(phi), with omega0 = sqrt(s / m) and
//   total energy damped    A = sqrt(zeta)   phi = omega0 integral of sqrt(r)               6.23
//   elastic energy         A = sqrt(zeta)   phi = omega0 integral of sqrt(r / zeta)        6.25
//   kinetic energy         A = 1            phi = omega0 integral of sqrt(r zeta)          6.27
// From tau = D on it rests where it is. The equations give the speed relative to the envelope A;
// with y = x / A they are (A y')^2 = omega0^2 (A^2 - x^2), omega0^2 (1 - x^2 / zeta) and
// omega0^2 zeta (1 - x^2) for e - e_p = 1, and these are their solutions. The thesis' own loops
// (6.32, 6.40) step them across turning points and are unstable.
//
// Where s is 0 the material is perfectly plastic, and nothing goes back (6.3.1). Below e_e the
// tangent can differ from sigma / e, so that s jumps at e_e; e_p does not.
//
// Relaxation. As printed, 7.14 and 7.15 cancel. Here s in 7.15 is not relaxed, the part of the
// stress that has relaxed by the release stays as strain, e_p + (e - e_p)(1 - r(held)), which is
// 7.15 above e_e and continues it below, and what relaxes later slows the swing (7.13).
//
// Hysteresis. The unloading branch of the loop is scaled to end at (e, sigma) and to begin at
// (e_p, 0); s is its slope at the upper end.
#pragma once

#include <optional>

#include "nodes/geometry/material.h"
#include "nodes/kernels/root_integral.h"

namespace sinew::kernels {

enum class RestorationKind : uint8_t {
  elastic,  // all of it goes back
  plastic,  // some of it stays
  broken,   // nothing goes back: beyond the fracture limit
  stays,    // nothing goes back: there is no stiffness
};

class Restoration {
 public:
  // Of a sound material, from a strain of either sign: what is compressed goes back as what is
  // stretched. `held` >= 0: seconds from the beginning of the stress to the release.
  // std::invalid_argument for a strain or a time that is not finite.
  Restoration(const Material& material, double strain, double held = 0);

  // x(tau), with the sign of the strain; the strain itself before the release. O(log n).
  double strain(double tau) const;
  // x(tau) / e, which carries the difference of two vectors: V(t) = V + share V_difference.
  double share(double tau) const;
  // phi(tau), radians.
  double phase(double tau) const;

  RestorationKind kind() const { return kind_; }
  double released() const { return sign_ * released_; }    // e
  double permanent() const { return sign_ * permanent_; }  // e_p
  // x(D), with which it comes to rest: e_p, but where kinetic energy is damped, which can leave it
  // on the way.
  double resting() const { return strain(duration_); }
  double stiffness() const { return stiffness_; }          // s, not relaxed
  double duration() const { return duration_; }            // D, seconds
  double angular_speed() const { return angular_speed_; }  // omega0, radians a second
  // Of one swing without relaxation (6.8), seconds; infinity if it does not swing.
  double period() const;

 private:
  double swing(double tau) const;

  double sign_ = 1;
  double released_ = 0, permanent_ = 0;
  double stiffness_ = 0, angular_speed_ = 0, duration_ = 1;
  RestorationKind kind_ = RestorationKind::elastic;
  DampedEnergy damped_ = DampedEnergy::total;
  ChartPieces damping_;
  double damping_first_ = 0, damping_range_ = 1;
  RootIntegral clock_;
};

// The strain that a pin takes where the equations say another: what was stretched swings back, but
// never through its own head (section 6.2.5). Down to -0.85 it is that of the equations; for x
// below it is -(0.85 + 0.05 u / (1 + u)), u = (-x - 0.85) / 0.05, which goes on smoothly and comes
// near to -0.9 only.
double eased_strain(double strain);

// Complete restoration (6.21): the swing passes through rest as it ends, after n quarters of a
// turn, n odd: phi(D) = n pi / 2. Where the total energy is damped and nothing relaxes, that is
// D = n T / 4. The duration or the mass that does it, everything else being equal; nothing if there
// is no swing, or no duration up to longest_duration is enough. std::invalid_argument unless n is
// odd and positive.
std::optional<double> complete_duration(const Material& material, double strain, int n,
                                        double held = 0);
std::optional<double> complete_mass(const Material& material, double strain, int n,
                                    double held = 0);

}  // namespace sinew::kernels
