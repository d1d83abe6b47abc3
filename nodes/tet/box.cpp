// A box of tetrahedra: the plainest solid there is.
#include "nodes/kernels/tet_primitives.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<Vec3> size;
In<int> cells_x, cells_y, cells_z;
Out<TetMesh> out;

void declare(Declaration& d) {
  d.id("tet.box", 1).label("Box of Tetrahedra").category("Solid");
  d.doc("A box filled with a regular pattern of tetrahedra, about the origin.");
  d.in(size, "size", Vec3{1, 1, 1}).range(1e-4, 1e3).unit("m").doc("Along each axis.");
  d.in(cells_x, "cells_x", 8).range(1, 128).doc("Cubes along x, five tetrahedra each.");
  d.in(cells_y, "cells_y", 8).range(1, 128).doc("Cubes along y.");
  d.in(cells_z, "cells_z", 8).range(1, 128).doc("Cubes along z.");
  d.out(out, "solid").doc("The solid; its surface is its boundary.");
}

void exec(Exec& e) {
  e.set(out, kernels::make_tet_box(to_eigen(e.get(size)),
                                   {e.get(cells_x), e.get(cells_y), e.get(cells_z)}));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(tet_box, declare, exec)
