#include "app/cli/frame_manifest.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "graph/json_reader.h"

namespace sinew::cli {
namespace {

// More than any folder has; a file that says more is not ours.
constexpr std::size_t most_frames = 16'000'000;

// The state of an entry, and the texts of its ranges; the same in both versions of the file.
struct ReadEntry {
  FrameState state;
  std::vector<FrameRange> ranges;
};

std::optional<ReadEntry> read_entry(const Json& json) {
  if (!json.is_object()) return {};
  const Json key = json.value("key", Json()), size = json.value("size", Json()),
             frames = json.value("frames", Json());
  if (!key.is_string() || !size.is_array() || size.size() != 2 || !frames.is_array()) return {};
  if (!size[0].is_number_integer() || !size[1].is_number_integer()) return {};
  ReadEntry entry{{key.get<std::string>(), size[0].get<int>(), size[1].get<int>()}, {}};
  for (const Json& one : frames) {
    if (!one.is_string()) return {};
    const Result<FrameRange> range = parse_frame_range(one.get<std::string>());
    if (!range) return {};
    entry.ranges.push_back(*range);
  }
  return entry;
}

}  // namespace

std::vector<std::string> range_texts(const std::vector<int>& frames) {
  std::vector<std::string> texts;
  for (std::size_t first = 0, last; first < frames.size(); first = last + 1) {
    last = first;
    FrameRange range{frames[first], frames[first], 1};
    if (first + 1 < frames.size()) {
      const int64_t step = int64_t{frames[first + 1]} - frames[first];
      while (last + 1 < frames.size() && int64_t{frames[last + 1]} - frames[last] == step) ++last;
      // Two that are apart are two, not a step.
      if (step > 1 && last - first < 2) last = first;
      if (last > first) range = {frames[first], frames[last], static_cast<int>(step)};
    }
    texts.push_back(range.text());
  }
  return texts;
}

const FrameState* FrameManifest::state_of(int frame) const {
  for (const Entry& entry : entries_)
    if (std::binary_search(entry.frames.begin(), entry.frames.end(), frame)) return &entry.state;
  return nullptr;
}

void FrameManifest::claim(const FrameState& state, const FrameRange& range) {
  forget(range);
  auto entry = std::find_if(entries_.begin(), entries_.end(),
                            [&](const Entry& e) { return e.state == state; });
  if (entry == entries_.end()) entry = entries_.insert(entry, Entry{state, {}});
  const std::vector<int> before = std::exchange(entry->frames, {}), more = range.frames();
  std::set_union(before.begin(), before.end(), more.begin(), more.end(),
                 std::back_inserter(entry->frames));
}

void FrameManifest::forget(const FrameRange& range) {
  for (Entry& entry : entries_)
    std::erase_if(entry.frames, [&](int frame) { return range.contains(frame); });
  std::erase_if(entries_, [](const Entry& entry) { return entry.frames.empty(); });
}

std::string FrameManifest::text() const {
  Json list = Json::array();
  for (const Entry& entry : entries_)
    list.push_back({{"key", entry.state.key},
                    {"size", {entry.state.width, entry.state.height}},
                    {"frames", range_texts(entry.frames)}});
  Json json = {{"sinew_render", 2}, {"pictures", std::move(list)}};
  if (is_of_film) json["film"] = true;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::optional<FrameManifest> FrameManifest::read(const std::string& text) {
  const Result<Json> json = read_json(text);
  if (!json || !json->is_object()) return {};
  const Json version = json->value("sinew_render", Json());
  std::vector<Json> list;
  if (version == Json(1)) {
    list.push_back(*json);  // one state, its entry at the top
  } else if (version == Json(2)) {
    const Json pictures = json->value("pictures", Json());
    if (!pictures.is_array()) return {};
    list.assign(pictures.begin(), pictures.end());
  } else {
    return {};
  }
  FrameManifest manifest;
  manifest.is_of_film = json->value("film", Json()) == Json(true);
  std::size_t count = 0;
  for (const Json& one : list) {
    const std::optional<ReadEntry> entry = read_entry(one);
    if (!entry) return {};
    for (const FrameRange& range : entry->ranges) {
      count += static_cast<std::size_t>(range.count());
      if (count > most_frames) return {};
      manifest.claim(entry->state, range);
    }
  }
  return manifest;
}

}  // namespace sinew::cli
