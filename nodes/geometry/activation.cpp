#include "nodes/geometry/activation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

using Problem = std::optional<std::string>;
using Source = DeformationCharts::Source;

Problem wrong_charts(const DeformationCharts& charts) {
  if (!(charts.limit > 1) || !std::isfinite(charts.limit)) {
    return fmt::format("the limit of the charts must be above 1, but is {}", charts.limit);
  }
  for (std::size_t k = 0; k < 3; ++k) {
    const Source source = charts.source[k];
    if ((source == Source::drawn) != charts.drawn[k].has_value()) {
      return fmt::format("chart {} and whether it is drawn do not agree", k + 1);
    }
    if (k == 0 && (source == Source::inverse || source == Source::inverse_root)) {
      return "the first chart cannot follow from itself";
    }
  }
  return std::nullopt;
}

Problem not_above(const char* name, double value, double least, bool itself) {
  if (std::isfinite(value) && (itself ? value >= least : value > least)) return std::nullopt;
  return fmt::format("the {} must be {} {}, but is {}", name, itself ? "at least" : "above", least,
                     value);
}

// The first that is not in [low, high]; in one pass that the compiler can make wide.
Problem out_of_range(const char* name, const std::vector<float>& values, float low, float high) {
  bool inside = true;
  for (const float v : values) inside &= v >= low && v <= high;
  if (inside) return std::nullopt;
  const auto bad =
      std::find_if(values.begin(), values.end(), [=](float v) { return !(v >= low && v <= high); });
  return fmt::format("the {} of vertex {} is {}, but must be from {} to {}", name,
                     bad - values.begin(), *bad, low, high);
}

Problem wrong_values(const char* name, const std::vector<float>& values, std::size_t count,
                     float low, float high) {
  if (values.size() != 1 && values.size() != count) {
    return fmt::format("{} values of the {} for {} vertices", values.size(), name, count);
  }
  return out_of_range(name, values, low, high);
}

Problem wrong_pattern(const ActivationPattern& pattern, std::size_t count) {
  if (auto wrong = wrong_charts(pattern.charts)) return wrong;
  if (auto wrong = wrong_values("amplitude", pattern.amplitude, count, -1, 1)) return wrong;
  if (auto wrong = wrong_values("phase", pattern.phase, count, 0, 1)) return wrong;
  if (auto wrong = not_above("speed", pattern.speed, 0, false)) return wrong;
  return not_above("period", pattern.period, 0, false);
}

Problem wrong_touch(const Touch& touch, std::size_t count) {
  if (!std::isfinite(touch.start)) return "a touch starts at no finite time";
  if (!touch.distance) return "a touch has no distances";
  if (touch.distance->size() != count) {
    return fmt::format("a touch has {} distances for {} vertices", touch.distance->size(), count);
  }
  bool sound = true;
  for (const float d : *touch.distance) sound &= d >= 0 && (d <= 1 || d == never_touched);
  if (!sound) return "a distance of a touch is not from 0 to 1";
  return std::nullopt;
}

Problem wrong_response(const Response& response, std::size_t count) {
  if (!response.pattern) return "a response has no pattern";
  const ResponsePattern& pattern = *response.pattern;
  if (auto wrong = wrong_charts(pattern.charts)) return wrong;
  if (auto wrong = not_above("speed", pattern.speed, 0, false)) return wrong;
  if (auto wrong = not_above("period", pattern.period, 0, false)) return wrong;
  if (auto wrong = wrong_values("amplitude", pattern.amplitude, count, -1, 1)) return wrong;
  if (auto wrong = not_above("damping", pattern.damping, 1, true)) return wrong;
  if (auto wrong = not_above("rest", pattern.rest, 0, true)) return wrong;
  for (const Touch& touch : response.touches) {
    if (auto wrong = wrong_touch(touch, count)) return wrong;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> validate(const Activation& activation) {
  if (!std::isfinite(activation.time)) return "the time is not finite";
  if (activation.frames && activation.frames->size() != activation.count) {
    return fmt::format("{} frames for {} vertices", activation.frames->size(), activation.count);
  }
  if (activation.pattern) {
    if (auto wrong = wrong_pattern(*activation.pattern, activation.count)) return wrong;
  }
  for (const Response& response : activation.responses) {
    if (auto wrong = wrong_response(response, activation.count)) return wrong;
  }
  return std::nullopt;
}

std::size_t byte_size(const Activation& activation) {
  std::size_t bytes = sizeof activation + activation.responses.size() * sizeof(Response);
  for (const Response& r : activation.responses) bytes += r.touches.size() * sizeof(Touch);
  return bytes;
}

}  // namespace sinew
