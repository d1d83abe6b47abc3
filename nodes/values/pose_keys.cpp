#include <fmt/core.h>

#include <algorithm>

#include "nodes/geometry/meshless_keys.h"
#include "nodes/kernels/meshless_keys.h"
#include "nodes/values/common.h"
#include "nodes/values/forms.h"

namespace sinew {

using namespace values;

namespace {

constexpr const char* kinds[] = {"pose", "points", "guess"};

std::string read_vector(const Json& json, Vec3f& to, const std::string& what) {
  const auto v = place_of(json);
  if (!v) return fmt::format("its {} is not [x, y, z]", what);
  to = {(*v)[0], (*v)[1], (*v)[2]};
  return {};
}

std::string read_handles(const Json& json, PoseKey& key) {
  if (!json.is_object()) return R"(its handles are not {"hand": [x, y, z], ...})";
  for (const auto& [name, by] : json.items()) {
    Vec3f way;
    if (std::string wrong = read_vector(by, way, fmt::format("way of '{}'", name));
        !wrong.empty()) {
      return wrong;
    }
    key.handles.push_back({name, way});
  }
  return {};
}

// Empty if all is well.
std::string read_key(const Json& json, PoseKey& key) {
  if (!json.is_object() || !json.contains("frame")) return R"(it is not {"frame": 12, ...})";
  for (const auto& [name, part] : json.items()) {
    std::string wrong;
    if (name == "frame") {
      if (!part.is_number()) return "its frame is not a number";
      key.frame = part.get<double>();
    } else if (name == "kind") {
      if (!read_name(part, kinds, key.kind)) return "its kind is none of pose, points and guess";
    } else if (name == "pose") {
      if (!part.is_number_integer() || part < 0 || part > 100000) {
        return "its pose is not the number of a linked one, from 0";
      }
      key.pose = part.get<int>();
    } else if (name == "move" || name == "turn") {
      wrong = read_vector(part, name == "move" ? key.move : key.turn, name);
    } else if (name == "velocity" || name == "spin") {
      wrong = read_vector(part, (name == "velocity" ? key.velocity : key.spin).emplace(), name);
    } else if (name == "handles") {
      wrong = read_handles(part, key);
    } else if (name == "break") {
      if (!part.is_boolean()) return "its break is neither true nor false";
      key.breaks = part.get<bool>();
    } else {
      return fmt::format(
          "it has no '{}' (it has frame, kind, pose, move, turn, handles, velocity, spin and "
          "break)",
          name);
    }
    if (!wrong.empty()) return wrong;
  }
  return {};
}

Json key_json(const PoseKey& key) {
  Json one = {{"frame", key.frame}};
  if (key.frame == std::floor(key.frame)) one["frame"] = static_cast<int64_t>(key.frame);
  if (key.kind != PoseKeyKind::pose) one["kind"] = kinds[static_cast<std::size_t>(key.kind)];
  if (key.pose >= 0) one["pose"] = key.pose;
  if (!key.move.isZero(0)) one["move"] = vector_json(key.move);
  if (!key.turn.isZero(0)) one["turn"] = vector_json(key.turn);
  for (const auto& [name, by] : key.handles) one["handles"][name] = vector_json(by);
  if (key.velocity) one["velocity"] = vector_json(*key.velocity);
  if (key.spin) one["spin"] = vector_json(*key.spin);
  if (key.breaks) one["break"] = true;
  return one;
}

// A handle moved at a frame, or (nothing) no longer then; the body itself by its own name. Where
// there is no key yet, one is made as the body is placed between its neighbours.
Json with_move(Json literal, const std::string& name, std::optional<std::array<double, 3>> by,
               double frame) {
  Result<PoseKeys> keys = pose_keys_from_json(literal);
  if (!keys) return literal;
  auto it = std::find_if(keys->list.begin(), keys->list.end(),
                         [&](const PoseKey& k) { return k.frame >= frame; });
  if (it == keys->list.end() || it->frame != frame) {
    if (!by) return literal;
    it = keys->list.insert(it, kernels::key_between(*keys, frame));
  }
  Vec3f way(0, 0, 0);
  if (by) way = Eigen::Map<const Eigen::Vector3d>(by->data()).cast<float>();
  if (name == whole_body_anchor) {
    it->move = way;
    return pose_keys_to_json(*keys);
  }
  const auto is_it = [&](const auto& one) { return one.first == name; };
  const auto known = std::find_if(it->handles.begin(), it->handles.end(), is_it);
  if (!by) {
    if (known != it->handles.end()) it->handles.erase(known);
  } else if (known != it->handles.end()) {
    known->second = way;
  } else {
    it->handles.push_back({name, way});
  }
  return pose_keys_to_json(*keys);
}

// One key at another frame, between its neighbours.
Json with_frame(Json literal, size_t index, double frame) {
  Result<PoseKeys> keys = pose_keys_from_json(literal);
  if (!keys || index >= keys->list.size()) return literal;
  std::vector<PoseKey>& list = keys->list;
  frame = std::round(frame);
  if (index > 0) frame = std::max(frame, list[index - 1].frame + 1);
  if (index + 1 < list.size()) frame = std::min(frame, list[index + 1].frame - 1);
  const double before = index > 0 ? list[index - 1].frame : frame - 1;
  if (frame > before) list[index].frame = frame;
  return pose_keys_to_json(*keys);
}

Json without_frame(Json literal, size_t index) {
  Result<PoseKeys> keys = pose_keys_from_json(literal);
  if (!keys || index >= keys->list.size()) return literal;
  keys->list.erase(keys->list.begin() + static_cast<std::ptrdiff_t>(index));
  return pose_keys_to_json(*keys);
}

// Where and in which shape the body is between its neighbours.
Json with_new_frame(Json literal, double frame) {
  Result<PoseKeys> keys = pose_keys_from_json(literal);
  if (!keys || keys->at(frame)) return literal;
  const auto it = std::find_if(keys->list.begin(), keys->list.end(),
                               [&](const PoseKey& k) { return k.frame > frame; });
  keys->list.insert(it, kernels::key_between(*keys, frame));
  return pose_keys_to_json(*keys);
}

}  // namespace

Result<PoseKeys> pose_keys_from_json(const Json& json) {
  if (!json.is_array()) return Error{R"(keys are a list: [{"frame": 0}, {"frame": 24, ...}, ...])"};
  PoseKeys keys;
  for (const Json& j : json) {
    PoseKey key;
    const std::string wrong = read_key(j, key);
    if (!wrong.empty()) return Error{fmt::format("key {}: {}", keys.list.size() + 1, wrong)};
    keys.list.push_back(std::move(key));
  }
  std::stable_sort(keys.list.begin(), keys.list.end(),
                   [](const PoseKey& a, const PoseKey& b) { return a.frame < b.frame; });
  if (const auto wrong = validate(keys)) return Error{*wrong};
  return keys;
}

Json pose_keys_to_json(const PoseKeys& keys) {
  Json list = Json::array();
  for (const PoseKey& key : keys.list) list.push_back(key_json(key));
  return list;
}

template <>
const TypeInfo& type_of<PoseKeys>() {
  static const TypeInfo info = [] {
    TypeInfo t = plain_type<PoseKeys>(
        "pose_keys", "Where a body shall be, and in which shape, at some frames.", 0xE8C35A);
    t.describe = [](const void* p) { return Json{{"keys", content<PoseKeys>(p).list.size()}}; };
    t.from_json = [](const Json& json) -> Result<Value> {
      Result<PoseKeys> keys = pose_keys_from_json(json);
      if (!keys) return Error{keys.error()};
      return Value::of(std::move(*keys));
    };
    t.to_json = [](const void* p) { return pose_keys_to_json(content<PoseKeys>(p)); };
    t.with_move = with_move;
    t.with_frame = with_frame;
    t.frames = [](const void* p) {
      std::vector<double> frames;
      for (const PoseKey& key : content<PoseKeys>(p).list) frames.push_back(key.frame);
      return frames;
    };
    t.tables = [](const void* p) {
      const PoseKeys& keys = content<PoseKeys>(p);
      return std::vector<ValueTable>{
          {"key",
           {"frame", "kind", "move x", "move y", "move z", "turn x", "turn y", "turn z", "handles"},
           keys.list.size(),
           [&keys](size_t row, size_t column) -> std::string {
             const PoseKey& key = keys.list[row];
             if (column == 0) return fmt::format("{:g}", key.frame);
             if (column == 1) return kinds[static_cast<std::size_t>(key.kind)];
             if (column == 8) return fmt::format("{}", key.handles.size());
             const Vec3f& v = column < 5 ? key.move : key.turn;
             return fmt::format("{}", v[static_cast<int>(column - 2) % 3]);
           }}};
    };
    return t;
  }();
  return info;
}

LiteralForms values::pose_keys_forms() {
  LiteralForms forms;
  forms.frames = FramesForm{without_frame, with_new_frame};
  return forms;
}

}  // namespace sinew
