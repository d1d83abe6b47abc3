#include "nodes/geometry/gltf_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "nodes/geometry/file_bytes.h"
#include "nodes/geometry/file_names.h"
#include "nodes/geometry/format_error.h"
#include "nodes/geometry/nesting.h"

namespace sinew {

namespace {

// An accessor without a buffer is all zeros, of which a short file can name any number, as often as
// it wants: so many are made for one, and for all of a file.
constexpr std::size_t most_zeros = std::size_t{1} << 24, most_zeros_in_all = 2 * most_zeros;

// Of JSON: numbers, texts, lists and objects.
constexpr std::size_t most_values = 4000000;

FormatError invalid(const std::string& reason) {
  return FormatError(fmt::format("it is not a valid glTF file ({})", reason));
}

// A value takes many times the memory of its text, so they are counted.
Json parse_json(std::string_view text, CancelView cancel) {
  std::size_t count = 0;
  const auto watch = [&](int, Json::parse_event_t what, const Json&) {
    using Event = Json::parse_event_t;
    if (what == Event::key || what == Event::array_end || what == Event::object_end) return true;
    if (++count > most_values) {
      throw FormatError(fmt::format("its JSON has more than {} values", most_values));
    }
    if (count % 4096 == 0) cancel.check();
    return true;
  };
  return Json::parse(text.substr(0, text.find('\0')), watch, false);
}

std::string decode_base64(std::string_view text) {
  static const auto values = [] {
    std::array<int8_t, 256> table;
    table.fill(-1);
    const std::string_view letters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (std::size_t i = 0; i < letters.size(); ++i) {
      table[static_cast<unsigned char>(letters[i])] = static_cast<int8_t>(i);
    }
    return table;
  }();
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    if (c == '=') break;
    const int8_t value = values[static_cast<unsigned char>(c)];
    if (value < 0) throw invalid("a buffer is not base64");
    bits = bits << 6 | static_cast<uint32_t>(value);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += static_cast<char>(bits >> held & 0xff);
  }
  return bytes;
}

// "a%20b.bin" as the name that it stands for.
std::string decode_uri(const std::string& uri) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  std::string name;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    const bool is_code =
        uri[i] == '%' && i + 2 < uri.size() && digit(uri[i + 1]) >= 0 && digit(uri[i + 2]) >= 0;
    name += is_code ? static_cast<char>(16 * digit(uri[i + 1]) + digit(uri[i + 2])) : uri[i];
    if (is_code) i += 2;
  }
  return name;
}

