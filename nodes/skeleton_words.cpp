#include "nodes/skeleton_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "nodes/content_name.h"
#include "nodes/geometry/name_patterns.h"

namespace sinew {

namespace {

constexpr double grid = 1.0 / 30;           // s, between moments that are followed
constexpr int64_t moments_in_stretch = 30;  // that are followed from the same beginning
constexpr int64_t lead_in = 3;              // stretches before it
constexpr int64_t moments_in_piece = 10;    // that are prepared together
constexpr double farthest_time = 1e9;       // s

template <class Called>
std::string some_of(std::size_t count, const Called& called) {
  std::string names;
  for (std::size_t i = 0; i < std::min<std::size_t>(count, 8); ++i) {
    names += (i > 0 ? ", " : "") + called(i);
  }
  return count == 0 ? "none" : names + (count > 8 ? ", ..." : "");
}

// Exactly that name, or else a number from 1 on.
template <class List>
std::optional<uint32_t> find_named(const List& list, const std::string& name) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].name == name) return static_cast<uint32_t>(i);
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (name == std::to_string(i + 1)) return static_cast<uint32_t>(i);
  }
  return std::nullopt;
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

// Follows a motion on a grid. Whatever has leapt is caught up with after pi / carry_rate, some two
// seconds; so it is enough to begin, steadily, a few seconds before the stretch that is asked for,
// and no moment costs more than four of them. Within a stretch moments are kept in pieces.
struct Follower {
  Exec& e;
  const kernels::PoseMotion& motion;
  const kernels::MlsJoints& joints;
  std::string name;

  static double time(int64_t moment) { return grid * static_cast<double>(moment); }
  std::vector<Vec3d> places(int64_t moment) const { return motion.at(time(moment)).places; }
  // From one moment on to another, all of them or only the last.
  std::vector<Joints> followed(Joints now, int64_t from, int64_t to, bool all) const {
    std::vector<Joints> made = {now};
    std::vector<Vec3d> before = places(from);
    for (int64_t moment = from; moment < to; ++moment) {
      if (moment % 16 == 0) e.stop_if_cancelled();
      std::vector<Vec3d> after = places(moment + 1);
      now = kernels::carry_joints(joints, now, before, after, grid);
      before = std::move(after);
      if (all) made.push_back(now);
    }
    if (!all) made = {std::move(now)};
    return made;
  }
  // The joints where a stretch begins.
  Joints first_of(int64_t stretch) const {
    const int64_t to = stretch * moments_in_stretch;
    const int64_t from = to - lead_in * moments_in_stretch;
    return e
        .prepared<Moments>(
            fmt::format("{} begins {}", name, stretch),
            [&] {
              return Moments{followed(kernels::pose_joints(joints, places(from)), from, to, false)};
            })
        ->at.front();
  }
  Joints at(double t) const {
    const auto moment = static_cast<int64_t>(std::floor(t / grid));
    const auto stretch = static_cast<int64_t>(std::floor(t / grid / moments_in_stretch));
    Joints first = first_of(stretch);
    int64_t begin = stretch * moments_in_stretch;
    for (;; begin += moments_in_piece) {
      const auto piece = e.prepared<Moments>(fmt::format("{} from {}", name, begin), [&] {
        return Moments{followed(first, begin, begin + moments_in_piece, true)};
      });
      if (moment >= begin + moments_in_piece) {
        first = piece->at.back();
        continue;
      }
      const Joints& here = piece->at[static_cast<std::size_t>(moment - begin)];
      if (time(moment) == t) return here;
      return kernels::carry_joints(joints, here, places(moment), motion.at(t).places,
                                   t - time(moment));
    }
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
  if (const auto found = find_named(skeleton.joints, name)) return found;
  e.error("there is no joint '{}'; there are {}", name, some_joints(skeleton));
  return std::nullopt;
}

std::optional<uint32_t> find_bone(Exec& e, const Skeleton& skeleton, const std::string& name) {
  if (const auto found = find_named(skeleton.bones, name)) return found;
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
  if (turn != JointTurn::carried || !motion->moves() || !(std::abs(t) <= farthest_time)) {
    return kernels::pose_joints(prepared->joints, motion->at(t).places);
  }
  const std::string name = fmt::format("{} {}", content_name("carried", motion->recipe()), alpha);
  return Follower{e, *motion, prepared->joints, name}.at(t);
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
