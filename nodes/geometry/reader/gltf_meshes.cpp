#include "nodes/geometry/reader/gltf_meshes.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>

#include "nodes/geometry/nesting.h"

namespace sinew {

namespace {

using Json = nlohmann::json;

bool may_have_skins(std::string_view text) {
  // Names of members can be written with escapes.
  for (const std::string_view sign : {"\"skins\"", "\"animations\"", "\\"}) {
    if (text.find(sign) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

std::optional<std::string> without_skins(std::string_view content) {
  const std::string_view text = gltf_json(content);
  if (!may_have_skins(text)) return std::nullopt;
  Json json = Json::parse(text.substr(0, text.find('\0')), nullptr, false);
  if (!json.is_object() || !json.contains("asset") || !json["asset"].is_object()) {
    return std::nullopt;
  }
  const Json version = json["asset"].value("version", Json());
  if (!version.is_string() || !version.get<std::string>().starts_with("2")) return std::nullopt;
  if (json.erase("skins") + json.erase("animations") == 0) return std::nullopt;
  if (json.contains("nodes") && json["nodes"].is_array()) {
    for (Json& node : json["nodes"]) {
      if (node.is_object()) node.erase("skin");
    }
  }
  std::string made = json.dump();
  if (text.data() == content.data()) return made;
  // A .glb: a header of 12 bytes, whose last 4 are the length of all, and the head of the first
  // chunk, which begins with its own length; chunks fill up to multiples of 4 bytes.
  made.append((4 - made.size() % 4) % 4, ' ');
  const auto head = static_cast<std::size_t>(text.data() - content.data());
  const std::size_t behind = std::min(content.size(), head + (text.size() + 3) / 4 * 4);
  const auto length = static_cast<uint32_t>(made.size());
  std::string whole(content.substr(0, head));
  whole += made;
  whole += content.substr(behind);
  const auto all = static_cast<uint32_t>(whole.size());
  std::memcpy(whole.data() + 8, &all, sizeof all);
  std::memcpy(whole.data() + 12, &length, sizeof length);
  return whole;
}

}  // namespace sinew
