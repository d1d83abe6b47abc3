#include "nodes/values/common.h"

#include <algorithm>

namespace sinew {

using namespace values;

template <>
const TypeInfo& type_of<VectorField>() {
  static const TypeInfo info = [] {
    TypeInfo t = plain_type<VectorField>(
        "vectors", "One vector for each vertex, face or tetrahedron.", 0xD9763F);
    t.per_element = true;
    t.describe = [](const void* p) {
      const VectorField& field = content<VectorField>(p);
      Json facts = {{"domain", domain_name(field.domain)}, {"count", field.size()}};
      if (!field.unit.empty()) facts["unit"] = field.unit;
      if (field.values.empty()) return facts;
      Vec3d sum = Vec3d::Zero();
      float longest = 0;
      for (const Vec3f& v : field.values) {
        sum += v.cast<double>();
        longest = std::max(longest, v.norm());
      }
      facts["mean"] = vector_json(Vec3d(sum / static_cast<double>(field.size())));
      facts["longest"] = shortest_decimal(longest);
      return facts;
    };
    return t;
  }();
  return info;
}

template <>
const TypeInfo& type_of<Frames>() {
  static const TypeInfo info = [] {
    TypeInfo t =
        plain_type<Frames>("frames", "Three directions at right angles for each vertex.", 0xC2557A);
    t.per_element = true;
    t.describe = [](const void* p) { return Json{{"count", content<Frames>(p).size()}}; };
    return t;
  }();
  return info;
}

}  // namespace sinew
