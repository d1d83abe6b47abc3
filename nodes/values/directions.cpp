#include "nodes/values/common.h"

#include <fmt/core.h>

#include <algorithm>

#include "nodes/values/packing.h"

namespace sinew {

using namespace values;

namespace {

ValueTable frames_table(const Frames& frames) {
  ValueTable table{"vertex", {}, frames.size(), [&frames](size_t row, size_t column) {
                     const std::vector<Vec3f>& axis = column < 3   ? frames.primary
                                                      : column < 6 ? frames.secondary
                                                                   : frames.tertiary;
                     return fmt::format("{}", axis[row][static_cast<int>(column % 3)]);
                   }};
  for (const char* axis : {"primary", "secondary", "tertiary"})
    for (const char* part : {"x", "y", "z"})
      table.columns.push_back(fmt::format("{} {}", axis, part));
  return table;
}

}  // namespace

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
    t.tables = [](const void* p) {
      const VectorField& field = content<VectorField>(p);
      return std::vector{points_table(std::string(domain_name(field.domain)), field.values)};
    };
    t.pack = [](const void* p, Packer& packer) {
      const VectorField& field = content<VectorField>(p);
      packer.number(static_cast<uint32_t>(field.domain));
      packer.text(field.unit);
      pack_vectors(packer, field.values);
    };
    t.unpack = [](Unpacker& unpacker) {
      uint32_t domain = 0;
      VectorField field;
      if (!unpacker.number(domain) || domain == static_cast<uint32_t>(Domain::constant) ||
          domain > static_cast<uint32_t>(Domain::bone) || !unpacker.text(field.unit) ||
          !unpack_vectors(unpacker, field.values))
        return Value();
      field.domain = static_cast<Domain>(domain);
      return Value::of(std::move(field));
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
    t.tables = [](const void* p) { return std::vector{frames_table(content<Frames>(p))}; };
    t.pack = [](const void* p, Packer& packer) {
      const Frames& frames = content<Frames>(p);
      for (const auto* axis : {&frames.primary, &frames.secondary, &frames.tertiary})
        pack_vectors(packer, *axis);
    };
    t.unpack = [](Unpacker& unpacker) {
      Frames frames;
      for (auto* axis : {&frames.primary, &frames.secondary, &frames.tertiary})
        if (!unpack_vectors(unpacker, *axis)) return Value();
      return Value::of(std::move(frames));
    };
    return t;
  }();
  return info;
}

}  // namespace sinew
