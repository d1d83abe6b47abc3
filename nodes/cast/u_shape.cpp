// Two legs that are near in space and far along the body.
#include "nodes/kernels/everyday_bodies.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<float> height, thickness, gap, rounding;
In<int> vertices;
Out<Mesh> out;

void declare(Declaration& d) {
  d.id("cast.u_shape", 1).label("U Shape").category("Cast");
  d.doc("A U that stands on the ground, with two legs that are near to each other but separate.");
  d.in(height, "height", 0.3f).range(1e-3, 1e3).unit("m").doc("From the ground to the ends.");
  d.in(thickness, "thickness", 0.26f).range(0.1, 0.4).doc("Of the legs, as a share of the height.");
  d.in(gap, "gap", 0.2f).range(0.1, 2).doc("Between the legs, as a share of their thickness.");
  d.in(rounding, "rounding", 0.4f).range(0.05, 1).doc("0: sharp edges; 1: round legs.");
  d.in(vertices, "vertices", 2500).range(300, 50000).doc("About how many vertices.");
  d.out(out, "mesh").doc("The U, watertight.");
}

void exec(Exec& e) {
  kernels::UShape shape;
  shape.height = e.get(height);
  shape.thickness = e.get(thickness);
  shape.gap = e.get(gap);
  shape.rounding = e.get(rounding);
  e.set(out, stoppable(e, [&](CancelView stop) {
          return kernels::mesh_body(kernels::u_body(shape), e.get(vertices), stop);
        }));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(cast_u_shape, declare, exec)
