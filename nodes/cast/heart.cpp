// A heart with two hollow ventricles.
#include <numbers>

#include "nodes/kernels/cast_living.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<float> height, wall, twist;
In<bool> open;
In<int> vertices;
Out<Mesh> out;

constexpr float degree = std::numbers::pi_v<float> / 180;

void declare(Declaration& d) {
  d.id("cast.heart", 1).label("Heart").category("Cast");
  d.doc(
      "An upright heart about the origin, its tip towards +x, with two hollow ventricles and the "
      "stubs of the great vessels.");
  d.in(height, "height", 0.12f)
      .range(1e-3, 1e3)
      .unit("m")
      .doc("From the tip to the arch of the aorta.");
  d.in(wall, "wall", 1).range(0.7, 1.3).doc("Thickness of the walls of the ventricles.");
  d.in(twist, "twist", 30)
      .range(0, 60)
      .unit("deg")
      .doc("How far the tip is turned against the top.");
  d.in(open, "open", true)
      .doc(
          "Whether aorta and pulmonary trunk are tubes into the ventricles; else these are closed "
          "hollows.");
  d.in(vertices, "vertices", 3000).range(300, 100000).doc("About how many vertices.");
  d.out(out, "mesh").doc("The heart, watertight.");
}

void exec(Exec& e) {
  kernels::HeartShape shape;
  shape.height = e.get(height);
  shape.wall = e.get(wall);
  shape.twist = e.get(twist) * degree;
  shape.open = e.get(open);
  shape.vertices = e.get(vertices);
  e.set(out, stoppable(e, [&](CancelView stop) { return kernels::make_heart(shape, stop); }));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(cast_heart, declare, exec)
