// The places of a meshless body as what moves it as a whole and what is left.
//
//   y_i = c + R (x_i - c0 + d_i),   sum m d = 0,   sum m (x - c0) x d = 0
// c, the middle of the masses m, and R by shape matching of y against the rest. The two conditions
// are those of the best match, and linear in d: so y and (c, R, d) tell each other, as long as the
// body is not turned inside out. Turns and everything that is said of d are in the frame of the
// body, which is carried along.
//
// With q = (tr(S) I - S)^-1 t and S = sum m (x - c0 + d)(x - c0)^T, a torque t on R is the force
// m_i R (q x (x_i - c0)) on the node i.
#pragma once

#include <span>
#include <vector>

#include "nodes/geometry/meshless_body.h"

namespace sinew::kernels {

// 3 x nodes.
using NodeColumns = Eigen::Matrix<double, 3, Eigen::Dynamic>;

// x - c0, and the masses as parts of 1.
struct CarriedRest {
  CarriedRest() = default;
  explicit CarriedRest(const MeshlessBody& body);

  // Takes from d what moves or turns all of it. Its transpose is for forces.
  void take_whole(NodeColumns& d) const;
  void take_whole_transposed(NodeColumns& forces) const;

  NodeColumns arms;
  Eigen::VectorXd masses;
  Vec3d middle{0, 0, 0};                                      // c0, m
  Eigen::Matrix3d inertia_inverse = Eigen::Matrix3d::Zero();  // of the masses, 1/m^2
};

struct Carried {
  Vec3d middle{0, 0, 0};  // c, m
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
  NodeColumns detail;  // d, m

  static Carried of(const CarriedRest& rest, std::span<const Vec3d> places);
  // Turned by `turn_by` (a rotation vector, in the frame of the body), moved and bent.
  void places_beside(const CarriedRest& rest, const Vec3d& move, const Vec3d& turn_by,
                     const NodeColumns& bend, std::span<Vec3d> places) const;
};

// How fast c, R and d change; the spin has the angular momentum of the nodes.
struct CarriedRates {
  Vec3d drift{0, 0, 0};  // m/s
  Vec3d spin{0, 0, 0};   // in the frame of the body, rad/s
  NodeColumns detail;    // m/s

  static CarriedRates of(const CarriedRest& rest, std::span<const Vec3d> places,
                         std::span<const Vec3d> velocities);
};

// The slope of a function of c, R and d: by c, by turns in the frame of the body, and by d.
struct CarriedSlope {
  explicit CarriedSlope(std::size_t nodes = 0) {
    detail.setZero(3, static_cast<Eigen::Index>(nodes));
  }
  // Adds what that is by the places.
  void add_to(std::span<Vec3d> gradient, const CarriedRest& rest, const Carried& at) const;

  Vec3d force{0, 0, 0}, torque{0, 0, 0};
  NodeColumns detail;
};

// The rotation vector of R, of at most half a turn.
Vec3d rotation_vector(const Eigen::Matrix3d& turn);
// With R = exp(v): how v changes when R becomes R exp(w), by a small w. Its transpose is that of
// exp(w) R.
Eigen::Matrix3d rotation_vector_slope(const Vec3d& v);
// With R = exp(v): R becomes R exp(J w) when v becomes v + w.
Eigen::Matrix3d rotation_slope(const Vec3d& v);

}  // namespace sinew::kernels
