#include <fmt/core.h>

#include "nodes/geometry/meshless_keys.h"
#include "nodes/values/common.h"

namespace sinew {

using namespace values;

namespace {

constexpr const char* wanted = R"(it is not {"name": "hand", "at": [x, y, z]})";

std::string read_vector(const Json& json, Vec3f& to, const char* what) {
  const auto v = place_of(json);
  if (!v) return fmt::format("its {} is not [x, y, z]", what);
  to = {(*v)[0], (*v)[1], (*v)[2]};
  return {};
}

// Empty if all is well.
std::string read_handle(const Json& json, BodyHandle& handle) {
  if (!json.is_object() || !json.contains("name") || !json.contains("at")) return wanted;
  for (const auto& [name, part] : json.items()) {
    std::string wrong;
    if (name == "name") {
      if (!part.is_string()) return "its name is not text";
      handle.name = part.get<std::string>();
    } else if (name == "at") {
      wrong = read_vector(part, handle.at, "place");
    } else if (name == "by") {
      wrong = read_vector(part, handle.by, "way");
    } else if (name == "turn") {
      wrong = read_vector(part, handle.turn, "turn");
    } else if (name == "radius" || name == "weight") {
      if (!part.is_number()) return fmt::format("its {} is not a number", name);
      (name == "radius" ? handle.radius : handle.weight) = part.get<float>();
    } else if (name == "hold") {
      if (!part.is_boolean()) return "its hold is neither true nor false";
      handle.hold = part.get<bool>();
    } else {
      return fmt::format("it has no '{}' (it has name, at, radius, by, turn, weight and hold)",
                         name);
    }
    if (!wrong.empty()) return wrong;
  }
  return {};
}

Json handle_json(const BodyHandle& h) {
  Json one = {{"name", h.name}, {"at", vector_json(h.at)}};
  if (h.radius != 0) one["radius"] = shortest_decimal(h.radius);
  if (!h.by.isZero(0)) one["by"] = vector_json(h.by);
  if (!h.turn.isZero(0)) one["turn"] = vector_json(h.turn);
  if (h.weight != 1) one["weight"] = shortest_decimal(h.weight);
  if (h.hold) one["hold"] = true;
  return one;
}

// A handle moved by so much; (nothing) back where it was, or, if it was there, gone.
Json with_move(Json literal, const std::string& name, std::optional<std::array<double, 3>> by,
               double) {
  if (!literal.is_array()) return literal;
  for (std::size_t i = 0; i < literal.size(); ++i) {
    Json& one = literal[i];
    if (!one.is_object() || one.value("name", Json()) != name) continue;
    if (by) {
      one["by"] = place_json(*by);
    } else if (one.contains("by") || one.contains("turn")) {
      one.erase("by");
      one.erase("turn");
    } else {
      literal.erase(i);
    }
    break;
  }
  return literal;
}

Json with_touched(Json literal, const std::array<double, 3>& at) {
  if (!literal.is_array()) literal = Json::array();
  for (int number = 1;; ++number) {
    const std::string name = fmt::format("handle {}", number);
    bool taken = false;
    for (const Json& one : literal) taken |= one.is_object() && one.value("name", Json()) == name;
    if (taken) continue;
    literal.push_back({{"name", name}, {"at", place_json(at)}});
    return literal;
  }
}

}  // namespace

Result<BodyHandles> body_handles_from_json(const Json& json) {
  if (!json.is_array()) {
    return Error{R"(handles are a list: [{"name": "hand", "at": [0.5, 1, 0]}, ...])"};
  }
  BodyHandles handles;
  for (const Json& j : json) {
    BodyHandle handle;
    const std::string wrong = read_handle(j, handle);
    if (!wrong.empty()) {
      return Error{fmt::format("handle {}: {}", handles.list.size() + 1, wrong)};
    }
    handles.list.push_back(std::move(handle));
  }
  if (const auto wrong = validate(handles)) return Error{*wrong};
  return handles;
}

Json body_handles_to_json(const BodyHandles& handles) {
  Json list = Json::array();
  for (const BodyHandle& h : handles.list) list.push_back(handle_json(h));
  return list;
}

template <>
const TypeInfo& type_of<BodyHandles>() {
  static const TypeInfo info = [] {
    TypeInfo t = plain_type<BodyHandles>(
        "handles", "Places of a body that are held, and how far each is moved.", 0xE6B98A);
    t.made_by = MadeBy::touching;
    t.describe = [](const void* p) {
      return Json{{"handles", content<BodyHandles>(p).list.size()}};
    };
    t.from_json = [](const Json& json) -> Result<Value> {
      Result<BodyHandles> handles = body_handles_from_json(json);
      if (!handles) return Error{handles.error()};
      return Value::of(std::move(*handles));
    };
    t.to_json = [](const void* p) { return body_handles_to_json(content<BodyHandles>(p)); };
    t.with_move = with_move;
    t.with_touched = with_touched;
    t.tables = [](const void* p) {
      const BodyHandles& handles = content<BodyHandles>(p);
      return std::vector<ValueTable>{
          {"handle",
           {"name", "at x", "at y", "at z", "by x", "by y", "by z", "radius"},
           handles.list.size(),
           [&handles](size_t row, size_t column) {
             const BodyHandle& h = handles.list[row];
             if (column == 0) return h.name;
             if (column == 7) return fmt::format("{}", h.radius);
             const Vec3f& v = column < 4 ? h.at : h.by;
             return fmt::format("{}", v[static_cast<int>(column - 1) % 3]);
           }}};
    };
    return t;
  }();
  return info;
}

}  // namespace sinew
