// A dragon on four legs.
#include <numbers>

#include "nodes/kernels/cast_living.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<float> length, girth, wind, neck, curl, horns, spikes, mouth;
In<int> vertices;
Out<Mesh> out;

constexpr float degree = std::numbers::pi_v<float> / 180;

void declare(Declaration& d) {
  d.id("cast.dragon", 1).label("Dragon").category("Cast");
  d.doc(
      "A long dragon on the ground that faces +z, on four short legs, the neck raised and the tail "
      "rolled up, with horns and a ridge of spikes.");
  d.in(length, "length", 3).range(1e-3, 1e3).unit("m").doc("From the snout to behind the tail.");
  d.in(girth, "girth", 1).range(0.8, 1.2).doc("Of trunk, neck and tail.");
  d.in(wind, "wind", 1).range(0, 1.4).doc("How far the body winds from side to side.");
  d.in(neck, "neck", 1).range(0.4, 1.15).doc("How far the neck is raised.");
  d.in(curl, "curl", 1).range(0, 1.15).doc("How far the tail is rolled up.");
  d.in(horns, "horns", 1).range(0.5, 1.4).doc("Length of the horns.");
  d.in(spikes, "spikes", 1).range(0.6, 1.4).doc("Height of the spikes.");
  d.in(mouth, "mouth", 28).range(15, 40).unit("deg").doc("Between the jaws.");
  d.in(vertices, "vertices", 6000).range(300, 600000).doc("About how many vertices.");
  d.out(out, "mesh").doc("The dragon, one watertight body.");
}

void exec(Exec& e) {
  kernels::DragonShape shape;
  shape.length = e.get(length);
  shape.girth = e.get(girth);
  shape.wind = e.get(wind);
  shape.neck = e.get(neck);
  shape.curl = e.get(curl);
  shape.horns = e.get(horns);
  shape.spikes = e.get(spikes);
  shape.mouth = e.get(mouth) * degree;
  shape.vertices = e.get(vertices);
  e.set(out, stoppable(e, [&](CancelView stop) { return kernels::make_dragon(shape, stop); }));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(cast_dragon, declare, exec)
