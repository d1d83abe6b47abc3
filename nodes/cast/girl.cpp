// A girl in a dress.
#include <numbers>

#include "nodes/kernels/cast_living.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<float> height, build, arm_angle, hair, skirt, stance;
In<int> vertices;
Out<Mesh> out;

constexpr float degree = std::numbers::pi_v<float> / 180;

void declare(Declaration& d) {
  d.id("cast.girl", 1).label("Girl").category("Cast");
  d.doc(
      "A girl on the ground who faces +z, arms held away from the body, in a dress and with her "
      "hair in two bunches; below the hem her legs are apart.");
  d.in(height, "height", 1.2f)
      .range(1e-3, 1e3)
      .unit("m")
      .doc("From the ground to the top of the head.");
  d.in(build, "build", 1).range(0.85, 1.2).doc("Thickness of the body and its limbs.");
  d.in(arm_angle, "arm_angle", 52)
      .range(35, 85)
      .unit("deg")
      .doc("Between the arms and straight down.");
  d.in(hair, "hair", 1).range(0.5, 1.3).doc("Length of the bunches.");
  d.in(skirt, "skirt", 1).range(0.7, 1.3).doc("How wide the skirt is at its hem.");
  d.in(stance, "stance", 1).range(0.8, 2).doc("How far apart the feet are.");
  d.in(vertices, "vertices", 12000).range(300, 100000).doc("About how many vertices.");
  d.out(out, "mesh").doc("The girl, one watertight body.");
}

void exec(Exec& e) {
  kernels::GirlShape shape;
  shape.height = e.get(height);
  shape.build = e.get(build);
  shape.arm_angle = e.get(arm_angle) * degree;
  shape.hair = e.get(hair);
  shape.skirt = e.get(skirt);
  shape.stance = e.get(stance);
  shape.vertices = e.get(vertices);
  e.set(out, stoppable(e, [&](CancelView stop) { return kernels::make_girl(shape, stop); }));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(cast_girl, declare, exec)
