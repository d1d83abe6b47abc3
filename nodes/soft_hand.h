// A hand that pulls at a simulated body: its sockets, and what it has taken hold of.
#pragma once

#include <span>
#include <vector>

#include "nodes/kernels/soft_body.h"
#include "nodes/node.h"

namespace sinew {

// A vertex in the hand.
struct Held {
  uint32_t vertex = 0;
  float weight = 1;
  Vec3f offset{0, 0, 0};  // from where the hand took hold
};

struct SoftHand {
  In<bool> grab;
  In<Vec3> at, to;
  In<float> strength, radius, follow;

  void declare(Declaration& d);
  // Takes hold when the hand closes, lets go when it opens; `held` is part of the state. The pulls
  // of this step.
  void read(const Exec& e, const kernels::SoftBody& body, std::span<const Vec3f> positions,
            std::vector<Held>& held, std::vector<kernels::Pull>& pulls) const;

 private:
  std::vector<Held> take_hold(const Exec& e, std::span<const Vec3f> positions) const;
};

}  // namespace sinew
