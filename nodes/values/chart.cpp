#include "nodes/values/common.h"

#include <fmt/core.h>

#include <algorithm>

#include "nodes/geometry/file_names.h"

namespace sinew {

using namespace values;

namespace {

constexpr const char* interpolation_names[] = {"linear", "smooth", "stepped"};
constexpr const char* extension_names[] = {"clamped", "cyclic"};

Result<std::vector<ChartPoint>> points_from_json(const Json& json) {
  if (!json.is_array()) return Error{"the points of a chart are a list: [[x, y], [x, y], ...]"};
  std::vector<ChartPoint> points;
  points.reserve(json.size());
  for (const Json& p : json) {
    if (!p.is_array() || p.size() != 2 || !p[0].is_number() || !p[1].is_number()) {
      return Error{fmt::format("point {} of the chart is not [x, y]", points.size())};
    }
    points.push_back({p[0].get<double>(), p[1].get<double>()});
  }
  return points;
}

Json describe_chart(const Chart& chart) {
  Json facts = {{"points", chart.points.size()},
                {"interpolation", interpolation_names[static_cast<int>(chart.interpolation)]},
                {"extension", extension_names[static_cast<int>(chart.extension)]}};
  if (chart.cycle() > 0) facts["period"] = chart.cycle();
  if (!chart.x_unit.empty()) facts["x_unit"] = chart.x_unit;
  if (!chart.y_unit.empty()) facts["y_unit"] = chart.y_unit;
  if (chart.points.empty()) return facts;
  const auto [low, high] =
      std::minmax_element(chart.points.begin(), chart.points.end(),
                          [](const ChartPoint& a, const ChartPoint& b) { return a.y < b.y; });
  facts["x"] = {{"min", chart.first_x()}, {"max", chart.last_x()}};
  facts["y"] = {{"min", low->y}, {"max", high->y}};
  return facts;
}

Result<void> save_chart(const Chart& chart, const std::filesystem::path& path) {
  if (ending_of(path) != "csv") return write_bytes(path, chart_to_json(chart).dump() + "\n");
  std::string text = "x,y\n";
  for (const ChartPoint& p : chart.points) text += fmt::format("{},{}\n", p.x, p.y);
  return write_bytes(path, text);
}

Json steps_to_json(std::span<const std::pair<double, double>> steps) {
  Json points = Json::array();
  for (const auto& [frame, y] : steps) points.push_back(Json::array({frame, y}));
  return {{"points", std::move(points)}, {"interpolation", "stepped"}, {"x_unit", "frames"}};
}

}  // namespace

Result<Chart> chart_from_json(const Json& json) {
  Chart chart;
  if (!json.is_array() && !json.is_object()) {
    return Error{"a chart is {\"points\": [[x, y], ...], ...} or the list of points alone"};
  }
  const Json& points = json.is_array() ? json : json.value("points", Json());
  Result<std::vector<ChartPoint>> read = points_from_json(points);
  if (!read) return Error{read.error()};
  chart.points = std::move(*read);
  if (json.is_object()) {
    for (const auto& [name, part] : json.items()) {
      if (name == "points") continue;
      bool good = false;
      if (name == "interpolation")
        good = read_name(part, interpolation_names, chart.interpolation);
      else if (name == "extension")
        good = read_name(part, extension_names, chart.extension);
      else if (name == "period") {
        if ((good = part.is_number())) chart.period = part.get<double>();
      } else if (name == "x_unit" || name == "y_unit") {
        std::string& unit = name == "x_unit" ? chart.x_unit : chart.y_unit;
        if ((good = part.is_string())) unit = part.get<std::string>();
      } else {
        return Error{fmt::format(
            "a chart has no '{}' (it has points, interpolation, extension, period, x_unit, y_unit)",
            name)};
      }
      if (!good) {
        return Error{fmt::format(
            "the chart's {} is wrong (interpolation: linear, smooth, stepped; extension: clamped, "
            "cyclic; period: a number; units: text)",
            name)};
      }
    }
  }
  if (const auto wrong = validate(chart)) return Error{*wrong};
  return chart;
}

Json chart_to_json(const Chart& chart) {
  Json points = Json::array();
  for (const ChartPoint& p : chart.points) points.push_back(Json::array({p.x, p.y}));
  Json json = {{"points", std::move(points)}};
  if (chart.interpolation != Interpolation::smooth) {
    json["interpolation"] = interpolation_names[static_cast<int>(chart.interpolation)];
  }
  if (chart.extension != Extension::clamped) {
    json["extension"] = extension_names[static_cast<int>(chart.extension)];
  }
  if (chart.period != 0) json["period"] = chart.period;
  if (!chart.x_unit.empty()) json["x_unit"] = chart.x_unit;
  if (!chart.y_unit.empty()) json["y_unit"] = chart.y_unit;
  return json;
}

template <>
const TypeInfo& type_of<Chart>() {
  static const TypeInfo info = [] {
    TypeInfo t = plain_type<Chart>(
        "chart", "A drawn curve: points, how they are joined, and whether it repeats.", 0xB57BE0);
    t.describe = [](const void* p) { return describe_chart(content<Chart>(p)); };
    t.from_json = [](const Json& json) -> Result<Value> {
      Result<Chart> chart = chart_from_json(json);
      if (!chart) return Error{chart.error()};
      return Value::of(std::move(*chart));
    };
    t.to_json = [](const void* p) { return chart_to_json(content<Chart>(p)); };
    t.sample = [](const void* p, TimePoint time) {
      const Chart& chart = content<Chart>(p);
      return chart.evaluate(chart.x_unit == "frames" ? time.frame : time.seconds);
    };
    t.steps_to_json = steps_to_json;
    t.file_endings = {"json", "csv"};
    t.save = [](const void* p, const std::filesystem::path& path) {
      return save_chart(content<Chart>(p), path);
    };
    return t;
  }();
  return info;
}

}  // namespace sinew
