// A hollow tube in the shape of an S with bulges.
#include "nodes/kernels/everyday_shapes.h"

#include <numbers>

#include "nodes/node.h"

namespace sinew {
namespace {

In<float> length, width, wall, bend, bulging;
In<int> bulges, vertices;
Out<Mesh> out;

void declare(Declaration& d) {
  d.id("cast.bowel", 1).label("Bowel").category("Cast");
  d.doc("A piece of gut in the shape of an S, hollow and open at both ends, about the origin.");
  d.in(length, "length", 0.6f).range(1e-3, 1e3).unit("m").doc("Along its middle.");
  d.in(width, "width", 0.11f)
      .range(0.03, 0.12)
      .doc("From outside to outside, as a share of the length.");
  d.in(wall, "wall", 0.35f)
      .range(0.1, 0.7)
      .doc("Thickness of the wall, as a share of the outer radius.");
  d.in(bend, "bend", 97)
      .range(0, 100)
      .unit("deg")
      .doc("How far it swings to each side; 0 is straight.");
  d.in(bulges, "bulges", 11).range(0, 40).doc("How many along it.");
  d.in(bulging, "bulging", 0.5f).range(0, 1).doc("How deep the furrows between bulges are.");
  d.in(vertices, "vertices", 3000).range(300, 50000).doc("About how many vertices.");
  d.out(out, "mesh").doc("The wall, watertight: its hole is the inside of the gut.");
}

void exec(Exec& e) {
  kernels::BowelShape shape;
  shape.length = e.get(length);
  shape.width = e.get(width);
  shape.wall = e.get(wall);
  shape.bend = e.get(bend) * (std::numbers::pi / 180);
  shape.bulges = e.get(bulges);
  shape.bulging = e.get(bulging);
  shape.vertices = static_cast<std::size_t>(e.get(vertices));
  e.set(out, kernels::make_bowel(shape));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(cast_bowel, declare, exec)
