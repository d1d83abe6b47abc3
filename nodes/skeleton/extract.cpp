// A skeleton found in a mesh.
#include <stdexcept>

#include "nodes/kernels/skeleton_extract.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<Mesh> body;
In<float> detail, bone_length, straightness;
In<int> resolution;
Out<Skeleton> out;
Out<int> joints;

void declare(Declaration& d) {
  d.id("skeleton.extract", 1).label("Find Skeleton").category("Skeleton");
  d.doc(
      "Finds a skeleton in a closed body: bones that run down the middle of its trunk and limbs "
      "and "
      "stay inside: a start for posing and skinning.");
  d.in(body, "body").doc("The body at rest, closed, of one piece.");
  d.in(detail, "detail", 0.04f)
      .range(0.005, 0.5)
      .doc(
          "How far something must stick out to count as a limb, as a part of the body's size: less "
          "finds more limbs.");
  d.in(bone_length, "bone_length", 0.25f)
      .range(0.01, 1)
      .doc("The longest bone, as a part of the body's size: less divides limbs into more bones.");
  d.in(straightness, "straightness", 0.4f)
      .range(0.05, 2)
      .doc(
          "How far a bone may be off the middle of a bent limb, as a part of the limb's radius: "
          "less "
          "puts more joints into bends.");
  d.in(resolution, "resolution", 50)
      .range(8, 120)
      .doc("How finely the inside is looked at: more finds thinner limbs, and takes longer.");
  d.out(out, "skeleton").doc("One tree of bones; its first joint is the root.");
  d.out(joints, "joints").doc("How many joints it has.");
}

void exec(Exec& e) {
  const kernels::ExtractOptions options{
      static_cast<double>(e.get(detail)), static_cast<double>(e.get(bone_length)),
      static_cast<double>(e.get(straightness)), e.get(resolution)};
  try {
    kernels::ExtractedSkeleton found = stoppable(
        e, [&](CancelView stop) { return kernels::extract_skeleton(e.get(body), options, stop); });
    for (const std::string& remark : found.remarks) e.warning("{}", remark);
    e.set(joints, static_cast<int>(found.skeleton.joint_count()));
    e.set(out, std::move(found.skeleton));
  } catch (const std::invalid_argument& wrong) {
    e.error("{}", wrong.what());
  }
}

}  // namespace
}  // namespace sinew

SINEW_NODE(skeleton_extract, declare, exec)
