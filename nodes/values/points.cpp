#include <fmt/core.h>

#include <cmath>

#include "nodes/geometry/path_points.h"
#include "nodes/values/common.h"
#include "nodes/values/packing.h"

namespace sinew {

using namespace values;

namespace {

Json describe_points(const PathPoints& points) {
  Json facts = {{"points", points.size()}};
  if (points.size() > 0) facts["bounds"] = bounds_json(points.list);
  return facts;
}

Places places_of_points(const Json& literal) {
  Places places;
  places.free = true;
  if (!literal.is_array()) return places;
  for (const Json& point : literal) {
    // One that cannot be read has a place all the same: the others keep their numbers.
    places.list.push_back({place_of(point).value_or(std::array<float, 3>{}), 0, false});
  }
  return places;
}

Json with_point(Json literal, size_t index, std::optional<std::array<double, 3>> at) {
  if (!literal.is_array() || index >= literal.size()) return literal;
  if (at) {
    literal[index] = place_json(*at);
  } else {
    literal.erase(index);
  }
  return literal;
}

}  // namespace

Result<PathPoints> points_from_json(const Json& json) {
  if (!json.is_array()) return Error{"points are a list: [[0, 0, 0], [1, 0.5, 0], ...]"};
  if (json.size() > most_path_points) {
    return Error{
        fmt::format("{} points, but at most {} are allowed", json.size(), most_path_points)};
  }
  PathPoints points;
  for (const Json& j : json) {
    const auto at = place_of(j);
    if (!at) return Error{fmt::format("point {} is not [x, y, z]", points.size() + 1)};
    points.list.push_back({(*at)[0], (*at)[1], (*at)[2]});
  }
  if (const auto wrong = validate(points)) return Error{*wrong};
  return points;
}

Json points_to_json(const PathPoints& points) {
  Json list = Json::array();
  for (const Vec3f& p : points.list) list.push_back(vector_json(p));
  return list;
}

template <>
const TypeInfo& type_of<PathPoints>() {
  static const TypeInfo info = [] {
    TypeInfo t = plain_type<PathPoints>(
        "points", "Places in space, in their order: what a path runs through.", 0x5B8DB8);
    t.describe = [](const void* p) { return describe_points(content<PathPoints>(p)); };
    t.from_json = [](const Json& json) -> Result<Value> {
      Result<PathPoints> points = points_from_json(json);
      if (!points) return Error{points.error()};
      return Value::of(std::move(*points));
    };
    t.to_json = [](const void* p) { return points_to_json(content<PathPoints>(p)); };
    t.places = places_of_points;
    t.with_place = with_point;
    t.file_endings = {"json"};
    t.save = [](const void* p, const std::filesystem::path& path) {
      return write_bytes(path, points_to_json(content<PathPoints>(p)).dump() + "\n");
    };
    t.tables = [](const void* p) {
      return std::vector{points_table("point", content<PathPoints>(p).list)};
    };
    t.pack = [](const void* p, Packer& packer) {
      pack_vectors(packer, content<PathPoints>(p).list);
    };
    t.unpack = [](Unpacker& unpacker) {
      PathPoints points;
      return unpack_vectors(unpacker, points.list) ? Value::of(std::move(points)) : Value();
    };
    return t;
  }();
  return info;
}

}  // namespace sinew
