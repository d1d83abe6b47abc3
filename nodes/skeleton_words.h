// What the nodes of skeletons share: which joints a node means, a pose as functions of time, and
// its joints as they are found at a moment. What can be prepared is made once for a recipe.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "nodes/kernels/mls_joints.h"
#include "nodes/kernels/pose_motion.h"
#include "nodes/node.h"

namespace sinew {

// The names of a skeleton's joints or bones for a message, the first few of them.
std::string some_joints(const Skeleton& skeleton);
std::string some_bones(const Skeleton& skeleton);
// Those that a text names: see name_patterns.h.
std::vector<std::size_t> named_joints(const Skeleton& skeleton, const std::string& names);
// One by name or number; an error that lists some, and nothing, if there is none.
std::optional<uint32_t> find_joint(Exec& e, const Skeleton& skeleton, const std::string& name);
std::optional<uint32_t> find_bone(Exec& e, const Skeleton& skeleton, const std::string& name);

// How joints turn that nobody leads.
enum class JointTurn : uint8_t {
  carried,  // steady, and carried along in time so that nothing leaps
  steady,   // a function of the moment
  best,     // the least squares optimum
};

std::shared_ptr<const kernels::PoseMotion> prepared_pose(Exec& e, const PosedSkeleton& pose);

// All joints at the moment of the pose. What is carried is followed from a few seconds before, on a
// grid of its own, so that it does not depend on frames.
std::vector<kernels::JointPose> found_joints(Exec& e, const PosedSkeleton& pose, double alpha,
                                             JointTurn turn);

// The pose in which all joints are led to where they are now.
PosedSkeleton as_found(const PosedSkeleton& pose, std::span<const kernels::JointPose> joints);

}  // namespace sinew
