// A solid to a file, when effects are asked for.
#include <fmt/format.h>

#include "nodes/geometry/file_names.h"
#include "nodes/geometry/format_error.h"
#include "nodes/geometry/tet_io.h"
#include "nodes/node.h"
#include "nodes/save_place.h"
#include "nodes/values/common.h"

namespace sinew {
namespace {

In<TetMesh> solid;
In<std::string> file;
In<FileEncoding> encoding;
In<MshVersion> msh_version;
Out<TetMesh> out;

void declare(Declaration& d) {
  d.id("tet.save", 1).label("Save Solid").category("Solid").has_effect();
  d.doc("Writes a solid to a file when the graph is run for its effects; otherwise does nothing.");
  d.in(solid, "solid").doc("What to write; the finer surface that it carries is not written.");
  d.in(file, "file", "solid.msh")
      .writes_file(tet_endings())
      .doc("The file, inside the document's folder; its ending says the format.");
  d.in(encoding, "encoding", FileEncoding::binary)
      .choices({"text", "binary"})
      .doc("Binary keeps every bit and is faster; TetGen's files are always text.");
  d.in(msh_version, "msh_version", MshVersion::v4_1)
      .choices({"2.2", "4.1"})
      .doc("Of Gmsh's format; older programs read 2.2.");
  d.out(out, "solid").doc("The same solid.");
}

// TetGen's format is a pair of files; both must lie inside of the document's folder.
Result<void> write_inside(const Exec& e) {
  const std::string& name = e.get(file);
  const std::string ending = ending_of(name);
  try {
    for (const EncodedFile& part :
         encode_tets(e.get(solid), ending, {e.get(encoding), e.get(msh_version)})) {
      const std::string own =
          part.ending == ending ? name : with_ending(name, part.ending).string();
      const Result<SavePlace> place = make_save_place(e, own);
      if (!place) return Error{place.error()};
      if (const auto written = values::write_bytes(place->file, part.bytes); !written)
        return written;
    }
    return {};
  } catch (const FormatError& problem) {
    return Error{fmt::format("cannot write '{}': {}", name, problem.what())};
  }
}

void exec(Exec& e) {
  if (const auto flaw = flaw_of_save_name(e.get(file), "solid.msh")) return e.error("{}", *flaw);
  if (e.run_effects()) {
    if (const Result<void> written = write_inside(e); !written)
      return e.error("{}", written.error());
  }
  e.forward(out, solid);
}

}  // namespace
}  // namespace sinew

SINEW_NODE(tet_save, declare, exec)
