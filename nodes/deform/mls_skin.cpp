// A body carried by a skeleton, as rigidly as can be and sensible to its shape. [Cuno08, section 3]
#include "nodes/kernels/mls_skin.h"

#include "nodes/kernels/mls_space.h"

#include "nodes/content_name.h"
#include "nodes/skin_words.h"

namespace sinew {
namespace {

using kernels::SkinFalloff;

In<Mesh> body;
In<PosedSkeleton> pose;
In<Field> sets, mask;
In<float> radius, exponent;
In<SkinFalloff> falloff;
In<JointTurn> turn;
In<std::string> bone;
Out<Mesh> out;
Out<Field> weight, out_sets;
Out<PosedSkeleton> found;

void declare(Declaration& d) {
  d.id("deform.mls_skin", 1).label("Skin on Skeleton").category("Deform");
  d.doc(
      "A body that follows a posed skeleton. Bones may stretch and bend; each place of the body "
      "moves as rigidly as can be, and one limb hardly follows another.");
  d.in(body, "body")
      .accepts<TetMesh>()
      .generic("body")
      .doc("The body at rest, with the skeleton in it.");
  d.in(pose, "pose").doc("The posed skeleton.");
  d.in(sets, "sets", Field::constant(0))
      .range(0, most_joints)
      .doc(
          "Which bone each vertex belongs to, by its number, from skeleton.skin_sets; 0 "
          "everywhere: "
          "the nearest.");
  d.in(radius, "radius", 0.07f)
      .range(0, 2)
      .doc(
          "How far bones reach into the skin of their neighbours, along the surface, as a part of "
          "the body's size: small makes sharp creases, large round bends.");
  d.in(falloff, "falloff", SkinFalloff::smooth)
      .choices({"smooth", "printed"})
      .doc("How that reach fades: smooth at both ends, or with a corner, as the paper has it.");
  d.in(exponent, "exponent", static_cast<float>(kernels::standard_joint_alpha))
      .range(kernels::least_mls_alpha, kernels::greatest_mls_alpha)
      .doc(
          "How quickly controls count less along the bones: at 1 limbs follow each other a little, "
          "at 2 hardly.");
  d.in(turn, "turn", JointTurn::carried)
      .choices({"carried", "steady", "best"})
      .doc(
          "How joints turn that nobody leads, and how limbs twist. carried: along with the motion, "
          "so that nothing leaps however far limbs go round. steady: by the moment alone. best: "
          "the least squares optimum, which may turn limbs inside out.");
  d.in(mask, "mask", Field::constant(1)).range(0, 1).doc("How much each vertex follows.");
  d.in(bone, "bone", std::string("1")).doc("The bone whose weight is told, by its name or number.");
  d.out(out, "body").generic("body").doc("The posed body.");
  d.out(weight, "weight").on(out).doc("How much each vertex follows the bone that is named.");
  d.out(out_sets, "sets").on(out).doc("The number of each vertex' bone, from 1 on; 0: none.");
  d.out(found, "pose").doc("The skeleton with all joints where they were found.");
}

struct PreparedSkin {
  kernels::MlsSkin skin;
  std::size_t bytes() const { return byte_size(skin); }
};

std::shared_ptr<const PreparedSkin> prepare(Exec& e, const Skeleton& skeleton,
                                            std::span<const uint32_t> of, const std::string& name) {
  const auto make = [&] {
    const kernels::MlsSkinOptions options{static_cast<double>(e.get(radius)), e.get(falloff)};
    const auto surface = skin_surface(e, body);
    return PreparedSkin{stoppable(e, [&](CancelView stop) {
      return kernels::prepare_skin(surface->mesh, skeleton, of, options, stop);
    })};
  };
  return e.prepared<PreparedSkin>(name, make, body, radius, falloff, sets);
}

struct BoneWeight {
  Field field;
  std::size_t bytes() const { return byte_size(field); }
};

// The weight of one bone, made once for it.
std::shared_ptr<const BoneWeight> weight_of(Exec& e, const PreparedSkin& skin, uint32_t which,
                                            const std::string& name) {
  const auto make = [&] {
    return BoneWeight{Field(Domain::vertex, kernels::shares_of_bone(skin.skin, which))};
  };
  const std::string own = fmt::format("{} weight {}", name, which);
  return e.prepared<BoneWeight>(own, make, body, radius, falloff, sets);
}

void exec(Exec& e) {
  const PosedSkeleton& posed = e.get(pose);
  const Skeleton& skeleton = posed.skeleton();
  const std::span<const Vec3f> rest = vertices_of(e, body);
  if (!fits_vertices(e, "mask", e.get(mask), rest.size())) return;
  if (skeleton.bone_count() == 0) {
    return e.error(
        "the skeleton has no bones that could carry a body; join its joints, or use "
        "deform.mls");
  }
  const auto shown = find_bone(e, skeleton, e.get(bone));
  if (!shown) return;
  const auto of = read_sets(e, body, sets, skeleton);
  if (!of) return;
  const std::string name = content_name("mls skin", skeleton);
  const auto skin = prepare(e, skeleton, of->bones, name);
  const std::vector<kernels::JointPose> joints =
      found_joints(e, posed, static_cast<double>(e.get(exponent)), e.get(turn));
  std::vector<Vec3f> moved(rest.size());
  kernels::pose_skin(skin->skin, joints, moved);
  apply_mask(e.get(mask), rest, moved);
  e.set(weight, weight_of(e, *skin, *shown, name)->field);
  e.set(out_sets, of->numbers);
  e.set(found, as_found(posed, joints));
  set_moved(e, out, body, std::move(moved));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(deform_mls_skin, declare, exec)
