#include "graph/value.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "graph/pack.h"

namespace sinew {
namespace {

// JSON has no way to say NaN, but a caller that sets parameters has.
Result<double> finite_number(const Json& j, const char* wanted) {
  if (!j.is_number()) return Error{fmt::format("{:.60} is not {}", j.dump(), wanted)};
  const double x = j.get<double>();
  if (!std::isfinite(x)) return Error{fmt::format("{} is wanted, not NaN or infinity", wanted)};
  return x == 0 ? 0.0 : x;  // -0 would be a second spelling of the same value
}

std::optional<std::string> float_flaw(float x) {
  if (std::isfinite(x)) return std::nullopt;
  return std::string(std::isnan(x) ? "the value is not a number" : "the value is infinite");
}

template <class T>
const T& content(const void* data) {
  return *static_cast<const T*>(data);
}

// A single value is a table of one row, shown as it would be written.
std::vector<ValueTable> table_of_one(std::string text) {
  return {{"", {"value"}, 1, [text = std::move(text)](size_t, size_t) { return text; }}};
}

template <class T>
TypeInfo plain_type(std::string name, std::string doc, uint32_t colour) {
  TypeInfo t;
  t.name = std::move(name);
  t.doc = std::move(doc);
  t.colour = colour;
  t.bytes = [](const void*) { return sizeof(T); };
  return t;
}

// For types that are the bytes they consist of.
template <class T>
void add_packing(TypeInfo& t) {
  t.pack = [](const void* v, Packer& packer) { packer.number(content<T>(v)); };
  t.unpack = [](Unpacker& unpacker) {
    T x{};
    return unpacker.number(x) ? Value::of(x) : Value();
  };
}

TypeInfo make_float() {
  TypeInfo t = plain_type<float>("float", "A number.", 0xA0A7B4);
  t.flaw = [](const void* v) { return float_flaw(content<float>(v)); };
  t.describe = [](const void* v) { return Json{{"value", shortest_decimal(content<float>(v))}}; };
  t.from_json = [](const Json& j) -> Result<Value> {
    const Result<double> x = finite_number(j, "a number");
    if (!x) return Error{x.error()};
    const float narrow = static_cast<float>(*x);
    if (!std::isfinite(narrow)) return Error{fmt::format("{} is too large for a number here", *x)};
    return Value::of(narrow);
  };
  t.to_json = [](const void* v) { return Json(shortest_decimal(content<float>(v))); };
  t.components = 1;
  t.from_numbers = [](std::span<const double> x) { return Value::of(static_cast<float>(x[0])); };
  t.to_numbers = [](const void* v) { return std::vector<double>{content<float>(v)}; };
  t.tables = [](const void* v) { return table_of_one(fmt::format("{}", content<float>(v))); };
  add_packing<float>(t);
  return t;
}

TypeInfo make_int() {
  TypeInfo t = plain_type<int>("int", "A whole number.", 0x6FA8A0);
  t.describe = [](const void* v) { return Json{{"value", content<int>(v)}}; };
  t.from_json = [](const Json& j) -> Result<Value> {
    const Result<double> x = finite_number(j, "a whole number");
    if (!x) return Error{x.error()};
    if (*x != std::floor(*x) || std::abs(*x) > 2147483647.0)
      return Error{fmt::format("{:.60} is not a whole number of at most 2147483647", j.dump())};
    return Value::of(static_cast<int>(*x));
  };
  t.to_json = [](const void* v) { return Json(content<int>(v)); };
  t.components = 1;
  t.from_numbers = [](std::span<const double> x) {
    const double limit = 2147483647.0;
    return Value::of(static_cast<int>(std::llround(std::fmin(std::fmax(x[0], -limit), limit))));
  };
  t.to_numbers = [](const void* v) {
    return std::vector<double>{static_cast<double>(content<int>(v))};
  };
  t.tables = [](const void* v) { return table_of_one(fmt::format("{}", content<int>(v))); };
  add_packing<int>(t);
  return t;
}

TypeInfo make_bool() {
  TypeInfo t = plain_type<bool>("bool", "Yes or no.", 0xC58FAA);
  t.describe = [](const void* v) { return Json{{"value", content<bool>(v)}}; };
  t.from_json = [](const Json& j) -> Result<Value> {
    if (!j.is_boolean()) return Error{fmt::format("{:.60} is not true or false", j.dump())};
    return Value::of(j.get<bool>());
  };
  t.to_json = [](const void* v) { return Json(content<bool>(v)); };
  t.components = 1;
  t.from_numbers = [](std::span<const double> x) { return Value::of(x[0] >= 0.5); };
  t.to_numbers = [](const void* v) { return std::vector<double>{content<bool>(v) ? 1.0 : 0.0}; };
  t.tables = [](const void* v) { return table_of_one(content<bool>(v) ? "yes" : "no"); };
  t.pack = [](const void* v, Packer& packer) { packer.number(uint32_t{content<bool>(v)}); };
  t.unpack = [](Unpacker& unpacker) {
    uint32_t x = 0;
    return unpacker.number(x) && x <= 1 ? Value::of(x == 1) : Value();
  };
  return t;
}

TypeInfo make_string() {
  TypeInfo t = plain_type<std::string>("string", "A text.", 0x8FA6D6);
  t.bytes = [](const void* v) { return sizeof(std::string) + content<std::string>(v).size(); };
  t.describe = [](const void* v) { return Json{{"value", content<std::string>(v)}}; };
  t.from_json = [](const Json& j) -> Result<Value> {
    if (!j.is_string()) return Error{fmt::format("{:.60} is not a text in quotes", j.dump())};
    return Value::of(j.get<std::string>());
  };
  t.to_json = [](const void* v) { return Json(content<std::string>(v)); };
  t.tables = [](const void* v) { return table_of_one(content<std::string>(v)); };
  t.pack = [](const void* v, Packer& packer) { packer.text(content<std::string>(v)); };
  t.unpack = [](Unpacker& unpacker) {
    std::string text;
    return unpacker.text(text) ? Value::of(std::move(text)) : Value();
  };
  return t;
}

TypeInfo make_vec3() {
  TypeInfo t = plain_type<Vec3>("vec3", "Three numbers: a point, a direction or a size.", 0x8C86D8);
  t.flaw = [](const void* v) -> std::optional<std::string> {
    const Vec3& p = content<Vec3>(v);
    for (auto [x, axis] : {std::pair{p.x, 'x'}, {p.y, 'y'}, {p.z, 'z'}})
      if (auto flaw = float_flaw(x)) return fmt::format("{}: {}", axis, *flaw);
    return std::nullopt;
  };
  t.to_json = [](const void* v) {
    const Vec3& p = content<Vec3>(v);
    return Json::array({shortest_decimal(p.x), shortest_decimal(p.y), shortest_decimal(p.z)});
  };
  t.describe = [to_json = t.to_json](const void* v) { return Json{{"value", to_json(v)}}; };
  t.from_json = [](const Json& j) -> Result<Value> {
    if (!j.is_array() || j.size() != 3)
      return Error{fmt::format("{:.60} is not three numbers [x, y, z]", j.dump())};
    float xyz[3];
    for (int i = 0; i < 3; ++i) {
      const Result<double> x = finite_number(j[i], "a number");
      if (!x) return Error{x.error()};
      xyz[i] = static_cast<float>(*x);
      if (!std::isfinite(xyz[i])) return Error{fmt::format("{} is too large here", *x)};
    }
    return Value::of(Vec3{xyz[0], xyz[1], xyz[2]});
  };
  t.components = 3;
  t.from_numbers = [](std::span<const double> x) {
    return Value::of(
        Vec3{static_cast<float>(x[0]), static_cast<float>(x[1]), static_cast<float>(x[2])});
  };
  t.to_numbers = [](const void* v) {
    const Vec3& p = content<Vec3>(v);
    return std::vector<double>{p.x, p.y, p.z};
  };
  t.tables = [](const void* v) {
    const Vec3& p = content<Vec3>(v);
    return std::vector<ValueTable>{
        {"", {"x", "y", "z"}, 1, [p](size_t, size_t column) {
           return fmt::format("{}", column == 0 ? p.x : column == 1 ? p.y : p.z);
         }}};
  };
  add_packing<Vec3>(t);
  return t;
}

TypeInfo make_choice() {
  // Literals of a choice are names, which only the declaration knows: compile() reads them.
  TypeInfo t = plain_type<Choice>("choice", "One of a list of names.", 0xB8A07A);
  t.describe = [](const void* v) { return Json{{"value", content<Choice>(v).index}}; };
  t.to_json = [](const void* v) { return Json(content<Choice>(v).index); };
  add_packing<Choice>(t);
  return t;
}

}  // namespace

double shortest_decimal(float x) {
  if (!std::isfinite(x)) return x;
  char text[32];
  const char* end = std::to_chars(text, text + sizeof text, x).ptr;
  double y = x;
  std::from_chars(text, end, y);
  return y;
}

template <>
const TypeInfo& type_of<float>() {
  static const TypeInfo type = make_float();
  return type;
}
template <>
const TypeInfo& type_of<int>() {
  static const TypeInfo type = make_int();
  return type;
}
template <>
const TypeInfo& type_of<bool>() {
  static const TypeInfo type = make_bool();
  return type;
}
template <>
const TypeInfo& type_of<std::string>() {
  static const TypeInfo type = make_string();
  return type;
}
template <>
const TypeInfo& type_of<Vec3>() {
  static const TypeInfo type = make_vec3();
  return type;
}
template <>
const TypeInfo& type_of<Choice>() {
  static const TypeInfo type = make_choice();
  return type;
}
template <>
const TypeInfo& type_of<Any>() {
  static const TypeInfo type = plain_type<Any>("any", "A value of any type.", 0x9AA0A6);
  return type;
}

namespace {

// Hashes a JSON tree by value, so that 1 and 1.0, 0.0 and -0.0 give one key.
void hash_json(const Json& j, KeyHasher& h) {
  switch (j.type()) {
    case Json::value_t::null:
      h.word(0);
      break;
    case Json::value_t::boolean:
      h.word(1).word(j.get<bool>());
      break;
    case Json::value_t::string:
      h.word(2).text(j.get_ref<const std::string&>());
      break;
    case Json::value_t::array:
      h.word(4).word(j.size());
      for (const Json& item : j) hash_json(item, h);
      break;
    case Json::value_t::object:
      h.word(5).word(j.size());
      for (const auto& [name, item] : j.items()) hash_json(item, h.text(name));
      break;
    default:
      h.word(3).number(j.get<double>());
      break;
  }
}

}  // namespace

Key literal_key(const Value& value) {
  KeyHasher h(0x11);
  h.text(value.type()->name);
  std::vector<double> numbers;
  if (value.type()->to_numbers) numbers = value.type()->to_numbers(value.data());
  // Types may sum up a large value in fewer numbers (its least and its greatest, for ranges).
  if (!numbers.empty() && numbers.size() == static_cast<size_t>(value.type()->components)) {
    for (double x : numbers) h.number(x);
  } else {
    hash_json(value.to_json(), h);
  }
  return h.finish();
}

}  // namespace sinew
