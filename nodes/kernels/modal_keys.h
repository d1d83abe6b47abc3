// Stretches in which a body is led by keys, between those in which it moves by itself, so that
// places and velocities match at both ends [Faloutsos97, sections 5 and 5.1, figure 8].
//
// From keys to physics: the body goes on with the velocity of the keys, by backward differences of
// the last frames,  v = (3 k_0 - 4 k_1 + k_2) / (2 dt).
// From physics to keys: what the body is off the keys by, o = x - k, and the difference of their
// velocities, o', run out within a time T along
//   o(s) = (1 - s)^2 ((1 + 2 s) o + s T o'),   s = t / T
// which begins with o and o' and ends with 0 and 0. Turns run out as rotation vectors.
#pragma once

#include <span>
#include <vector>

#include "nodes/kernels/modal_motion.h"

namespace sinew::kernels {

struct ModalKey {
  Vec3d place{0, 0, 0};
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
  std::vector<double> amplitudes;
};

// Places of the body at the key's amplitudes, in its own frame, that are to be held at places of
// the world: moves the key there. One is held exactly, and the turn stays. Several are held as well
// as moving and turning the body can, in the mean square; what they leave open of its turn stays.
// Returns by how much the worst is off, m.
double hold_key(std::span<const Vec3d> own, std::span<const Vec3d> held, ModalKey& key);

// The keys of the last frames, the newest first.
struct ModalKeys {
  std::vector<ModalKey> last;

  void add(ModalKey key);  // three are kept
  // Place and velocities of the newest.
  struct Motion {
    Vec3d velocity{0, 0, 0}, spin{0, 0, 0};
    std::vector<double> rates;
  };
  Motion motion(double dt) const;
};

// What a body is off its keys by.
struct ModalOffset {
  Vec3d place{0, 0, 0}, velocity{0, 0, 0}, turn{0, 0, 0}, spin{0, 0, 0};
  std::vector<double> amplitudes, rates;
  double time = 0, length = 0;  // s, since it began, and until it is gone; length 0: there is none
};

// At the newest key.
ModalOffset offset_of(const ModalState& state, const ModalKeys& keys, double dt, double length);

// The state at the newest key, `offset` being `dt` older than at the last frame; both go on.
void follow_keys(const ModalKeys& keys, double dt, ModalOffset& offset, ModalState& state);

}  // namespace sinew::kernels
