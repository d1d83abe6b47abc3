// Several meshes as one.
#include "nodes/kernels/merge.h"

#include "nodes/node.h"

namespace sinew {
namespace {

constexpr size_t most_vertices = 20'000'000;

InList<Mesh> meshes;
In<bool> weld;
In<float> distance;
Out<Mesh> out;

void declare(Declaration& d) {
  d.id("mesh.merge", 1).label("Merge").category("Mesh");
  d.doc("Puts several meshes into one, in the order of their links.");
  d.in(meshes, "meshes").doc("What to put together; takes any number of links.");
  d.in(weld, "weld", false).doc("Whether vertices that are close together become one.");
  d.in(distance, "distance", 1e-5f)
      .range(0, 100)
      .unit("m")
      .doc("How close; 0 joins only what is at the very same place.");
  d.out(out, "mesh").doc("One mesh with all vertices and triangles.");
}

void exec(Exec& e) {
  const std::vector<const Mesh*> list = e.get(meshes);
  size_t vertices = 0;
  for (const Mesh* m : list) vertices += m->vertex_count();
  if (vertices > most_vertices) {
    return e.error("the merged mesh would have {} vertices; at most {} are possible", vertices,
                   most_vertices);
  }
  Mesh merged = kernels::merge_meshes(list);
  if (e.get(weld)) {
    merged = stoppable(e, [&](CancelView stop) {
      return kernels::weld_vertices(merged, e.get(distance), stop).mesh;
    });
  }
  e.set(out, std::move(merged));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(mesh_merge, declare, exec)
