#include "nodes/geometry/pose_graph.h"

#include <fmt/core.h>

#include "nodes/values/common.h"

namespace sinew {

using namespace values;

namespace {

constexpr const char* wanted =
    R"(a controller is {"modes": ["shear x", ...], "poses": [{"time": 0.2, "amplitudes": [0.5, ...]}, ...]})";

// Empty if all is well.
std::string read_pose(const Json& json, GraphPose& pose) {
  if (!json.is_object() || !json.contains("time") || !json.contains("amplitudes")) {
    return R"(it is not {"time": 0.2, "amplitudes": [0.5, ...]})";
  }
  for (const auto& [name, part] : json.items()) {
    if (name == "time") {
      if (!part.is_number()) return "its time is not a number";
      pose.time = part.get<double>();
    } else if (name == "amplitudes") {
      if (!part.is_array()) return "its amplitudes are not a list of numbers";
      for (const Json& one : part) {
        if (!one.is_number()) return "its amplitudes are not a list of numbers";
        pose.amplitudes.push_back(one.get<double>());
      }
    } else {
      return fmt::format("it has no '{}' (it has time and amplitudes)", name);
    }
  }
  return {};
}

std::string read_part(const std::string& name, const Json& part, PoseGraph& graph) {
  if (name == "modes") {
    if (!part.is_array()) return "'modes' is not a list of names";
    for (const Json& one : part) {
      if (!one.is_string()) return "'modes' is not a list of names";
      graph.modes.push_back(one.get<std::string>());
    }
  } else if (name == "poses") {
    if (!part.is_array()) return "'poses' is not a list";
    for (const Json& one : part) {
      GraphPose pose;
      const std::string wrong = read_pose(one, pose);
      if (!wrong.empty()) return fmt::format("pose {}: {}", graph.poses.size() + 1, wrong);
      graph.poses.push_back(std::move(pose));
    }
  } else if (name == "frequency" || name == "damping") {
    if (!part.is_number()) return fmt::format("'{}' is not a number", name);
    (name == "damping" ? graph.damping : graph.frequency) = part.get<double>();
  } else {
    return fmt::format("it has no '{}' (it has modes, poses, frequency and damping)", name);
  }
  return {};
}

ValueTable poses_table(const PoseGraph& graph) {
  std::vector<std::string> columns = {"time"};
  columns.insert(columns.end(), graph.modes.begin(), graph.modes.end());
  return {"pose", std::move(columns), graph.poses.size(), [&graph](size_t row, size_t column) {
            const GraphPose& pose = graph.poses[row];
            return fmt::format("{:.5g}", column == 0 ? pose.time : pose.amplitudes[column - 1]);
          }};
}

}  // namespace

Result<PoseGraph> pose_graph_from_json(const Json& json) {
  if (!json.is_object()) return Error{wanted};
  PoseGraph graph;
  for (const auto& [name, part] : json.items()) {
    if (std::string wrong = read_part(name, part, graph); !wrong.empty()) return Error{wrong};
  }
  if (const auto wrong = validate(graph)) return Error{*wrong};
  return graph;
}

Json pose_graph_to_json(const PoseGraph& graph) {
  const PoseGraph standard;
  Json json = {{"modes", graph.modes}, {"poses", Json::array()}};
  for (const GraphPose& pose : graph.poses) {
    json["poses"].push_back({{"time", pose.time}, {"amplitudes", pose.amplitudes}});
  }
  if (graph.frequency != standard.frequency) json["frequency"] = graph.frequency;
  if (graph.damping != standard.damping) json["damping"] = graph.damping;
  return json;
}

template <>
const TypeInfo& type_of<PoseGraph>() {
  static const TypeInfo info = [] {
    TypeInfo t = plain_type<PoseGraph>(
        "pose_graph", "Shapes that a body takes in turn, over and over.", 0xF29B6B);
    t.describe = [](const void* p) {
      const PoseGraph& graph = content<PoseGraph>(p);
      return Json{{"poses", graph.poses.size()}, {"modes", graph.modes}, {"cycle", graph.cycle()}};
    };
    t.from_json = [](const Json& json) -> Result<Value> {
      Result<PoseGraph> graph = pose_graph_from_json(json);
      if (!graph) return Error{graph.error()};
      return Value::of(std::move(*graph));
    };
    t.to_json = [](const void* p) { return pose_graph_to_json(content<PoseGraph>(p)); };
    t.tables = [](const void* p) { return std::vector{poses_table(content<PoseGraph>(p))}; };
    t.file_endings = {"json"};
    t.save = [](const void* p, const std::filesystem::path& path) {
      return write_bytes(path, pose_graph_to_json(content<PoseGraph>(p)).dump() + "\n");
    };
    return t;
  }();
  return info;
}

}  // namespace sinew
