#include "app/library/animation.h"

#include <algorithm>
#include <cmath>

#include "graph/frame_time.h"

namespace sinew::library {
namespace {

constexpr double same = 0.25;  // frames that two keys are at least apart

bool is_point(const Json& p) {
  return p.is_array() && p.size() == 2 && p[0].is_number() && p[1].is_number();
}

// The chart of one component; nullptr: it is a number, or nothing that could be read.
const Json* points_of(const Json& part) {
  if (part.is_array()) return &part;
  if (!part.is_object() || !part.contains("points") || !part["points"].is_array()) return nullptr;
  return &part["points"];
}

// A list of components, also where there is only one: a chart alone may be written as its points.
std::vector<Json> parts_of(const Json& value) {
  const Json& inner = value["animate"];
  const bool is_list =
      inner.is_array() && !inner.empty() && std::none_of(inner.begin(), inner.end(), is_point);
  if (!is_list) return {inner};
  return {inner.begin(), inner.end()};
}

Json joined(std::vector<Json> parts) {
  if (parts.size() == 1) return {{"animate", std::move(parts[0])}};
  return {{"animate", Json(std::move(parts))}};
}

// How the x of a chart and frames belong together, and which cycle the moment is in.
struct Axis {
  double fps = 1;    // frames for each 1 of x
  double shift = 0;  // x of the first cycle + shift: here

  Axis(const Json& part, Moment now) {
    const bool frames = part.is_object() && part.value("x_unit", Json("")) == "frames";
    fps = frames ? 1 : std::max(now.fps, 1e-9);
    const Json* points = points_of(part);
    if (!points || points->empty() || !part.is_object()) return;
    if (part.value("extension", Json("")) != "cyclic") return;
    const double first = point(points->front()), last = point(points->back());
    const Json period = part.value("period", Json(0));
    double cycle = period.is_number() ? period.get<double>() : 0;
    if (!(cycle > 0)) cycle = last - first;
    if (cycle > 0) shift = cycle * std::floor((seconds_at(now.frame, fps) - first) / cycle + 1e-9);
  }
  static double point(const Json& p) { return is_point(p) ? p[0].get<double>() : 0; }
  double frame_of(const Json& p) const { return (point(p) + shift) * fps; }
  double x_of(double frame) const {
    const double x = seconds_at(frame, fps) - shift;
    if (shift == 0) return x;
    // What is left of a later cycle has lost digits: it is written short, and never later than the
    // frame, where a step would hold from the next one on only.
    const double brief = std::round(x * 1e9) / 1e9;
    return brief + shift <= seconds_at(frame, fps) ? brief : brief - 1e-9;
  }
};

}  // namespace

bool is_animated(const Json* value) {
  return value && value->is_object() && value->contains("animate");
}

bool is_recorded(const Json* value) {
  return value && value->is_object() && value->contains("steps") && (*value)["steps"].is_array();
}

std::size_t recorded_count(const Json& value) { return value["steps"].size(); }

Json animated(std::span<const double> numbers, double frame, bool stepped) {
  std::vector<Json> parts;
  for (const double x : numbers)
    parts.push_back({{"points", Json::array({Json::array({frame, x})})}, {"x_unit", "frames"}});
  if (stepped)
    for (Json& part : parts) part["interpolation"] = "stepped";
  return joined(std::move(parts));
}

Json with_key(const Json& value, std::size_t component, double number, Moment now) {
  std::vector<Json> parts = parts_of(value);
  if (component >= parts.size()) return value;
  Json& part = parts[component];
  if (!points_of(part)) part = {{"points", Json::array()}, {"x_unit", "frames"}};
  const Axis axis(part, now);
  Json& points = part.is_array() ? part : part["points"];
  const auto here = std::find_if(points.begin(), points.end(), [&](const Json& p) {
    return std::abs(axis.frame_of(p) - now.frame) < same;
  });
  if (here != points.end()) {
    (*here)[1] = number;
  } else {
    const auto behind = std::find_if(points.begin(), points.end(),
                                     [&](const Json& p) { return axis.frame_of(p) > now.frame; });
    points.insert(behind, Json::array({axis.x_of(now.frame), number}));
  }
  return joined(std::move(parts));
}

Json without_key(const Json& value, Moment now) {
  std::vector<Json> parts = parts_of(value);
  for (Json& part : parts) {
    if (!points_of(part)) continue;
    const Axis axis(part, now);
    Json& points = part.is_array() ? part : part["points"];
    for (std::size_t i = points.size(); i-- > 0 && points.size() > 1;)
      if (std::abs(axis.frame_of(points[i]) - now.frame) < same)
        points.erase(points.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return joined(std::move(parts));
}

std::vector<double> key_frames(const Json& value, Moment now) {
  std::vector<double> frames;
  for (const Json& part : parts_of(value)) {
    const Json* points = points_of(part);
    if (!points) continue;
    const Axis axis(part, now);
    for (const Json& p : *points) frames.push_back(axis.frame_of(p));
  }
  std::sort(frames.begin(), frames.end());
  frames.erase(std::unique(frames.begin(), frames.end(),
                           [](double a, double b) { return std::abs(a - b) < same; }),
               frames.end());
  return frames;
}

bool has_key(const Json& value, Moment now) {
  const std::vector<double> frames = key_frames(value, now);
  return std::any_of(frames.begin(), frames.end(),
                     [&](double f) { return std::abs(f - now.frame) < same; });
}

std::optional<double> key_before(const Json& value, Moment now) {
  std::optional<double> found;
  for (const double f : key_frames(value, now))
    if (f < now.frame - same) found = f;
  return found;
}

std::optional<double> key_after(const Json& value, Moment now) {
  for (const double f : key_frames(value, now))
    if (f > now.frame + same) return f;
  return std::nullopt;
}

}  // namespace sinew::library
