#include "graph/live_recorder.h"

#include <fmt/format.h>

namespace sinew {

Result<Command> LiveRecorder::to_command(const Registry& registry, const std::string& graph) const {
  const TypeInfo* curve = registry.curve_type();
  Command command;
  command.title = fmt::format("Record {} live parameters", events_.size());
  for (const auto& [place, track] : events_) {
    const TypeInfo* type = track.front().second.type();
    if (!curve || !curve->steps_to_json || type->components == 0 || !type->to_numbers)
      return Error{fmt::format("'{}.{}' is a {}, which cannot follow a chart", place.first,
                               place.second, type->name)};
    Json charts = Json::array();
    for (int c = 0; c < type->components; ++c) {
      std::vector<std::pair<double, double>> steps;
      for (const auto& [frame, value] : track) {
        const std::vector<double> numbers = value.type()->to_numbers(value.data());
        if (static_cast<int>(numbers.size()) != type->components)
          return Error{fmt::format("'{}.{}' was not a plain number all the time", place.first,
                                   place.second)};
        const double x = numbers[c];
        // Several events within one frame: the last one is what the simulation saw.
        if (!steps.empty() && steps.back().first == frame) {
          steps.back().second = x;
        } else {
          steps.emplace_back(frame, x);
        }
      }
      charts.push_back(curve->steps_to_json(steps));
    }
    command.edits.push_back(
        edit::SetParam{graph, place.first, place.second,
                       Json{{"animate", type->components == 1 ? charts[0] : std::move(charts)}}});
  }
  return command;
}

}  // namespace sinew
