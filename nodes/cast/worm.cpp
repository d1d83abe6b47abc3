// An earthworm.
#include <numbers>

#include "nodes/kernels/cast_living.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<float> length, girth, ridges, bend;
In<int> segments, vertices;
Out<Mesh> out;

constexpr float degree = std::numbers::pi_v<float> / 180;

void declare(Declaration& d) {
  d.id("cast.worm", 1).label("Worm").category("Cast");
  d.doc("An earthworm along z about the origin, its head at +z.");
  d.in(length, "length", 0.1f).range(1e-3, 1e3).unit("m").doc("From end to end.");
  d.in(girth, "girth", 0.01f)
      .range(1e-4, 100)
      .unit("m")
      .doc("Its thickest diameter; kept between a fortieth and half of the length.");
  d.in(segments, "segments", 30).range(4, 80).doc("Rings of the body.");
  d.in(ridges, "ridges", 0.5f).range(0, 1).doc("How deep the furrows between segments are.");
  d.in(bend, "bend", 0)
      .range(-70, 70)
      .unit("deg")
      .doc("How far the body turns to and fro, to the sides.");
  d.in(vertices, "vertices", 2500).range(200, 200000).doc("About how many vertices.");
  d.out(out, "mesh").doc("The worm, one watertight body.");
}

void exec(Exec& e) {
  kernels::WormShape shape;
  shape.length = e.get(length);
  shape.girth = e.get(girth);
  shape.segments = e.get(segments);
  shape.ridges = e.get(ridges);
  shape.bend = e.get(bend) * degree;
  shape.vertices = e.get(vertices);
  e.set(out, stoppable(e, [&](CancelView stop) { return kernels::make_worm(shape, stop); }));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(cast_worm, declare, exec)
