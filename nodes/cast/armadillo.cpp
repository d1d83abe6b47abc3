// An armadillo that stands upright.
#include <numbers>

#include "nodes/kernels/cast_living.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<float> height, girth, arm_angle, ears, tail, bands;
In<int> vertices;
Out<Mesh> out;

constexpr float degree = std::numbers::pi_v<float> / 180;

void declare(Declaration& d) {
  d.id("cast.armadillo", 1).label("Armadillo").category("Cast");
  d.doc(
      "An armadillo upright on the ground that faces +z, arms held out, with a banded shell on its "
      "back and a stout tail.");
  d.in(height, "height", 1)
      .range(1e-3, 1e3)
      .unit("m")
      .doc("From the ground to the tips of the ears.");
  d.in(girth, "girth", 1).range(0.85, 1.2).doc("Of trunk and limbs.");
  d.in(arm_angle, "arm_angle", 70)
      .range(35, 95)
      .unit("deg")
      .doc("Between the arms and straight down.");
  d.in(ears, "ears", 1).range(0.6, 1.5).doc("Size of the ears.");
  d.in(tail, "tail", 1).range(0.6, 1.4).doc("Length of the tail.");
  d.in(bands, "bands", 1).range(0, 1.5).doc("How deep the bands of the shell are.");
  d.in(vertices, "vertices", 6000).range(300, 200000).doc("About how many vertices.");
  d.out(out, "mesh").doc("The armadillo, one watertight body.");
}

void exec(Exec& e) {
  kernels::ArmadilloShape shape;
  shape.height = e.get(height);
  shape.girth = e.get(girth);
  shape.arm_angle = e.get(arm_angle) * degree;
  shape.ears = e.get(ears);
  shape.tail = e.get(tail);
  shape.bands = e.get(bands);
  shape.vertices = e.get(vertices);
  e.set(out, stoppable(e, [&](CancelView stop) { return kernels::make_armadillo(shape, stop); }));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(cast_armadillo, declare, exec)
