#include "nodes/values/common.h"

namespace sinew {

using namespace values;

namespace {

double volume_of(const TetMesh& solid) {
  double sum = 0;
  for (const Tetrahedron& t : solid.tets()) {
    const Vec3d a = solid.positions[t[0]].cast<double>();
    const Vec3d b = solid.positions[t[1]].cast<double>() - a;
    const Vec3d c = solid.positions[t[2]].cast<double>() - a;
    const Vec3d d = solid.positions[t[3]].cast<double>() - a;
    sum += b.cross(c).dot(d) / 6;
  }
  return sum;
}

Json describe_solid(const TetMesh& solid) {
  Json facts = {{"vertices", solid.vertex_count()},
                {"tetrahedra", solid.tet_count()},
                {"boundary_triangles", solid.topology->boundary.size()},
                {"skin_vertices", solid.topology->embedding.size()}};
  if (solid.empty()) return facts;
  facts["bounds"] = bounds_json(solid.positions);
  facts["volume"] = volume_of(solid);
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
