#include "nodes/geometry/nesting.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "nodes/geometry/format_error.h"

namespace sinew {

namespace {

constexpr std::size_t max_json_depth = 64, max_xml_depth = 1000;

constexpr std::string_view xml_endings[] = {"amf", "dae", "irr", "irrmesh", "x3d", "xgl", "xml"};

// The position behind the next `end`, or the end of the text.
std::size_t behind(std::string_view text, std::size_t from, std::string_view end) {
  const std::size_t at = text.find(end, from);
  return at == std::string_view::npos ? text.size() : at + end.size();
}

// The position of the '>' that ends a tag, or the end of the text.
std::size_t end_of_tag(std::string_view text, std::size_t from) {
  char quote = 0;
  for (std::size_t i = from; i < text.size(); ++i) {
    const char c = text[i];
    if (quote) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '>') {
      return i;
    }
  }
  return text.size();
}

// A .glb is a header of 12 bytes, then the length (4 bytes) and the kind (4) of the JSON, and the
// JSON itself; both versions of glTF agree in that.
std::string_view json_of(std::string_view content) {
  constexpr std::size_t head = 20;
  if (!content.starts_with("glTF") || content.size() < head) return content;
  uint32_t length = 0;
  static_assert(std::endian::native == std::endian::little);
  std::memcpy(&length, content.data() + 12, sizeof length);
  return content.substr(head, length);
}

}  // namespace

std::size_t json_depth(std::string_view text) {
  std::size_t depth = 0, deepest = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return deepest;
}

std::size_t xml_depth(std::string_view text) {
  std::size_t depth = 0, deepest = 0;
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at)) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("<!--")) {
      at = behind(text, at + 4, "-->");
    } else if (rest.starts_with("<![CDATA[")) {
      at = behind(text, at, "]]>");
    } else if (rest.starts_with("<?")) {
      at = behind(text, at, "?>");
    } else if (rest.starts_with("<!")) {
      at = behind(text, at, ">");
    } else if (rest.starts_with("</")) {
      if (depth > 0) --depth;
      at = behind(text, at, ">");
    } else {
      at = end_of_tag(text, at);
      if (at == text.size() || text[at - 1] != '/') deepest = std::max(deepest, ++depth);
    }
  }
  return deepest;
}

void check_nesting(std::string_view content, std::string_view ending) {
  const auto check = [](std::size_t depth, std::size_t most) {
    if (depth <= most) return;
    throw FormatError(fmt::format("it is nested {} levels deep; at most {} are read", depth, most));
  };
  if (ending == "gltf" || ending == "glb") check(json_depth(json_of(content)), max_json_depth);
  if (std::find(std::begin(xml_endings), std::end(xml_endings), ending) != std::end(xml_endings)) {
    check(xml_depth(content), max_xml_depth);
  }
}

}  // namespace sinew
