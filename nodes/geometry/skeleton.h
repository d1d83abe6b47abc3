// A skeleton and its poses as plain data: what drives a body in MLS skinning [Cuno08]. Joints are
// places in the body at rest, bones join two of them each. Bones have no parents and no lengths to
// keep: unlike the skeletons of classical character animation, this one is a graph in which
// distances are measured. It must be a forest, so that there is one way at most from joint to
// joint.
//
// What a pose does to the skeleton is in nodes/kernels/mls_joints.h, to a body in mls_skin.h.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nodes/geometry/types.h"

namespace sinew {

struct SkeletonJoint {
  std::string name;      // may be empty
  Vec3d place{0, 0, 0};  // at rest, m

  bool operator==(const SkeletonJoint&) const = default;
};

struct SkeletonBone {
  std::string name;                      // may be empty
  std::array<uint32_t, 2> joints{0, 0};  // its ends; the order only says where s = 0 is

  bool operator==(const SkeletonBone&) const = default;
};

struct Skeleton {
  std::vector<SkeletonJoint> joints;
  std::vector<SkeletonBone> bones;

  std::size_t joint_count() const { return joints.size(); }
  std::size_t bone_count() const { return bones.size(); }
  const Vec3d& rest(std::size_t joint) const { return joints[joint].place; }
  // Ends of a bone at rest.
  const Vec3d& from(std::size_t bone) const { return rest(bones[bone].joints[0]); }
  const Vec3d& to(std::size_t bone) const { return rest(bones[bone].joints[1]); }
  std::vector<Vec3d> rest_places() const;

  bool operator==(const Skeleton&) const = default;
};

// Where the joints are at a moment. Controls are where the artist has put them; the places of the
// other joints only say where somebody looked last, and are found anew from the controls.
struct Pose {
  std::vector<Vec3d> places;      // one for each joint, m
  std::vector<uint8_t> controls;  // one for each joint: 1 if it is a control, else 0

  // All joints at rest, those of the list being controls.
  static Pose at_rest(const Skeleton& skeleton, std::span<const uint32_t> controls);
  std::vector<uint32_t> control_joints() const;  // in increasing order

  bool operator==(const Pose&) const = default;
};

// Distances are kept for each joint and control, so that there must not be too many.
inline constexpr std::size_t most_joints = 4096;
inline constexpr double farthest_joint = 1e12;  // m, from the origin

// The first thing that is wrong, with the name or number of the joint or bone, or nothing: a place
// that is not finite, a bone to a joint that is not there or to its own, bones that close a ring.
std::optional<std::string> validate(const Skeleton& skeleton);
// As many places and controls as the skeleton has joints, and finite ones.
std::optional<std::string> validate(const Pose& pose, const Skeleton& skeleton);

// "joint 3", or its name in quotes: how a message calls it. The same for bones.
std::string joint_called(const Skeleton& skeleton, std::size_t joint);
std::string bone_called(const Skeleton& skeleton, std::size_t bone);

inline constexpr double no_path = std::numeric_limits<double>::infinity();
// The length of the way along the bones at rest from each joint to each of `targets`, m: entry
// targets.size() * joint + k. no_path where no way leads. The skeleton must be valid.
std::vector<double> path_distances(const Skeleton& skeleton, std::span<const uint32_t> targets);

std::size_t byte_size(const Skeleton& skeleton);
std::size_t byte_size(const Pose& pose);

template <class Hash>
void visit_content(const Skeleton& skeleton, Hash&& hash) {
  hash(bytes_of(std::array{uint64_t{skeleton.joints.size()}, uint64_t{skeleton.bones.size()}}));
  for (const SkeletonJoint& j : skeleton.joints) {
    hash(bytes_of(std::array{uint64_t{j.name.size()}}));
    hash(bytes_of(j.name));
    hash(bytes_of(std::array{j.place.x(), j.place.y(), j.place.z()}));
  }
  for (const SkeletonBone& b : skeleton.bones) {
    hash(bytes_of(
        std::array{uint64_t{b.name.size()}, uint64_t{b.joints[0]}, uint64_t{b.joints[1]}}));
    hash(bytes_of(b.name));
  }
}

template <class Hash>
void visit_content(const Pose& pose, Hash&& hash) {
  hash(bytes_of(std::array{uint64_t{pose.places.size()}, uint64_t{pose.controls.size()}}));
  for (const Vec3d& p : pose.places) hash(bytes_of(std::array{p.x(), p.y(), p.z()}));
  hash(bytes_of(pose.controls));
}

}  // namespace sinew
