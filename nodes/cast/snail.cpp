// A snail with its shell.
#include "nodes/kernels/cast_living.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<float> length, shell, turns, stalks;
In<int> vertices;
Out<Mesh> out;

void declare(Declaration& d) {
  d.id("cast.snail", 1).label("Snail").category("Cast");
  d.doc("A snail that creeps towards +z on the ground, with a spiral shell and eyes on stalks.");
  d.in(length, "length", 0.06f)
      .range(1e-3, 1e3)
      .unit("m")
      .doc("Of the foot, from behind to in front of the feelers.");
  d.in(shell, "shell", 1).range(0.7, 1.3).doc("Size of the shell.");
  d.in(turns, "turns", 3).range(1.5, 4).doc("Turns of the spiral.");
  d.in(stalks, "stalks", 1).range(0.5, 1.5).doc("Length of the eye stalks.");
  d.in(vertices, "vertices", 3000).range(300, 100000).doc("About how many vertices.");
  d.out(out, "mesh").doc("The snail, one watertight body.");
}

void exec(Exec& e) {
  kernels::SnailShape shape;
  shape.length = e.get(length);
  shape.shell = e.get(shell);
  shape.turns = e.get(turns);
  shape.stalks = e.get(stalks);
  shape.vertices = e.get(vertices);
  e.set(out, stoppable(e, [&](CancelView stop) { return kernels::make_snail(shape, stop); }));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(cast_snail, declare, exec)
