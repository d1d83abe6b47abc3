// A ring.
#include "nodes/kernels/primitives.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<float> major_radius, minor_radius;
In<int> major_segments, minor_segments;
In<Axis> axis;
Out<Mesh> out;

void declare(Declaration& d) {
  d.id("mesh.torus", 1).label("Torus").category("Mesh").doc("A ring about the origin.");
  d.in(major_radius, "major_radius", 0.5f)
      .range(1e-3, 1e4)
      .unit("m")
      .doc("From the centre to the middle of the tube.");
  d.in(minor_radius, "minor_radius", 0.15f)
      .range(1e-4, 1e4)
      .unit("m")
      .doc("Of the tube; must be less than the major radius.");
  d.in(major_segments, "major_segments", 48).range(3, 2048).doc("Quads around the ring.");
  d.in(minor_segments, "minor_segments", 16).range(3, 1024).doc("Quads around the tube.");
  d.in(axis, "axis", Axis::y).choices({"x", "y", "z"}).doc("Through the hole.");
  d.out(out, "mesh").doc("The ring, watertight.");
}

void exec(Exec& e) {
  if (e.get(minor_radius) >= e.get(major_radius)) {
    return e.error("the minor radius ({} m) must be less than the major radius ({} m)",
                   e.get(minor_radius), e.get(major_radius));
  }
  e.set(out, kernels::make_torus({.major_radius = e.get(major_radius),
                                  .minor_radius = e.get(minor_radius),
                                  .major_segments = e.get(major_segments),
                                  .minor_segments = e.get(minor_segments),
                                  .axis = e.get(axis)}));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(mesh_torus, declare, exec)
