// An apple with a stem and a leaf.
#include "nodes/kernels/everyday_bodies.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<float> width, height, dimple, leaf;
In<int> vertices;
Out<Mesh> out;

void declare(Declaration& d) {
  d.id("cast.apple", 1).label("Apple").category("Cast");
  d.doc("An apple with a stem and a leaf, standing on the ground.");
  d.in(width, "width", 0.08f).range(1e-3, 1e3).unit("m").doc("From side to side.");
  d.in(height, "height", 0.9f).range(0.7, 1.3).doc("Without the stem, as a share of the width.");
  d.in(dimple, "dimple", 0.18f)
      .range(0.05, 0.3)
      .doc("Depth of the hollow around the stem, as a share of the width.");
  d.in(leaf, "leaf", 0.4f).range(0.2, 0.8).doc("Length of the leaf, as a share of the width.");
  d.in(vertices, "vertices", 3000).range(300, 50000).doc("About how many vertices.");
  d.out(out, "mesh").doc("The apple, one watertight body.");
}

void exec(Exec& e) {
  kernels::AppleShape shape;
  shape.width = e.get(width);
  shape.height = e.get(height);
  shape.dimple = e.get(dimple);
  shape.leaf = e.get(leaf);
  e.set(out, stoppable(e, [&](CancelView stop) {
          return kernels::mesh_body(kernels::apple_body(shape), e.get(vertices), stop);
        }));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(cast_apple, declare, exec)
