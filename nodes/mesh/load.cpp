// A mesh from a file.
#include <fmt/format.h>

#include "graph/loss_list.h"
#include "nodes/file_units.h"
#include "nodes/geometry/file_names.h"

namespace sinew {
namespace {

In<std::string> file;
FileUnits units;
In<bool> join;
Out<Mesh> out;

void declare(Declaration& d) {
  d.id("mesh.load", 1).label("Load Mesh").category("Mesh");
  d.doc(
      "Reads a mesh from a file. Polygons become triangles; the order of vertices is kept. Those "
      "that are not finite are put at 0 0 0, with a warning.");
  d.in(file, "file", "")
      .reads_file(loadable_endings())
      .doc(
          "The file; its ending says the format. Rarely used formats are off; a message says how "
          "to turn them on.");
  units.declare(d);
  d.in(join, "join", true)
      .doc("Whether vertices at one place become one, in formats that do not share vertices.");
  d.out(out, "mesh").doc("The mesh, in metres, with y up.");
}

void exec(Exec& e) {
  if (e.get(file).empty()) return e.error("no file is chosen; set 'file' to the name of a mesh");
  if (const auto flaw = flaw_of_file_name(e.get(file))) return e.error("{}", *flaw);
  LoadOptions options = units.options(e);
  options.join_vertices = e.get(join);
  LoadReport report;
  try {
    Mesh loaded = stoppable(e, [&](CancelView stop) {
      return load_mesh(e.resolve(e.get(file)), options, &report, stop);
    });
    if (loaded.triangle_count() == 0) e.warning("'{}' has no faces", e.get(file));
    if (report.dropped_triangles > 0) {
      e.warning("{} triangles without area were left out", report.dropped_triangles);
    }
    if (report.mended_vertices > 0) {
      e.warn_of_damage("{} of {} vertices are not finite in '{}' and were put at 0 0 0",
                       report.mended_vertices, loaded.vertex_count(), e.get(file));
    }
    if (!report.unread.empty()) {
      // Who writes what comes of it says so (notes_of_readers in app/cli/upstream.h).
      e.say(Severity::info, fmt::format("what '{}' has and is not read: {}",
                                        std::filesystem::path(e.get(file)).filename().string(),
                                        listed(report.unread)));
    }
    e.set(out, std::move(loaded));
  } catch (const FileError& problem) {
    e.error("{}", problem.what());
  }
}

}  // namespace
}  // namespace sinew

SINEW_NODE(mesh_load, declare, exec)
