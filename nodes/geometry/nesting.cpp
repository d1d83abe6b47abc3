#include "nodes/geometry/nesting.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "nodes/geometry/format_error.h"

namespace sinew {

namespace {

constexpr std::size_t max_json_depth = 64, max_node_depth = 1000, max_xml_depth = 1000;

constexpr std::string_view xml_endings[] = {"amf", "dae", "irr", "irrmesh", "x3d", "xgl", "xml"};

constexpr std::size_t no_parent = SIZE_MAX;

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

}  // namespace

// A .glb is a header of 12 bytes, then the length (4 bytes) and the kind (4) of the JSON, and the
// JSON itself; both versions of glTF agree in that.
std::string_view gltf_json(std::string_view content) {
  constexpr std::size_t head = 20;
  if (!content.starts_with("glTF") || content.size() < head) return content;
  uint32_t length = 0;
  static_assert(std::endian::native == std::endian::little);
  std::memcpy(&length, content.data() + 12, sizeof length);
  return content.substr(head, length);
}

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

std::size_t gltf_node_depth(std::string_view text) {
  using Json = nlohmann::json;
  // Of the whole file only its nodes are kept. Names are looked at down to those of a node.
  constexpr int node_level = 3;
  std::unordered_set<std::string> names[node_level + 1];
  bool twice = false;
  const auto is_wanted = [&](int depth, Json::parse_event_t event, Json& part) {
    if (event == Json::parse_event_t::object_start && depth < node_level) names[depth + 1].clear();
    if (event != Json::parse_event_t::key || depth > node_level) return true;
    twice |= !names[depth].insert(part.get<std::string>()).second;
    return depth != 1 || part == "nodes";
  };
  const Json json = Json::parse(text.substr(0, text.find('\0')), is_wanted, false);
  if (!json.is_object()) throw FormatError("it is not a valid glTF file (its JSON is broken)");
  if (twice) throw FormatError("it is not a valid glTF file (a name stands twice in an object)");
  if (!json.contains("nodes")) return 0;
  // Version 2 has a list of nodes and refers by index, version 1 has names.
  const Json& nodes = json["nodes"];
  if (!nodes.is_structured()) return 0;
  std::unordered_map<std::string, std::size_t> index_of;
  for (const auto& [name, node] : nodes.items()) index_of.emplace(name, index_of.size());
  std::vector<std::size_t> parent(index_of.size(), no_parent);
  for (const auto& [name, node] : nodes.items()) {
    if (!node.is_object() || !node.contains("children")) continue;
    for (const Json& child : node["children"]) {
      const auto found = index_of.find(child.is_string() ? child.get<std::string>() : child.dump());
      if (found == index_of.end()) continue;
      std::size_t& slot = parent[found->second];
      if (slot != no_parent) throw FormatError("one of its nodes has two parents");
      slot = index_of[name];
    }
  }
  // With one parent each, a way up that is longer than the number of nodes is a circle.
  std::vector<std::size_t> depth(parent.size(), 0), way;
  std::size_t deepest = 0;
  for (std::size_t i = 0; i < parent.size(); ++i) {
    way.clear();
    std::size_t at = i;
    for (; at != no_parent && depth[at] == 0; at = parent[at]) {
      way.push_back(at);
      if (way.size() > parent.size()) throw FormatError("one of its nodes is inside of itself");
    }
    std::size_t above = at == no_parent ? 0 : depth[at];
    for (auto step = way.rbegin(); step != way.rend(); ++step) depth[*step] = ++above;
    deepest = std::max(deepest, above);
  }
  return deepest;
}

void check_nesting(std::string_view content, std::string_view ending) {
  const auto check = [](std::size_t depth, std::size_t most) {
    if (depth <= most) return;
    throw FormatError(fmt::format("it is nested {} levels deep; at most {} are read", depth, most));
  };
  if (ending == "gltf" || ending == "glb") {
    const std::string_view json = gltf_json(content);
    check(json_depth(json), max_json_depth);
    check(gltf_node_depth(json), max_node_depth);
  }
  if (std::find(std::begin(xml_endings), std::end(xml_endings), ending) != std::end(xml_endings)) {
    check(xml_depth(content), max_xml_depth);
  }
}

}  // namespace sinew
