// Skeletons: bones as light lines with a dark rim, so that they are seen on any body and through
// it. Of a pose, controls stand out, and bones that have moved leave a faint line where they rest.
#include <algorithm>

#include "nodes/kernels/pose_motion.h"
#include "nodes/show/parts.h"

namespace sinew::showing {

namespace {

constexpr draw::Rgba bone_colour{0.98f, 0.93f, 0.76f, 1};
constexpr draw::Rgba rim_colour{0.16f, 0.15f, 0.13f, 1};
constexpr draw::Rgba rest_colour{0.42f, 0.45f, 0.50f, 0.6f};

void add_through(const Shown& what, std::vector<draw::Point> ends, const draw::Rgba& colour,
                 float width, draw::DrawList& list) {
  if (draw::Lines* lines = add_lines(what, std::move(ends), colour, width, list)) {
    lines->on_top = true;
  }
}

// From the first joint of each tree on, parents first: the skeleton itself has no parents.
void add_bones(const Shown& what, const Skeleton& skeleton, std::span<const Vec3d> now,
               draw::DrawList& list) {
  std::vector<std::vector<uint32_t>> beside(skeleton.joint_count());
  for (const SkeletonBone& bone : skeleton.bones) {
    beside[bone.joints[0]].push_back(bone.joints[1]);
    beside[bone.joints[1]].push_back(bone.joints[0]);
  }
  draw::Bones bones;
  bones.source = what.source;
  std::vector<int> number(skeleton.joint_count(), -1);
  std::vector<uint32_t> order;
  const auto add = [&](uint32_t joint, int parent) {
    number[joint] = static_cast<int>(order.size());
    order.push_back(joint);
    bones.joints.push_back({skeleton.joints[joint].name, parent, skeleton.rest(joint), now[joint]});
  };
  for (uint32_t root = 0; root < skeleton.joint_count(); ++root) {
    if (number[root] >= 0) continue;
    add(root, -1);
    for (std::size_t k = order.size() - 1; k < order.size(); ++k) {
      for (const uint32_t next : beside[order[k]]) {
        if (number[next] < 0) add(next, static_cast<int>(k));
      }
    }
  }
  list.bones.push_back(std::move(bones));
}

void show_bones(const Shown& what, const Skeleton& skeleton, std::span<const Vec3d> now,
                std::span<const uint8_t> controls, draw::DrawList& list) {
  std::vector<draw::Point> bones, joints, held;
  for (const SkeletonBone& bone : skeleton.bones) {
    for (const uint32_t j : bone.joints) bones.push_back(now[j].cast<float>());
  }
  for (std::size_t j = 0; j < now.size(); ++j) {
    const bool is_control = j < controls.size() && controls[j];
    (is_control ? held : joints).push_back(now[j].cast<float>());
  }
  add_bones(what, skeleton, now, list);
  add_through(what, bones, rim_colour, 5.5f, list);
  add_through(what, std::move(bones), bone_colour, 3.0f, list);
  add_points(what, joints, rim_colour, 10, true, list);
  add_points(what, std::move(joints), bone_colour, 6.5f, true, list);
  add_points(what, held, rim_colour, 13, true, list);
  add_points(what, std::move(held), draw::accent, 9.5f, true, list);
}

}  // namespace

void show_skeleton(const Shown& what, draw::DrawList& list) {
  const Skeleton& skeleton = what.value.as<Skeleton>();
  show_bones(what, skeleton, skeleton.rest_places(), {}, list);
}

void show_pose(const Shown& what, draw::DrawList& list) {
  const PosedSkeleton& pose = what.value.as<PosedSkeleton>();
  const Skeleton& skeleton = pose.skeleton();
  const kernels::PoseMotion motion(*pose.recipe);
  std::vector<Vec3d> now;
  for (const kernels::JointPose& joint : kernels::joints_now(pose, motion)) {
    now.push_back(joint.place);
  }
  std::vector<draw::Point> rest;
  for (std::size_t b = 0; b < skeleton.bone_count(); ++b) {
    const auto [from, to] = skeleton.bones[b].joints;
    if (now[from] == skeleton.rest(from) && now[to] == skeleton.rest(to)) continue;
    rest.push_back(skeleton.from(b).cast<float>());
    rest.push_back(skeleton.to(b).cast<float>());
  }
  add_through(what, std::move(rest), rest_colour, 1.5f, list);
  show_bones(what, skeleton, now, motion.controls(), list);
}

}  // namespace sinew::showing
