// What a document's meta block and layout say, read with care: both are free text to the format, so
// that anything may stand there.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graph/document.h"

namespace sinew::library {

// The list under a key of the meta block, such as "expose" or "give": ["pulse.speed", ...].
inline std::vector<Endpoint> named_sockets(const Meta& meta, const char* key) {
  std::vector<Endpoint> list;
  const auto names = meta.extra.find(key);
  if (names == meta.extra.end() || !names->is_array()) return list;
  for (const Json& name : *names) {
    const std::string text = name.is_string() ? name.get<std::string>() : "";
    if (const std::size_t dot = text.find('.'); dot != std::string::npos)
      list.push_back({text.substr(0, dot), text.substr(dot + 1)});
  }
  return list;
}

// A number under a key of the meta block; 0 if there is none.
inline double named_number(const Meta& meta, const char* key) {
  const auto said = meta.extra.find(key);
  return said != meta.extra.end() && said->is_number() ? said->get<double>() : 0;
}

// Where the canvas has a node; nothing if the document does not say.
inline std::optional<std::pair<double, double>> place_of(const LayoutDoc& layout,
                                                         const std::string& node) {
  const auto found = layout.nodes.find(node);
  if (found == layout.nodes.end()) return std::nullopt;
  const auto at = found->second.find("at");
  if (at == found->second.end() || !at->is_array() || at->size() != 2 || !(*at)[0].is_number() ||
      !(*at)[1].is_number())
    return std::nullopt;
  return std::pair{(*at)[0].get<double>(), (*at)[1].get<double>()};
}

}  // namespace sinew::library
