// A toy car in one piece.
#include "nodes/kernels/everyday_bodies.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<float> length, height, wheels;
In<int> vertices;
Out<Mesh> out;

void declare(Declaration& d) {
  d.id("cast.car", 1).label("Car").category("Cast");
  d.doc("A toy car that faces +z and stands on the ground; its wheels hang on axles.");
  d.in(length, "length", 1).range(1e-3, 1e3).unit("m").doc("From bumper to bumper.");
  d.in(height, "height", 0.5f).range(0.42, 0.7).doc("Of the roof, as a share of the length.");
  d.in(wheels, "wheels", 0.11f)
      .range(0.09, 0.12)
      .doc("Radius of the wheels, as a share of the length.");
  d.in(vertices, "vertices", 3500).range(300, 50000).doc("About how many vertices.");
  d.out(out, "mesh").doc("The car, one watertight body.");
}

void exec(Exec& e) {
  kernels::CarShape shape;
  shape.length = e.get(length);
  shape.height = e.get(height);
  shape.wheels = e.get(wheels);
  e.set(out, stoppable(e, [&](CancelView stop) {
          return kernels::mesh_body(kernels::car_body(shape), e.get(vertices), stop);
        }));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(cast_car, declare, exec)
