// What a document's meta block and layout say, read with care: both are free text to the format, so
// that anything may stand there.
#pragma once

#include <algorithm>
#include <cstdint>
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

// The frame that pictures of the document show: the one that it names, or half a second after its
// beginning.
inline int picture_frame_of(const GraphDoc& doc) {
  const Settings& s = doc.settings;
  const auto named = doc.meta.extra.find("picture_frame");
  const bool is_named = named != doc.meta.extra.end() && named->is_number_integer();
  const int64_t frame =
      is_named ? named->get<int64_t>() : int64_t{s.first_frame} + static_cast<int64_t>(s.fps / 2);
  return static_cast<int>(
      std::clamp<int64_t>(frame, s.first_frame, std::max(s.first_frame, s.last_frame)));
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
