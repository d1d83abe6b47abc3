// A body that moves by modes, ready to be simulated [Faloutsos97, section 4.4].
//
// Generalised coordinates: translation t and rotation R of the body's frame, whose origin is the
// centre of mass at rest, and amplitudes gamma: x = t + R P(gamma). In the body's own axes
//   J = [1, -[P]x, P_gamma]        velocities of a point from q' = (R^T v, R^T omega, gamma')
//   M = sum m J^T J                generalised mass, (6 + D) x (6 + D)
//   bias = sum m J^T (w x (w x P) + 2 w x (P_gamma gamma') + P_gg[gamma', gamma'])
// with w = R^T omega: M does not depend on the attitude, and no attitude is special.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nodes/kernels/modal_points.h"

namespace sinew::kernels {

struct ModalModel {
  // The body must be valid, and judge_modes() have nothing against it.
  explicit ModalModel(const ModalBody& body);

  std::shared_ptr<const ModalSpace> space;
  ModalPoints masses, touching;
  std::vector<double> mass;                      // of the mass points, kg
  double total = 0;                              // kg
  std::vector<double> stiffness, damping, rest;  // k, d and gamma_0 of each mode
  std::vector<double> inertia;                   // of each mode alone on the free body, kg m^2
  std::vector<uint8_t> active;                   // a controller may drive it
  std::vector<std::string> names;                // of the modes
  std::vector<double> reach;                     // m: the farthest way of a touching point, by mode
  double size = 0;                               // m: the longest side of the box at rest
  double radius = 0;  // m: of the sphere about the centre with all touching points at rest

  std::size_t modes() const { return stiffness.size(); }
  std::size_t bytes() const;
};

// What modes and mass points have to do with each other.
struct ModalInertia {
  Vec3d centre{0, 0, 0};     // of mass at rest, m
  std::vector<double> free;  // inertia of each mode alone on the free body, kg m^2
  Eigen::MatrixXd between;   // the same of all modes together: what rigid motions do not take
  // What is wrong, naming the modes: one that moves no mass, one that does not deform, one that
  // others say already; mass points that cannot tell a rotation. Empty if nothing is.
  std::string flaw;
};
ModalInertia modal_inertia(const Modes& modes, std::span<const MassPoint> masses);

}  // namespace sinew::kernels
