#include "nodes/geometry/material.h"

#include <fmt/core.h>

#include <array>
#include <span>

#include "graph/pack.h"
#include "nodes/kernels/named_materials.h"
#include "nodes/values/common.h"

namespace sinew {

using namespace values;

namespace {

constexpr const char* energy_names[] = {"total", "elastic", "kinetic"};

// The parts by their names in documents, so that reading, writing and telling cannot differ.
struct ChartPart {
  const char* name;
  Chart Material::*chart;
};
constexpr ChartPart chart_parts[] = {{"stress", &Material::stress},
                                     {"damping", &Material::damping},
                                     {"gradient", &Material::gradient},
                                     {"creep", &Material::creep},
                                     {"relaxation", &Material::relaxation}};

struct NumberPart {
  const char* name;
  double Material::*number;
};
constexpr NumberPart number_parts[] = {{"mass", &Material::mass},
                                       {"stiffness", &Material::stiffness},
                                       {"restoration", &Material::restoration},
                                       {"viscosity", &Material::viscosity},
                                       {"creep_duration", &Material::creep_duration},
                                       {"creep_coefficient", &Material::creep_coefficient},
                                       {"relaxation_duration", &Material::relaxation_duration}};

// Empty if all is well.
std::string read_part(const std::string& name, const Json& json, Material& material) {
  for (const ChartPart& part : chart_parts) {
    if (name != part.name) continue;
    Result<Chart> chart = chart_from_json(json);
    if (!chart) return fmt::format("the {} chart: {}", name, chart.error());
    material.*part.chart = std::move(*chart);
    return {};
  }
  for (const NumberPart& part : number_parts) {
    if (name != part.name) continue;
    if (!json.is_number()) return fmt::format("the {} of a material is a number", name);
    material.*part.number = json.get<double>();
    return {};
  }
  if (name == "damped") {
    if (read_name(json, energy_names, material.damped)) return {};
    return "what is damped is total, elastic or kinetic";
  }
  if (name == "source") {
    if (!json.is_string()) return "the source of a material is a text";
    material.source = json.get<std::string>();
    return {};
  }
  return fmt::format(
      "a material has no '{}' (it has stress, damping, damped, mass, stiffness, restoration, "
      "gradient, viscosity, creep, creep_duration, creep_coefficient, relaxation, "
      "relaxation_duration, source)",
      name);
}

Json describe_material(const Material& material) {
  Json facts = {{"elastic", material.elastic_limit()},
                {"fracture", material.fracture_limit()},
                {"damped", energy_names[static_cast<int>(material.damped)]}};
  for (const NumberPart& part : number_parts) facts[part.name] = material.*part.number;
  if (material.stress.has_loop()) facts["loop_area"] = material.stress.loop_area();
  if (!material.source.empty()) facts["source"] = material.source;
  return facts;
}

ValueTable numbers_table(const Material& material) {
  ValueTable table;
  table.rows_are = "number";
  table.columns = {"name", "value"};
  table.rows = std::size(number_parts);
  table.cell = [&material](size_t row, size_t column) {
    const NumberPart& part = number_parts[row];
    return column == 0 ? std::string(part.name) : fmt::format("{}", material.*part.number);
  };
  return table;
}

ValueTable chart_table(const char* name, const Chart& chart) {
  return {fmt::format("point of {}", name),
          {"x", "y"},
          chart.points.size(),
          [&chart](size_t row, size_t column) {
            return fmt::format("{}", column == 0 ? chart.points[row].x : chart.points[row].y);
          }};
}

std::vector<ReadyMade> ready_made_materials() {
  std::vector<ReadyMade> list;
  for (int i = 0; i < kernels::named_material_count; ++i) {
    const auto material = static_cast<kernels::NamedMaterial>(i);
    list.push_back({std::string(kernels::name_of(material)), "Materials",
                    std::string(kernels::about(material)),
                    material_to_json(kernels::make_named_material(material))});
  }
  return list;
}

// A material is small and has many parts: as bytes it is its literal.
Value unpack_material(Unpacker& unpacker) {
  std::string text;
  if (!unpacker.text(text)) return Value();
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return Value();
  Result<Material> material = material_from_json(json);
  return material ? Value::of(std::move(*material)) : Value();
}

}  // namespace

Result<Material> material_from_json(const Json& json) {
  if (!json.is_object()) {
    return Error{"a material is {\"stress\": CHART, \"mass\": 50, ...}"};
  }
  Material material;
  for (const auto& [name, part] : json.items()) {
    const std::string wrong = read_part(name, part, material);
    if (!wrong.empty()) return Error{wrong};
  }
  if (const auto wrong = validate(material)) return Error{*wrong};
  return material;
}

Json material_to_json(const Material& material) {
  const Material standard;
  Json json = Json::object();
  for (const ChartPart& part : chart_parts) {
    const Chart& chart = material.*part.chart;
    if (!(chart == standard.*part.chart)) json[part.name] = chart_to_json(chart);
  }
  for (const NumberPart& part : number_parts) {
    const double number = material.*part.number;
    if (number != standard.*part.number) json[part.name] = number;
  }
  if (material.damped != standard.damped) {
    json["damped"] = energy_names[static_cast<int>(material.damped)];
  }
  if (!material.source.empty()) json["source"] = material.source;
  return json;
}

template <>
const TypeInfo& type_of<Material>() {
  static const TypeInfo info = [] {
    TypeInfo t = plain_type<Material>(
        "material", "The curves and coefficients of one substance: how it springs back and flows.",
        0xA8763E);
    t.describe = [](const void* p) { return describe_material(content<Material>(p)); };
    t.from_json = [](const Json& json) -> Result<Value> {
      Result<Material> material = material_from_json(json);
      if (!material) return Error{material.error()};
      return Value::of(std::move(*material));
    };
    t.to_json = [](const void* p) { return material_to_json(content<Material>(p)); };
    t.ready_made = ready_made_materials();
    t.file_endings = {"json"};
    t.save = [](const void* p, const std::filesystem::path& path) {
      return write_bytes(path, material_to_json(content<Material>(p)).dump() + "\n");
    };
    t.tables = [](const void* p) {
      const Material& material = content<Material>(p);
      std::vector<ValueTable> tables = {numbers_table(material)};
      for (const ChartPart& part : chart_parts) {
        tables.push_back(chart_table(part.name, material.*part.chart));
      }
      return tables;
    };
    t.pack = [](const void* p, Packer& packer) {
      packer.text(material_to_json(content<Material>(p)).dump());
    };
    t.unpack = unpack_material;
    return t;
  }();
  return info;
}

}  // namespace sinew
