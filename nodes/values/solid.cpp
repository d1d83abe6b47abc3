#include "nodes/values/common.h"

#include <fmt/core.h>

#include "nodes/geometry/file_names.h"
#include "nodes/geometry/format_error.h"
#include "nodes/geometry/tet_io.h"
#include "nodes/kernels/tet_measure.h"
#include "nodes/values/packing.h"

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

std::shared_ptr<const void> unpack_solid_topology(Unpacker& part) {
  auto topology = std::make_shared<TetTopology>();
  uint32_t has_skin = 0;
  if (!part.array(topology->tets) || !part.array(topology->boundary) ||
      !part.array(topology->embedding.tet) || !part.array(topology->embedding.weights) ||
      !part.number(has_skin))
    return nullptr;
  if (has_skin && !(topology->skin = unpack_topology(part))) return nullptr;
  return topology;
}

void pack_solid(const TetMesh& solid, Packer& packer) {
  const TetTopology& topology = *solid.topology;
  packer.shared("solid topology", solid.topology, [&](Packer& part) {
    part.array(std::span(topology.tets));
    part.array(std::span(topology.boundary));
    part.array(std::span(topology.embedding.tet));
    part.array(std::span(topology.embedding.weights));
    part.number(uint32_t{topology.skin != nullptr});
    if (topology.skin) pack_topology(part, topology.skin);
  });
  pack_vectors(packer, solid.positions);
}

// What follows from the tetrahedra is not believed: a boundary of other vertices would be drawn.
Value unpack_solid(Unpacker& unpacker) {
  auto topology = std::static_pointer_cast<const TetTopology>(
      unpacker.shared("solid topology", unpack_solid_topology));
  std::vector<Vec3f> positions;
  if (!topology || !unpack_vectors(unpacker, positions)) return Value();
  for (const Triangle& face : topology->boundary)
    for (const uint32_t v : face)
      if (v >= positions.size()) return Value();
  return Value::of(TetMesh(std::move(topology), std::move(positions)));
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
    t.tables = [](const void* p) {
      const TetMesh& solid = content<TetMesh>(p);
      return std::vector{points_table("vertex", solid.positions),
                         corners_table("tetrahedron", solid.tets(), 4)};
    };
    t.pack = [](const void* p, Packer& packer) { pack_solid(content<TetMesh>(p), packer); };
    t.unpack = unpack_solid;
    return t;
  }();
  return info;
}

}  // namespace sinew
