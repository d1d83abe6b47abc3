// A bar with rounded edges: what every deformation is tried on first.
#include "nodes/kernels/everyday_shapes.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<float> length, thickness, rounding;
In<int> vertices;
Out<Mesh> out;

void declare(Declaration& d) {
  d.id("cast.bar", 1).label("Bar").category("Cast");
  d.doc("A bar with rounded edges, along x about the origin.");
  d.in(length, "length", 0.3f).range(1e-3, 1e3).unit("m").doc("From end to end.");
  d.in(thickness, "thickness", 0.2f)
      .range(0.02, 1)
      .doc("Of the square section, as a share of the length.");
  d.in(rounding, "rounding", 0.4f)
      .range(0, 1)
      .doc("0: sharp edges; 1: as round as the thickness allows.");
  d.in(vertices, "vertices", 2500).range(300, 50000).doc("About how many vertices.");
  d.out(out, "mesh").doc("The bar, watertight.");
}

void exec(Exec& e) {
  kernels::BarShape shape;
  shape.length = e.get(length);
  shape.thickness = e.get(thickness);
  shape.rounding = e.get(rounding);
  shape.vertices = static_cast<std::size_t>(e.get(vertices));
  e.set(out, kernels::make_bar(shape));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(cast_bar, declare, exec)
