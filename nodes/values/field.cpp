#include "nodes/values/common.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "nodes/geometry/file_names.h"
#include "nodes/values/packing.h"

namespace sinew {

using namespace values;

namespace {

constexpr Domain element_domains[] = {Domain::vertex, Domain::face, Domain::tet, Domain::bone};
constexpr FieldKind kinds[] = {FieldKind::plain, FieldKind::layer,  FieldKind::amplitude,
                               FieldKind::phase, FieldKind::strain, FieldKind::group};
constexpr size_t longest_unit = 24;  // bytes: it stands in a legend

// Only what differs from the standard.
void add_meaning(const FieldMeaning& meaning, Json& json) {
  if (meaning.kind != FieldKind::plain) json["kind"] = kind_name(meaning.kind);
  if (!meaning.unit.empty()) json["unit"] = meaning.unit;
}

Json describe_field(const Field& field) {
  Json facts = {{"domain", domain_name(field.domain())}, {"count", field.size()}};
  add_meaning(field.meaning(), facts);
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

const Error& form_error() {
  static const Error form{
      "a field is a number, {\"value\": number} or {\"domain\": \"vertex\", \"values\": "
      "[numbers]} (domains: vertex, face, tet, bone), with \"kind\" (plain, layer, amplitude, "
      "phase, strain) and \"unit\" if it has them"};
  return form;
}

// The element whose name it is, by name_of; nothing if there is none.
template <class Enum, size_t n>
std::optional<Enum> named(const Json& json, const Enum (&list)[n],
                          std::string_view (*name_of)(Enum)) {
  for (const Enum one : list)
    if (json == name_of(one)) return one;
  return std::nullopt;
}

Result<std::vector<float>> read_values(const Json& numbers) {
  if (!numbers.is_array()) return form_error();
  std::vector<float> values;
  values.reserve(numbers.size());
  for (const Json& x : numbers) {
    if (!x.is_number() || !std::isfinite(x.get<float>())) {
      return Error{fmt::format("value {} of the field is not a finite number", values.size())};
    }
    values.push_back(x.get<float>() == 0 ? 0 : x.get<float>());  // -0 is 0 spelled otherwise
  }
  return values;
}

Result<FieldMeaning> read_meaning(const Json& json) {
  FieldMeaning meaning;
  if (json.contains("kind")) {
    const auto kind = named(json["kind"], kinds, kind_name);
    if (!kind) return form_error();
    meaning.kind = *kind;
  }
  if (json.contains("unit")) {
    if (!json["unit"].is_string()) return form_error();
    meaning.unit = json["unit"].get<std::string>();
    if (meaning.unit.size() > longest_unit) return Error{"the field's unit is too long"};
  }
  return meaning;
}

// A number is the constant field; else {"domain": "vertex", "values": [...]}; a constant that means
// something is {"value": number, "kind": ...}.
Result<Value> field_from_json(const Json& json) {
  if (json.is_number()) {
    const float x = json.get<float>();
    if (!std::isfinite(x)) return Error{fmt::format("{} is too large for a field", json.dump())};
    return Value::of(Field::constant(x == 0 ? 0 : x));
  }
  if (!json.is_object()) return form_error();
  const bool is_constant = json.contains("value");
  const size_t own = is_constant ? 1 : 2;
  if (json.size() != own + json.contains("kind") + json.contains("unit")) return form_error();
  const Result<FieldMeaning> meaning = read_meaning(json);
  if (!meaning) return Error{meaning.error()};
  if (is_constant) {
    const Result<std::vector<float>> value = read_values(Json::array({json["value"]}));
    if (!value) return Error{value.error()};
    return Value::of(Field::constant(value->front()).with_meaning(*meaning));
  }
  if (!json.contains("domain") || !json.contains("values")) return form_error();
  const auto domain = named(json["domain"], element_domains, domain_name);
  if (!domain) return form_error();
  Result<std::vector<float>> values = read_values(json["values"]);
  if (!values) return Error{values.error()};
  return Value::of(Field(*domain, std::move(*values), *meaning));
}

Json field_to_json(const Field& field) {
  Json json;
  if (field.is_constant()) {
    const double x = shortest_decimal(field.at(0));
    if (field.meaning() == FieldMeaning{}) return x;
    json = {{"value", x}};
  } else {
    Json values = Json::array();
    for (const float x : field.values()) values.push_back(shortest_decimal(x));
    json = {{"domain", domain_name(field.domain())}, {"values", std::move(values)}};
  }
  add_meaning(field.meaning(), json);
  return json;
}

void pack_field(const Field& field, Packer& packer) {
  packer.number(static_cast<uint32_t>(field.domain()));
  packer.number(static_cast<uint32_t>(field.meaning().kind));
  packer.text(field.meaning().unit);
  packer.array(field.values());
}

Value unpack_field(Unpacker& unpacker) {
  uint32_t domain = 0, kind = 0;
  FieldMeaning meaning;
  std::vector<float> values;
  if (!unpacker.number(domain) || !unpacker.number(kind) || !unpacker.text(meaning.unit) ||
      !unpacker.array(values) || domain > static_cast<uint32_t>(Domain::bone) ||
      kind > static_cast<uint32_t>(FieldKind::group) || meaning.unit.size() > longest_unit)
    return Value();
  meaning.kind = static_cast<FieldKind>(kind);
  if (static_cast<Domain>(domain) != Domain::constant)
    return Value::of(Field(static_cast<Domain>(domain), std::move(values), std::move(meaning)));
  if (values.size() != 1) return Value();
  return Value::of(Field::constant(values[0]).with_meaning(std::move(meaning)));
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
    t.per_element = true;
    t.describe = [](const void* p) { return describe_field(content<Field>(p)); };
    t.from_json = field_from_json;
    t.to_json = [](const void* p) { return field_to_json(content<Field>(p)); };
    t.components = 1;
    t.from_numbers = [](std::span<const double> x) {
      return Value::of(Field::constant(static_cast<float>(x[0])));
    };
    t.to_numbers = [](const void* p) -> std::vector<double> {
      const Field& field = content<Field>(p);
      if (field.is_constant()) {
        const double x = shortest_decimal(field.at(0));
        // One number would say that it is all there is, and the meaning would not be in the key.
        return field.meaning() == FieldMeaning{} ? std::vector{x} : std::vector{x, x};
      }
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
    t.tables = [](const void* p) {
      const Field& field = content<Field>(p);
      return std::vector<ValueTable>{
          {field.is_constant() ? "" : std::string(domain_name(field.domain())),
           {"value"},
           field.size(),
           [&field](size_t row, size_t) { return fmt::format("{}", field.at(row)); }}};
    };
    t.pack = [](const void* p, Packer& packer) { pack_field(content<Field>(p), packer); };
    t.unpack = unpack_field;
    return t;
  }();
  return info;
}

}  // namespace sinew
