#include "nodes/geometry/mesh_io.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "nodes/geometry/file_bytes.h"
#include "nodes/geometry/file_names.h"
#include "nodes/geometry/foreign_files.h"
#include "nodes/geometry/format_error.h"
#include "nodes/geometry/join.h"
#include "nodes/geometry/mesh_writers.h"
#include "nodes/geometry/naming_file.h"
#include "nodes/geometry/obj_reader.h"
#include "nodes/geometry/parallel.h"
#include "nodes/geometry/ply_reader.h"
#include "nodes/geometry/text_encoding.h"

namespace sinew {

namespace {

// Both are rotations and a scale; a negative scale turns the mesh inside out, so its triangles are
// turned round.
Mesh adapt(Mesh mesh, const LoadOptions& options) {
  adapt_places(mesh.positions, options);
  if (options.scale < 0) {
    Topology topology = *mesh.topology;
    for (Triangle& t : topology.triangles) std::swap(t[1], t[2]);
    for (std::size_t c = 0; c + 2 < topology.corner_uvs.size(); c += 3) {
      std::swap(topology.corner_uvs[c + 1], topology.corner_uvs[c + 2]);
    }
    return Mesh(std::move(topology), std::move(mesh.positions));
  }
  return mesh;
}

Mesh read_foreign(const std::filesystem::path& path, const LoadOptions& options, LoadReport& report,
                  CancelView cancel) {
  ForeignMesh read = read_foreign_mesh(path, cancel);
  report.unread = std::move(read.unread);
  mend_places(read.positions, report);
  for (Vec2f& uv : read.faces.uvs) {
    if (!uv.allFinite()) uv = Vec2f(0, 0);
  }
  if (options.join_vertices) {
    const Joined joined = join_identical(read.positions);
    for (uint32_t& corner : read.faces.corners) corner = joined.vertex_map[corner];
    std::vector<Vec3f> kept;
    kept.reserve(joined.kept.size());
    for (const uint32_t i : joined.kept) kept.push_back(read.positions[i]);
    report.joined_vertices = read.positions.size() - kept.size();
    read.positions = std::move(kept);
  }
  cancel.check();
  std::vector<PolygonBlock> blocks(1);
  blocks[0] = std::move(read.faces);
  Topology topology = assemble(read.positions, blocks, report, cancel);
  return Mesh(std::move(topology), std::move(read.positions));
}

Mesh read(const std::filesystem::path& path, const LoadOptions& options, LoadReport& report,
          CancelView cancel) {
  if (options.scale == 0 || !std::isfinite(options.scale)) {
    throw FormatError(fmt::format("the scale must be finite and not 0, but is {}", options.scale));
  }
  const std::string ending = ending_of(path);
  if (ending == "obj" || ending == "ply") {
    const FileBytes bytes(path, cancel);
    std::string recoded;
    const std::string_view text = without_encoding(bytes.text(), recoded);
    return ending == "obj" ? parse_obj(text, report, cancel) : parse_ply(text, report, cancel);
  }
  const std::vector<std::string> endings = loadable_endings();
  readable_size(path);  // a file that is not there is said to be, before its ending is blamed
  if (std::find(endings.begin(), endings.end(), ending) == endings.end()) {
    if (ending.empty()) throw FormatError("its name has no ending that tells the format");
    const std::string how = how_to_read(ending);
    throw FormatError(how.empty() ? fmt::format("files ending in '.{}' are not read", ending)
                                  : how);
  }
  return read_foreign(path, options, report, cancel);
}

}  // namespace

void adapt_places(std::span<Vec3f> places, const LoadOptions& options) {
  const bool turn = options.file_up != options.target_up;
  if (!turn && options.scale == 1) return;
  // y up to z up is a quarter turn about x: (x, y, z) becomes (x, -z, y); back: (x, z, -y).
  const float sign = options.target_up == UpAxis::z ? -1.0f : 1.0f;
  parallel_blocks(places.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Vec3f& p = places[i];
      if (turn) p = Vec3f(p[0], sign * p[2], -sign * p[1]);
      p *= options.scale;
    }
  });
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!places[i].allFinite()) {
      throw FormatError(
          fmt::format("vertex {} is too far away at a scale of {}", i, options.scale));
    }
  }
}

Mesh load_mesh(const std::filesystem::path& path, const LoadOptions& options, LoadReport* report,
               CancelView cancel) {
  LoadReport found;
  Mesh mesh = naming_file(path, [&] { return adapt(read(path, options, found, cancel), options); });
  cancel.check();  // a small file is read without a look at it
  if (report) *report = found;
  return mesh;
}

std::string encode_mesh(const Mesh& mesh, const std::string& ending) {
  const std::vector<std::string> endings = savable_endings();
  if (std::find(endings.begin(), endings.end(), ending) == endings.end()) {
    throw FormatError(
        fmt::format("'.{}' is not one of the endings .{}", ending, fmt::join(endings, ", .")));
  }
  if (const auto problem = validate(mesh)) throw FormatError(*problem);
  if (mesh.triangle_count() == 0 && (ending == "stl" || ending == "glb")) {
    throw FormatError("the mesh has no triangles, and this format holds nothing else");
  }
  if (ending == "obj") return encode_obj(mesh);
  if (ending == "ply") return encode_ply(mesh);
  if (ending == "stl") return encode_stl(mesh);
  return encode_glb(mesh);
}

std::vector<std::string> lost_in_file(const Mesh& mesh, const std::string& ending) {
  std::vector<std::string> lost;
  if (!mesh.topology->polygon_of_triangle.empty())
    lost.emplace_back("polygons (they leave as triangles)");
  if (!mesh.topology->corner_uvs.empty() && ending != "obj")
    lost.emplace_back("texture coordinates");
  // Where a .glb has none, it is drawn with flat triangles.
  if (ending == "glb") lost.emplace_back("smooth normals (sinew export writes them)");
  return lost;
}

void save_mesh(const Mesh& mesh, const std::filesystem::path& path) {
  try {
    const std::string bytes = encode_mesh(mesh, ending_of(path));
    std::ofstream file(path, std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file) throw FormatError("not all of it could be written");
  } catch (const FormatError& problem) {
    throw FileError(fmt::format("cannot write '{}': {}", path.string(), problem.what()));
  }
}

std::vector<std::string> loadable_endings() {
  std::vector<std::string> endings = foreign_endings();
  endings.insert(endings.end(), {"obj", "ply"});
  std::sort(endings.begin(), endings.end());
  return endings;
}

std::vector<std::string> savable_endings() { return {"obj", "ply", "stl", "glb"}; }

}  // namespace sinew
