// Skeletons as other tools want them: a frame for each joint, and bodies bound to them.
//
// Our joints have places only. How a joint is turned follows from where its neighbours are: the
// rotation that brings the bones below it from rest to where they are now, and, since one bone does
// not say how it is turned about itself, as little beyond the turn of its parent as can be.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "exchange/animation.h"

namespace sinew::exchange {

struct JointFrame {
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();  // from rest, where none is turned
  Vec3d place{0, 0, 0};

  // Where a point that rests at p is, of a joint that rests at `rest`.
  Vec3d carry(const Vec3d& p, const Vec3d& rest) const { return turn * (p - rest) + place; }
};

std::vector<JointFrame> frames_of(std::span<const Joint> joints, std::span<const Vec3d> places);

// Which joints carry each vertex: up to four, parts that sum to 1.
struct Binding {
  std::vector<std::array<uint16_t, 4>> joints;
  std::vector<std::array<float, 4>> parts;
};

// The vertices at rest, found from where they are at the first frame, and bound by their distance
// from the bones at that frame; then `moved[f]` becomes how far each is from rest where the joints
// are taken away, so that joints and these offsets together give what was. Where several joints
// turn so far apart that between them there is no way back, a vertex hangs on the nearest alone.
struct Bound {
  Binding binding;
  std::vector<Vec3f> rest;
};
Bound bind_to(std::span<const Joint> joints, const std::vector<std::vector<JointFrame>>& frames,
              std::vector<std::vector<Vec3f>>& moved);

}  // namespace sinew::exchange