std::size_t parts_of(const std::string& type) {
  constexpr std::pair<const char*, std::size_t> known[] = {
      {"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
  for (const auto& [name, parts] : known) {
    if (type == name) return parts;
  }
  throw invalid("an accessor is of an unknown type");
}

std::size_t bytes_of_component(std::size_t kind) {
  switch (kind) {
    case 5120:
    case 5121:
      return 1;
    case 5122:
    case 5123:
      return 2;
    case 5125:
    case 5126:
      return 4;
    default:
      throw invalid("an accessor has components of an unknown type");
  }
}

template <class Number>
double one(const char* at, bool normalised) {
  Number number;
  std::memcpy(&number, at, sizeof number);
  const auto value = static_cast<double>(number);
  if (!normalised || std::is_floating_point_v<Number>) return value;
  return std::max(value / static_cast<double>(std::numeric_limits<Number>::max()), -1.0);
}

double component(const char* at, std::size_t kind, bool normalised) {
  switch (kind) {
    case 5120:
      return one<int8_t>(at, normalised);
    case 5121:
      return one<uint8_t>(at, normalised);
    case 5122:
      return one<int16_t>(at, normalised);
    case 5123:
      return one<uint16_t>(at, normalised);
    case 5125:
      return one<uint32_t>(at, normalised);
    default:
      return one<float>(at, normalised);
  }
}

bool is_normalised(const Json& accessor) {
  const auto found = accessor.find("normalized");
  return found != accessor.end() && found->is_boolean() && found->get<bool>();
}

}  // namespace

std::size_t index_in(const Json& object, const char* name, std::size_t otherwise) {
  const auto found = object.find(name);
  if (found == object.end()) return otherwise;
  if (found->is_number_unsigned()) return found->get<std::size_t>();
  const double value = found->is_number() ? found->get<double>() : -1;  // some write 3.0
  if (value >= 0 && value < 1e15 && value == std::floor(value)) {
    return static_cast<std::size_t>(value);
  }
  throw invalid(fmt::format("'{}' is not a whole number", name));
}

const Json* object_in(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_object() ? &*found : nullptr;
}

const Json* list_in(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_array() ? &*found : nullptr;
}

std::string text_in(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool numbers_in(const Json& object, const char* name, std::size_t count, double* values) {
  const Json* const list = list_in(object, name);
  if (!list) return false;
  if (list->size() != count) throw invalid(fmt::format("'{}' has not {} numbers", name, count));
  for (std::size_t i = 0; i < count; ++i) {
    if (!(*list)[i].is_number()) throw invalid(fmt::format("'{}' is not all numbers", name));
    values[i] = (*list)[i].get<double>();
  }
  return true;
}

GltfFile::GltfFile(const std::filesystem::path& path, CancelView cancel)
    : content_(std::make_shared<const FileBytes>(path, cancel, max_import_bytes)),
      files_(std::filesystem::absolute(path).lexically_normal(), content_) {
  check_nesting(content_->text(), ending_of(path));
  cancel.check();
  read_chunks(content_->text(), cancel);
  if (!json_.is_object()) throw invalid("its JSON is broken");
  const Json* const asset = object_in(json_, "asset");
  const std::string version = asset ? text_in(*asset, "version") : "";
  if (!version.starts_with("2.")) {
    throw FormatError("it is not of version 2 of glTF, whose skeletons and motions alone are read");
  }
  if (const Json* const needed = list_in(json_, "extensionsRequired")) {
    for (const Json& name : *needed) {
      if (name == "EXT_meshopt_compression") {
        throw FormatError(
            "its buffers are compressed (EXT_meshopt_compression), which is not read");
      }
    }
  }
  decoded_.resize(count("buffers"));
  opened_.resize(count("buffers"));
}

void GltfFile::read_chunks(std::string_view content, CancelView cancel) {
  if (!content.starts_with("glTF")) {
    json_ = parse_json(content, cancel);
    return;
  }
  static_assert(std::endian::native == std::endian::little);
  constexpr std::size_t head = 12, chunk_head = 8;
  const auto word = [&](std::size_t at) {
    uint32_t value = 0;
    std::memcpy(&value, content.data() + at, sizeof value);
    return std::size_t{value};
  };
  const auto chunk = [&](std::size_t at) {
    if (at + chunk_head > content.size()) throw invalid("it is cut short");
    const std::size_t length = word(at);
    if (length > content.size() - at - chunk_head) throw invalid("it is cut short");
    return content.substr(at + chunk_head, length);
  };
  const std::string_view text = chunk(head);
  json_ = parse_json(text, cancel);
  const std::size_t behind = head + chunk_head + (text.size() + 3) / 4 * 4;
  if (behind + chunk_head <= content.size()) binary_ = chunk(behind);
}

std::size_t GltfFile::count(const char* list) const {
  const Json* const found = list_in(json_, list);
  return found ? found->size() : 0;
}

const Json& GltfFile::element(const char* list, std::size_t index) const {
  if (index >= count(list)) {
    throw invalid(fmt::format("something refers to number {} of {} {}", index, count(list), list));
  }
  const Json& found = (*list_in(json_, list))[index];
  if (!found.is_object())
    throw invalid(fmt::format("number {} of its {} is no object", index, list));
  return found;
}

std::string_view GltfFile::buffer(std::size_t index) {
  const Json& made = element("buffers", index);
  if (!made.contains("uri")) {
    if (index != 0 || binary_.empty()) throw invalid("a buffer has no content");
    return binary_;
  }
  if (!decoded_[index] && !opened_[index]) {
    const std::string uri = text_in(made, "uri");
    if (uri.starts_with("data:")) {
      const std::size_t comma = uri.find(";base64,");
      if (comma == std::string::npos) throw invalid("a buffer is not base64");
      decoded_[index] = std::make_unique<std::string>(
          decode_base64(std::string_view(uri).substr(comma + std::strlen(";base64,"))));
    } else {
      opened_[index] = files_.open(uri.c_str());
      if (!opened_[index]) opened_[index] = files_.open(decode_uri(uri).c_str());
      if (!opened_[index]) throw FormatError("a buffer of it is in a file that cannot be read");
    }
  }
  return decoded_[index] ? std::string_view(*decoded_[index]) : opened_[index]->text();
}

// `place` names a buffer view and an offset in it.
GltfFile::Strip GltfFile::strip(const Json& place, std::size_t offset, std::size_t element_size,
                                std::size_t elements) {
  const Json& view = element("bufferViews", index_in(place, "bufferView"));
  if (const Json* const extensions = object_in(view, "extensions");
      extensions && extensions->contains("EXT_meshopt_compression")) {
    throw FormatError("its buffers are compressed (EXT_meshopt_compression), which is not read");
  }
  const std::string_view bytes = buffer(index_in(view, "buffer"));
  const std::size_t begin = index_in(view, "byteOffset", 0), length = index_in(view, "byteLength");
  const std::size_t stride = index_in(view, "byteStride", element_size);
  if (begin > bytes.size() || length > bytes.size() - begin) {
    throw invalid("a part of a buffer is not there");
  }
  // Divisions, since products of what a file says may be too large for any number.
  const bool fits =
      elements == 0 ||
      (offset <= length && element_size <= length - offset &&
       (elements == 1 || stride == 0 || (length - offset - element_size) / stride >= elements - 1));
  if (!fits || stride < element_size) throw invalid("an accessor reaches beyond its buffer");
  return {bytes.data() + begin + offset, stride};
}

std::size_t GltfFile::accessor_count(std::size_t accessor) const {
  return index_in(element("accessors", accessor), "count", 0);
}

std::vector<double> GltfFile::numbers(std::size_t accessor, const std::string& type) {
  const Json& made = element("accessors", accessor);
  const std::size_t count = index_in(made, "count", 0), kind = index_in(made, "componentType");
  if (text_in(made, "type") != type) {
    throw invalid(fmt::format("an accessor is of type '{}', not {}", text_in(made, "type"), type));
  }
  const std::size_t parts = parts_of(type), size = bytes_of_component(kind);
  std::vector<double> values;
  if (made.contains("bufferView")) {
    const Strip from = strip(made, index_in(made, "byteOffset", 0), parts * size, count);
    const bool normalised = is_normalised(made);
    values.reserve(parts * count);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < parts; ++k) {
        values.push_back(component(from.data + i * from.stride + k * size, kind, normalised));
      }
    }
  } else {
    // By division, since a product of what a file says may be too large for any number.
    const std::size_t room = std::min(most_zeros, most_zeros_in_all - zeros_);
    if (count > room / parts) throw invalid("its accessors have too many elements");
    zeros_ += parts * count;
    values.assign(parts * count, 0);
  }
  apply_sparse(made, parts, values);
  return values;
}

