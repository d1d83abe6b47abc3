// A flat grid of quads.
#include "nodes/kernels/primitives.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<float> width, depth;
In<int> width_segments, depth_segments;
In<Axis> normal;
Out<Mesh> out;

void declare(Declaration& d) {
  d.id("mesh.grid", 1).label("Grid").category("Mesh").doc("A flat rectangle about the origin.");
  d.in(width, "width", 1).range(1e-4, 1e4).unit("m").doc("Length along its first side.");
  d.in(depth, "depth", 1).range(1e-4, 1e4).unit("m").doc("Length along its second side.");
  d.in(width_segments, "width_segments", 10).range(1, 2000).doc("Quads along the first side.");
  d.in(depth_segments, "depth_segments", 10).range(1, 2000).doc("Quads along the second side.");
  d.in(normal, "normal", Axis::y).choices({"x", "y", "z"}).doc("Where the faces look.");
  d.out(out, "mesh").doc("The grid, open at its border.");
}

void exec(Exec& e) {
  e.set(out, kernels::make_grid({.width = e.get(width),
                                 .depth = e.get(depth),
                                 .width_segments = e.get(width_segments),
                                 .depth_segments = e.get(depth_segments),
                                 .normal = e.get(normal)}));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(mesh_grid, declare, exec)
