// A table in one piece.
#include "nodes/kernels/everyday_bodies.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<float> length, width, height, top, legs;
In<int> vertices;
Out<Mesh> out;

void declare(Declaration& d) {
  d.id("cast.table", 1).label("Table").category("Cast");
  d.doc("A table with four round legs that stands on the ground, its long side along z.");
  d.in(length, "length", 1.2f).range(1e-3, 1e3).unit("m").doc("Of the top.");
  d.in(width, "width", 0.62f).range(0.3, 1).doc("Of the top, as a share of the length.");
  d.in(height, "height", 0.6f)
      .range(0.2, 1.5)
      .doc("From the ground to the top, as a share of the length.");
  d.in(top, "top", 0.045f).range(0.03, 0.1).doc("Thickness of the top, as a share of the length.");
  d.in(legs, "legs", 0.06f)
      .range(0.04, 0.12)
      .doc("Thickness of the legs at the top, as a share of the length.");
  d.in(vertices, "vertices", 3000).range(300, 50000).doc("About how many vertices.");
  d.out(out, "mesh").doc("The table, one watertight body.");
}

void exec(Exec& e) {
  kernels::TableShape shape;
  shape.length = e.get(length);
  shape.width = e.get(width);
  shape.height = e.get(height);
  shape.top = e.get(top);
  shape.legs = e.get(legs);
  e.set(out, stoppable(e, [&](CancelView stop) {
          return kernels::mesh_body(kernels::table_body(shape), e.get(vertices), stop);
        }));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(cast_table, declare, exec)
