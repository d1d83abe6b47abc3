#include "nodes/geometry/skeleton.h"

#include <fmt/core.h>

#include <cmath>
#include <map>
#include <set>

#include "nodes/values/common.h"

namespace sinew {

using namespace values;

namespace {

constexpr const char* wanted =
    R"(it is not {"name": "knee", "at": [x, y, z], "on": "the joint that it hangs on"})";

struct Written {
  std::string name, on, bone;
  Vec3d at{0, 0, 0};
};

// Three numbers in double precision.
bool read_place(const Json& json, Vec3d& place) {
  if (!json.is_array() || json.size() != 3) return false;
  for (int k = 0; k < 3; ++k) {
    const Json& number = json[static_cast<size_t>(k)];
    if (!number.is_number()) return false;
    place[k] = number.get<double>();
  }
  return place.allFinite();
}

// Empty if all is well.
std::string read_joint(const Json& json, Written& joint) {
  if (!json.is_object() || !json.contains("name") || !json.contains("at")) return wanted;
  for (const auto& [key, part] : json.items()) {
    if (key == "at") {
      if (!read_place(part, joint.at)) return "its place is not [x, y, z]";
    } else if (key == "name" || key == "on" || key == "bone") {
      if (!part.is_string()) return fmt::format("its '{}' is not a text", key);
      (key == "name" ? joint.name : key == "on" ? joint.on : joint.bone) = part.get<std::string>();
    } else {
      return fmt::format("it has no '{}' (it has name, at, on and bone)", key);
    }
  }
  return joint.name.empty() ? "it has no name" : "";
}

// The joint that each hangs on, or -1: trees begin at their first joint.
std::vector<int> parents_of(const Skeleton& skeleton, std::vector<std::string>* bone_names) {
  std::vector<int> parents(skeleton.joint_count(), -1);
  std::vector<uint8_t> seen(skeleton.joint_count(), 0);
  std::vector<std::vector<std::pair<uint32_t, size_t>>> around(skeleton.joint_count());
  for (size_t b = 0; b < skeleton.bone_count(); ++b) {
    const auto [from, to] = skeleton.bones[b].joints;
    around[from].emplace_back(to, b);
    around[to].emplace_back(from, b);
  }
  for (uint32_t root = 0; root < seen.size(); ++root) {
    if (seen[root]) continue;
    seen[root] = 1;
    std::vector<uint32_t> open = {root};
    while (!open.empty()) {
      const uint32_t here = open.back();
      open.pop_back();
      for (const auto& [next, bone] : around[here]) {
        if (seen[next]) continue;
        seen[next] = 1;
        parents[next] = static_cast<int>(here);
        if (bone_names) (*bone_names)[next] = skeleton.bones[bone].name;
        open.push_back(next);
      }
    }
  }
  return parents;
}

Places places_of_joints(const Json& literal) {
  Places places;
  places.free = true;
  if (!literal.is_array()) return places;
  std::map<std::string, int> number;
  for (size_t i = 0; i < literal.size(); ++i) {
    if (literal[i].is_object() && literal[i].value("name", Json()).is_string()) {
      number.emplace(literal[i]["name"].get<std::string>(), static_cast<int>(i));
    }
  }
  for (size_t i = 0; i < literal.size(); ++i) {
    // One that cannot be read has a place all the same: the others keep their numbers.
    Places::One one;
    one.line = static_cast<int>(i);
    if (literal[i].is_object()) {
      one.at = place_of(literal[i].value("at", Json())).value_or(std::array<float, 3>{});
      if (literal[i].value("name", Json()).is_string()) one.name = literal[i]["name"];
      const Json on = literal[i].value("on", Json());
      const auto found = on.is_string() ? number.find(on.get<std::string>()) : number.end();
      if (found != number.end()) one.on = found->second;
    }
    places.list.push_back(std::move(one));
  }
  return places;
}

// What hung on a joint that is removed hangs on what that hung on.
Json without_joint(Json literal, size_t index) {
  const Json gone = literal[index].is_object() ? literal[index] : Json::object();
  literal.erase(index);
  for (Json& joint : literal) {
    if (!joint.is_object() || !joint.contains("on") || !gone.contains("name")) continue;
    if (joint["on"] != gone["name"]) continue;
    if (gone.contains("on")) {
      joint["on"] = gone["on"];
    } else {
      joint.erase("on");
    }
  }
  return literal;
}

Json with_joint(Json literal, size_t index, std::optional<std::array<double, 3>> at) {
  if (!literal.is_array() || index >= literal.size()) return literal;
  if (!at) return without_joint(std::move(literal), index);
  if (literal[index].is_object()) literal[index]["at"] = place_json(*at);
  return literal;
}

// A new one that hangs on another.
Json with_new_joint(Json literal, size_t on, const std::array<double, 3>& at) {
  if (!literal.is_array() || on >= literal.size() || !literal[on].is_object()) return literal;
  std::set<std::string> names;
  for (const Json& joint : literal) {
    if (joint.is_object() && joint.value("name", Json()).is_string()) names.insert(joint["name"]);
  }
  size_t number = literal.size() + 1;
  while (names.contains(fmt::format("joint {}", number))) ++number;
  literal.push_back({{"name", fmt::format("joint {}", number)},
                     {"at", place_json(at)},
                     {"on", literal[on].value("name", Json(""))}});
  return literal;
}

ValueTable joints_table(const Skeleton& skeleton) {
  return {"joint",
          {"name", "x", "y", "z"},
          skeleton.joint_count(),
          [&skeleton](size_t row, size_t column) {
            const SkeletonJoint& joint = skeleton.joints[row];
            if (column == 0) return joint.name;
            return fmt::format("{:.6g}", joint.place[static_cast<int>(column) - 1]);
          }};
}

ValueTable bones_table(const Skeleton& skeleton) {
  return {"bone",
          {"name", "from", "to", "length"},
          skeleton.bone_count(),
          [&skeleton](size_t row, size_t column) {
            const SkeletonBone& bone = skeleton.bones[row];
            if (column == 0) return bone.name;
            if (column == 3) {
              return fmt::format("{:.6g}", (skeleton.to(row) - skeleton.from(row)).norm());
            }
            return skeleton.joints[bone.joints[column - 1]].name;
          }};
}

}  // namespace

namespace values {

Places joint_places(const Skeleton& skeleton, std::span<const Vec3d> now,
                    std::span<const Vec3d> origins, std::span<const uint8_t> held) {
  Places places;
  places.free = true;
  const std::vector<int> parents = parents_of(skeleton, nullptr);
  for (size_t j = 0; j < skeleton.joint_count(); ++j) {
    Places::One one;
    const Vec3f at = now[j].cast<float>(), origin = origins[j].cast<float>();
    one.at = {at.x(), at.y(), at.z()};
    one.origin = {origin.x(), origin.y(), origin.z()};
    one.line = static_cast<int>(j);
    one.on = parents[j];
    one.name = skeleton.joints[j].name;
    one.held = held.empty() || held[j];
    places.list.push_back(std::move(one));
  }
  return places;
}

}  // namespace values

Result<Skeleton> skeleton_from_json(const Json& json) {
  if (!json.is_array()) {
    return Error{
        R"(a skeleton is a list of joints: [{"name": "hip", "at": [0, 1, 0]}, {"name": "knee", "at": [0, 0.5, 0], "on": "hip"}, ...])"};
  }
  if (json.size() > most_joints) {
    return Error{fmt::format("{} joints, but at most {} are taken", json.size(), most_joints)};
  }
  std::vector<Written> written(json.size());
  std::map<std::string, uint32_t> number;
  for (size_t i = 0; i < json.size(); ++i) {
    const std::string wrong = read_joint(json[i], written[i]);
    if (!wrong.empty()) return Error{fmt::format("joint {}: {}", i + 1, wrong)};
    if (!number.emplace(written[i].name, static_cast<uint32_t>(i)).second) {
      return Error{fmt::format("joint {}: there is a '{}' already; names must differ", i + 1,
                               written[i].name)};
    }
  }
  Skeleton skeleton;
  for (const Written& joint : written) {
    const auto self = static_cast<uint32_t>(skeleton.joints.size());
    skeleton.joints.push_back({joint.name, joint.at});
    if (joint.on.empty()) continue;
    const auto on = number.find(joint.on);
    if (on == number.end()) {
      return Error{fmt::format("joint {}: it hangs on '{}', but there is no joint of that name",
                               self + 1, joint.on)};
    }
    skeleton.bones.push_back({joint.bone.empty() ? joint.name : joint.bone, {on->second, self}});
  }
  if (const auto wrong = validate(skeleton)) return Error{*wrong};
  return skeleton;
}

Json skeleton_to_json(const Skeleton& skeleton) {
  std::vector<std::string> bone_names(skeleton.joint_count());
  const std::vector<int> parents = parents_of(skeleton, &bone_names);
  const auto name = [&](size_t j) {
    const std::string& own = skeleton.joints[j].name;
    return own.empty() ? fmt::format("joint {}", j + 1) : own;
  };
  Json list = Json::array();
  for (size_t j = 0; j < skeleton.joint_count(); ++j) {
    Json joint = {{"name", name(j)}, {"at", vector_json(skeleton.rest(j))}};
    if (parents[j] >= 0) {
      joint["on"] = name(static_cast<size_t>(parents[j]));
      if (!bone_names[j].empty() && bone_names[j] != name(j)) joint["bone"] = bone_names[j];
    }
    list.push_back(std::move(joint));
  }
  return list;
}

template <>
const TypeInfo& type_of<Skeleton>() {
  static const TypeInfo info = [] {
    TypeInfo t = plain_type<Skeleton>(
        "skeleton", "Joints in a body at rest, and the bones between them.", 0xD8C27A);
    t.describe = [](const void* p) {
      const Skeleton& skeleton = content<Skeleton>(p);
      return Json{{"joints", skeleton.joint_count()},
                  {"bones", skeleton.bone_count()},
                  {"skeleton", skeleton_to_json(skeleton)}};
    };
    t.from_json = [](const Json& json) -> Result<Value> {
      Result<Skeleton> skeleton = skeleton_from_json(json);
      if (!skeleton) return Error{skeleton.error()};
      return Value::of(std::move(*skeleton));
    };
    t.to_json = [](const void* p) { return skeleton_to_json(content<Skeleton>(p)); };
    t.places = places_of_joints;
    t.with_place = with_joint;
    t.with_new_place = with_new_joint;
    t.anchors = [](const void* p, double) {
      const Skeleton& skeleton = content<Skeleton>(p);
      const std::vector<Vec3d> rest = skeleton.rest_places();
      return joint_places(skeleton, rest, rest, {});
    };
    t.file_endings = {"json"};
    t.save = [](const void* p, const std::filesystem::path& path) {
      return write_bytes(path, skeleton_to_json(content<Skeleton>(p)).dump(1) + "\n");
    };
    t.tables = [](const void* p) {
      const Skeleton& skeleton = content<Skeleton>(p);
      return std::vector{joints_table(skeleton), bones_table(skeleton)};
    };
    return t;
  }();
  return info;
}

}  // namespace sinew
