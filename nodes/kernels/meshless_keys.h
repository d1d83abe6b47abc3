// From what an artist says of keys to poses that a motion goes through [Adams10, sections 5 and 6].
//
// A key puts the whole body somewhere, turned about its middle, and its handles so far from where
// that leaves them; the shape is the one that costs least (meshless_pose.h). Of a key of points
// only the handles that it names are held. Turns of more than half a round between two keys are
// what the artist wrote, though a rotation cannot tell: guesses are put between.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "nodes/geometry/meshless_keys.h"
#include "nodes/kernels/meshless_pose.h"

namespace sinew::kernels {

// Where a key puts a body as a whole: x goes to middle + turn (x - middle) + move.
struct Placement {
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
  Vec3d move{0, 0, 0};  // m

  Vec3d operator()(const Vec3d& x, const Vec3d& middle) const {
    return middle + turn * (x - middle) + move;
  }
};
Eigen::Quaterniond turn_of(const Vec3f& degrees);
Placement placement_of(const PoseKey& key);
// Between keys, moves and angles go evenly from one to the next, and so do handles between whole
// poses; before the first and after the last all is as there.
PoseKey key_between(const PoseKeys& keys, double frame);

// The middle of the body at rest, weighted by the masses of its nodes.
Vec3d middle_of(const MeshlessBody& body);

// The vertices and targets of handles as they are, for poses.
std::vector<PoseHandle> pose_handles(const MeshlessBody& body, const BodyHandles& handles);

struct ResolvedKeys {
  KeyedBody keyed;
  std::string problem;                // what is wrong; empty: nothing
  std::vector<std::string> warnings;  // of handles that could not be met
};
// `poses` are those that keys name by number. `begin`, if given, is where and how fast the first
// key is, whatever it says.
ResolvedKeys resolve_keys(std::shared_ptr<const MeshlessBody> body, const BodyHandles& handles,
                          const PoseKeys& keys, std::span<const PosedBody* const> poses, double fps,
                          const PoseWeights& weights, const BodyStates::One* begin,
                          CancelView stop = {});

// Where a handle is at a frame: where the whole body's placement leaves it, and by how much the key
// there moves it.
struct HandleNow {
  Vec3d origin{0, 0, 0}, at{0, 0, 0};  // m
};
std::vector<HandleNow> handles_at(const MeshlessBody& body, const BodyHandles& handles,
                                  const PoseKeys& keys, double frame);

}  // namespace sinew::kernels
