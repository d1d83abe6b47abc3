#include "nodes/values/common.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "nodes/geometry/file_names.h"

namespace sinew {

using namespace values;

namespace {

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

}  // namespace

template <>
const TypeInfo& type_of<Field>() {
  static const TypeInfo info = [] {
    TypeInfo t = plain_type<Field>(
        "field", "One number for everything, or one for each vertex, face, tetrahedron or bone.",
        0xE0A93B);
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

}  // namespace sinew
