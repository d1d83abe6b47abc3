// Hills on a closed slab.
#include "nodes/kernels/everyday_shapes.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<float> size, height, base, hills, roughness;
In<int> seed, vertices;
Out<Mesh> out;

void declare(Declaration& d) {
  d.id("cast.terrain", 1).label("Terrain").category("Cast");
  d.doc(
      "A square slab of ground with hills, closed all around; its flat underside lies on the "
      "ground.");
  d.in(size, "size", 10).range(1e-3, 1e3).unit("m").doc("Length of each side.");
  d.in(height, "height", 0.22f).range(0, 0.6).doc("Of the hills, as a share of the size.");
  d.in(base, "base", 0.04f)
      .range(0.005, 0.5)
      .doc("Thickness below the deepest valley, as a share of the size.");
  d.in(hills, "hills", 2.5f).range(0.5, 10).doc("About how many across.");
  d.in(roughness, "roughness", 0.4f).range(0, 1).doc("0: smooth hills; 1: rocky.");
  d.in(seed, "seed", 1).range(0, 1000000).doc("Another number gives other hills.");
  d.in(vertices, "vertices", 3000).range(300, 50000).doc("About how many vertices.");
  d.out(out, "mesh").doc("The slab, watertight.");
}

void exec(Exec& e) {
  kernels::TerrainShape shape;
  shape.size = e.get(size);
  shape.height = e.get(height);
  shape.base = e.get(base);
  shape.hills = e.get(hills);
  shape.roughness = e.get(roughness);
  shape.seed = static_cast<uint32_t>(e.get(seed));
  shape.vertices = static_cast<std::size_t>(e.get(vertices));
  e.set(out, kernels::make_terrain(shape));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(cast_terrain, declare, exec)
