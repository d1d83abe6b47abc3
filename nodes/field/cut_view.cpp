// Looking inside.
#include "nodes/kernels/cut.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<Mesh> body;
In<Field> field;
In<Vec3> point, normal;
In<float> offset;
In<bool> flip, cap;
In<kernels::CutOutside> outside;
Out<Mesh> out;
Out<Field> values;

void declare(Declaration& d) {
  d.id("field.cut_view", 1).label("Cut View").category("Field");
  d.doc("Cuts a body open along a plane, and shows a field on the outside and on the cut.");
  d.in(body, "body")
      .accepts<TetMesh>()
      .doc("The mesh or solid to cut; of a solid, the cut shows the values inside.");
  d.in(field, "field", Field::constant(0)).range(-1e9, 1e9).doc("What to show, per vertex.");
  d.in(point, "point", Vec3{}).range(-1e6, 1e6).unit("m").doc("A place on the plane.");
  d.in(normal, "normal", Vec3{0, 0, 1})
      .range(-1e6, 1e6)
      .doc("Which way the plane looks; what is on that side is cut away.");
  d.in(offset, "offset", 0)
      .range(-1e6, 1e6)
      .unit("m")
      .doc("Moves the plane along its normal; animate it to go through the body.");
  d.in(flip, "flip", false).doc("Cuts the other side away.");
  d.in(cap, "cap", true).doc("Whether the cut is closed.");
  d.in(outside, "outside", kernels::CutOutside::skin)
      .choices({"skin", "boundary"})
      .doc("Of a solid: skin shows the surface that it carries, boundary that of its tetrahedra.");
  d.handle(HandleKind::plane, "plane").at(point).normal(normal).offset(offset);
  d.out(out, "mesh").doc("What is left, with its cap.");
  d.out(values, "field").on(out).doc("The values at its vertices.");
}

void exec(Exec& e) {
  const std::size_t count = vertices_of(e, body).size();
  const Field& shown = e.get(field);
  if (!fits_vertices(e, shown, count)) return;
  kernels::CutPlane plane;
  plane.normal = to_eigen(e.get(normal)).cast<double>();
  if (!(plane.normal.norm() > 0)) {
    return e.error("'normal' has no length; give it at least one number that is not 0");
  }
  plane.normal.normalize();
  plane.point =
      to_eigen(e.get(point)).cast<double>() + static_cast<double>(e.get(offset)) * plane.normal;
  if (e.get(flip)) plane.normal = -plane.normal;
  const std::span<const float> carried =
      shown.is_constant() ? std::span<const float>() : shown.values();
  kernels::CutBody cut = stoppable(e, [&](CancelView stop) {
    if (const TetMesh* solid = e.get_if<TetMesh>(body)) {
      return kernels::cut_solid(*solid, carried, plane, e.get(outside), e.get(cap), stop);
    }
    return kernels::cut_mesh(e.get(body), carried, plane, e.get(cap), stop);
  });
  if (cut.mesh.empty() && count > 0) {
    e.warning("nothing is left: all of the body lies on the side that is cut away");
  }
  if (cut.open_outlines > 0) {
    e.warning("the mesh is open where it is cut: {} outlines have no cap", cut.open_outlines);
  }
  e.set(values, shown.is_constant()
                    ? shown
                    : Field(Domain::vertex, std::move(cut.values), shown.meaning()));
  e.set(out, std::move(cut.mesh));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(field_cut_view, declare, exec)
