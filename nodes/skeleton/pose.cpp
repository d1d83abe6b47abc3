// A skeleton with some of its joints moved by hand; the others follow. [Cuno08, section 3]
#include "nodes/skeleton_words.h"

namespace sinew {
namespace {

enum class Hold : uint8_t { none, ends, all };

In<PosedSkeleton> skeleton;
In<JointKeys> moves;
In<Hold> hold;
Out<PosedSkeleton> out;

void declare(Declaration& d) {
  d.id("skeleton.pose", 1).label("Pose Skeleton").category("Skeleton");
  d.doc(
      "Moves joints of a skeleton. Those that are moved or held are controls; where the others go "
      "follows from the controls, along the bones.");
  d.in(skeleton, "skeleton").doc("The skeleton at rest, or a pose that is changed further.");
  d.in(moves, "moves", JointKeys())
      .doc(
          "Which joints are controls, and how far each is from where it would be: [{\"joint\": "
          "\"hand\", \"by\": [x, y, z]}, ...]. In the viewport joints are dragged; Delete lets go "
          "of one.");
  d.in(hold, "hold", Hold::ends)
      .choices({"none", "ends", "all"})
      .doc(
          "Which joints are controls besides, and stay where they are unless something moves them: "
          "none, the ends of limbs, or all of them.");
  d.out(out, "pose").doc("The posed skeleton.");
  d.handle(HandleKind::anchors, "joints").items(moves).anchors(out);
}

void hold_ends(PoseRecipe& recipe) {
  std::vector<int> bones(recipe.skeleton.joint_count(), 0);
  for (const SkeletonBone& bone : recipe.skeleton.bones) {
    for (const uint32_t j : bone.joints) ++bones[j];
  }
  for (std::size_t j = 0; j < bones.size(); ++j) {
    if (bones[j] <= 1) recipe.held[j] = 1;
  }
}

void exec(Exec& e) {
  const PosedSkeleton& from = e.get(skeleton);
  PoseRecipe recipe = *from.recipe;
  for (JointLead& lead : recipe.leads) lead.keyed = false;
  std::vector<std::optional<Vec3f>> by(recipe.skeleton.joint_count());
  for (const JointKey& move : e.get(moves).list) {
    if (move.frame != 0) {
      return e.error(
          "'moves' has a key at frame {:g}, but a pose has no frames; use "
          "skeleton.animate",
          move.frame);
    }
    const auto joint = find_joint(e, recipe.skeleton, move.joint);
    if (!joint) return;
    by[*joint] = move.by;
  }
  for (uint32_t j = 0; j < by.size(); ++j) {
    if (!by[j]) continue;
    recipe.held[j] = 1;
    if (by[j]->isZero(0)) continue;
    JointLead lead;
    lead.joint = j;
    lead.keyed = true;
    for (int k = 0; k < 3; ++k) {
      lead.by[static_cast<std::size_t>(k)] = Chart::constant(static_cast<double>((*by[j])[k]));
    }
    recipe.leads.push_back(std::move(lead));
  }
  if (e.get(hold) == Hold::ends) hold_ends(recipe);
  if (e.get(hold) == Hold::all) recipe.held.assign(recipe.held.size(), 1);
  e.set(out, PosedSkeleton(std::move(recipe), from.time));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(skeleton_pose, declare, exec)