void GltfFile::apply_sparse(const Json& accessor, std::size_t parts, std::vector<double>& values) {
  const Json* const sparse = object_in(accessor, "sparse");
  if (!sparse) return;
  const Json* const where = object_in(*sparse, "indices");
  const Json* const what = object_in(*sparse, "values");
  if (!where || !what) throw invalid("a sparse accessor has no indices or no values");
  const std::size_t count = index_in(*sparse, "count", 0);
  const std::size_t where_kind = index_in(*where, "componentType");
  const std::size_t kind = index_in(accessor, "componentType"), size = bytes_of_component(kind);
  const Strip indices =
      strip(*where, index_in(*where, "byteOffset", 0), bytes_of_component(where_kind), count);
  const Strip replaced = strip(*what, index_in(*what, "byteOffset", 0), parts * size, count);
  for (std::size_t i = 0; i < count; ++i) {
    const double index = component(indices.data + i * indices.stride, where_kind, false);
    if (!(index >= 0 && index < static_cast<double>(values.size() / parts))) {
      throw invalid("a sparse accessor refers to an element that is not there");
    }
    for (std::size_t k = 0; k < parts; ++k) {
      values[parts * static_cast<std::size_t>(index) + k] =
          component(replaced.data + i * replaced.stride + k * size, kind, is_normalised(accessor));
    }
  }
}

}  // namespace sinew
