// What every obstacle has: where it is, how it is turned, how rough it is.
#pragma once

#include "nodes/kernels/transform.h"
#include "nodes/node.h"

namespace sinew {

struct PlaceInputs {
  In<Vec3> position, rotation;
  In<float> friction;

  void declare(Declaration& d) {
    d.in(position, "position", Vec3{}).range(-1e4, 1e4).unit("m").doc("Where it is.");
    d.in(rotation, "rotation", Vec3{})
        .range(-36000, 36000)
        .unit("deg")
        .doc("Turns about the fixed axes: first x, then y, then z.");
    d.in(friction, "friction", 0.5f).range(0, 10).doc("0 is as slippery as ice, 1 grips.");
  }

  void declare_frame(Declaration& d) const {
    d.handle(HandleKind::frame, "place").at(position).rotation(rotation);
  }

  Collider place(const Exec& e, ColliderShape shape) const {
    Collider c;
    c.shape = shape;
    c.friction = e.get(friction);
    c.position = to_eigen(e.get(position));
    const Eigen::Affine3f turn =
        kernels::compose_transform(Vec3f::Zero(), to_eigen(e.get(rotation)), Vec3f::Ones());
    c.rotation = Eigen::Quaternionf(turn.linear()).normalized();
    return c;
  }
};

}  // namespace sinew
