#include "nodes/geometry/skeleton.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sinew {

namespace {

using Problem = std::optional<std::string>;

bool is_place(const Vec3d& p) { return p.allFinite() && p.cwiseAbs().maxCoeff() <= farthest_joint; }

Problem wrong_bone(const Skeleton& skeleton, const SkeletonBone& bone) {
  for (const uint32_t j : bone.joints) {
    if (j >= skeleton.joint_count()) {
      return fmt::format("it ends at joint {}, but there are {}", uint64_t{j} + 1,
                         skeleton.joint_count());
    }
  }
  if (bone.joints[0] == bone.joints[1]) return "it begins and ends at the same joint";
  return std::nullopt;
}

// The bone that closes a ring, if one does: each joins two parts that were apart.
Problem closes_ring(const Skeleton& skeleton) {
  std::vector<uint32_t> part(skeleton.joint_count());
  std::iota(part.begin(), part.end(), 0u);
  const auto root = [&](uint32_t j) {
    while (part[j] != j) j = part[j] = part[part[j]];
    return j;
  };
  for (std::size_t b = 0; b < skeleton.bone_count(); ++b) {
    const auto [from, to] = skeleton.bones[b].joints;
    const uint32_t a = root(from), c = root(to);
    if (a == c) {
      return fmt::format("{}: it closes a ring, but there must be one way at most from {} to {}",
                         bone_called(skeleton, b), joint_called(skeleton, from),
                         joint_called(skeleton, to));
    }
    part[a] = c;
  }
  return std::nullopt;
}

}  // namespace

std::vector<Vec3d> Skeleton::rest_places() const {
  std::vector<Vec3d> places;
  places.reserve(joints.size());
  for (const SkeletonJoint& j : joints) places.push_back(j.place);
  return places;
}

Pose Pose::at_rest(const Skeleton& skeleton, std::span<const uint32_t> controls) {
  Pose pose{skeleton.rest_places(), std::vector<uint8_t>(skeleton.joint_count(), 0)};
  for (const uint32_t j : controls) pose.controls.at(j) = 1;
  return pose;
}

std::vector<uint32_t> Pose::control_joints() const {
  std::vector<uint32_t> joints;
  for (std::size_t j = 0; j < controls.size(); ++j) {
    if (controls[j]) joints.push_back(static_cast<uint32_t>(j));
  }
  return joints;
}

std::string joint_called(const Skeleton& skeleton, std::size_t joint) {
  const std::string& name = skeleton.joints[joint].name;
  return name.empty() ? fmt::format("joint {}", joint + 1) : fmt::format("'{}'", name);
}

std::string bone_called(const Skeleton& skeleton, std::size_t bone) {
  const std::string& name = skeleton.bones[bone].name;
  return name.empty() ? fmt::format("bone {}", bone + 1) : fmt::format("'{}'", name);
}

std::optional<std::string> validate(const Skeleton& skeleton) {
  if (skeleton.joint_count() > most_joints) {
    return fmt::format("there are {} joints, but at most {} are taken", skeleton.joint_count(),
                       most_joints);
  }
  for (std::size_t j = 0; j < skeleton.joint_count(); ++j) {
    if (!is_place(skeleton.rest(j))) {
      return fmt::format("{}: its place must be finite, and at most {:g} m from the origin",
                         joint_called(skeleton, j), farthest_joint);
    }
  }
  for (std::size_t b = 0; b < skeleton.bone_count(); ++b) {
    if (auto wrong = wrong_bone(skeleton, skeleton.bones[b])) {
      return fmt::format("{}: {}", bone_called(skeleton, b), *wrong);
    }
  }
  return closes_ring(skeleton);
}

std::optional<std::string> validate(const Pose& pose, const Skeleton& skeleton) {
  if (pose.places.size() != skeleton.joint_count()) {
    return fmt::format("the pose has {} places, but the skeleton has {} joints", pose.places.size(),
                       skeleton.joint_count());
  }
  if (pose.controls.size() != skeleton.joint_count()) {
    return fmt::format("the pose says of {} joints whether they are controls, but there are {}",
                       pose.controls.size(), skeleton.joint_count());
  }
  for (std::size_t j = 0; j < pose.places.size(); ++j) {
    if (!is_place(pose.places[j])) {
      return fmt::format(
          "{}: its place in the pose must be finite, and at most {:g} m from the "
          "origin",
          joint_called(skeleton, j), farthest_joint);
    }
  }
  return std::nullopt;
}

std::vector<double> path_distances(const Skeleton& skeleton, std::span<const uint32_t> targets) {
  const std::size_t joints = skeleton.joint_count();
  struct Way {
    uint32_t to;
    double length;
  };
  std::vector<std::vector<Way>> around(joints);
  for (std::size_t b = 0; b < skeleton.bone_count(); ++b) {
    const auto [from, to] = skeleton.bones[b].joints;
    const double length = (skeleton.to(b) - skeleton.from(b)).norm();
    around[from].push_back({to, length});
    around[to].push_back({from, length});
  }
  std::vector<double> distances(joints * targets.size(), no_path);
  std::vector<uint32_t> open;
  for (std::size_t k = 0; k < targets.size(); ++k) {
    const auto at = [&](uint32_t joint) -> double& {
      return distances[targets.size() * joint + k];
    };
    at(targets[k]) = 0;
    open.assign(1, targets[k]);
    while (!open.empty()) {  // in a forest each joint is come to once
      const uint32_t here = open.back();
      open.pop_back();
      for (const Way& way : around[here]) {
        if (at(way.to) != no_path) continue;
        at(way.to) = at(here) + way.length;
        open.push_back(way.to);
      }
    }
  }
  return distances;
}

std::size_t byte_size(const Skeleton& skeleton) {
  std::size_t sum = sizeof skeleton;
  for (const SkeletonJoint& j : skeleton.joints) sum += sizeof j + j.name.size();
  for (const SkeletonBone& b : skeleton.bones) sum += sizeof b + b.name.size();
  return sum;
}

std::size_t byte_size(const Pose& pose) {
  return sizeof pose + sizeof(Vec3d) * pose.places.size() + pose.controls.size();
}

}  // namespace sinew
