// Paths: the line, a tick at each of a number of equal times, the points that it was drawn with,
// and where it is now. Ticks that are close together are where it is slow.
#include <algorithm>
#include <cmath>

#include "nodes/kernels/motion_path.h"
#include "nodes/show/parts.h"

namespace sinew::showing {

namespace {

constexpr int least_samples = 64, most_samples = 20000;
constexpr int samples_per_point = 24;
constexpr int ticks = 24;
constexpr double tick_part = 0.012;  // half of a tick, in parts of the length
constexpr double arrow_part = 0.06;  // the arrow along the path, the same
constexpr draw::Rgba quiet{0.42f, 0.45f, 0.50f, 1};

draw::Point point_of(const Vec3d& p) { return p.cast<float>(); }

// The curve itself, through its points: corners stay corners.
std::vector<draw::Point> line_of(const kernels::PathShape& shape, std::size_t points) {
  const double wanted = static_cast<double>(points) * samples_per_point;
  const int samples =
      static_cast<int>(std::clamp(wanted, double{least_samples}, double{most_samples}));
  std::vector<double> places = shape.point_distances();
  for (int i = 0; i <= samples; ++i) places.push_back(shape.length() * i / samples);
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  std::vector<draw::Point> ends;
  draw::Point last = point_of(shape.at(0).position);
  for (std::size_t i = 1; i < places.size(); ++i) {
    const draw::Point next = point_of(shape.at(places[i]).position);
    ends.insert(ends.end(), {last, next});
    last = next;
  }
  return ends;
}

std::vector<draw::Point> ticks_of(const MotionPath& path, const kernels::PathMotion& motion) {
  const double half = tick_part * motion.shape().length();
  std::vector<draw::Point> ends;
  for (int i = 0; i <= ticks; ++i) {
    const double t = path.start + (path.end - path.start) * i / ticks;
    const kernels::PathFrame frame = motion.at(t);
    ends.push_back(point_of(frame.position - half * frame.normal));
    ends.push_back(point_of(frame.position + half * frame.normal));
  }
  return ends;
}

}  // namespace

void add_points(const Shown& what, std::vector<draw::Point> places, const draw::Rgba& colour,
                float size, bool on_top, draw::DrawList& list) {
  if (places.empty()) return;
  draw::Points item;
  item.source = what.source;
  item.points = std::move(places);
  item.colour = colour;
  item.size = size;
  item.on_top = on_top;
  list.points.push_back(std::move(item));
}

draw::Lines* add_lines(const Shown& what, std::vector<draw::Point> ends, const draw::Rgba& colour,
                       float width, draw::DrawList& list) {
  if (ends.empty()) return nullptr;
  draw::Lines item;
  item.source = what.source;
  item.points = std::move(ends);
  item.colour = colour;
  item.width = width;
  list.lines.push_back(std::move(item));
  return &list.lines.back();
}

void show_path(const Shown& what, draw::DrawList& list) {
  const MotionPath& path = what.value.as<MotionPath>();
  if (path.points.size() == 0) return;
  const kernels::PathMotion motion(path);
  const kernels::PathFrame now = motion.at(path.time);
  const double length = motion.shape().length();
  if (length > 0) {
    add_lines(what, line_of(motion.shape(), path.points.size()), draw::axis_colours[2], 2.0f, list);
    add_lines(what, ticks_of(path, motion), quiet, 1.5f, list);
    draw::Glyphs arrow;
    arrow.source = what.source;
    arrow.places = {point_of(now.position)};
    arrow.vectors = {point_of(arrow_part * length * now.tangent)};
    list.glyphs.push_back(std::move(arrow));
  }
  add_points(what, path.points.list, quiet, 5, false, list);
  add_points(what, {point_of(now.position)}, draw::accent, 10, true, list);
}

void show_places(const Shown& what, draw::DrawList& list) {
  const PathPoints& places = what.value.as<PathPoints>();
  std::vector<draw::Point> ends;
  for (std::size_t i = 1; i < places.size(); ++i) {
    ends.insert(ends.end(), {places.list[i - 1], places.list[i]});
  }
  add_lines(what, std::move(ends), quiet, 1, list);
  add_points(what, places.list, draw::accent, 6, false, list);
}

// As its stress over strain.
void show_material(const Shown& what, draw::DrawList& list) {
  Shown chart = what;
  chart.value = Value::of(what.value.as<Material>().stress);
  show_chart(chart, list);
}

}  // namespace sinew::showing
