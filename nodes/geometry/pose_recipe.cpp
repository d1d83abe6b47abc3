#include "nodes/geometry/pose_recipe.h"

#include <fmt/format.h>

#include <cmath>

namespace sinew {

PosedSkeleton::PosedSkeleton() : recipe(std::make_shared<const PoseRecipe>()) {}

PosedSkeleton::PosedSkeleton(PoseRecipe of, double at)
    : recipe(std::make_shared<const PoseRecipe>(std::move(of))), time(at) {}

PosedSkeleton::PosedSkeleton(Skeleton skeleton) {
  PoseRecipe rest;
  rest.held.assign(skeleton.joint_count(), 0);
  rest.skeleton = std::move(skeleton);
  recipe = std::make_shared<const PoseRecipe>(std::move(rest));
}

bool ClipLead::operator==(const ClipLead& other) const {
  return start == other.start && speed == other.speed && repeat == other.repeat &&
         amount == other.amount && (clip == other.clip || *clip == *other.clip);
}

bool PosedSkeleton::operator==(const PosedSkeleton& other) const {
  return time == other.time && (recipe == other.recipe || *recipe == *other.recipe);
}

std::optional<std::string> validate(const PoseRecipe& recipe) {
  const Skeleton& skeleton = recipe.skeleton;
  if (auto wrong = validate(skeleton)) return wrong;
  if (recipe.held.size() != skeleton.joint_count()) {
    return fmt::format("of {} joints is said whether they are held, but there are {}",
                       recipe.held.size(), skeleton.joint_count());
  }
  if (recipe.leads.size() > most_leads) {
    return fmt::format("{} leads, but at most {} are allowed", recipe.leads.size(), most_leads);
  }
  for (const JointLead& lead : recipe.leads) {
    if (lead.joint >= skeleton.joint_count()) {
      return fmt::format("joint {} is led, but there are {}", uint64_t{lead.joint} + 1,
                         skeleton.joint_count());
    }
    const std::string name = joint_called(skeleton, lead.joint);
    for (const Chart* chart : {&lead.by[0], &lead.by[1], &lead.by[2], &lead.amount}) {
      if (auto wrong = validate(*chart)) {
        return fmt::format("{}: a chart over time: {}", name, *wrong);
      }
    }
    if (lead.path) {
      if (auto wrong = validate(*lead.path)) {
        return fmt::format("{}: its motion path: {}", name, *wrong);
      }
    }
    if (!std::isfinite(lead.delay)) return fmt::format("{}: its delay is not finite", name);
  }
  for (const ClipLead& lead : recipe.clips) {
    // The clip itself was looked at when it was made.
    if (auto wrong = validate(lead.amount)) return fmt::format("its clip's amount: {}", *wrong);
    if (!std::isfinite(lead.start) || !std::isfinite(lead.speed)) {
      return "start and speed of its clip must be finite";
    }
  }
  return std::nullopt;
}

std::optional<std::string> validate(const PosedSkeleton& pose) {
  if (!std::isfinite(pose.time)) return "its moment is not finite";
  return validate(*pose.recipe);
}

std::size_t byte_size(const PosedSkeleton& pose) {
  const PoseRecipe& recipe = *pose.recipe;
  std::size_t sum = sizeof pose + sizeof recipe + byte_size(recipe.skeleton) + recipe.held.size();
  for (const JointLead& lead : recipe.leads) {
    sum += sizeof lead + byte_size(lead.amount);
    for (const Chart& chart : lead.by) sum += byte_size(chart);
    if (lead.path) sum += byte_size(*lead.path);
  }
  for (const ClipLead& lead : recipe.clips) sum += sizeof lead + byte_size(lead.amount);
  return sum;
}

}  // namespace sinew
