// Bodies that move by modes, for tests and benchmarks.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "nodes/kernels/ffd.h"
#include "nodes/kernels/modal_motion.h"
#include "nodes/kernels/modal_setup.h"
#include "nodes/kernels/primitives.h"

namespace sinew::kernels::testing {

// Displacement of a lattice point from its parameters (s, t, u), metres.
using Shape = std::function<Vec3d(const Vec3d&)>;

inline DeformMode mode_of(const LatticeRest& rest, std::string name, const Shape& shape) {
  DeformMode mode;
  mode.name = std::move(name);
  for (const Vec3f& point : rest.points) {
    mode.delta.push_back(shape(lattice_parameters(rest.box, point.cast<double>())).cast<float>());
  }
  return mode;
}

inline std::shared_ptr<const LatticeRest> cage_around(std::span<const Vec3f> points,
                                                      uint32_t count = 4) {
  return std::make_shared<const LatticeRest>(std::array{count, count, count},
                                             LatticeBasis::bernstein,
                                             box_around(points, Eigen::Matrix3d::Identity(), 0.02));
}

inline ModalBody body_of(Mesh mesh, Modes modes, std::size_t masses = 24,
                         std::size_t touching = 300) {
  ModalBody body;
  std::vector<LatticeBox> parts;
  for (std::size_t l = 0; l + 1 < modes.lattices.size(); ++l) {
    parts.push_back(modes.lattices[l].rest->box);
  }
  body.masses = mass_points(mesh, 2.0, masses, parts);
  body.touching = touching_vertices(mesh, touching);
  body.mesh = std::make_shared<const Mesh>(std::move(mesh));
  body.modes = std::make_shared<const Modes>(std::move(modes));
  const ModalInertia inertia = modal_inertia(*body.modes, body.masses);
  if (inertia.flaw.empty()) set_stiffness(body, inertia.free, 1);
  return body;
}

// The shapes of the paper's table: squash, shear, bend, of a box of that size.
inline Shape squash_shape(double size) {
  return [=](const Vec3d& s) -> Vec3d {
    return size * Vec3d(0.5 * (s.x() - 0.5), -(s.y() - 0.5), 0.5 * (s.z() - 0.5));
  };
}
inline Shape shear_shape(double size) {
  return [=](const Vec3d& s) -> Vec3d { return size * Vec3d(s.y() - 0.5, 0, 0); };
}
inline Shape bend_shape(double size) {
  return [=](const Vec3d& s) -> Vec3d {
    return size * Vec3d(0, 4 * (s.x() - 0.5) * (s.x() - 0.5), 0);
  };
}
inline Shape twist_shape(double size) {
  return [=](const Vec3d& s) -> Vec3d {
    return size * (s.y() - 0.5) * Vec3d(s.z() - 0.5, 0, -(s.x() - 0.5));
  };
}

inline Modes three_modes(const Mesh& mesh, double size = 0.5) {
  const auto rest = cage_around(mesh.positions);
  return {
      {{rest,
        {mode_of(*rest, "squash", squash_shape(size)), mode_of(*rest, "shear", shear_shape(size)),
         mode_of(*rest, "bend", bend_shape(size))}}}};
}

inline Collider ground(float friction = 0.6f) {
  Collider plane;
  plane.friction = friction;
  return plane;
}

}  // namespace sinew::kernels::testing
