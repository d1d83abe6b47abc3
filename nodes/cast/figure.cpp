// A person, standing or walking.
#include <numbers>

#include "nodes/kernels/cast_living.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<float> height, build, arm_angle, stride;
In<int> vertices;
Out<Mesh> out;

constexpr float degree = std::numbers::pi_v<float> / 180;

void declare(Declaration& d) {
  d.id("cast.figure", 1).label("Figure").category("Cast");
  d.doc("A person on the ground who faces +z, arms held away from the body.");
  d.in(height, "height", 1.75f)
      .range(1e-3, 1e3)
      .unit("m")
      .doc("From the ground to the top of the head.");
  d.in(build, "build", 1).range(0.8, 1.25).doc("Thickness of the body and its limbs.");
  d.in(arm_angle, "arm_angle", 40)
      .range(20, 85)
      .unit("deg")
      .doc("Between the arms and straight down.");
  d.in(stride, "stride", 0)
      .range(0, 50)
      .unit("deg")
      .doc("Between the legs, the left one in front.");
  d.in(vertices, "vertices", 3000).range(300, 100000).doc("About how many vertices.");
  d.out(out, "mesh").doc("The person, one watertight body.");
}

void exec(Exec& e) {
  kernels::FigureShape shape;
  shape.height = e.get(height);
  shape.build = e.get(build);
  shape.arm_angle = e.get(arm_angle) * degree;
  shape.stride = e.get(stride) * degree;
  shape.vertices = e.get(vertices);
  e.set(out, stoppable(e, [&](CancelView stop) { return kernels::make_figure(shape, stop); }));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(cast_figure, declare, exec)
