// The surface of a solid as a mesh.
#include "nodes/node.h"

namespace sinew {
namespace {

enum class Part { skin, boundary };

In<TetMesh> solid;
In<Part> part;
Out<Mesh> out;

void declare(Declaration& d) {
  d.id("tet.surface", 1).label("Surface of Solid").category("Solid");
  d.doc("The surface of a solid: the mesh that it carries, or the outer faces of its tetrahedra.");
  d.in(solid, "solid").doc("The solid.");
  d.in(part, "part", Part::skin)
      .choices({"skin", "boundary"})
      .doc("The skin is the finer mesh that hangs in the solid; without one it is the boundary.");
  d.out(out, "mesh").doc("The surface.");
}

void exec(Exec& e) {
  const TetMesh& body = e.get(solid);
  e.set(out, e.get(part) == Part::skin ? surface_of(body) : boundary_mesh(body));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(tet_surface, declare, exec)
