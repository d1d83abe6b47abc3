#include <fmt/core.h>

#include "nodes/geometry/pose_recipe.h"
#include "nodes/kernels/pose_motion.h"
#include "nodes/values/common.h"

namespace sinew {

using namespace values;

namespace {

Json describe_pose(const PosedSkeleton& pose) {
  const kernels::PoseMotion motion(*pose.recipe);
  const std::vector<kernels::JointPose> now = kernels::joints_now(pose, motion);
  Json joints = Json::array();
  std::size_t controls = 0;
  for (std::size_t j = 0; j < now.size(); ++j) {
    const bool is_control = motion.controls()[j];
    controls += is_control;
    Json joint = {{"name", pose.skeleton().joints[j].name}, {"at", vector_json(now[j].place)}};
    if (is_control) joint["control"] = true;
    joints.push_back(std::move(joint));
  }
  return {{"joints", now.size()},
          {"bones", pose.skeleton().bone_count()},
          {"controls", controls},
          {"time", pose.time},
          {"places", std::move(joints)}};
}

ValueTable pose_table(const PosedSkeleton& pose) {
  const kernels::PoseMotion motion(*pose.recipe);
  auto now =
      std::make_shared<const std::vector<kernels::JointPose>>(kernels::joints_now(pose, motion));
  auto controls = std::make_shared<const std::vector<uint8_t>>(motion.controls());
  return {"joint",
          {"name", "control", "x", "y", "z", "moved x", "moved y", "moved z"},
          now->size(),
          [&pose, now, controls](size_t row, size_t column) -> std::string {
            if (column == 0) return pose.skeleton().joints[row].name;
            if (column == 1) return (*controls)[row] ? "yes" : "no";
            const auto axis = static_cast<int>(column - 2) % 3;
            const double place = (*now)[row].place[axis];
            return fmt::format("{:.6g}",
                               column < 5 ? place : place - pose.skeleton().rest(row)[axis]);
          }};
}

}  // namespace

template <>
const TypeInfo& type_of<PosedSkeleton>() {
  static const TypeInfo info = [] {
    TypeInfo t = plain_type<PosedSkeleton>(
        "pose", "A skeleton whose joints are led, and how they move over time.", 0xE0A85E);
    t.describe = [](const void* p) { return describe_pose(content<PosedSkeleton>(p)); };
    t.tables = [](const void* p) { return std::vector{pose_table(content<PosedSkeleton>(p))}; };
    t.anchors = [](const void* p, double) {
      const PosedSkeleton& pose = content<PosedSkeleton>(p);
      const kernels::PoseMotion motion(*pose.recipe);
      std::vector<Vec3d> places;
      for (const kernels::JointPose& joint : kernels::joints_now(pose, motion)) {
        places.push_back(joint.place);
      }
      // Where they would be without the keys of the node that made the pose. Where those are scaled
      // or delayed, a hand does not know what to write: names are left out, and nothing is dragged.
      const kernels::PoseMotion::Keyed keyed = motion.keyed_at(pose.time);
      std::vector<Vec3d> origins = motion.at(pose.time).places;
      for (std::size_t j = 0; j < origins.size(); ++j) origins[j] -= keyed.by[j];
      Places list = joint_places(pose.skeleton(), places, origins, motion.controls());
      if (!keyed.plain) {
        for (Places::One& one : list.list) one.name.clear();
      }
      return list;
    };
    return t;
  }();
  return info;
}

}  // namespace sinew
