#include "nodes/values/common.h"

#include <fmt/core.h>

#include "nodes/geometry/file_names.h"
#include "nodes/geometry/format_error.h"
#include "nodes/geometry/tet_io.h"
#include "nodes/kernels/tet_measure.h"

namespace sinew {

using namespace values;

namespace {

Json describe_solid(const TetMesh& solid) {
  Json facts = {{"vertices", solid.vertex_count()},
                {"tetrahedra", solid.tet_count()},
                {"boundary_triangles", solid.topology->boundary.size()},
                {"skin_vertices", solid.topology->embedding.size()}};
  if (solid.empty()) return facts;
  facts["bounds"] = bounds_json(solid.positions);
  facts["volume"] = kernels::total_volume(solid);
  return facts;
}

}  // namespace

Result<void> write_solid_file(const TetMesh& solid, const std::filesystem::path& path) {
  const std::string ending = ending_of(path);
  try {
    for (const EncodedFile& file : encode_tets(solid, ending)) {
      const std::filesystem::path place =
          file.ending == ending ? path : with_ending(path, file.ending);
      if (const Result<void> written = write_bytes(place, file.bytes); !written) return written;
    }
    return {};
  } catch (const FormatError& problem) {
    return Error{fmt::format("cannot write '{}': {}", path.string(), problem.what())};
  }
}

template <>
const TypeInfo& type_of<TetMesh>() {
  static const TypeInfo info = [] {
    TypeInfo t = plain_type<TetMesh>(
        "solid", "A body of tetrahedra, in metres, with the surface that it carries.", 0x2F8F9D);
    t.describe = [](const void* p) { return describe_solid(content<TetMesh>(p)); };
    t.file_endings = tet_endings();
    t.save = [](const void* p, const std::filesystem::path& path) {
      return write_solid_file(content<TetMesh>(p), path);
    };
    return t;
  }();
  return info;
}

}  // namespace sinew
