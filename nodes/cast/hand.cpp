// A hand with five fingers.
#include <numbers>

#include "nodes/kernels/cast_living.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<float> length, spread, girth, curl;
In<int> vertices;
Out<Mesh> out;

constexpr float degree = std::numbers::pi_v<float> / 180;

void declare(Declaration& d) {
  d.id("cast.hand", 1).label("Hand").category("Cast");
  d.doc(
      "A right hand on its wrist, fingers up and the palm towards +z; the fingers are near each "
      "other but apart.");
  d.in(length, "length", 0.19f)
      .range(1e-3, 1e3)
      .unit("m")
      .doc("From the wrist to the tip of the middle finger.");
  d.in(spread, "spread", 7).range(5, 14).unit("deg").doc("Between neighbouring fingers.");
  d.in(girth, "girth", 1).range(0.75, 1.1).doc("Of the fingers.");
  d.in(curl, "curl", 9)
      .range(0, 25)
      .unit("deg")
      .doc("How far each joint is bent towards the palm.");
  d.in(vertices, "vertices", 3000).range(300, 100000).doc("About how many vertices.");
  d.out(out, "mesh").doc("The hand, one watertight body.");
}

void exec(Exec& e) {
  kernels::HandShape shape;
  shape.length = e.get(length);
  shape.spread = e.get(spread) * degree;
  shape.girth = e.get(girth);
  shape.curl = e.get(curl) * degree;
  shape.vertices = e.get(vertices);
  e.set(out, stoppable(e, [&](CancelView stop) { return kernels::make_hand(shape, stop); }));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(cast_hand, declare, exec)
