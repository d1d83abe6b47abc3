#include "nodes/values/common.h"

#include <fmt/core.h>

#include <algorithm>

#include "nodes/geometry/chart_ahead.h"
#include "nodes/geometry/file_names.h"
#include "nodes/geometry/frame_slack.h"
#include "nodes/kernels/named_curves.h"

namespace sinew {

using namespace values;

namespace {

constexpr const char* interpolation_names[] = {"linear", "smooth", "stepped"};
constexpr const char* extension_names[] = {"clamped", "cyclic"};
constexpr const char* axis_names[] = {"linear", "ratio"};

bool is_pair(const Json& json) {
  return json.is_array() && json.size() == 2 && json[0].is_number() && json[1].is_number();
}

Result<std::vector<ChartPoint>> points_from_json(const Json& json, const char* which) {
  if (!json.is_array()) {
    return Error{fmt::format("the points of a {} are a list: [[x, y], [x, y], ...]", which)};
  }
  std::vector<ChartPoint> points;
  points.reserve(json.size());
  for (const Json& p : json) {
    if (!is_pair(p)) {
      return Error{fmt::format("point {} of the {} is not [x, y]", points.size(), which)};
    }
    points.push_back({p[0].get<double>(), p[1].get<double>()});
  }
  return points;
}

Json points_to_json(const std::vector<ChartPoint>& points) {
  Json list = Json::array();
  for (const ChartPoint& p : points) list.push_back(Json::array({p.x, p.y}));
  return list;
}

Json marks_to_json(const std::vector<ChartMark>& marks) {
  Json json = Json::object();
  for (const ChartMark& mark : marks) json[mark.name] = mark.x;
  return json;
}

// null, a number for both sides, or one of these for each side.
bool read_side(const Json& json, std::optional<double>& slope) {
  if (json.is_number()) slope = json.get<double>();
  return json.is_number() || json.is_null();
}

bool read_tangents(const Json& json, Chart& chart) {
  if (!json.is_array()) return false;
  bool drawn = false;
  std::vector<ChartTangent> tangents;
  for (const Json& part : json) {
    ChartTangent t;
    if (part.is_array()) {
      if (part.size() != 2 || !read_side(part[0], t.in) || !read_side(part[1], t.out)) return false;
    } else {
      if (!read_side(part, t.in)) return false;
      t.out = t.in;
    }
    drawn = drawn || t.drawn();
    tangents.push_back(t);
  }
  // All automatic is what a chart is without them; a list of the wrong length is refused later.
  if (drawn || tangents.size() != chart.points.size()) chart.tangents = std::move(tangents);
  return true;
}

Json tangents_to_json(const std::vector<ChartTangent>& tangents) {
  const auto side = [](const std::optional<double>& slope) {
    return slope ? Json(*slope) : Json();
  };
  Json list = Json::array();
  for (const ChartTangent& t : tangents) {
    list.push_back(t.in == t.out ? side(t.in) : Json::array({side(t.in), side(t.out)}));
  }
  return list;
}

bool read_number(const Json& json, double& out) {
  if (json.is_number()) out = json.get<double>();
  return json.is_number();
}

bool read_text(const Json& json, std::string& out) {
  if (json.is_string()) out = json.get<std::string>();
  return json.is_string();
}

bool read_marks(const Json& json, Chart& chart) {
  if (!json.is_object()) return false;
  for (const auto& [name, x] : json.items()) {
    if (!x.is_number()) return false;
    chart.set_mark(name, x.get<double>());
  }
  return true;
}

bool read_bounds(const Json& json, Chart& chart) {
  if (is_pair(json)) chart.bounds = {json[0].get<double>(), json[1].get<double>()};
  return is_pair(json);
}

// One field of a chart beside its points; whether its form is right.
Result<bool> read_part(const std::string& name, const Json& part, Chart& chart) {
  if (name == "interpolation") return read_name(part, interpolation_names, chart.interpolation);
  if (name == "extension") return read_name(part, extension_names, chart.extension);
  if (name == "axis") return read_name(part, axis_names, chart.axis);
  if (name == "period") return read_number(part, chart.period);
  if (name == "x_unit") return read_text(part, chart.x_unit);
  if (name == "y_unit") return read_text(part, chart.y_unit);
  if (name == "marks") return read_marks(part, chart);
  if (name == "bounds") return read_bounds(part, chart);
  if (name == "tangents") return read_tangents(part, chart);
  if (name == "back") {
    Result<std::vector<ChartPoint>> back = points_from_json(part, "way back");
    if (!back) return Error{back.error()};
    chart.back = std::move(*back);
    return true;
  }
  return Error{
      fmt::format("a chart has no '{}' (it has points, tangents, interpolation, extension, period, "
                  "axis, bounds, back, marks, x_unit, y_unit)",
                  name)};
}

Json describe_chart(const Chart& chart) {
  Json facts = {{"points", chart.points.size()},
                {"interpolation", interpolation_names[static_cast<int>(chart.interpolation)]},
                {"extension", extension_names[static_cast<int>(chart.extension)]}};
  if (chart.cycle() > 0) facts["period"] = chart.cycle();
  if (!chart.x_unit.empty()) facts["x_unit"] = chart.x_unit;
  if (!chart.y_unit.empty()) facts["y_unit"] = chart.y_unit;
  if (chart.axis != ValueAxis::linear) facts["axis"] = axis_names[static_cast<int>(chart.axis)];
  const auto drawn = std::count_if(chart.tangents.begin(), chart.tangents.end(),
                                   [](const ChartTangent& t) { return t.drawn(); });
  if (drawn > 0) facts["drawn_tangents"] = drawn;
  if (chart.bounds) facts["bounds"] = {chart.bounds->low, chart.bounds->high};
  if (!chart.marks.empty()) facts["marks"] = marks_to_json(chart.marks);
  if (chart.has_loop()) {
    facts["points_back"] = chart.back.size();
    facts["loop_area"] = chart.loop_area();
  }
  if (chart.points.empty()) return facts;
  double low = chart.points[0].y, high = low;
  for (const std::vector<ChartPoint>* way : {&chart.points, &chart.back}) {
    for (const ChartPoint& p : *way) {
      low = std::min(low, p.y);
      high = std::max(high, p.y);
    }
  }
  facts["x"] = {{"min", chart.first_x()}, {"max", chart.last_x()}};
  facts["y"] = {{"min", low}, {"max", high}};
  return facts;
}

// As a list, a loop runs there and back again.
Result<void> save_chart(const Chart& chart, const std::filesystem::path& path) {
  if (ending_of(path) != "csv") return write_bytes(path, chart_to_json(chart).dump() + "\n");
  std::string text = "x,y\n";
  for (const ChartPoint& p : chart.points) text += fmt::format("{},{}\n", p.x, p.y);
  for (auto p = chart.back.rbegin(); p != chart.back.rend(); ++p) {
    text += fmt::format("{},{}\n", p->x, p->y);
  }
  return write_bytes(path, text);
}

ValueTable chart_table(std::string rows_are, const Chart& chart,
                       const std::vector<ChartPoint>& points) {
  const auto with_unit = [](const char* axis, const std::string& unit) {
    return unit.empty() ? std::string(axis) : fmt::format("{} ({})", axis, unit);
  };
  return {std::move(rows_are),
          {with_unit("x", chart.x_unit), with_unit("y", chart.y_unit)},
          points.size(),
          [&points](size_t row, size_t column) {
            return fmt::format("{}", column == 0 ? points[row].x : points[row].y);
          }};
}

Json steps_to_json(std::span<const std::pair<double, double>> steps) {
  Json points = Json::array();
  for (const auto& [frame, y] : steps) points.push_back(Json::array({frame, y}));
  return {{"points", std::move(points)}, {"interpolation", "stepped"}, {"x_unit", "frames"}};
}

std::vector<ReadyMade> ready_made_charts() {
  std::vector<ReadyMade> list;
  for (int i = 0; i < kernels::named_curve_count; ++i) {
    const auto curve = static_cast<kernels::NamedCurve>(i);
    list.push_back({std::string(kernels::name_of(curve)), std::string(kernels::family_of(curve)),
                    std::string(kernels::about(curve)),
                    chart_to_json(kernels::make_named_curve(curve, {.ratio = 1.5}))});
  }
  return list;
}

// What jumps at a frame is there at it, whatever was rounded.
double value_at(const Chart& chart, TimePoint time) {
  const ChartPieces pieces(chart);
  if (chart.x_unit == "frames") return evaluate_ahead(chart, pieces, time.frame, frame_slack);
  return evaluate_ahead(chart, pieces, time.seconds, seconds_slack);
}

}  // namespace

Result<Chart> chart_from_json(const Json& json) {
  Chart chart;
  if (!json.is_array() && !json.is_object()) {
    return Error{"a chart is {\"points\": [[x, y], ...], ...} or the list of points alone"};
  }
  const Json& points = json.is_array() ? json : json.value("points", Json());
  Result<std::vector<ChartPoint>> read = points_from_json(points, "chart");
  if (!read) return Error{read.error()};
  chart.points = std::move(*read);
  if (json.is_object()) {
    for (const auto& [name, part] : json.items()) {
      if (name == "points") continue;
      const Result<bool> good = read_part(name, part, chart);
      if (!good) return Error{good.error()};
      if (!*good) {
        return Error{fmt::format(
            "the chart's {} is wrong (interpolation: linear, smooth, stepped; extension: clamped, "
            "cyclic; axis: linear, ratio; period: a number; bounds: [lowest, highest]; "
            "tangents: for each point null, a slope, or two of them; marks: a number for each "
            "name; units: text)",
            name)};
      }
    }
  }
  if (const auto wrong = validate(chart)) return Error{*wrong};
  return chart;
}

Json chart_to_json(const Chart& chart) {
  Json json = {{"points", points_to_json(chart.points)}};
  if (!chart.tangents.empty()) json["tangents"] = tangents_to_json(chart.tangents);
  if (chart.interpolation != Interpolation::smooth) {
    json["interpolation"] = interpolation_names[static_cast<int>(chart.interpolation)];
  }
  if (chart.extension != Extension::clamped) {
    json["extension"] = extension_names[static_cast<int>(chart.extension)];
  }
  if (chart.period != 0) json["period"] = chart.period;
  if (chart.axis != ValueAxis::linear) json["axis"] = axis_names[static_cast<int>(chart.axis)];
  if (chart.bounds) json["bounds"] = {chart.bounds->low, chart.bounds->high};
  if (chart.has_loop()) json["back"] = points_to_json(chart.back);
  if (!chart.marks.empty()) json["marks"] = marks_to_json(chart.marks);
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
    t.sample = [](const void* p, TimePoint time) { return value_at(content<Chart>(p), time); };
    t.curve_at = [](const void* p, std::span<const double> x, std::span<double> y, bool back) {
      const Chart& chart = content<Chart>(p);
      ChartPieces(back ? chart.way_back() : chart).evaluate_many(x, y);
    };
    t.curve_range = [](const void* p) {
      const Chart& chart = content<Chart>(p);
      const double end = std::max(chart.last_x(), chart.first_x() + chart.cycle());
      return std::pair(chart.first_x(), end);
    };
    t.ready_made = ready_made_charts();
    t.steps_to_json = steps_to_json;
    t.file_endings = {"json", "csv"};
    t.save = [](const void* p, const std::filesystem::path& path) {
      return save_chart(content<Chart>(p), path);
    };
    t.tables = [](const void* p) {
      const Chart& chart = content<Chart>(p);
      std::vector<ValueTable> tables{chart_table("point", chart, chart.points)};
      if (chart.has_loop())
        tables.push_back(chart_table("point of the way back", chart, chart.back));
      return tables;
    };
    return t;
  }();
  return info;
}

}  // namespace sinew
