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
#include <functional>
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

// One motion, made ready to be asked for any time: the frames of some nodes and of those above
// them. Curves of all other nodes do not count. The rig and the motion must outlive it.
class RigMover {
 public:
  RigMover(const Rig& rig, const RigMotion& motion, std::span<const uint32_t> nodes);

  bool moves() const { return !curves_.empty(); }
  // How many frames are found at a time, and which of them is that of a node that was asked for.
  std::size_t frame_count() const { return nodes_.size(); }
  uint32_t frame_of(uint32_t node) const { return slot_[node]; }
  // `space` takes the space of the file to that of the result. `out` has frame_count() frames.
  void frames(double seconds, const Eigen::Affine3d& space, std::span<Eigen::Affine3d> out) const;

  // Times of all keys and of the moments before jumps, increasing.
  std::vector<double> keys() const;
  // What happens between two neighbouring keys.
  struct Change {
    double turn = 0;     // radians, at most: what a node and all above it turn by
    bool bends = false;  // whether something goes another way than straight without turning
  };
  Change change(double from, double to) const;

 private:
  struct Node {
    const RigNode* what;
    uint32_t parent;  // in this list
    uint32_t first_curve, end_curve;
  };

  std::vector<Node> nodes_;              // parents first
  std::vector<uint32_t> slot_;           // of the nodes of the rig in this list
  std::vector<const RigCurve*> curves_;  // by node
};

// The moment before a curve that steps jumps, after its last key.
double before_jump(double last, double jump);

// Puts times in order; of those nearer to one another than a microsecond, which files round, the
// first stays.
std::vector<double> apart(std::vector<double> times);

// All keys, and between each two neighbours so many that there are pieces(from, to) of equal
// length. If there were more than `most`, there are `most` at equal distances.
std::vector<double> spread(std::span<const double> keys, std::size_t most, CancelView cancel,
                           const std::function<std::size_t(double from, double to)>& pieces);

// The points over one motion. `space` takes the space of the file to that of the result. If more
// than `most` samples were needed, there are `most` at equal distances in time. Curves of nodes on
// which no point hangs do not count; without any other there are no samples.
RigSamples sample_motion(const Rig& rig, const RigMotion& motion, std::span<const RigPoint> points,
                         const Eigen::Affine3d& space, std::size_t most, CancelView cancel);

}  // namespace sinew
