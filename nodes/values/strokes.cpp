#include <fmt/core.h>

#include <cmath>
#include <limits>

#include "nodes/values/common.h"

namespace sinew {

using namespace values;

namespace {

constexpr const char* tool_names[] = {"brush", "face", "region", "erase"};
constexpr const char* falloff_names[] = {"flat", "linear", "smooth"};
constexpr const char* space_names[] = {"rest", "box"};

bool read_number(const Json& json, float& out) {
  if (!json.is_number()) return false;
  const double x = json.get<double>();
  if (!(std::abs(x) <= std::numeric_limits<float>::max())) return false;
  out = static_cast<float>(x);
  return true;
}

bool read_vector(const Json& json, Vec3f& out) {
  return json.is_array() && json.size() == 3 && read_number(json[0], out[0]) &&
         read_number(json[1], out[1]) && read_number(json[2], out[2]);
}

// Empty if all is well.
std::string read_points(const Json& json, std::vector<Vec3f>& out) {
  if (!json.is_array()) return "its points are a list: [[x, y, z], ...]";
  if (json.size() > most_stroke_points) return "it has too many points";
  out.reserve(json.size());
  for (const Json& p : json) {
    Vec3f point;
    if (!read_vector(p, point)) return fmt::format("point {} is not [x, y, z]", out.size());
    out.push_back(point);
  }
  return {};
}

std::string read_cut(const Json& json, Stroke& stroke) {
  const std::string wanted = "its cut is {\"point\": [x, y, z], \"normal\": [x, y, z]}";
  if (!json.is_object()) return wanted;
  for (const auto& [name, part] : json.items()) {
    if (name == "point" ? !read_vector(part, stroke.plane_point)
                        : name != "normal" || !read_vector(part, stroke.plane_normal)) {
      return wanted;
    }
  }
  stroke.on = StrokePlace::cut;
  return {};
}

std::string read_stroke(const Json& json, Stroke& stroke) {
  if (!json.is_object()) return "it is not {\"tool\": ..., \"points\": [[x, y, z], ...], ...}";
  for (const auto& [name, part] : json.items()) {
    std::string wrong;
    if (name == "tool") {
      if (!read_name(part, tool_names, stroke.tool))
        wrong = "its tool is brush, face, region or erase";
    } else if (name == "falloff") {
      if (!read_name(part, falloff_names, stroke.falloff)) {
        wrong = "its falloff is flat, linear or smooth";
      }
    } else if (name == "points") {
      wrong = read_points(part, stroke.points);
    } else if (name == "cut") {
      wrong = read_cut(part, stroke);
    } else if (name == "radius" || name == "value" || name == "angle") {
      float& number = name == "radius"  ? stroke.radius
                      : name == "value" ? stroke.value
                                        : stroke.angle;
      if (!read_number(part, number)) wrong = fmt::format("its {} is not a number", name);
    } else {
      wrong = fmt::format(
          "it has no '{}' (it has tool, points, radius, value, falloff, angle, cut)", name);
    }
    if (!wrong.empty()) return wrong;
  }
  return {};
}

Json describe_strokes(const Strokes& strokes) {
  std::size_t points = 0;
  for (const Stroke& s : strokes.strokes) points += s.points.size();
  return {{"strokes", strokes.size()},
          {"points", points},
          {"space", space_names[static_cast<int>(strokes.space)]}};
}

ValueTable strokes_table(const Strokes& strokes) {
  return {"stroke",
          {"tool", "points", "radius", "value"},
          strokes.size(),
          [&strokes](size_t row, size_t column) {
            const Stroke& s = strokes.strokes[row];
            if (column == 0) return std::string(tool_names[static_cast<int>(s.tool)]);
            if (column == 1) return std::to_string(s.points.size());
            return fmt::format("{}", column == 2 ? s.radius : s.value);
          }};
}

Json stroke_to_json(const Stroke& s) {
  const Stroke standard;
  Json points = Json::array();
  for (const Vec3f& p : s.points) points.push_back(vector_json(p));
  Json json = {{"tool", tool_names[static_cast<int>(s.tool)]}, {"points", std::move(points)}};
  if (s.radius != standard.radius) json["radius"] = shortest_decimal(s.radius);
  if (s.value != standard.value) json["value"] = shortest_decimal(s.value);
  if (s.falloff != standard.falloff) json["falloff"] = falloff_names[static_cast<int>(s.falloff)];
  if (s.angle != standard.angle) json["angle"] = shortest_decimal(s.angle);
  if (s.on == StrokePlace::cut) {
    json["cut"] = {{"point", vector_json(s.plane_point)}, {"normal", vector_json(s.plane_normal)}};
  }
  return json;
}

// Which point of which stroke a place is: those that are points, in their order.
struct PointName {
  size_t stroke = 0, point = 0;
};

const Json& list_in(const Json& literal) {
  static const Json none = Json::array();
  if (literal.is_array()) return literal;
  const bool has = literal.is_object() && literal.contains("strokes");
  return has && literal["strokes"].is_array() ? literal["strokes"] : none;
}

std::vector<PointName> points_in(const Json& literal, Places* places = nullptr) {
  std::vector<PointName> names;
  const Json& list = list_in(literal);
  for (size_t i = 0; i < list.size(); ++i) {
    if (!list[i].is_object() || !list[i].contains("points") || !list[i]["points"].is_array())
      continue;
    const Json& points = list[i]["points"];
    for (size_t k = 0; k < points.size(); ++k) {
      const auto at = place_of(points[k]);
      if (!at) continue;
      names.push_back({i, k});
      if (places) places->list.push_back({*at, static_cast<int>(i), list[i].contains("cut")});
    }
  }
  return names;
}

Places places_of_strokes(const Json& literal) {
  Places places;
  places.in_box = literal.is_object() && literal.value("space", Json()) == "box";
  points_in(literal, &places);
  return places;
}

// A stroke whose last point goes, goes with it.
Json with_stroke_point(Json literal, size_t index, std::optional<std::array<double, 3>> at) {
  const std::vector<PointName> names = points_in(literal);
  if (index >= names.size()) return literal;
  Json& list = literal.is_array() ? literal : literal["strokes"];
  Json& points = list[names[index].stroke]["points"];
  if (at) {
    points[names[index].point] = place_json(*at);
  } else {
    points.erase(names[index].point);
    if (points.empty()) list.erase(names[index].stroke);
  }
  return literal;
}

}  // namespace

Result<Strokes> strokes_from_json(const Json& json) {
  Strokes strokes;
  const Json* list = &json;
  if (json.is_object()) {
    for (const auto& [name, part] : json.items()) {
      if (name == "strokes") {
        list = &part;
      } else if (name != "space") {
        return Error{fmt::format("strokes have no '{}' (they have space and strokes)", name)};
      } else if (!read_name(part, space_names, strokes.space)) {
        return Error{"the space of strokes is rest (metres) or box (parts of the bounding box)"};
      }
    }
  }
  if (!list->is_array()) {
    return Error{
        "strokes are a list, [{\"tool\": \"brush\", \"points\": [[x, y, z], ...], ...}, "
        "...], or {\"space\": \"box\", \"strokes\": the list}"};
  }
  if (list->size() > most_strokes) {
    return Error{fmt::format("{} strokes, but at most {} are allowed", list->size(), most_strokes)};
  }
  for (const Json& j : *list) {
    Stroke stroke;
    const std::string wrong = read_stroke(j, stroke);
    if (!wrong.empty()) return Error{fmt::format("stroke {}: {}", strokes.size() + 1, wrong)};
    strokes.strokes.push_back(std::move(stroke));
  }
  if (const auto wrong = validate(strokes)) return Error{*wrong};
  return strokes;
}

Json strokes_to_json(const Strokes& strokes) {
  Json list = Json::array();
  for (const Stroke& s : strokes.strokes) list.push_back(stroke_to_json(s));
  if (strokes.space == StrokeSpace::rest) return list;
  return {{"space", space_names[static_cast<int>(strokes.space)]}, {"strokes", std::move(list)}};
}

template <>
const TypeInfo& type_of<Strokes>() {
  static const TypeInfo info = [] {
    TypeInfo t = plain_type<Strokes>(
        "strokes", "What was painted or drawn on a body: tools, points, values.", 0xE0607B);
    t.describe = [](const void* p) { return describe_strokes(content<Strokes>(p)); };
    t.from_json = [](const Json& json) -> Result<Value> {
      Result<Strokes> strokes = strokes_from_json(json);
      if (!strokes) return Error{strokes.error()};
      return Value::of(std::move(*strokes));
    };
    t.to_json = [](const void* p) { return strokes_to_json(content<Strokes>(p)); };
    t.places = places_of_strokes;
    t.with_place = with_stroke_point;
    t.file_endings = {"json"};
    t.save = [](const void* p, const std::filesystem::path& path) {
      return write_bytes(path, strokes_to_json(content<Strokes>(p)).dump() + "\n");
    };
    t.made_by = MadeBy::painting;
    t.tables = [](const void* p) { return std::vector{strokes_table(content<Strokes>(p))}; };
    return t;
  }();
  return info;
}

}  // namespace sinew
