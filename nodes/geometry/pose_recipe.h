// A skeleton over time: which joints are led, and how. As a value it is a recipe and a moment, so
// that whoever uses it can ask for any other time; kernels/pose_motion.h does. Joints that nobody
// leads or holds are found from the others (kernels/mls_joints.h).
//
// A led joint is, at a time, where it rests plus all that leads it; or, where a path carries it
// exactly, on the last such path. Times are seconds, lengths metres.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "nodes/geometry/chart.h"
#include "nodes/geometry/motion_path.h"
#include "nodes/geometry/skeleton.h"
#include "nodes/geometry/skeleton_clip.h"

namespace sinew {

struct JointLead {
  uint32_t joint = 0;
  std::array<Chart, 3> by = {Chart::constant(0), Chart::constant(0), Chart::constant(0)};
  Chart amount = Chart::constant(1);  // times `by`: what several have in common
  std::optional<MotionPath> path = {};
  bool on_path = false;  // lies on the path; or else the way since the path's start is added
  double delay = 0;      // all of it happens so much later
  // By keys of the node that gives the pose: what a hand changes there. What comes from nodes
  // before is not.
  bool keyed = false;

  bool operator==(const JointLead&) const = default;
};

// A motion from a file that leads all joints of the same names: where the clip has them at
// (t - start) speed, less where they rest, times `amount`. Before and after the clip they stay
// where its ends have them; or it goes on from the beginning, for ever.
struct ClipLead {
  std::shared_ptr<const SkeletonClip> clip;  // never null
  std::array<uint64_t, 2> content{0, 0};     // a key of what is in it, so that nobody reads it all
  double start = 0, speed = 1;
  bool repeat = false;
  Chart amount = Chart::constant(1);

  bool operator==(const ClipLead& other) const;
};

struct PoseRecipe {
  Skeleton skeleton;
  std::vector<uint8_t> held;  // one for each joint: 1 if it is a control though nobody leads it
  std::vector<JointLead> leads;
  std::vector<ClipLead> clips = {};

  bool operator==(const PoseRecipe&) const = default;
};

struct PosedSkeleton {
  std::shared_ptr<const PoseRecipe> recipe;  // never null
  double time = 0;                           // the moment

  PosedSkeleton();
  explicit PosedSkeleton(PoseRecipe of, double at = 0);
  // At rest, with no controls.
  explicit PosedSkeleton(Skeleton skeleton);

  const Skeleton& skeleton() const { return recipe->skeleton; }
  bool operator==(const PosedSkeleton& other) const;
};

inline constexpr std::size_t most_leads = 100000;

// The first thing that is wrong, with the joint's name or number, or nothing.
std::optional<std::string> validate(const PoseRecipe& recipe);
std::optional<std::string> validate(const PosedSkeleton& pose);

std::size_t byte_size(const PosedSkeleton& pose);

template <class Hash>
void visit_content(const JointLead& lead, Hash&& hash) {
  hash(
      bytes_of(std::array{uint64_t{lead.joint}, static_cast<uint64_t>(lead.path.has_value()),
                          static_cast<uint64_t>(lead.on_path), static_cast<uint64_t>(lead.keyed)}));
  for (const Chart& chart : lead.by) visit_content(chart, hash);
  visit_content(lead.amount, hash);
  if (lead.path) visit_content(*lead.path, hash);
  hash(bytes_of(std::array{lead.delay}));
}

template <class Hash>
void visit_content(const ClipLead& lead, Hash&& hash) {
  hash(bytes_of(lead.content));
  hash(bytes_of(std::array{lead.start, lead.speed, lead.repeat ? 1.0 : 0.0}));
  visit_content(lead.amount, hash);
}

template <class Hash>
void visit_content(const PoseRecipe& recipe, Hash&& hash) {
  visit_content(recipe.skeleton, hash);
  hash(bytes_of(recipe.held));
  hash(bytes_of(std::array{uint64_t{recipe.leads.size()}}));
  for (const JointLead& lead : recipe.leads) visit_content(lead, hash);
  hash(bytes_of(std::array{uint64_t{recipe.clips.size()}}));
  for (const ClipLead& lead : recipe.clips) visit_content(lead, hash);
}

}  // namespace sinew
