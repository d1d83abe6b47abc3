#include "nodes/geometry/joint_keys.h"

#include <fmt/core.h>

#include <algorithm>

#include "nodes/values/common.h"

namespace sinew {

using namespace values;

namespace {

constexpr const char* wanted = R"(it is not {"joint": "hand", "by": [x, y, z]})";

// Empty if all is well.
std::string read_key(const Json& json, JointKey& key) {
  if (!json.is_object() || !json.contains("joint") || !json.contains("by")) return wanted;
  for (const auto& [name, part] : json.items()) {
    if (name == "joint") {
      if (!part.is_string()) return "its joint is not a name";
      key.joint = part.get<std::string>();
    } else if (name == "by") {
      const auto by = place_of(part);
      if (!by) return "its way is not [x, y, z]";
      key.by = {(*by)[0], (*by)[1], (*by)[2]};
    } else if (name == "frame") {
      if (!part.is_number()) return "its frame is not a number";
      key.frame = part.get<double>();
    } else {
      return fmt::format("it has no '{}' (it has joint, by and frame)", name);
    }
  }
  return {};
}

// The literal with a joint moved at a frame, or (nothing) no longer moved then. Without the frame
// where nothing else has one, so that poses stay without.
Json with_move(Json literal, const std::string& joint, std::optional<std::array<double, 3>> by,
               double frame) {
  if (!literal.is_array()) literal = Json::array();
  Json kept = Json::array(), key = {{"joint", joint}};
  for (Json& one : literal) {
    const Json at = one.is_object() ? one.value("frame", Json(0)) : Json();
    const bool is_it =
        at.is_number() && one.value("joint", Json()) == joint && at.get<double>() == frame;
    (is_it ? key : kept.emplace_back()) = std::move(one);
  }
  if (!by) return kept;
  // At the end: of keys for the same moment of a round, the last counts.
  if (frame != 0) key["frame"] = frame;
  key["by"] = place_json(*by);
  kept.push_back(std::move(key));
  return kept;
}

}  // namespace

Result<JointKeys> joint_keys_from_json(const Json& json) {
  if (!json.is_array()) {
    return Error{R"(moved joints are a list: [{"joint": "hand", "by": [0, 0.1, 0]}, ...])"};
  }
  JointKeys keys;
  for (const Json& j : json) {
    JointKey key;
    const std::string wrong = read_key(j, key);
    if (!wrong.empty()) return Error{fmt::format("key {}: {}", keys.size() + 1, wrong)};
    keys.list.push_back(std::move(key));
  }
  if (const auto wrong = validate(keys)) return Error{*wrong};
  return keys;
}

Json joint_keys_to_json(const JointKeys& keys) {
  Json list = Json::array();
  for (const JointKey& key : keys.list) {
    Json one = {{"joint", key.joint}, {"by", vector_json(key.by)}};
    if (key.frame != 0) one["frame"] = key.frame;
    list.push_back(std::move(one));
  }
  return list;
}

template <>
const TypeInfo& type_of<JointKeys>() {
  static const TypeInfo info = [] {
    TypeInfo t = plain_type<JointKeys>(
        "joint_keys", "Joints that are moved, how far, and at which frames.", 0xE3D6A3);
    t.describe = [](const void* p) { return Json{{"keys", content<JointKeys>(p).size()}}; };
    t.from_json = [](const Json& json) -> Result<Value> {
      Result<JointKeys> keys = joint_keys_from_json(json);
      if (!keys) return Error{keys.error()};
      return Value::of(std::move(*keys));
    };
    t.to_json = [](const void* p) { return joint_keys_to_json(content<JointKeys>(p)); };
    t.with_move = with_move;
    t.frames = [](const void* p) {
      std::vector<double> frames;
      const auto is_key = [](const JointKey& key) { return key.frame != 0; };
      const std::vector<JointKey>& list = content<JointKeys>(p).list;
      if (std::none_of(list.begin(), list.end(), is_key)) return frames;  // a pose
      for (const JointKey& key : list) frames.push_back(key.frame);
      std::sort(frames.begin(), frames.end());
      frames.erase(std::unique(frames.begin(), frames.end()), frames.end());
      return frames;
    };
    t.file_endings = {"json"};
    t.save = [](const void* p, const std::filesystem::path& path) {
      return write_bytes(path, joint_keys_to_json(content<JointKeys>(p)).dump() + "\n");
    };
    t.tables = [](const void* p) {
      const JointKeys& keys = content<JointKeys>(p);
      return std::vector<ValueTable>{
          {"key",
           {"joint", "frame", "x", "y", "z"},
           keys.size(),
           [&keys](size_t row, size_t column) {
             const JointKey& key = keys.list[row];
             if (column == 0) return key.joint;
             return column == 1 ? fmt::format("{:g}", key.frame)
                                : fmt::format("{}", key.by[static_cast<int>(column) - 2]);
           }}};
    };
    return t;
  }();
  return info;
}

}  // namespace sinew
