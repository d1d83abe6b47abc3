// Which bone each vertex belongs to: by what is nearest, and by paint. [Cuno08, section 3]
#include "nodes/skin_words.h"

namespace sinew {
namespace {

In<Mesh> body;
In<PosedSkeleton> skeleton;
In<Field> sets, where;
In<std::string> bone;
Out<Field> out;
Out<int> count;

void declare(Declaration& d) {
  d.id("skeleton.skin_sets", 1).label("Skin Sets").category("Skeleton");
  d.doc(
      "Says which bone each vertex belongs to: the nearest one, never across a gap. What is "
      "painted goes to the bone that is named; several of these after each other paint several.");
  d.in(body, "body").accepts<TetMesh>().doc("The body at rest.");
  d.in(skeleton, "skeleton").doc("The skeleton in it.");
  d.in(sets, "sets", Field::constant(0))
      .range(0, most_joints)
      .doc("Sets to begin with, from another such node; 0 everywhere: the nearest bones.");
  d.in(bone, "bone", std::string("1")).doc("The bone that is painted, by its name or number.");
  d.in(where, "where", Field::constant(0))
      .range(-1e6, 1e6)
      .doc("What belongs to this bone: where it is above a half. Link a painted field.");
  d.out(out, "sets").on(body).doc("The number of each vertex' bone, from 1 on; 0: none.");
  d.out(count, "count").doc("How many vertices belong to the bone that is named.");
}

void exec(Exec& e) {
  const Skeleton& bones = e.get(skeleton).skeleton();
  const std::size_t vertices = vertices_of(e, body).size();
  if (!fits_vertices(e, "where", e.get(where), vertices)) return;
  if (bones.bone_count() == 0)
    return e.error("the skeleton has no bones to which skin could belong");
  const auto painted = find_bone(e, bones, e.get(bone));
  if (!painted) return;
  const auto from = read_sets(e, body, sets, bones);
  if (!from) return;
  std::vector<uint32_t> now = from->bones;
  int belonging = 0;
  for (std::size_t v = 0; v < vertices; ++v) {
    if (e.get(where).at(v) > 0.5f) now[v] = *painted;
    belonging += now[v] == *painted;
  }
  e.set(count, belonging);
  e.set(out, as_field(now));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(skeleton_skin_sets, declare, exec)
