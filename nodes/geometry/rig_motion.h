// Where points that hang on the nodes of a rig are while it moves: forward kinematics, sampled.
//
// A node's frame is that of its parent, then its own translation, rotation and scale, each from a
// curve where there is one and else as at rest. Quaternions go from key to key on the shorter arc
// (slerp); cubic curves are Hermite splines as glTF 2.0, appendix C, defines them.
//
// Samples are at all keys. Where something turns, the straight lines between samples would cut its
// arcs short by s^2 / 8 of their radius, s being the turn from sample to sample; so no part of the
// rig turns by more than `finest_turn` between two samples, and there are at least sixty a second.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nodes/geometry/rig.h"

namespace sinew {

inline constexpr double samples_a_second = 60;
inline constexpr double finest_turn = 0.025;  // radians: arcs are off by less than 1e-4 of a radius
// A curve that jumps is at its old value until so long before.
inline constexpr double jump_time = 1e-4;  // s
inline constexpr std::size_t most_samples = 20000;

// The value of a curve at a time; quaternions have length 1.
Eigen::Vector4d value_of(const RigCurve& curve, double seconds);

// A point that moves with a node: its place in the node's frame.
struct RigPoint {
  uint32_t node = 0;
  Vec3d place{0, 0, 0};
};

struct RigSamples {
  std::vector<double> times;  // s, increasing, first 0: from the first key to the last
  std::vector<Vec3d> places;  // points.size() for each time
};

// The points over one motion. `space` takes the space of the file to that of the result. If more
// than `most` samples were needed, there are `most` at equal distances in time. Curves of nodes on
// which no point hangs do not count; without any other there are no samples.
RigSamples sample_motion(const Rig& rig, const RigMotion& motion, std::span<const RigPoint> points,
                         const Eigen::Affine3d& space, std::size_t most, CancelView cancel);

}  // namespace sinew
