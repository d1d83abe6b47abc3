// A mesh to a file, when effects are asked for.
//
// A document may come from a stranger, so it writes only below its own folder: no absolute path, no
// '..' that leaves the folder, and no symbolic link that does.
#include <fmt/format.h>

#include "nodes/geometry/file_names.h"
#include "nodes/geometry/mesh_io.h"
#include "nodes/node.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

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

bool is_inside(const fs::path& folder, const fs::path& path) {
  const fs::path way = path.lexically_relative(folder);
  return !way.empty() && *way.begin() != "..";
}

// Follows all links before it compares, and makes the folders on the way.
Result<void> write_inside(Exec& e) {
  const std::string& name = e.get(file);
  const auto failed = [&](const std::error_code& why) {
    return Error{fmt::format("cannot write '{}': {}", name, why.message())};
  };
  std::error_code failure;
  const fs::path real = fs::weakly_canonical(e.resolve(name), failure);
  if (failure) return failed(failure);
  const fs::path folder = fs::weakly_canonical(e.resolve("."), failure);
  if (failure) return failed(failure);
  if (!is_inside(folder, real)) {
    return Error{fmt::format("'{}' leads out of the document's folder through a link", name)};
  }
  fs::create_directories(real.parent_path(), failure);
  if (failure) return failed(failure);
  return write_mesh_file(e.get(mesh), real);
}

void exec(Exec& e) {
  if (const auto flaw = flaw_of_file_name(e.get(file))) return e.error("{}", *flaw);
  const fs::path name = e.get(file);
  const fs::path shown = name.lexically_normal();
  if (name.empty() || !name.has_filename()) {
    return e.error("no file is named; set 'file' to a name such as mesh.obj");
  }
  if (name.is_absolute() || *shown.begin() == "..") {
    return e.error("'{}' is outside of the document's folder; use a path inside it", name.string());
  }
  if (e.run_effects()) {
    if (const Result<void> written = write_inside(e); !written)
      return e.error("{}", written.error());
  }
  e.forward(out, mesh);
}

}  // namespace
}  // namespace sinew

SINEW_NODE(mesh_save, declare, exec)
