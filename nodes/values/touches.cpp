#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "nodes/values/common.h"

namespace sinew {

using namespace values;

namespace {

// Empty if all is well.
std::string read_touch(const Json& json, TouchEvent& touch) {
  const std::string wanted = "it is not {\"frame\": n, \"at\": [x, y, z]}";
  if (!json.is_object()) return wanted;
  if (!json.contains("frame") || !json.contains("at")) return wanted;
  for (const auto& [name, part] : json.items()) {
    if (name == "frame") {
      // A whole number, however it is written: 12 or 12.0.
      const double frame = part.is_number() ? part.get<double>() : 0.5;
      if (frame != std::floor(frame)) return "its frame is not a whole number";
      if (std::abs(frame) > last_touch_frame) {
        return fmt::format("its frame must be from {} to {}", -last_touch_frame, last_touch_frame);
      }
      touch.frame = static_cast<int32_t>(frame);
    } else if (name == "at") {
      if (!part.is_array() || part.size() != 3) return "its place is not [x, y, z]";
      for (int k = 0; k < 3; ++k) {
        if (!part[k].is_number()) return "its place is not [x, y, z]";
        const double x = part[k].get<double>();
        if (!(std::abs(x) <= farthest_touch)) {
          return fmt::format("its place must be within {} m", farthest_touch);
        }
        touch.at[k] = static_cast<float>(x);
      }
    } else {
      return fmt::format("it has no '{}' (it has frame and at)", name);
    }
  }
  return {};
}

Json describe_touches(const Touches& touches) {
  Json facts = {{"touches", touches.size()}};
  if (touches.list.empty()) return facts;
  const auto [first, last] =
      std::minmax_element(touches.list.begin(), touches.list.end(),
                          [](const auto& a, const auto& b) { return a.frame < b.frame; });
  facts["frames"] = {{"min", first->frame}, {"max", last->frame}};
  return facts;
}

Places places_of_touches(const Json& literal) {
  Places places;
  if (!literal.is_array()) return places;
  for (size_t i = 0; i < literal.size(); ++i) {
    const auto at =
        literal[i].is_object() ? place_of(literal[i].value("at", Json())) : std::nullopt;
    // One that cannot be read has a place all the same: the others keep their numbers.
    places.list.push_back({at.value_or(std::array<float, 3>{}), static_cast<int>(i), false});
  }
  return places;
}

Json with_touch(Json literal, size_t index, std::optional<std::array<double, 3>> at) {
  if (!literal.is_array() || index >= literal.size()) return literal;
  if (at) {
    literal[index]["at"] = place_json(*at);
  } else {
    literal.erase(index);
  }
  return literal;
}

}  // namespace

Result<Touches> touches_from_json(const Json& json) {
  if (!json.is_array()) {
    return Error{"touches are a list: [{\"frame\": 12, \"at\": [0, 0.5, 0]}, ...]"};
  }
  if (json.size() > most_touches) {
    return Error{fmt::format("{} touches, but at most {} are allowed", json.size(), most_touches)};
  }
  Touches touches;
  for (const Json& j : json) {
    TouchEvent touch;
    const std::string wrong = read_touch(j, touch);
    if (!wrong.empty()) return Error{fmt::format("touch {}: {}", touches.size() + 1, wrong)};
    touches.list.push_back(touch);
  }
  if (const auto wrong = validate(touches)) return Error{*wrong};
  return touches;
}

Json touches_to_json(const Touches& touches) {
  Json list = Json::array();
  for (const TouchEvent& t : touches.list) {
    list.push_back({{"frame", t.frame}, {"at", vector_json(t.at)}});
  }
  return list;
}

template <>
const TypeInfo& type_of<Touches>() {
  static const TypeInfo info = [] {
    TypeInfo t =
        plain_type<Touches>("touches", "Where and at which frames a body is touched.", 0xD9A441);
    t.describe = [](const void* p) { return describe_touches(content<Touches>(p)); };
    t.from_json = [](const Json& json) -> Result<Value> {
      Result<Touches> touches = touches_from_json(json);
      if (!touches) return Error{touches.error()};
      return Value::of(std::move(*touches));
    };
    t.to_json = [](const void* p) { return touches_to_json(content<Touches>(p)); };
    t.frames = [](const void* p) {
      std::vector<double> frames;
      for (const TouchEvent& touch : content<Touches>(p).list) frames.push_back(touch.frame);
      std::sort(frames.begin(), frames.end());
      return frames;
    };
    t.places = places_of_touches;
    t.with_place = with_touch;
    t.file_endings = {"json"};
    t.save = [](const void* p, const std::filesystem::path& path) {
      return write_bytes(path, touches_to_json(content<Touches>(p)).dump() + "\n");
    };
    t.made_by = MadeBy::touching;
    t.tables = [](const void* p) {
      const Touches& touches = content<Touches>(p);
      return std::vector<ValueTable>{
          {"touch",
           {"frame", "x", "y", "z"},
           touches.size(),
           [&touches](size_t row, size_t column) {
             const TouchEvent& touch = touches.list[row];
             return column == 0 ? std::to_string(touch.frame)
                                : fmt::format("{}", touch.at[static_cast<int>(column) - 1]);
           }}};
    };
    return t;
  }();
  return info;
}

}  // namespace sinew
