#include "nodes/skeleton_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "nodes/content_name.h"
#include "nodes/geometry/name_patterns.h"

namespace sinew {

namespace {

constexpr double grid = 1.0 / 60;           // s, between moments that are followed
constexpr int64_t moments_in_stretch = 32;  // that are prepared together
constexpr double longest_follow = 3600;     // s

template <class Called>
std::string some_of(std::size_t count, const Called& called) {
  std::string names;
  for (std::size_t i = 0; i < std::min<std::size_t>(count, 8); ++i) {
    names += (i > 0 ? ", " : "") + called(i);
  }
  return count == 0 ? "none" : names + (count > 8 ? ", ..." : "");
}

struct PreparedJoints {
  kernels::MlsJoints joints;
  std::size_t bytes() const { return byte_size(joints); }
};

// Who is a control, as content of a key.
struct ControlList {
  const std::vector<uint8_t>& list;
};
template <class Hash>
void visit_content(const ControlList& controls, Hash&& hash) {
  hash(bytes_of(controls.list));
}

// What is prepared for the joints does not depend on where they are led.
std::shared_ptr<const PreparedJoints> prepared_joints(Exec& e, const kernels::PoseMotion& motion,
                                                      double alpha, JointTurn turn) {
  const bool best = turn == JointTurn::best;
  const std::string name = fmt::format(
      "{} {} {}", content_name("joints", motion.skeleton(), ControlList{motion.controls()}), alpha,
      best);
  return e.prepared<PreparedJoints>(name, [&] {
    kernels::MlsJointOptions options{alpha, kernels::MlsTurn::steady};
    if (best) options.turn = kernels::MlsTurn::best;
    return PreparedJoints{kernels::prepare_joints(motion.skeleton(), motion.controls(), options)};
  });
}

using Joints = std::vector<kernels::JointPose>;

// The joints at some moments of the grid, one after the other.
struct Moments {
  std::vector<Joints> at;
  std::size_t bytes() const {
    return sizeof *this + at.size() * at.front().size() * sizeof(kernels::JointPose);
  }
};

// Along one direction of time: `sign` is 1 or -1, and moments are counted away from 0. Of stretches
// that are over only their ends are kept; of the present one all moments.
struct Follower {
  Exec& e;
  const kernels::PoseMotion& motion;
  const kernels::MlsJoints& joints;
  std::string name;
  double sign;

  double time(int64_t moment) const { return sign * grid * static_cast<double>(moment); }
  std::vector<Vec3d> places(double t) const { return motion.at(t).places; }
  Joints step(const Joints& last, double from, double to) const {
    return kernels::carry_joints(joints, last, places(from), places(to), to - from);
  }
  // The stretch that begins with `first`, its end included.
  std::vector<Joints> stretch(int64_t number, const Joints& first) const {
    std::vector<Joints> made = {first};
    for (int64_t k = 0; k < moments_in_stretch; ++k) {
      const int64_t moment = number * moments_in_stretch + k;
      made.push_back(step(made.back(), time(moment), time(moment + 1)));
    }
    return made;
  }
  Joints at(double t) const {
    const auto moment = static_cast<int64_t>(std::floor(std::abs(t) / grid));
    const int64_t present = moment / moments_in_stretch;
    Joints first = kernels::pose_joints(joints, places(0));
    for (int64_t number = 0; number < present; ++number) {
      e.stop_if_cancelled();
      first = e.prepared<Moments>(fmt::format("{} {} end {}", name, sign, number), [&] {
                 return Moments{{stretch(number, first).back()}};
               })->at.front();
    }
    const auto all = e.prepared<Moments>(fmt::format("{} {} {}", name, sign, present),
                                         [&] { return Moments{stretch(present, first)}; });
    const Joints& here = all->at[static_cast<std::size_t>(moment % moments_in_stretch)];
    return time(moment) == t ? here : step(here, time(moment), t);
  }
};

}  // namespace

std::string some_joints(const Skeleton& skeleton) {
  return some_of(skeleton.joint_count(), [&](std::size_t j) { return joint_called(skeleton, j); });
}

std::string some_bones(const Skeleton& skeleton) {
  return some_of(skeleton.bone_count(), [&](std::size_t b) { return bone_called(skeleton, b); });
}

std::vector<std::size_t> named_joints(const Skeleton& skeleton, const std::string& names) {
  return named_of(skeleton.joint_count(), names,
                  [&](std::size_t j) -> const std::string& { return skeleton.joints[j].name; });
}

std::optional<uint32_t> find_joint(Exec& e, const Skeleton& skeleton, const std::string& name) {
  const std::vector<std::size_t> found = named_joints(skeleton, name);
  if (!name.empty() && !found.empty()) return static_cast<uint32_t>(found.front());
  e.error("there is no joint '{}'; there are {}", name, some_joints(skeleton));
  return std::nullopt;
}

std::optional<uint32_t> find_bone(Exec& e, const Skeleton& skeleton, const std::string& name) {
  const auto found =
      named_of(skeleton.bone_count(), name,
               [&](std::size_t b) -> const std::string& { return skeleton.bones[b].name; });
  if (!name.empty() && !found.empty()) return static_cast<uint32_t>(found.front());
  e.error("there is no bone '{}'; there are {}", name, some_bones(skeleton));
  return std::nullopt;
}

std::shared_ptr<const kernels::PoseMotion> prepared_pose(Exec& e, const PosedSkeleton& pose) {
  return e.prepared<kernels::PoseMotion>(content_name("pose motion", *pose.recipe),
                                         [&] { return kernels::PoseMotion(*pose.recipe); });
}

std::vector<kernels::JointPose> found_joints(Exec& e, const PosedSkeleton& pose, double alpha,
                                             JointTurn turn) {
  const auto motion = prepared_pose(e, pose);
  const auto prepared = prepared_joints(e, *motion, alpha, turn);
  const double t = pose.time;
  if (turn != JointTurn::carried || !motion->moves() || !(std::abs(t) <= longest_follow)) {
    return kernels::pose_joints(prepared->joints, motion->at(t).places);
  }
  const std::string name = fmt::format("{} {}", content_name("carried", motion->recipe()), alpha);
  return Follower{e, *motion, prepared->joints, name, t < 0 ? -1.0 : 1.0}.at(t);
}

PosedSkeleton as_found(const PosedSkeleton& pose, std::span<const kernels::JointPose> joints) {
  PoseRecipe recipe{pose.skeleton(), std::vector<uint8_t>(joints.size(), 1), {}, {}};
  for (uint32_t j = 0; j < joints.size(); ++j) {
    const Vec3d by = joints[j].place - pose.skeleton().rest(j);
    if (by.isZero(0)) continue;
    JointLead lead;
    lead.joint = j;
    for (int k = 0; k < 3; ++k) lead.by[static_cast<std::size_t>(k)] = Chart::constant(by[k]);
    recipe.leads.push_back(std::move(lead));
  }
  return PosedSkeleton(std::move(recipe), pose.time);
}

}  // namespace sinew
