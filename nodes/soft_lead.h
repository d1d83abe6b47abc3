// What leads a simulated body: its sockets, and what a step makes of them.
#pragma once

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
  bool fits(Exec& e, std::size_t vertices) const;
  // Where the vertices are led at this frame; null if nothing leads.
  const std::vector<Vec3f>* places(const Exec& e) const;
  // For steps of h seconds, with the places of the last frame; if these are not of this body it
  // begins to be led and the led shape stands still. Points into the input, `before` and the room.
  // Null if nothing leads.
  const kernels::Led* read(const Exec& e, double h, const std::vector<Vec3f>& before,
                           LeadRoom& room) const;
};

}  // namespace sinew
