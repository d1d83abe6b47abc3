// A mesh from a file.
#include "nodes/geometry/file_names.h"
#include "nodes/geometry/mesh_io.h"
#include "nodes/node.h"

namespace sinew {
namespace {

enum class Unit { metre, centimetre, millimetre, inch, foot };
constexpr float metres_per_unit[] = {1, 0.01f, 0.001f, 0.0254f, 0.3048f};

In<std::string> file;
In<Unit> unit;
In<float> scale;
In<UpAxis> up;
In<bool> join;
Out<Mesh> out;

void declare(Declaration& d) {
  d.id("mesh.load", 1).label("Load Mesh").category("Mesh");
  d.doc("Reads a mesh from a file. Polygons become triangles; the order of vertices is kept.");
  d.in(file, "file", "")
      .reads_file(loadable_endings())
      .doc("The file; its ending says the format.");
  d.in(unit, "unit", Unit::metre)
      .choices({"m", "cm", "mm", "inch", "foot"})
      .doc("What a length of 1 in the file means.");
  d.in(scale, "scale", 1).range(1e-6, 1e6).doc("Makes everything larger, after the unit.");
  d.in(up, "up", UpAxis::y).choices({"y", "z"}).doc("The axis that points up in the file.");
  d.in(join, "join", true)
      .doc("Whether vertices at one place become one, in formats that do not share vertices.");
  d.out(out, "mesh").doc("The mesh, in metres, with y up.");
}

void exec(Exec& e) {
  if (e.get(file).empty()) return e.error("no file is chosen; set 'file' to the name of a mesh");
  if (const auto flaw = flaw_of_file_name(e.get(file))) return e.error("{}", *flaw);
  LoadOptions options;
  options.file_up = e.get(up);
  options.scale = metres_per_unit[static_cast<int>(e.get(unit))] * e.get(scale);
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
    e.set(out, std::move(loaded));
  } catch (const FileError& problem) {
    e.error("{}", problem.what());
  }
}

}  // namespace
}  // namespace sinew

SINEW_NODE(mesh_load, declare, exec)
