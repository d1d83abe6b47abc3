// A wine glass: a thin wall on a thin stem.
#include "nodes/kernels/everyday_shapes.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<float> height, bowl, opening, stem, wall;
In<int> vertices;
Out<Mesh> out;

void declare(Declaration& d) {
  d.id("cast.wine_glass", 1).label("Wine Glass").category("Cast");
  d.doc("A glass with a bowl, a stem and a foot that stands on the ground.");
  d.in(height, "height", 0.2f).range(1e-3, 1e3).unit("m").doc("From the ground to the rim.");
  d.in(bowl, "bowl", 0.42f)
      .range(0.25, 0.8)
      .doc("Greatest width of the bowl, as a share of the height.");
  d.in(opening, "opening", 0.82f)
      .range(0.5, 1.3)
      .doc("Width of the rim, as a share of the width of the bowl.");
  d.in(stem, "stem", 0.36f)
      .range(0.2, 0.6)
      .doc("Height at which the bowl begins, as a share of the whole.");
  d.in(wall, "wall", 0.025f)
      .range(0.01, 0.04)
      .doc("Thickness of the bowl, as a share of the height.");
  d.in(vertices, "vertices", 3000).range(300, 50000).doc("About how many vertices.");
  d.out(out, "mesh").doc("The glass, watertight.");
}

void exec(Exec& e) {
  kernels::WineGlassShape shape;
  shape.height = e.get(height);
  shape.bowl = e.get(bowl);
  shape.opening = e.get(opening);
  shape.stem = e.get(stem);
  shape.wall = e.get(wall);
  shape.vertices = static_cast<std::size_t>(e.get(vertices));
  e.set(out, kernels::make_wine_glass(shape));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(cast_wine_glass, declare, exec)
