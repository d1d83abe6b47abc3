// A ball of panels with seams.
#include "nodes/kernels/everyday_shapes.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<float> diameter, seams;
In<int> panels, vertices;
Out<Mesh> out;
Out<Field> panel;

void declare(Declaration& d) {
  d.id("cast.beach_ball", 1).label("Beach Ball").category("Cast");
  d.doc("A ball sewn from panels, about the origin, with its poles above and below.");
  d.in(diameter, "diameter", 0.35f).range(1e-3, 1e3).unit("m").doc("From side to side.");
  d.in(panels, "panels", 6).range(2, 16).doc("How many, side by side around the ball.");
  d.in(seams, "seams", 0.03f).range(0, 0.15).doc("How deep they lie, as a share of the radius.");
  d.in(vertices, "vertices", 2500).range(300, 50000).doc("About how many vertices.");
  d.out(out, "mesh").doc("The ball, watertight, with edges along its seams.");
  d.out(panel, "panel").on(out).doc("For each vertex the number of its panel, from 0.");
}

void exec(Exec& e) {
  kernels::BeachBallShape shape;
  shape.diameter = e.get(diameter);
  shape.panels = e.get(panels);
  shape.seams = e.get(seams);
  shape.vertices = static_cast<std::size_t>(e.get(vertices));
  kernels::BeachBall ball = kernels::make_beach_ball(shape);
  e.set(out, std::move(ball.mesh));
  e.set(panel, Field(Domain::vertex, std::move(ball.panels)));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(cast_beach_ball, declare, exec)
