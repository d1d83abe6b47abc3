// A landscape as the ground.
#include "nodes/kernels/distance_grid.h"

#include "nodes/collide/place.h"

namespace sinew {
namespace {

In<Mesh> mesh;
In<int> cells;
PlaceInputs place;
Out<Colliders> out;

void declare(Declaration& d) {
  d.id("collide.terrain", 1).label("Terrain Collider").category("Collide");
  d.doc("The ground as a mesh shows it from above; everything below is solid.");
  d.in(mesh, "mesh").doc("The landscape, such as a displaced grid; what overhangs is filled.");
  d.in(cells, "cells", 128).range(2, 512).doc("How finely it is measured, along its longer side.");
  place.declare(d);
  place.declare_frame(d);
  d.out(out, "colliders").doc("The obstacle; beyond the mesh it goes on as at its border.");
}

void exec(Exec& e) {
  const auto heights = [&](CancelView stop) {
    return e.prepared<HeightGrid>(
        "heights of a mesh",
        [&] {
          const kernels::SurfaceTree tree(e.get(mesh), stop);
          return kernels::make_height_grid(tree, e.get(cells), stop);
        },
        mesh, cells);
  };
  Collider ground = place.place(e, ColliderShape::terrain);
  try {
    ground.heights = stoppable(e, heights);
  } catch (const std::invalid_argument& flaw) {
    return e.error("the mesh cannot be a terrain: {}", flaw.what());
  }
  e.set(out, Colliders{{ground}});
}

}  // namespace
}  // namespace sinew

SINEW_NODE(collide_terrain, declare, exec)
