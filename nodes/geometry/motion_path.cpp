#include "nodes/geometry/motion_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

using Problem = std::optional<std::string>;

Problem outside(const char* name, double value, double low, double high) {
  if (value >= low && value <= high) return std::nullopt;
  return fmt::format("the {} of the path must be from {} to {}, but is {}", name, low, high, value);
}

Problem no_way(const PathPoints& points) {
  if (points.size() == 0) return "a path needs points, but has none";
  if (points.size() == 1) return "a path needs at least two points, but has one";
  const Vec3f& first = points.list.front();
  const bool same = std::all_of(points.list.begin(), points.list.end(),
                                [&](const Vec3f& p) { return p == first; });
  if (same) return "all points of the path are at one place, so that there is no way to go";
  return std::nullopt;
}

Problem wrong_times(const MotionPath& path) {
  const double most = greatest_path_time;
  if (auto wrong = outside("start", path.start, -most, most)) return wrong;
  if (auto wrong = outside("end", path.end, -most, most)) return wrong;
  if (!(path.end - path.start >= shortest_path_duration)) {
    return fmt::format("the end of the path, {} s, must be after its start, {} s", path.end,
                       path.start);
  }
  if (!std::isfinite(path.time)) return "the moment of the path is not finite";
  return std::nullopt;
}

}  // namespace

Chart MotionPath::standard_momentum() {
  Chart chart;
  chart.points = {{0, 0}, {0.15, 0.7}, {0.3, 1}, {0.7, 1}, {0.85, 0.7}, {1, 0}};
  return chart;
}

std::optional<std::string> validate(const MotionPath& path) {
  if (auto wrong = validate(path.points)) return fmt::format("the path: {}", *wrong);
  if (auto wrong = no_way(path.points)) return wrong;
  if (auto wrong = validate(path.momentum)) return fmt::format("the momentum chart: {}", *wrong);
  if (auto wrong = wrong_times(path)) return wrong;
  if (auto wrong = outside("mass", path.mass, least_path_mass, greatest_path_mass)) return wrong;
  const double fastest = greatest_path_speed, farthest = farthest_path_point;
  if (auto wrong = outside("speed", path.speed, -fastest, fastest)) return wrong;
  if (auto wrong = outside("offset", path.offset, 0, farthest)) return wrong;
  return outside("number of rounds", path.rounds, 1, most_rounds);
}

std::size_t byte_size(const MotionPath& path) {
  return sizeof path + byte_size(path.points) - sizeof(PathPoints) + byte_size(path.momentum) -
         sizeof(Chart);
}

}  // namespace sinew
