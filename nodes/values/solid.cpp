#include "nodes/values/common.h"

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

template <>
const TypeInfo& type_of<TetMesh>() {
  static const TypeInfo info = [] {
    TypeInfo t = plain_type<TetMesh>(
        "solid", "A body of tetrahedra, in metres, with the surface that it carries.", 0x2F8F9D);
    t.describe = [](const void* p) { return describe_solid(content<TetMesh>(p)); };
    return t;
  }();
  return info;
}

}  // namespace sinew
