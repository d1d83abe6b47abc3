// A cylinder with half spheres at its ends.
#include "nodes/kernels/primitives.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<float> radius, height;
In<int> segments, cap_rings, height_segments;
In<Axis> axis;
Out<Mesh> out;

void declare(Declaration& d) {
  d.id("mesh.capsule", 1).label("Capsule").category("Mesh");
  d.doc("A cylinder with round ends, centred at the origin.");
  d.in(radius, "radius", 0.25f).range(1e-4, 1e4).unit("m").doc("Of the cylinder and its ends.");
  d.in(height, "height", 1)
      .range(1e-3, 1e4)
      .unit("m")
      .doc("From pole to pole; must be more than twice the radius.");
  d.in(segments, "segments", 32).range(3, 1024).doc("Quads around.");
  d.in(cap_rings, "cap_rings", 8).range(1, 256).doc("Rows in each half sphere.");
  d.in(height_segments, "height_segments", 4).range(1, 1024).doc("Quads along the straight part.");
  d.in(axis, "axis", Axis::y).choices({"x", "y", "z"}).doc("From pole to pole.");
  d.out(out, "mesh").doc("The capsule, watertight.");
}

void exec(Exec& e) {
  if (e.get(height) <= 2 * e.get(radius)) {
    return e.error("the height ({} m) must be more than twice the radius ({} m)", e.get(height),
                   e.get(radius));
  }
  e.set(out, kernels::make_capsule({.radius = e.get(radius),
                                    .height = e.get(height),
                                    .segments = e.get(segments),
                                    .cap_rings = e.get(cap_rings),
                                    .height_segments = e.get(height_segments),
                                    .axis = e.get(axis)}));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(mesh_capsule, declare, exec)
