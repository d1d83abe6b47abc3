// A squid with ten arms.
#include <numbers>

#include "nodes/kernels/cast_living.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<float> length, girth, fins, spread;
In<int> vertices;
Out<Mesh> out;

constexpr float degree = std::numbers::pi_v<float> / 180;

void declare(Declaration& d) {
  d.id("cast.squid", 1).label("Squid").category("Cast");
  d.doc("A squid along z about the origin, its ten arms towards +z; two of them are longer.");
  d.in(length, "length", 0.6f)
      .range(1e-3, 1e3)
      .unit("m")
      .doc("From the tip of the mantle to those of the tentacles.");
  d.in(girth, "girth", 1).range(0.7, 1.4).doc("Of the mantle.");
  d.in(fins, "fins", 1).range(0.5, 1.6).doc("Size of the fins.");
  d.in(spread, "spread", 32)
      .range(23, 50)
      .unit("deg")
      .doc("How far the arms lean out where they begin.");
  d.in(vertices, "vertices", 3000).range(500, 100000).doc("About how many vertices.");
  d.out(out, "mesh").doc("The squid, one watertight body.");
}

void exec(Exec& e) {
  kernels::SquidShape shape;
  shape.length = e.get(length);
  shape.girth = e.get(girth);
  shape.fins = e.get(fins);
  shape.spread = e.get(spread) * degree;
  shape.vertices = e.get(vertices);
  e.set(out, stoppable(e, [&](CancelView stop) { return kernels::make_squid(shape, stop); }));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(cast_squid, declare, exec)
