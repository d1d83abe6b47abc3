// A box of quads.
#include "nodes/kernels/primitives.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<Vec3> size;
In<int> segments_x, segments_y, segments_z;
Out<Mesh> out;

void declare(Declaration& d) {
  d.id("mesh.box", 1).label("Box").category("Mesh").doc("A box about the origin.");
  d.in(size, "size", Vec3{1, 1, 1}).range(1e-4, 1e4).unit("m").doc("Length along each axis.");
  d.in(segments_x, "segments_x", 1).range(1, 500).doc("Quads along x.");
  d.in(segments_y, "segments_y", 1).range(1, 500).doc("Quads along y.");
  d.in(segments_z, "segments_z", 1).range(1, 500).doc("Quads along z.");
  d.out(out, "mesh").doc("The box, watertight.");
}

void exec(Exec& e) {
  kernels::BoxShape shape;
  shape.size = to_eigen(e.get(size));
  shape.segments = {e.get(segments_x), e.get(segments_y), e.get(segments_z)};
  e.set(out, kernels::make_box(shape));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(mesh_box, declare, exec)
