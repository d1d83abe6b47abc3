// A solid from a file.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "nodes/file_units.h"
#include "nodes/geometry/file_names.h"
#include "nodes/geometry/tet_io.h"
#include "nodes/kernels/embed.h"
#include "nodes/kernels/measure.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<std::string> file;
FileUnits units;
In<Mesh> skin;
Out<TetMesh> out;

void declare(Declaration& d) {
  d.id("tet.load", 1).label("Load Solid").category("Solid");
  d.doc("Reads a solid of tetrahedra from a file of Gmsh, VTK or TetGen, and mends it.");
  d.in(file, "file", "")
      .reads_file(tet_endings())
      .doc("The file; its ending says the format. Of TetGen's pair either may be named.");
  units.declare(d);
  d.in(skin, "skin")
      .optional()
      .doc("A finer mesh at the same place, which the solid shall carry and show.");
  d.out(out, "solid").doc("The solid, in metres, with y up.");
}

// "2 inverted tetrahedra turned round, 1 loose point left out"
std::string what_was_mended(const TetLoadReport& report) {
  std::string text;
  const auto add = [&](std::size_t count, const char* one, const char* many, const char* done) {
    if (count == 0) return;
    text +=
        fmt::format("{}{} {} {}", text.empty() ? "" : ", ", count, count == 1 ? one : many, done);
  };
  add(report.inverted, "inverted tetrahedron", "inverted tetrahedra", "turned round");
  add(report.flat, "flat tetrahedron", "flat tetrahedra", "left out");
  add(report.repeated, "repeated tetrahedron", "repeated tetrahedra", "left out");
  add(report.loose_points, "loose point", "loose points", "left out");
  return text;
}

// Says so if the skin is somewhere else than the solid: its vertices would move wildly.
TetMesh dressed(Exec& e, const TetMesh& solid, CancelView stop) {
  const Mesh& surface = e.get(skin);
  std::vector<double> distance2;
  TetTopology topology = *solid.topology;
  topology.skin = surface.topology;
  topology.embedding =
      kernels::embed_points(kernels::TetTree(solid, stop), surface.positions, stop, &distance2);
  const double size = kernels::bounding_box(solid.positions).diagonal().norm();
  const double limit = 0.05 * size;
  const auto far = std::count_if(distance2.begin(), distance2.end(),
                                 [&](double d) { return d > limit * limit; });
  if (far > 0) {
    e.warning("{} vertices of the skin lie outside of the solid, up to {:.3g} m", far,
              std::sqrt(*std::max_element(distance2.begin(), distance2.end())));
  }
  return TetMesh(std::move(topology), solid.positions);
}

void exec(Exec& e) {
  if (e.get(file).empty()) return e.error("no file is chosen; set 'file' to the name of a solid");
  if (const auto flaw = flaw_of_file_name(e.get(file))) return e.error("{}", *flaw);
  const LoadOptions options = units.options(e);
  TetLoadReport report;
  try {
    TetMesh loaded = stoppable(e, [&](CancelView stop) {
      TetMesh solid = load_tets(e.resolve(e.get(file)), options, &report, stop);
      const Mesh* fine = e.get_if<Mesh>(skin);
      return fine && !fine->empty() ? dressed(e, solid, stop) : solid;
    });
    if (report.mended()) e.warning("mended: {}", what_was_mended(report));
    if (report.skipped_cells > 0) {
      e.warning("{} cells that are no plain tetrahedra were left out", report.skipped_cells);
    }
    e.set(out, std::move(loaded));
  } catch (const FileError& problem) {
    e.error("{}", problem.what());
  }
}

}  // namespace
}  // namespace sinew

SINEW_NODE(tet_load, declare, exec)
