// Moves each vertex along its normal by a field.
#include "nodes/kernels/displace.h"

#include "nodes/kernels/measure.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<Mesh> mesh;
In<Field> amount;
In<float> distance;
Out<Mesh> out;

void declare(Declaration& d) {
  d.id("mesh.displace", 1).label("Displace").category("Mesh");
  d.doc("Moves each vertex along its normal, by a field times a distance.");
  d.in(mesh, "mesh").doc("What to displace.");
  d.in(amount, "amount", Field::constant(1))
      .range(-1e3, 1e3)
      .doc("How much of the distance, per vertex; negative goes inwards.");
  d.in(distance, "distance", 0.1f).range(-1e3, 1e3).unit("m").doc("For an amount of 1.");
  d.out(out, "mesh").doc("The displaced mesh.");
}

void exec(Exec& e) {
  const Mesh& input = e.get(mesh);
  if (!fits_vertices(e, e.get(amount), input)) return;
  std::vector<Vec3f> moved(input.vertex_count());
  kernels::displace(input.positions, kernels::vertex_normals(input), e.get(amount).values(),
                    e.get(distance), moved);
  e.set(out, input.with_positions(std::move(moved)));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(mesh_displace, declare, exec)
