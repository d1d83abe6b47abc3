// What the descriptions of several value types share.
#pragma once

#include <Eigen/Core>
#include <array>
#include <filesystem>
#include <optional>
#include <string>

#include "nodes/values.h"

namespace sinew::values {

template <class T>
const T& content(const void* data) {
  return *static_cast<const T*>(data);
}

template <class Vector>
Json vector_json(const Vector& v) {
  return Json::array({v.x(), v.y(), v.z()});
}
inline Json vector_json(const Vec3f& v) {
  return Json::array({shortest_decimal(v.x()), shortest_decimal(v.y()), shortest_decimal(v.z())});
}

// {"min": [x, y, z], "max": [x, y, z]}
Json bounds_json(std::span<const Vec3f> points);

// Tables of the numbers in a value. They point into it.
ValueTable points_table(std::string rows_are, std::span<const Vec3f> points);
template <class Corners>
ValueTable corners_table(std::string rows_are, std::span<const Corners> list, int count) {
  constexpr const char* letters[] = {"a", "b", "c", "d"};
  ValueTable table;
  table.rows_are = std::move(rows_are);
  table.columns.assign(letters, letters + count);
  table.rows = list.size();
  table.cell = [list](size_t row, size_t column) { return std::to_string(list[row][column]); };
  return table;
}

// Three numbers that are all numbers, for handles; nothing else is one.
std::optional<std::array<float, 3>> place_of(const Json& json);
inline Json place_json(const std::array<double, 3>& at) { return {at[0], at[1], at[2]}; }

// Joints as anchors, for handles: where they are, where they would be if nobody moved them, and
// which are held (all, if none is said).
Places joint_places(const Skeleton& skeleton, std::span<const Vec3d> now,
                    std::span<const Vec3d> origins, std::span<const uint8_t> held);

// Looks a name up in the list of an enum's names.
template <class Enum, size_t n>
bool read_name(const Json& json, const char* const (&names)[n], Enum& out) {
  for (size_t i = 0; i < n; ++i) {
    if (json == names[i]) return out = static_cast<Enum>(i), true;
  }
  return false;
}

// The file is whole or untouched; the error names it.
Result<void> write_bytes(const std::filesystem::path& path, const std::string& bytes);

// A TypeInfo with what every type of nodes/geometry offers: byte_size() and validate().
template <class T>
TypeInfo plain_type(std::string name, std::string doc, uint32_t colour) {
  TypeInfo t;
  t.name = std::move(name);
  t.doc = std::move(doc);
  t.colour = colour;
  t.bytes = [](const void* p) { return byte_size(content<T>(p)); };
  t.flaw = [](const void* p) { return validate(content<T>(p)); };
  return t;
}

}  // namespace sinew::values
