#include "nodes/geometry/ply_header.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "nodes/geometry/format_error.h"

namespace sinew::ply {

namespace {

// Splits the next word off a line.
std::string_view next_word(std::string_view& line) {
  const std::size_t begin = line.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) {
    line = {};
    return {};
  }
  const std::size_t end = std::min(line.find_first_of(" \t\r", begin), line.size());
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

std::optional<Scalar> scalar_of(std::string_view name) {
  constexpr std::pair<std::string_view, Scalar> names[] = {
      {"char", Scalar::int8},      {"int8", Scalar::int8},       {"uchar", Scalar::uint8},
      {"uint8", Scalar::uint8},    {"short", Scalar::int16},     {"int16", Scalar::int16},
      {"ushort", Scalar::uint16},  {"uint16", Scalar::uint16},   {"int", Scalar::int32},
      {"int32", Scalar::int32},    {"uint", Scalar::uint32},     {"uint32", Scalar::uint32},
      {"float", Scalar::float32},  {"float32", Scalar::float32}, {"double", Scalar::float64},
      {"float64", Scalar::float64}};
  for (const auto& [text, type] : names) {
    if (text == name) return type;
  }
  return std::nullopt;
}

// Names come from the file: long ones are cut, and what cannot be shown is replaced.
std::string shown(std::string_view name) {
  std::string text;
  for (const char c : name.substr(0, 40)) text += c >= 32 && c < 127 ? c : '?';
  return text;
}

class HeaderReader {
 public:
  explicit HeaderReader(std::string_view bytes) : bytes_(bytes) {}

  Header read() {
    std::string_view first = take_line();
    if (next_word(first) != "ply") throw FormatError("it does not start with 'ply'");
    bool formatted = false;
    while (true) {
      std::string_view line = take_line();
      const std::string_view keyword = next_word(line);
      if (keyword == "end_header") break;
      if (keyword == "format") {
        read_format(line);
        formatted = true;
      } else if (keyword == "element") {
        read_element(line);
      } else if (keyword == "property") {
        read_property(line);
      }  // anything else is a remark, as "comment" and "obj_info" are; some write them without
    }
    if (!formatted) throw FormatError("the header names no format");
    header_.size = at_;
    return std::move(header_);
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw FormatError(fmt::format("line {}: {}", line_, problem));
  }

  std::string_view take_line() {
    ++line_;
    constexpr std::size_t longest = 1 << 16;
    const std::size_t end =
        bytes_.substr(0, std::min(bytes_.size(), at_ + longest)).find('\n', at_);
    if (end == std::string_view::npos) fail("the header has no end");
    const std::string_view line = bytes_.substr(at_, end - at_);
    at_ = end + 1;
    return line;
  }

  void read_format(std::string_view line) {
    const std::string_view name = next_word(line);
    if (name == "ascii") {
      header_.format = Format::ascii;
    } else if (name == "binary_little_endian") {
      header_.format = Format::little_endian;
    } else if (name == "binary_big_endian") {
      header_.format = Format::big_endian;
    } else {
      fail(fmt::format("unknown format '{}'", shown(name)));
    }
  }

  void read_element(std::string_view line) {
    Element element;
    element.name = shown(next_word(line));
    const std::string_view number = next_word(line);
    const auto result =
        std::from_chars(number.data(), number.data() + number.size(), element.count);
    if (number.empty() || result.ec != std::errc() || result.ptr != number.data() + number.size()) {
      fail(fmt::format("element '{}' needs a count", element.name));
    }
    if (header_.elements.size() >= 1000) fail("too many elements");
    header_.elements.push_back(std::move(element));
  }

  void read_property(std::string_view line) {
    if (header_.elements.empty()) fail("a property before the first element");
    Property property;
    std::string_view type = next_word(line);
    if (type == "list") {
      property.is_list = true;
      const std::string_view count = next_word(line);
      const std::optional<Scalar> count_type = scalar_of(count);
      if (!count_type || *count_type >= Scalar::float32) {
        fail(fmt::format("a list cannot be counted by '{}'", shown(count)));
      }
      property.count_type = *count_type;
      type = next_word(line);
    }
    const std::optional<Scalar> scalar = scalar_of(type);
    if (!scalar) fail(fmt::format("unknown type '{}'", shown(type)));
    property.type = *scalar;
    property.name = next_word(line);
    if (property.name.empty()) fail("a property without a name");
    if (header_.elements.back().properties.size() >= 10000) fail("too many properties");
    header_.elements.back().properties.push_back(std::move(property));
  }

  std::string_view bytes_;
  std::size_t at_ = 0, line_ = 0;
  Header header_;
};

void check_size(const Header& header, std::size_t file_size) {
  std::size_t left = file_size - header.size;
  for (const Element& element : header.elements) {
    // In text every value is at least a digit and a space; the file's last may lack the space.
    const std::size_t record =
        header.format == Format::ascii ? 2 * element.properties.size() : element.minimal_size();
    if (record == 0) continue;
    const std::size_t slack = header.format == Format::ascii ? 1 : 0;
    if (element.count > (left + slack) / record) {
      throw FormatError(fmt::format("the header announces {} {} records, but the file is too short",
                                    element.count, element.name));
    }
    left -= std::min<std::size_t>(left, element.count * record);
  }
}

}  // namespace

bool Element::has_list() const {
  for (const Property& property : properties) {
    if (property.is_list) return true;
  }
  return false;
}

std::size_t Element::minimal_size() const {
  std::size_t size = 0;
  for (const Property& property : properties) {
    size += scalar_size(property.is_list ? property.count_type : property.type);
  }
  return size;
}

int Element::find(std::string_view property) const {
  for (std::size_t i = 0; i < properties.size(); ++i) {
    if (properties[i].name == property) return static_cast<int>(i);
  }
  return -1;
}

Header read_header(std::string_view bytes) {
  Header header = HeaderReader(bytes).read();
  check_size(header, bytes.size());
  return header;
}

}  // namespace sinew::ply
