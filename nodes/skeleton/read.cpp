// Where one joint of a pose is.
#include "nodes/skeleton_words.h"

namespace sinew {
namespace {

In<PosedSkeleton> pose;
In<std::string> joint;
In<float> exponent;
Out<Vec3> place, rest, moved;
Out<PathPoints> places;

void declare(Declaration& d) {
  d.id("skeleton.read", 1).label("Read Joint").category("Skeleton");
  d.doc("Tells where a joint is, for any input that is a place.");
  d.in(pose, "pose").doc("The posed skeleton.");
  d.in(joint, "joint", std::string("1")).doc("Which joint, by its name or number.");
  d.in(exponent, "exponent", static_cast<float>(kernels::standard_joint_alpha))
      .range(0.1, 10)
      .doc("How quickly controls count less along the bones, as in the skin that follows.");
  d.out(place, "place").doc("Where it is now.");
  d.out(rest, "rest").doc("Where it rests.");
  d.out(moved, "moved").doc("How far it is from there.");
  d.out(places, "places").doc("Where all joints are, in their order.");
}

void exec(Exec& e) {
  const PosedSkeleton& from = e.get(pose);
  const auto which = find_joint(e, from.skeleton(), e.get(joint));
  if (!which) return;
  const std::vector<kernels::JointPose> joints =
      found_joints(e, from, static_cast<double>(e.get(exponent)), JointTurn::carried);
  const Vec3d now = joints[*which].place, was = from.skeleton().rest(*which);
  PathPoints all;
  for (const kernels::JointPose& j : joints) all.list.push_back(j.place.cast<float>());
  e.set(place, from_eigen(now.cast<float>()));
  e.set(rest, from_eigen(was.cast<float>()));
  e.set(moved, from_eigen((now - was).cast<float>()));
  e.set(places, std::move(all));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(skeleton_read, declare, exec)
