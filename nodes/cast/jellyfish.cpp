// The bell of a jellyfish.
#include "nodes/kernels/cast_living.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<float> diameter, height, thickness, scallop;
In<int> lappets, vertices;
In<bool> oral_arms;
Out<Mesh> out;

void declare(Declaration& d) {
  d.id("cast.jellyfish", 1).label("Jellyfish").category("Cast");
  d.doc(
      "The bell of a jellyfish about the y axis, open below: outside, scalloped rim and the wall "
      "of the cavity are one surface.");
  d.in(diameter, "diameter", 0.3f).range(1e-3, 1e3).unit("m").doc("Of the bell.");
  d.in(height, "height", 0.45f).range(0.25, 0.9).doc("Of the bell, as a share of the diameter.");
  d.in(thickness, "thickness", 0.1f)
      .range(0.05, 0.2)
      .doc("Of the wall at the top, as a share of the diameter; it thins out towards the rim.");
  d.in(lappets, "lappets", 16).range(4, 32).doc("Scallops of the rim.");
  d.in(scallop, "scallop", 0.5f).range(0, 1).doc("How deep the rim is cut in between them.");
  d.in(oral_arms, "oral_arms", false).doc("Whether four arms hang from the middle.");
  d.in(vertices, "vertices", 3000).range(400, 100000).doc("About how many vertices.");
  d.out(out, "mesh").doc("The jellyfish, one watertight body.");
}

void exec(Exec& e) {
  kernels::JellyfishShape shape;
  shape.diameter = e.get(diameter);
  shape.height = e.get(height);
  shape.thickness = e.get(thickness);
  shape.lappets = e.get(lappets);
  shape.scallop = e.get(scallop);
  shape.oral_arms = e.get(oral_arms);
  shape.vertices = e.get(vertices);
  e.set(out, stoppable(e, [&](CancelView stop) { return kernels::make_jellyfish(shape, stop); }));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(cast_jellyfish, declare, exec)
