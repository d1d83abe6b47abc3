// What leads a simulated body: its sockets, and what a step makes of them.
#pragma once

#include <optional>
#include <vector>

#include "nodes/kernels/soft_body.h"
#include "nodes/node.h"

namespace sinew {

struct LeadRoom {
  struct Hold {
    float swings = 0, damping = 0;  // Hz, and as a ratio
    bool operator==(const Hold&) const = default;
  };
  std::vector<Hold> holds;  // one, or one for each vertex
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
  // In this frame, if it takes `blend` seconds to be caught or to be led more firmly: `firm` is how
  // firmly it is led, in Hz, one or one for each vertex. Empty: it begins, and is led as firmly as
  // it should be.
  void take_hold(const Exec& e, double blend, std::vector<float>& firm, LeadRoom& room) const;
  // For steps of h seconds, with the places of this frame and of the last; if these are not of this
  // body it begins to be led and the led shape stands still. After take_hold(). Points into what it
  // is given.
  const kernels::Led* read(double h, const std::vector<Vec3f>& before,
                           const std::vector<Vec3f>& now, LeadRoom& room) const;
};

}  // namespace sinew
