// What leads a simulated body: its sockets, and what a step makes of them.
#pragma once

#include <optional>
#include <vector>

#include "nodes/kernels/soft_body.h"
#include "nodes/node.h"

namespace sinew {

struct LeadRoom {
  kernels::Led led;
  std::vector<kernels::LedVertex> vertices;
  kernels::LaneFloats turns;
};

struct SoftLead {
  In<TetMesh> follow;
  In<Field> strength;
  In<float> damping;

  void declare(Declaration& d);
  // Whether what leads is made for this body; an error if not.
  bool fits(Exec& e, const In<TetMesh>& solid) const;
  // Where the vertices of the solid are led at this frame; nothing if nothing leads. Where only the
  // surface is led, the inside follows it.
  std::optional<std::vector<Vec3f>> places(Exec& e, const In<TetMesh>& solid) const;
  // For steps of h seconds, with the places of this frame and of the last; if these are not of this
  // body it begins to be led and the led shape stands still. Points into what it is given.
  const kernels::Led* read(const Exec& e, double h, const std::vector<Vec3f>& before,
                           const std::vector<Vec3f>& now, LeadRoom& room) const;
};

}  // namespace sinew
