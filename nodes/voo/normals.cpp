// The normals of a body that operators have deformed. [Hurmusiadis, section 5.7]
#include "nodes/kernels/measure.h"
#include "nodes/kernels/voo_deform.h"
#include "nodes/voo_acting.h"

namespace sinew {
namespace {

In<Mesh> body;
InList<VooSet> voos;
In<VooCombining> combine;
In<kernels::VooTranslation> translation;
Out<Mesh> out;
Out<VectorField> normals;

void declare(Declaration& d) {
  d.id("voo.normals", 2).label("Operator Normals").category("VOODOO").uses_frame();
  d.doc(
      "The normals of a mesh that operators deform, from how they bend space: smooth on a coarse "
      "mesh, too. Give it what is given to Apply Operators. Version 2 goes with its version 2.");
  d.upgrade([](UpgradeStep&) {});
  d.in(body, "body").doc("The mesh at rest.");
  d.in(voos, "voos").label("Operators").doc("The operators.");
  d.in(combine, "combine", VooCombining::sum)
      .choices({"sum", "blend", "arthra"})
      .doc("As in Apply Operators.");
  d.in(translation, "translation", kernels::VooTranslation::damped)
      .choices({"active", "damped", "everywhere"})
      .doc("As in Apply Operators.");
  d.out(out, "mesh").doc("The deformed mesh.");
  d.out(normals, "normals").on(out).doc("One for each vertex of it, of length 1.");
}

void exec(Exec& e) {
  const Mesh& mesh = e.get(body);
  const VooSet set = joined_sets(e, voos);
  if (set.size() > 256)
    return e.error("'voos' has {} operators; at most 256 are taken", set.size());
  const std::optional<VooActing> acting =
      acting_on(e, body, mesh.positions, set,
                {.combining = e.get(combine), .translation = e.get(translation), .slopes = true});
  if (!acting) return;
  VectorField turned{Domain::vertex, kernels::vertex_normals(mesh), ""};
  kernels::deform_normals(acting->actions, mesh.positions, turned.values, turned.values);
  std::vector<Vec3f> moved(mesh.vertex_count());
  kernels::deform_vertices(acting->actions, mesh.positions, moved);
  e.set(out, mesh.with_positions(std::move(moved)));
  e.set(normals, std::move(turned));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(voo_normals, declare, exec)
