// Which way a field grows, and how fast.
#include "nodes/kernels/gradient.h"

#include "nodes/node.h"

namespace sinew {
namespace {

In<Mesh> mesh;
In<Field> field;
Out<VectorField> out;

void declare(Declaration& d) {
  d.id("field.gradient", 1).label("Gradient").category("Field");
  d.doc("Which way a field grows, and how much per metre.");
  d.in(mesh, "mesh")
      .accepts<TetMesh>()
      .doc("The mesh or solid that the field is on; on a mesh the gradient stays in the surface.");
  d.in(field, "field", Field::constant(0)).range(-1e9, 1e9).doc("One value per vertex.");
  d.out(out, "vectors").on(mesh).doc("One vector per vertex, in units of the field per metre.");
}

void exec(Exec& e) {
  const std::size_t count = vertices_of(e, mesh).size();
  if (!fits_vertices(e, e.get(field), count)) return;
  const std::string& unit = e.get(field).meaning().unit;
  const std::string per_metre = (unit.empty() ? "1" : unit) + "/m";
  if (e.get(field).is_constant()) {
    return e.set(out,
                 VectorField{Domain::vertex, std::vector<Vec3f>(count, Vec3f(0, 0, 0)), per_metre});
  }
  const std::span<const float> values = e.get(field).values();
  std::vector<Vec3f> gradient = stoppable(e, [&](CancelView stop) {
    if (const TetMesh* solid = e.get_if<TetMesh>(mesh)) {
      return kernels::field_gradient(*solid, values, stop);
    }
    return kernels::field_gradient(e.get(mesh), values, stop);
  });
  e.set(out, VectorField{Domain::vertex, std::move(gradient), per_metre});
}

}  // namespace
}  // namespace sinew

SINEW_NODE(field_gradient, declare, exec)
