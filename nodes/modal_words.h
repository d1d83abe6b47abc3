// What nodes that move bodies by modes share: the sockets for the world around the body, and how
// they become a kernel's settings. Each node has its own set of handles.
#pragma once

#include "nodes/kernels/modal_motion.h"
#include "nodes/node.h"

namespace sinew {

struct ModalWords {
  In<ModalBody> body;
  In<PoseGraph> controller;
  In<Colliders> colliders;
  In<BodyForces> forces;
  In<Vec3> position, rotation, velocity, spin;
  In<Vec3> gravity;
  In<float> friction;
  In<Vec3> wind;
  In<float> air, limit;
  In<int> steps;
  In<bool> steps_fit;
  In<bool> deactivate;

  void declare_body(Declaration& d, const std::string& controller_doc);
  void declare_world(Declaration& d);

  std::shared_ptr<const kernels::ModalModel> prepare(Exec& e) const;
  // Without what points into other inputs than the colliders.
  kernels::ModalSettings settings(const Exec& e) const;
  // Where it is put and turned to, with the amplitudes that its modes rest at, and its first
  // velocities.
  kernels::ModalState start(const Exec& e, const kernels::ModalModel& model) const;
  // The controller, if there is one; modes that the body has not, or that are passive, are named in
  // a warning.
  kernels::ModalControl control(Exec& e, const kernels::ModalModel& model,
                                const PoseGraph* graph) const;
};

// Turns about the fixed axes, degrees: first x, then y, then z.
Eigen::Quaterniond turn_of(const Vec3& degrees);

}  // namespace sinew
