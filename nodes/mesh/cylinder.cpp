// A cylinder, a cone or something between, closed or open.
#include "nodes/kernels/primitives.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<float> radius, top_radius, height;
In<int> segments, height_segments, cap_segments;
In<bool> caps;
In<Axis> axis;
Out<Mesh> out;

void declare(Declaration& d) {
  d.id("mesh.cylinder", 1).label("Cylinder").category("Mesh");
  d.doc("A cylinder or a cone, centred at the origin.");
  d.in(radius, "radius", 0.5f).range(1e-4, 1e4).unit("m").doc("At the bottom.");
  d.in(top_radius, "top_radius", 0.5f)
      .range(0, 1e4)
      .unit("m")
      .doc("At the top; 0 gives the tip of a cone.");
  d.in(height, "height", 1).range(1e-4, 1e4).unit("m").doc("From bottom to top.");
  d.in(segments, "segments", 32).range(3, 1024).doc("Quads around.");
  d.in(height_segments, "height_segments", 1).range(1, 1024).doc("Quads along the side.");
  d.in(cap_segments, "cap_segments", 1).range(1, 256).doc("Rings in each cap.");
  d.in(caps, "caps", true).doc("Whether bottom and top are closed.");
  d.in(axis, "axis", Axis::y).choices({"x", "y", "z"}).doc("From the bottom to the top.");
  d.out(out, "mesh").doc("The cylinder; watertight if it has caps.");
}

void exec(Exec& e) {
  e.set(out, kernels::make_cylinder({.radius = e.get(radius),
                                     .top_radius = e.get(top_radius),
                                     .height = e.get(height),
                                     .segments = e.get(segments),
                                     .height_segments = e.get(height_segments),
                                     .cap_segments = e.get(cap_segments),
                                     .caps = e.get(caps),
                                     .axis = e.get(axis)}));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(mesh_cylinder, declare, exec)
