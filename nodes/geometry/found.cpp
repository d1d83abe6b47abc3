#include "nodes/geometry/found.h"

#include <fmt/format.h>

#include <cmath>

namespace sinew {

std::optional<std::string> validate(const Found& found) {
  if (found.candidates.size() > most_found || found.names.size() > most_found_numbers) {
    return fmt::format("{} candidates of {} numbers, but at most {} of {} are allowed",
                       found.candidates.size(), found.names.size(), most_found, most_found_numbers);
  }
  if (found.log.size() > most_found_log) {
    return fmt::format("a log of {} trials, but at most {} are allowed", found.log.size(),
                       most_found_log);
  }
  for (std::size_t i = 0; i < found.candidates.size(); ++i) {
    const FoundCandidate& one = found.candidates[i];
    if (one.values.size() != found.names.size()) {
      return fmt::format("candidate {}: it has {} values, but there are {} names", i + 1,
                         one.values.size(), found.names.size());
    }
    bool sound = std::isfinite(one.cost);
    for (const double value : one.values) sound = sound && std::isfinite(value);
    if (!sound) return fmt::format("candidate {}: its cost or a value is no number", i + 1);
    if (i > 0 && one.cost < found.candidates[i - 1].cost) {
      return fmt::format("candidate {}: it is better than the one before it", i + 1);
    }
  }
  if (!std::isfinite(found.start_cost)) return "the cost of the start is no number";
  return std::nullopt;
}

std::size_t byte_size(const Found& found) {
  std::size_t sum = sizeof found + found.log.size() * sizeof(double) + found.settings.size();
  for (const std::string& name : found.names) sum += sizeof name + name.size();
  sum += found.candidates.size() * (sizeof(FoundCandidate) + found.names.size() * sizeof(double));
  return sum;
}

}  // namespace sinew
