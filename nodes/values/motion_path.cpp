#include "nodes/geometry/motion_path.h"

#include <fmt/core.h>

#include <cmath>

#include "graph/pack.h"
#include "nodes/kernels/motion_path.h"
#include "nodes/values/common.h"

namespace sinew {

using namespace values;

namespace {

constexpr const char* curve_names[] = {"polyline", "spline"};

struct NumberPart {
  const char* name;
  double MotionPath::*number;
};
constexpr NumberPart number_parts[] = {{"mass", &MotionPath::mass},
                                       {"speed", &MotionPath::speed},
                                       {"offset", &MotionPath::offset},
                                       {"start", &MotionPath::start},
                                       {"end", &MotionPath::end}};

struct SwitchPart {
  const char* name;
  bool MotionPath::*on;
};
constexpr SwitchPart switch_parts[] = {{"closed", &MotionPath::closed}, {"fit", &MotionPath::fit}};

std::string read_rounds(const Json& json, MotionPath& path) {
  const double rounds = json.is_number() ? json.get<double>() : 0.5;
  if (!(rounds >= 1 && rounds <= most_rounds && rounds == std::floor(rounds))) {
    return fmt::format("the rounds of a path are a whole number from 1 to {}", most_rounds);
  }
  path.rounds = static_cast<int>(rounds);
  return {};
}

// Empty if all is well.
std::string read_part(const std::string& name, const Json& json, MotionPath& path) {
  for (const NumberPart& part : number_parts) {
    if (name != part.name) continue;
    if (!json.is_number()) return fmt::format("the {} of a path is a number", name);
    path.*part.number = json.get<double>();
    return {};
  }
  for (const SwitchPart& part : switch_parts) {
    if (name != part.name) continue;
    if (!json.is_boolean()) return fmt::format("'{}' of a path is true or false", name);
    path.*part.on = json.get<bool>();
    return {};
  }
  if (name == "points") {
    Result<PathPoints> points = points_from_json(json);
    if (!points) return fmt::format("the points of the path: {}", points.error());
    path.points = std::move(*points);
    return {};
  }
  if (name == "momentum") {
    Result<Chart> chart = chart_from_json(json);
    if (!chart) return fmt::format("the momentum chart: {}", chart.error());
    path.momentum = std::move(*chart);
    return {};
  }
  if (name == "curve") {
    if (read_name(json, curve_names, path.curve)) return {};
    return "the curve of a path is polyline or spline";
  }
  if (name == "rounds") return read_rounds(json, path);
  return fmt::format(
      "a path has no '{}' (it has points, curve, closed, rounds, momentum, mass, speed, offset, "
      "start, end, fit)",
      name);
}

Json describe_path(const MotionPath& path) {
  const kernels::PathMotion motion(path);
  Json facts = {{"points", path.points.size()},
                {"curve", curve_names[static_cast<int>(path.curve)]},
                {"closed", path.closed},
                {"length", motion.shape().length()},
                {"start", path.start},
                {"end", path.end},
                {"time", path.time},
                {"distance", motion.clock().distance(path.time)},
                {"position", vector_json(motion.at(path.time).position)}};
  if (path.closed) facts["rounds"] = path.rounds;
  if (path.points.size() > 0) facts["bounds"] = bounds_json(path.points.list);
  return facts;
}

// A path has few bytes and many parts: on disk it is its literal and its moment.
Value unpack_path(Unpacker& unpacker) {
  std::string text;
  double time = 0;
  if (!unpacker.text(text) || !unpacker.number(time)) return Value();
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return Value();
  Result<MotionPath> path = motion_path_from_json(json);
  if (!path) return Value();
  path->time = time;
  return Value::of(std::move(*path));
}

}  // namespace

Result<MotionPath> motion_path_from_json(const Json& json) {
  MotionPath path;
  if (!json.is_array() && !json.is_object()) {
    return Error{"a path is {\"points\": [[x, y, z], ...], ...} or the list of points alone"};
  }
  if (json.is_array()) {
    const std::string wrong = read_part("points", json, path);
    if (!wrong.empty()) return Error{wrong};
  } else {
    for (const auto& [name, part] : json.items()) {
      const std::string wrong = read_part(name, part, path);
      if (!wrong.empty()) return Error{wrong};
    }
  }
  if (const auto wrong = validate(path)) return Error{*wrong};
  return path;
}

Json motion_path_to_json(const MotionPath& path) {
  const MotionPath standard;
  Json json = {{"points", points_to_json(path.points)}};
  if (path.curve != standard.curve) json["curve"] = curve_names[static_cast<int>(path.curve)];
  if (path.rounds != standard.rounds) json["rounds"] = path.rounds;
  if (!(path.momentum == standard.momentum)) json["momentum"] = chart_to_json(path.momentum);
  for (const SwitchPart& part : switch_parts) {
    if (path.*part.on != standard.*part.on) json[part.name] = path.*part.on;
  }
  for (const NumberPart& part : number_parts) {
    if (path.*part.number != standard.*part.number) json[part.name] = path.*part.number;
  }
  return json;
}

template <>
const TypeInfo& type_of<MotionPath>() {
  static const TypeInfo info = [] {
    TypeInfo t = plain_type<MotionPath>(
        "motion_path", "A way through space and how it is travelled over time.", 0x3FA7D6);
    t.describe = [](const void* p) { return describe_path(content<MotionPath>(p)); };
    t.from_json = [](const Json& json) -> Result<Value> {
      Result<MotionPath> path = motion_path_from_json(json);
      if (!path) return Error{path.error()};
      return Value::of(std::move(*path));
    };
    t.to_json = [](const void* p) { return motion_path_to_json(content<MotionPath>(p)); };
    t.file_endings = {"json"};
    t.save = [](const void* p, const std::filesystem::path& path) {
      return write_bytes(path, motion_path_to_json(content<MotionPath>(p)).dump() + "\n");
    };
    t.tables = [](const void* p) {
      return std::vector{points_table("point", content<MotionPath>(p).points.list)};
    };
    t.pack = [](const void* p, Packer& packer) {
      packer.text(motion_path_to_json(content<MotionPath>(p)).dump());
      packer.number(content<MotionPath>(p).time);
    };
    t.unpack = unpack_path;
    return t;
  }();
  return info;
}

}  // namespace sinew
