// A mesh to a file, when effects are asked for.
#include <fmt/ranges.h>

#include "nodes/geometry/file_names.h"
#include "nodes/geometry/mesh_io.h"
#include "nodes/node.h"
#include "nodes/save_place.h"

namespace sinew {
namespace {

In<Mesh> mesh;
In<std::string> file;
Out<Mesh> out;

void declare(Declaration& d) {
  d.id("mesh.save", 1).label("Save Mesh").category("Mesh").has_effect();
  d.doc("Writes a mesh to a file when the graph is run for its effects; otherwise does nothing.");
  d.in(mesh, "mesh").doc("What to write.");
  d.in(file, "file", "mesh.obj")
      .writes_file(savable_endings())
      .doc("The file, inside the document's folder; its ending says the format.");
  d.out(out, "mesh").doc("The same mesh.");
}

void exec(Exec& e) {
  if (const auto flaw = flaw_of_save_name(e.get(file), "mesh.obj")) return e.error("{}", *flaw);
  if (e.run_effects()) {
    const Result<SavePlace> place = make_save_place(e, e.get(file));
    if (!place) return e.error("{}", place.error());
    const Result<void> written = write_mesh_file(e.get(mesh), place->file);
    if (!written) return e.error("{}", written.error());
    const std::vector<std::string> lost = lost_in_file(e.get(mesh), ending_of(e.get(file)));
    if (!lost.empty()) e.warning("'{}' does not get: {}", e.get(file), fmt::join(lost, ", "));
  }
  e.forward(out, mesh);
}

}  // namespace
}  // namespace sinew

SINEW_NODE(mesh_save, declare, exec)
