// The Utah teapot as one closed body.
#include "nodes/kernels/teapot.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<float> length, height;
In<int> vertices;
Out<Mesh> out;

void declare(Declaration& d) {
  d.id("cast.teapot", 1).label("Teapot").category("Cast");
  d.doc(
      "The teapot that computer graphics grew up with, in one piece, its spout along +z, standing "
      "on the ground.");
  d.in(length, "length", 0.25f)
      .range(1e-3, 1e3)
      .unit("m")
      .doc("From the handle to the tip of the spout.");
  d.in(height, "height", 1)
      .range(0.6, 2)
      .doc("1: as it is usually shown; 1.33: as tall as the real pot.");
  d.in(vertices, "vertices", 3500).range(300, 50000).doc("About how many vertices.");
  d.out(out, "mesh").doc("The teapot, one watertight body.");
}

void exec(Exec& e) {
  kernels::TeapotShape shape;
  shape.length = e.get(length);
  shape.height = e.get(height);
  e.set(out, stoppable(e, [&](CancelView stop) {
          return kernels::mesh_body(kernels::teapot_body(shape), e.get(vertices), stop);
        }));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(cast_teapot, declare, exec)
