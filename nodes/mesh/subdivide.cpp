// Loop subdivision: each triangle becomes four, and the surface smooth. [Loop87]
#include "nodes/kernels/subdivide.h"

#include "nodes/node.h"

namespace sinew {
namespace {

constexpr uint64_t most_triangles = 20'000'000;

In<Mesh> mesh;
In<int> levels;
Out<Mesh> out;

void declare(Declaration& d) {
  d.id("mesh.subdivide", 1).label("Subdivide").category("Mesh");
  d.doc("Refines and rounds a mesh by Loop subdivision.");
  d.in(mesh, "mesh").doc("What to refine.");
  d.in(levels, "levels", 1).range(0, 8).doc("How often; each time makes four times the triangles.");
  d.out(out, "mesh").doc("The refined mesh; the old vertices come first, in their order.");
}

void exec(Exec& e) {
  if (e.get(levels) == 0) return e.forward(out, mesh);
  const uint64_t triangles =
      kernels::subdivided_triangle_count(e.get(mesh).triangle_count(), e.get(levels));
  if (triangles > most_triangles) {
    return e.error(
        "{} levels would make {} triangles; at most {} are possible, so use fewer levels",
        e.get(levels), triangles, most_triangles);
  }
  e.set(out, stoppable(e, [&](CancelView stop) {
          return kernels::subdivide_loop(e.get(mesh), e.get(levels), kernels::LoopWeights::loop,
                                         stop);
        }));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(mesh_subdivide, declare, exec)
