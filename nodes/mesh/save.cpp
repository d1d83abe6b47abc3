// A mesh to a file, when effects are asked for.
//
// A document may come from a stranger, so it writes only below its own folder: no absolute path, no
// '..' that leaves the folder, and no symbolic link that does.
#include "nodes/geometry/mesh_io.h"
#include "nodes/node.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

In<Mesh> mesh;
In<std::string> file;
Out<Mesh> out;

std::vector<std::string> endings() {
  std::vector<std::string> list = savable_endings();
  for (std::string& ending : list) ending.erase(0, ending.starts_with('.') ? 1 : 0);
  return list;
}

void declare(Declaration& d) {
  d.id("mesh.save", 1).label("Save Mesh").category("Mesh").has_effect();
  d.doc("Writes a mesh to a file when the graph is run for its effects; otherwise does nothing.");
  d.in(mesh, "mesh").doc("What to write.");
  d.in(file, "file", "mesh.obj")
      .writes_file(endings())
      .doc("The file, inside the document's folder; its ending says the format.");
  d.out(out, "mesh").doc("The same mesh.");
}

bool is_inside(const fs::path& folder, const fs::path& path) {
  const fs::path way = path.lexically_relative(folder);
  return !way.empty() && *way.begin() != "..";
}

void exec(Exec& e) {
  const fs::path name = e.get(file);
  const fs::path shown = name.lexically_normal();
  if (name.empty() || !name.has_filename()) {
    return e.error("no file is named; set 'file' to a name such as mesh.obj");
  }
  if (name.is_absolute() || *shown.begin() == "..") {
    return e.error("'{}' is outside of the document's folder; use a path inside it", name.string());
  }
  if (e.run_effects()) {
    std::error_code failure;
    const fs::path target = e.resolve(e.get(file));
    const fs::path real = fs::weakly_canonical(target, failure);
    const fs::path folder = fs::weakly_canonical(e.resolve("."), failure);
    if (failure) return e.error("cannot write '{}': {}", name.string(), failure.message());
    if (!is_inside(folder, real)) {
      return e.error("'{}' leads out of the document's folder through a link", name.string());
    }
    fs::create_directories(real.parent_path(), failure);
    if (failure) return e.error("cannot write '{}': {}", name.string(), failure.message());
    try {
      save_mesh(e.get(mesh), real);
    } catch (const FileError& problem) {
      return e.error("{}", problem.what());
    }
  }
  e.forward(out, mesh);
}

}  // namespace
}  // namespace sinew

SINEW_NODE(mesh_save, declare, exec)
