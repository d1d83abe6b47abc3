// Moves each vertex along a vector.
#include "nodes/geometry/parallel.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<Mesh> mesh;
In<VectorField> vectors;
In<Field> amount;
In<float> distance;
Out<Mesh> out;

void declare(Declaration& d) {
  d.id("mesh.displace_along", 1).label("Displace Along").category("Mesh");
  d.doc("Moves each vertex along a vector of its own, such as a gradient.");
  d.in(mesh, "mesh").doc("What to displace.");
  d.in(vectors, "vectors").doc("Where to, one vector per vertex.");
  d.in(amount, "amount", Field::constant(1))
      .range(-1e3, 1e3)
      .doc("How much of it, per vertex; negative goes backwards.");
  d.in(distance, "distance", 0.1f).range(-1e3, 1e3).unit("m").doc("For a vector of length 1.");
  d.out(out, "mesh").doc("The displaced mesh.");
}

void exec(Exec& e) {
  const Mesh& input = e.get(mesh);
  const VectorField& along = e.get(vectors);
  if (!fits_vertices(e, e.get(amount), input)) return;
  if (!along.fits(Domain::vertex, input.vertex_count())) {
    return e.error("there are {} directions per {}, but the mesh has {} vertices; make them on it",
                   along.size(), domain_name(along.domain), input.vertex_count());
  }
  std::vector<Vec3f> moved(input.vertex_count());
  const Field& part = e.get(amount);
  parallel_blocks(moved.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const double by = static_cast<double>(part.at(i)) * e.get(distance);
      moved[i] =
          (input.positions[i].cast<double>() + by * along.values[i].cast<double>()).cast<float>();
    }
  });
  e.set(out, input.with_positions(std::move(moved)));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(mesh_displace_along, declare, exec)
