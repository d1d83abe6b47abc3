#include "nodes/values.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "graph/atomic_file.h"
#include "graph/registry.h"
#include "nodes/geometry/file_names.h"
#include "nodes/geometry/format_error.h"
#include "nodes/geometry/mesh_io.h"
#include "nodes/kernels/adjacency.h"
#include "nodes/kernels/measure.h"

namespace sinew {

namespace {

template <class Vector>
Json vector_json(const Vector& v) {
  return Json::array({v.x(), v.y(), v.z()});
}
Json vector_json(const Vec3f& v) {
  return Json::array({shortest_decimal(v.x()), shortest_decimal(v.y()), shortest_decimal(v.z())});
}

template <class T>
const T& content(const void* data) {
  return *static_cast<const T*>(data);
}

Result<void> write_bytes(const std::filesystem::path& path, const std::string& bytes) {
  const Result<void> written = write_file_atomically(path, bytes);
  if (!written) return Error{fmt::format("cannot write '{}': {}", path.string(), written.error())};
  return {};
}

// ---- Mesh ---------------------------------------------------------------------------------------

Json describe_mesh(const Mesh& mesh) {
  Json facts = {{"vertices", mesh.vertex_count()}, {"triangles", mesh.triangle_count()}};
  if (mesh.empty()) return facts;
  const Eigen::AlignedBox3f box = kernels::bounding_box(mesh.positions);
  const kernels::SurfaceMeasures surface = kernels::measure_surface(mesh);
  facts["bounds"] = {{"min", vector_json(Vec3f(box.min()))},
                     {"max", vector_json(Vec3f(box.max()))}};
  facts["centroid"] = vector_json(surface.centroid);
  facts["area"] = surface.area;
  // What is open has no inside, and so no volume.
  const bool closed = kernels::inspect_topology(mesh.triangles(), mesh.vertex_count()).watertight();
  facts["closed"] = closed;
  if (closed) facts["volume"] = surface.signed_volume;
  return facts;
}

// ---- Field --------------------------------------------------------------------------------------

constexpr Domain element_domains[] = {Domain::vertex, Domain::face, Domain::tet, Domain::bone};

Json describe_field(const Field& field) {
  Json facts = {{"domain", domain_name(field.domain())}, {"count", field.size()}};
  const std::span<const float> values = field.values();
  if (values.empty()) return facts;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  double sum = 0;
  for (const float x : values) sum += x;
  facts["min"] = shortest_decimal(*low);
  facts["max"] = shortest_decimal(*high);
  facts["mean"] = sum / static_cast<double>(values.size());
  return facts;
}

// A number is the constant field; else {"domain": "vertex", "values": [...]}.
Result<Value> field_from_json(const Json& json) {
  if (json.is_number()) {
    const float x = json.get<float>();
    if (!std::isfinite(x)) return Error{fmt::format("{} is too large for a field", json.dump())};
    return Value::of(Field::constant(x == 0 ? 0 : x));  // -0 would be a second spelling of 0
  }
  const Error form{
      "a field is a number or {\"domain\": \"vertex\", \"values\": [numbers]} "
      "(domains: vertex, face, tet, bone)"};
  if (!json.is_object() || json.size() != 2 || !json.contains("domain") ||
      !json.contains("values")) {
    return form;
  }
  const Json& name = json["domain"];
  const Json& numbers = json["values"];
  if (!name.is_string() || !numbers.is_array()) return form;
  const auto domain = std::find_if(std::begin(element_domains), std::end(element_domains),
                                   [&](Domain d) { return name == domain_name(d); });
  if (domain == std::end(element_domains)) return form;
  std::vector<float> values;
  values.reserve(numbers.size());
  for (const Json& x : numbers) {
    if (!x.is_number() || !std::isfinite(x.get<float>())) {
      return Error{fmt::format("value {} of the field is not a finite number", values.size())};
    }
    values.push_back(x.get<float>() == 0 ? 0 : x.get<float>());
  }
  return Value::of(Field(*domain, std::move(values)));
}

Json field_to_json(const Field& field) {
  if (field.is_constant()) return shortest_decimal(field.at(0));
  Json values = Json::array();
  for (const float x : field.values()) values.push_back(shortest_decimal(x));
  return {{"domain", domain_name(field.domain())}, {"values", std::move(values)}};
}

Result<void> save_field(const Field& field, const std::filesystem::path& path) {
  if (ending_of(path) != "csv") return write_bytes(path, field_to_json(field).dump() + "\n");
  std::string text = fmt::format("{},value\n", domain_name(field.domain()));
  for (size_t i = 0; i < field.size(); ++i) text += fmt::format("{},{}\n", i, field.at(i));
  return write_bytes(path, text);
}

// ---- Chart --------------------------------------------------------------------------------------

constexpr const char* interpolation_names[] = {"linear", "smooth", "stepped"};
constexpr const char* extension_names[] = {"clamped", "cyclic"};

template <class Enum, size_t n>
bool read_name(const Json& json, const char* const (&names)[n], Enum& out) {
  for (size_t i = 0; i < n; ++i) {
    if (json == names[i]) return out = static_cast<Enum>(i), true;
  }
  return false;
}

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

Result<void> write_mesh_file(const Mesh& mesh, const std::filesystem::path& path) {
  try {
    return write_bytes(path, encode_mesh(mesh, ending_of(path)));
  } catch (const FormatError& problem) {
    return Error{fmt::format("cannot write '{}': {}", path.string(), problem.what())};
  }
}

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
const TypeInfo& type_of<Mesh>() {
  static const TypeInfo info = [] {
    TypeInfo t;
    t.name = "mesh";
    t.doc = "A surface of triangles, in metres.";
    t.colour = 0x4FB286;
    t.bytes = [](const void* p) { return byte_size(content<Mesh>(p)); };
    t.flaw = [](const void* p) { return validate(content<Mesh>(p)); };
    t.describe = [](const void* p) { return describe_mesh(content<Mesh>(p)); };
    t.file_endings = savable_endings();
    t.save = [](const void* p, const std::filesystem::path& path) {
      return write_mesh_file(content<Mesh>(p), path);
    };
    return t;
  }();
  return info;
}

template <>
const TypeInfo& type_of<Field>() {
  static const TypeInfo info = [] {
    TypeInfo t;
    t.name = "field";
    t.doc = "One number for everything, or one for each vertex, face, tetrahedron or bone.";
    t.colour = 0xE0A93B;
    t.bytes = [](const void* p) { return byte_size(content<Field>(p)); };
    t.flaw = [](const void* p) { return validate(content<Field>(p)); };
    t.describe = [](const void* p) { return describe_field(content<Field>(p)); };
    t.from_json = field_from_json;
    t.to_json = [](const void* p) { return field_to_json(content<Field>(p)); };
    t.components = 1;
    t.from_numbers = [](std::span<const double> x) {
      return Value::of(Field::constant(static_cast<float>(x[0])));
    };
    t.to_numbers = [](const void* p) -> std::vector<double> {
      const Field& field = content<Field>(p);
      if (field.is_constant()) return {shortest_decimal(field.at(0))};
      // The two that decide whether all of them are in a range.
      const std::span<const float> values = field.values();
      if (values.empty()) return {};
      const auto [low, high] = std::minmax_element(values.begin(), values.end());
      return {shortest_decimal(*low), shortest_decimal(*high)};
    };
    t.file_endings = {"json", "csv"};
    t.save = [](const void* p, const std::filesystem::path& path) {
      return save_field(content<Field>(p), path);
    };
    return t;
  }();
  return info;
}

template <>
const TypeInfo& type_of<Chart>() {
  static const TypeInfo info = [] {
    TypeInfo t;
    t.name = "chart";
    t.doc = "A drawn curve: points, how they are joined, and whether it repeats.";
    t.colour = 0xB57BE0;
    t.bytes = [](const void* p) { return byte_size(content<Chart>(p)); };
    t.flaw = [](const void* p) { return validate(content<Chart>(p)); };
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

void register_value_types(Registry& registry) {
  registry.add_type(type_of<Mesh>());
  registry.add_type(type_of<Field>());
  registry.add_type(type_of<Chart>());
  registry.add_conversion(type_of<float>(), type_of<Field>(),
                          [](const Value& v) { return Value::of(Field::constant(v.as<float>())); });
  registry.add_conversion(type_of<int>(), type_of<Field>(), [](const Value& v) {
    return Value::of(Field::constant(static_cast<float>(v.as<int>())));
  });
}

}  // namespace sinew
