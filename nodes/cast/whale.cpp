// A whale.
#include "nodes/kernels/cast_living.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<float> length, girth, flippers, mouth;
In<int> vertices;
Out<Mesh> out;

void declare(Declaration& d) {
  d.id("cast.whale", 1).label("Whale").category("Cast");
  d.doc(
      "A whale along z about the origin, its head at +z, with flukes, flippers and the line of its "
      "mouth.");
  d.in(length, "length", 8).range(1e-3, 1e3).unit("m").doc("From snout to flukes.");
  d.in(girth, "girth", 1).range(0.7, 1.3).doc("Of the trunk.");
  d.in(flippers, "flippers", 1).range(0.5, 1.5).doc("Length of the flippers.");
  d.in(mouth, "mouth", 1).range(0, 1.5).doc("How deep the line of the mouth is.");
  d.in(vertices, "vertices", 3000).range(300, 100000).doc("About how many vertices.");
  d.out(out, "mesh").doc("The whale, one watertight body.");
}

void exec(Exec& e) {
  kernels::WhaleShape shape;
  shape.length = e.get(length);
  shape.girth = e.get(girth);
  shape.flippers = e.get(flippers);
  shape.mouth = e.get(mouth);
  shape.vertices = e.get(vertices);
  e.set(out, stoppable(e, [&](CancelView stop) { return kernels::make_whale(shape, stop); }));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(cast_whale, declare, exec)
