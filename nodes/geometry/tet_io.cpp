#include "nodes/geometry/tet_io.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "nodes/geometry/file_bytes.h"
#include "nodes/geometry/file_names.h"
#include "nodes/geometry/format_error.h"
#include "nodes/geometry/msh_reader.h"
#include "nodes/geometry/naming_file.h"
#include "nodes/geometry/tetgen_reader.h"
#include "nodes/geometry/vtk_reader.h"

namespace sinew {

namespace {

namespace fs = std::filesystem;

// Runs `work` on the bytes of a file; what goes wrong names that file.
template <class Work>
auto with_file(const fs::path& path, CancelView cancel, const Work& work) {
  return naming_file(path, [&] { return work(FileBytes(path, cancel).text()); });
}

TetSoup read_pair(const fs::path& path, TetLoadReport& report, CancelView cancel) {
  const bool named_node = ending_of(path) == "node";
  const fs::path node = named_node ? path : with_ending(path, "node");
  const fs::path ele = named_node ? with_ending(path, "ele") : path;
  TetgenPoints points = with_file(
      node, cancel, [&](std::string_view text) { return parse_tetgen_node(text, cancel); });
  TetSoup soup;
  soup.tets = with_file(ele, cancel, [&](std::string_view text) {
    return parse_tetgen_ele(text, points, report, cancel);
  });
  soup.positions = std::move(points.positions);
  return soup;
}

void adapt(TetSoup& soup, const LoadOptions& options) {
  const bool turn = options.file_up != options.target_up;
  // y up to z up is a quarter turn about x: (x, y, z) becomes (x, -z, y); back: (x, z, -y).
  const float sign = options.target_up == UpAxis::z ? -1.0f : 1.0f;
  for (std::size_t i = 0; i < soup.positions.size(); ++i) {
    Vec3f& p = soup.positions[i];
    if (turn) p = Vec3f(p[0], sign * p[2], -sign * p[1]);
    p *= options.scale;
    if (!p.allFinite()) {
      throw FormatError(fmt::format("point {} is too far away at a scale of {}", i, options.scale));
    }
  }
}

TetSoup parse_soup(std::string_view bytes, const std::string& ending, TetLoadReport& report,
                   CancelView cancel) {
  if (ending == "msh") return parse_msh(bytes, report, cancel);
  if (ending == "vtk") return parse_vtk(bytes, report, cancel);
  throw FormatError(ending.empty() ? "its name has no ending that tells the format"
                                   : fmt::format("files ending in '.{}' are not read", ending));
}

TetMesh finish(TetSoup soup, TetLoadReport& report, CancelView cancel) {
  if (soup.tets.empty()) {
    throw FormatError(report.skipped_cells > 0
                          ? fmt::format("it has no tetrahedra with four points; {} cells of other "
                                        "kinds are not read",
                                        report.skipped_cells)
                          : std::string("it has no tetrahedra"));
  }
  TetMesh solid = mend(std::move(soup), report, cancel);
  if (solid.tet_count() == 0) throw FormatError("all of its tetrahedra are flat");
  return solid;
}

}  // namespace

fs::path with_ending(const fs::path& path, const std::string& ending) {
  const std::string own = path.extension().string();
  std::string other = "." + ending;
  const bool shouted = own.size() > 1 && own[1] >= 'A' && own[1] <= 'Z';
  for (char& c : other) c = shouted && c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  fs::path found = path;
  return found.replace_extension(other);
}

TetMesh load_tets(const fs::path& path, const LoadOptions& options, TetLoadReport* report,
                  CancelView cancel) {
  TetLoadReport found;
  return naming_file(path, [&] {
    if (options.scale == 0 || !std::isfinite(options.scale)) {
      throw FormatError(
          fmt::format("the scale must be finite and not 0, but is {}", options.scale));
    }
    const std::string ending = ending_of(path);
    TetSoup soup = ending == "node" || ending == "ele"
                       ? read_pair(path, found, cancel)
                       : with_file(path, cancel, [&](std::string_view bytes) {
                           return parse_soup(bytes, ending, found, cancel);
                         });
    adapt(soup, options);
    TetMesh solid = finish(std::move(soup), found, cancel);
    if (report) *report = found;
    return solid;
  });
}

TetMesh parse_tets(std::string_view bytes, const std::string& ending, TetLoadReport& report,
                   CancelView cancel) {
  return finish(parse_soup(bytes, ending, report, cancel), report, cancel);
}

std::vector<EncodedFile> encode_tets(const TetMesh& solid, const std::string& ending,
                                     const TetSaveOptions& options) {
  const std::vector<std::string> endings = tet_endings();
  if (std::find(endings.begin(), endings.end(), ending) == endings.end()) {
    throw FormatError(
        fmt::format("'.{}' is not one of the endings .{}", ending, fmt::join(endings, ", .")));
  }
  if (const auto problem = validate(solid)) throw FormatError(*problem);
  if (solid.vertex_count() >= INT32_MAX || solid.tet_count() >= INT32_MAX / 5) {
    throw FormatError("the solid is too large for this format");
  }
  if (ending == "msh") return {{ending, encode_msh(solid, options.msh, options.encoding)}};
  if (ending == "vtk") return {{ending, encode_vtk(solid, options.encoding)}};
  return {{"node", encode_tetgen_node(solid)}, {"ele", encode_tetgen_ele(solid)}};
}

std::vector<std::string> tet_endings() { return {"msh", "vtk", "node", "ele"}; }

}  // namespace sinew
