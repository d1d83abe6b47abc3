// Any closed mesh in the way.
#include "nodes/collide/place.h"
#include "nodes/kernels/adjacency.h"
#include "nodes/kernels/distance_grid.h"

namespace sinew {
namespace {

In<Mesh> mesh;
In<int> cells;
PlaceInputs place;
Out<Colliders> out;

void declare(Declaration& d) {
  d.id("collide.mesh", 1).label("Mesh Collider").category("Collide");
  d.doc("A closed mesh that things bump into. Moving and turning it here costs nothing.");
  d.in(mesh, "mesh").doc("The obstacle's surface, closed.");
  d.in(cells, "cells", 32)
      .range(8, 96)
      .doc("How finely it is measured, along its longest side; more follows finer detail.");
  place.declare(d);
  place.declare_frame(d);
  d.out(out, "colliders").doc("The obstacle.");
}

void exec(Exec& e) {
  const Mesh& surface = e.get(mesh);
  if (surface.triangle_count() == 0) return e.error("the mesh has no faces");
  const kernels::TopologyReport report =
      kernels::inspect_topology(surface.triangles(), surface.vertex_count());
  if (report.boundary_edges > 0) {
    return e.error("the mesh is open ({} border edges); an obstacle must be closed",
                   report.boundary_edges);
  }
  const auto distances = [&](CancelView stop) {
    return e.prepared<DistanceGrid>(
        "distances of a mesh",
        [&] {
          const kernels::SurfaceTree tree(surface, stop);
          return kernels::make_distance_grid(tree, e.get(cells), stop);
        },
        mesh, cells);
  };
  Collider obstacle = place.place(e, ColliderShape::mesh);
  try {
    obstacle.distances = stoppable(e, distances);
  } catch (const std::invalid_argument& flaw) {
    return e.error("the mesh cannot be an obstacle: {}", flaw.what());
  }
  e.set(out, Colliders{{obstacle}});
}

}  // namespace
}  // namespace sinew

SINEW_NODE(collide_mesh, declare, exec)
