#include "graph/live_recorder.h"

#include <fmt/format.h>

namespace sinew {

namespace {

using Track = std::vector<std::pair<int, Value>>;

// Several events within one frame: the last one is what the simulation saw.
template <class Entry, class Content>
void add_step(std::vector<std::pair<Entry, Content>>& steps, Entry frame, Content content) {
  if (!steps.empty() && steps.back().first == frame) {
    steps.back().second = std::move(content);
  } else {
    steps.emplace_back(frame, std::move(content));
  }
}

// A chart for each number of the value.
Result<Json> as_charts(const Track& track, const TypeInfo& curve) {
  const TypeInfo& type = *track.front().second.type();
  Json charts = Json::array();
  for (int c = 0; c < type.components; ++c) {
    std::vector<std::pair<double, double>> steps;
    for (const auto& [frame, value] : track) {
      const std::vector<double> numbers = value.type()->to_numbers(value.data());
      if (static_cast<int>(numbers.size()) != type.components)
        return Error{"was not a plain number all the time"};
      add_step(steps, static_cast<double>(frame), numbers[c]);
    }
    charts.push_back(curve.steps_to_json(steps));
  }
  return Json{{"animate", type.components == 1 ? charts[0] : std::move(charts)}};
}

// The values themselves, each from its frame on.
Result<Json> as_values(const Track& track) {
  std::vector<std::pair<int, Json>> steps;
  for (const auto& [frame, value] : track) {
    if (!value.type()->to_json || value.is<Choice>())
      return Error{fmt::format("is a {}, which cannot be written down", value.type()->name)};
    add_step(steps, frame, value.to_json());
  }
  Json list = Json::array();
  for (auto& [frame, value] : steps) list.push_back(Json::array({frame, std::move(value)}));
  return Json{{"steps", std::move(list)}};
}

}  // namespace

size_t LiveRecorder::count() const {
  size_t sum = 0;
  for (const auto& [place, track] : events_) sum += track.size() - 1;
  return sum;
}

void LiveRecorder::cut_after(int frame) {
  for (auto& [place, track] : events_)
    while (track.size() > 1 && track.back().first > frame) track.pop_back();
}

void LiveRecorder::forget(const std::string& node) {
  std::erase_if(events_, [&](const auto& entry) { return entry.first.first == node; });
}

std::vector<std::pair<std::string, std::string>> LiveRecorder::places() const {
  std::vector<std::pair<std::string, std::string>> list;
  for (const auto& [place, track] : events_) list.push_back(place);
  return list;
}

Result<Command> LiveRecorder::to_command(const Registry& registry, const std::string& graph) const {
  const TypeInfo* curve = registry.curve_type();
  Command command;
  command.title = fmt::format("Record {} live parameters", events_.size());
  for (const auto& [place, track] : events_) {
    const TypeInfo* type = track.front().second.type();
    const bool numbers = curve && curve->steps_to_json && type->components > 0 && type->to_numbers;
    Result<Json> written = numbers ? as_charts(track, *curve) : as_values(track);
    if (!written)
      return Error{fmt::format("'{}.{}' {}", place.first, place.second, written.error())};
    command.edits.push_back(edit::SetParam{graph, place.first, place.second, std::move(*written)});
  }
  return command;
}

}  // namespace sinew
