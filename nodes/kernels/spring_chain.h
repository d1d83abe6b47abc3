// A chain of particles that hangs from a point which may be moved.
//
// Extended position-based dynamics [Macklin16] with small steps [Macklin19]: N particles of mass
// m / N, N springs of rest length L / N, the first of which ties particle 0 to the anchor. In each
// of `substeps` steps h = dt / substeps:
//   v <- (v + h g) / (1 + h d)                                  implicit drag d, 1/s
//   x* <- x + h v
//   each spring, from the anchor down:  C = |x_a - x_b| - l0,   lambda = -C / (w_a + w_b + c / h^2)
//   v <- (x - x_old) / h
//   along each spring the relative velocity decays as           exp(-h damping)
// c is the compliance in m/N. Every part is unconditionally stable: the spring solve cannot
// overshoot, drag and damping only take energy out. A spring that is stretched to ten times its
// rest holds there, whatever hangs on it.
#pragma once

#include <vector>

#include "nodes/geometry/types.h"

namespace sinew::kernels {

struct SpringChainParams {
  float length = 1;        // L, metres, > 0
  float mass = 1;          // m, kg, > 0
  float stiffness = 1000;  // of one spring, N/m, > 0; infinite gives a chain of rods
  float damping = 2;       // along springs, 1/s, >= 0
  float drag = 0.1f;       // of the air, 1/s, >= 0
  Vec3f gravity{0, -9.81f, 0};
  int substeps = 16;  // >= 1
};

struct SpringChainState {
  std::vector<Vec3f> positions;   // of the particles; the anchor is not one of them
  std::vector<Vec3f> velocities;  // m/s
  Vec3f anchor{0, 0, 0};
  bool operator==(const SpringChainState&) const = default;
};

// At rest, stretched out from the anchor along `direction` (down, if that is 0), unloaded.
SpringChainState make_spring_chain(int particles, const Vec3f& anchor, const Vec3f& direction,
                                   const SpringChainParams& params);

// The state dt seconds (>= 0) later. The anchor moves at constant speed to `anchor` meanwhile.
// Parameters outside of their range are taken as the nearest inside.
SpringChainState step_spring_chain(const SpringChainState& state, const Vec3f& anchor, float dt,
                                   const SpringChainParams& params);

// Kinetic + gravitational (relative to the origin) + elastic, joules.
double spring_chain_energy(const SpringChainState& state, const SpringChainParams& params);

}  // namespace sinew::kernels
