// A gull in the air.
#include <numbers>

#include "nodes/kernels/cast_living.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<float> wingspan, lift, sweep, girth;
In<int> vertices;
Out<Mesh> out;

constexpr float degree = std::numbers::pi_v<float> / 180;

void declare(Declaration& d) {
  d.id("cast.seagull", 1).label("Seagull").category("Cast");
  d.doc("A gull with its wings spread along x, flying towards +z.");
  d.in(wingspan, "wingspan", 1.3f).range(1e-3, 1e3).unit("m").doc("From tip to tip.");
  d.in(lift, "lift", 15).range(-23, 45).unit("deg").doc("How far the wings are raised.");
  d.in(sweep, "sweep", 0.5f).range(0, 1).doc("How far the tips of the wings point back.");
  d.in(girth, "girth", 1).range(0.7, 1.4).doc("Of the body.");
  d.in(vertices, "vertices", 3000).range(300, 100000).doc("About how many vertices.");
  d.out(out, "mesh").doc("The gull, one watertight body.");
}

void exec(Exec& e) {
  kernels::SeagullShape shape;
  shape.wingspan = e.get(wingspan);
  shape.lift = e.get(lift) * degree;
  shape.sweep = e.get(sweep);
  shape.girth = e.get(girth);
  shape.vertices = e.get(vertices);
  e.set(out, stoppable(e, [&](CancelView stop) { return kernels::make_seagull(shape, stop); }));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(cast_seagull, declare, exec)
