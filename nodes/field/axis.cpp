// A ramp along an axis of a mesh.
#include "nodes/kernels/field_ops.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<Mesh> mesh;
In<Axis> axis;
In<float> low, high;
Out<Field> out;

void declare(Declaration& d) {
  d.id("field.axis", 1).label("Axis Ramp").category("Field");
  d.doc("Goes evenly from one side of a mesh to the other.");
  d.in(mesh, "mesh").accepts<TetMesh>().doc("The mesh or solid whose bounding box is measured.");
  d.in(axis, "axis", Axis::y).choices({"x", "y", "z"}).doc("The direction of the ramp.");
  d.in(low, "low", 0).range(-1e6, 1e6).doc("The value at the lower side.");
  d.in(high, "high", 1).range(-1e6, 1e6).doc("The value at the upper side.");
  d.out(out, "field").on(mesh).doc("One value per vertex.");
}

void exec(Exec& e) {
  const std::span<const Vec3f> points = vertices_of(e, mesh);
  std::vector<float> ramp(points.size());
  kernels::axis_ramp(points, e.get(axis), ramp);
  const float from = e.get(low), to = e.get(high);
  kernels::field_math(kernels::FieldOp::mix, {&from, 1}, {&to, 1}, ramp, ramp);
  e.set(out, Field(Domain::vertex, std::move(ramp)));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(field_axis, declare, exec)
