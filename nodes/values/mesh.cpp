#include "nodes/values/common.h"

#include <fmt/core.h>

#include "nodes/geometry/file_names.h"
#include "nodes/geometry/format_error.h"
#include "nodes/geometry/mesh_io.h"
#include "nodes/kernels/adjacency.h"
#include "nodes/kernels/measure.h"
#include "nodes/values/packing.h"

namespace sinew {

using namespace values;

namespace {

Json describe_mesh(const Mesh& mesh) {
  Json facts = {{"vertices", mesh.vertex_count()}, {"triangles", mesh.triangle_count()}};
  if (mesh.empty()) return facts;
  const kernels::SurfaceMeasures surface = kernels::measure_surface(mesh);
  facts["bounds"] = bounds_json(mesh.positions);
  facts["centroid"] = vector_json(surface.centroid);
  facts["area"] = surface.area;
  // What is open has no inside, and so no volume.
  const bool closed = kernels::inspect_topology(mesh.triangles(), mesh.vertex_count()).watertight();
  facts["closed"] = closed;
  if (closed) facts["volume"] = surface.signed_volume;
  return facts;
}

}  // namespace

void values::pack_topology(Packer& packer, const std::shared_ptr<const Topology>& topology) {
  packer.shared("topology", topology, [&](Packer& part) {
    part.array(std::span(topology->triangles));
    part.array(std::span(topology->polygon_of_triangle));
    pack_vectors(part, topology->corner_uvs);
  });
}

std::shared_ptr<const Topology> values::unpack_topology(Unpacker& unpacker) {
  return std::static_pointer_cast<const Topology>(
      unpacker.shared("topology", [](Unpacker& part) -> std::shared_ptr<const void> {
        auto topology = std::make_shared<Topology>();
        if (!part.array(topology->triangles) || !part.array(topology->polygon_of_triangle) ||
            !unpack_vectors(part, topology->corner_uvs))
          return nullptr;
        return topology;
      }));
}

Result<void> write_mesh_file(const Mesh& mesh, const std::filesystem::path& path) {
  try {
    return write_bytes(path, encode_mesh(mesh, ending_of(path)));
  } catch (const FormatError& problem) {
    return Error{fmt::format("cannot write '{}': {}", path.string(), problem.what())};
  }
}

template <>
const TypeInfo& type_of<Mesh>() {
  static const TypeInfo info = [] {
    TypeInfo t = plain_type<Mesh>("mesh", "A surface of triangles, in metres.", 0x4FB286);
    t.describe = [](const void* p) { return describe_mesh(content<Mesh>(p)); };
    t.file_endings = savable_endings();
    t.save = [](const void* p, const std::filesystem::path& path) {
      return write_mesh_file(content<Mesh>(p), path);
    };
    t.tables = [](const void* p) {
      const Mesh& mesh = content<Mesh>(p);
      return std::vector{points_table("vertex", mesh.positions),
                         corners_table("triangle", std::span(mesh.triangles()), 3)};
    };
    t.pack = [](const void* p, Packer& packer) {
      pack_topology(packer, content<Mesh>(p).topology);
      pack_vectors(packer, content<Mesh>(p).positions);
    };
    t.unpack = [](Unpacker& unpacker) {
      std::shared_ptr<const Topology> topology = unpack_topology(unpacker);
      std::vector<Vec3f> positions;
      if (!topology || !unpack_vectors(unpacker, positions)) return Value();
      return Value::of(Mesh(std::move(topology), std::move(positions)));
    };
    return t;
  }();
  return info;
}

}  // namespace sinew
