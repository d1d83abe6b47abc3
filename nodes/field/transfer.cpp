// A field of one body on another.
#include "nodes/kernels/transfer.h"

#include "nodes/kernels/measure.h"
#include "nodes/node.h"

namespace sinew {
namespace {

enum class Space : uint8_t { as_placed, box };

In<Field> field;
In<Mesh> from, to;
In<Space> space;
Out<Field> out, distance;

void declare(Declaration& d) {
  d.id("field.transfer", 1).label("Transfer").category("Field");
  d.doc("Brings a field from one mesh or solid to another.");
  d.in(field, "field", Field::constant(0)).range(-1e9, 1e9).doc("One value per vertex of 'from'.");
  d.in(from, "from")
      .accepts<TetMesh>()
      .doc(
          "What the field is on: of a mesh the closest place counts, of a solid the place inside.");
  d.in(to, "to").accepts<TetMesh>().doc("What the field is wanted on.");
  d.in(space, "space", Space::as_placed)
      .choices({"as_placed", "box"})
      .doc("as_placed: where both are; box: as if both filled the same box, whatever their size.");
  d.out(out, "field").on(to).doc("One value per vertex of 'to'.");
  d.out(distance, "distance").on(to).doc("How far each value was carried, in metres of 'from'.");
}

void exec(Exec& e) {
  const std::span<const Vec3f> source = vertices_of(e, from), target = vertices_of(e, to);
  const Field& given = e.get(field);
  if (!fits_vertices(e, given, source.size())) return;
  const TetMesh* solid = e.get_if<TetMesh>(from);
  if (solid ? solid->tet_count() == 0 : e.get(from).triangle_count() == 0) {
    return e.error("'from' has no {}, so that there is nothing to read values from",
                   solid ? "tetrahedra" : "triangles");
  }
  const std::vector<float> values = given.expanded(source.size());
  kernels::Transferred read = stoppable(e, [&](CancelView stop) {
    std::vector<Vec3f> fitted;
    std::span<const Vec3f> places = target;
    if (e.get(space) == Space::box) {
      fitted =
          kernels::fit_box(target, kernels::bounding_box(target), kernels::bounding_box(source));
      places = fitted;
    }
    if (solid) {
      const auto tree = e.prepared<kernels::TetTree>(
          "tet_tree", [&] { return kernels::TetTree(*solid, stop); }, from);
      return kernels::transfer(*tree, solid->tets(), values, places, stop);
    }
    const auto tree = e.prepared<kernels::SurfaceTree>(
        "surface_tree", [&] { return kernels::SurfaceTree(e.get(from), stop); }, from);
    return kernels::transfer(*tree, e.get(from).triangles(), values, places, stop);
  });
  e.set(out, given.is_constant() ? given
                                 : Field(Domain::vertex, std::move(read.values), given.meaning()));
  e.set(distance, Field(Domain::vertex, std::move(read.distance), {.unit = "m"}));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(field_transfer, declare, exec)
