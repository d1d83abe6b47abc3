#include "nodes/over_seconds.h"

#include <algorithm>

#include "nodes/geometry/chart_ahead.h"
#include "nodes/geometry/frame_slack.h"
#include "nodes/kernels/chart_ops.h"

namespace sinew {

namespace {

// Where a linear chart that repeats jumps from its last point to its first, it does so before the
// frame of the first, and is there a little before that frame, too.
void close_seam(Chart& chart, double early) {
  if (!jumps_at_seam(chart)) return;
  chart.period = chart.cycle();
  const ChartPoint before = chart.points[chart.points.size() - 2];
  ChartPoint& last = chart.points.back();
  const double width = last.x - before.x;
  if (!(width > early)) return;
  const double seam = last.x;
  last.y = before.y + (last.y - before.y) * (1 - early / width);
  last.x -= early;
  chart.points.push_back({seam - early / 2, chart.points.front().y});
  if (!chart.tangents.empty()) chart.tangents.emplace_back();
}

// Each value holds from its frame on; what a link brought was sampled there, and is joined by
// lines. Frames that are not among the samples are as the one before.
std::vector<Chart> held_charts(const Animation& animation, double fps) {
  const auto form = animation.sampled ? Interpolation::linear : Interpolation::stepped;
  std::vector<Chart> charts;
  std::vector<double> last;
  double last_frame = 0;
  for (const auto& [frame, value] : animation.held) {
    const std::vector<double> numbers = value.type()->to_numbers(value.data());
    charts.resize(numbers.size(), {.interpolation = form, .x_unit = "frames"});
    const bool waits = animation.sampled && !last.empty() && last_frame < frame - 1;
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      if (waits) charts[k].points.push_back({frame - 1, last[k]});
      charts[k].points.push_back({frame, numbers[k]});
    }
    last = numbers;
    last_frame = frame;
  }
  for (Chart& chart : charts) chart = over_seconds(std::move(chart), fps);
  return charts;
}

std::vector<Chart> animated_charts(const Animation& animation, double fps) {
  if (!animation.held.empty()) return held_charts(animation, fps);
  std::vector<Chart> charts;
  for (std::size_t k = 0; k < animation.curves.size(); ++k) {
    const Value& curve = animation.curves[k];
    charts.push_back(curve ? over_seconds(curve.as<Chart>(), fps)
                           : Chart::constant(animation.constants[k]));
  }
  return charts;
}

}  // namespace

Chart over_seconds(Chart chart, double fps) {
  const bool counts_frames = chart.x_unit == "frames";
  // What jumps at a frame jumps a little before it, so that neither rounds of a cycle nor a delay,
  // which is a float, can make it late by their rounding.
  const double early = counts_frames ? frame_slack : seconds_slack;
  close_seam(chart, early);
  if (chart.interpolation == Interpolation::stepped) chart = kernels::scale_x(chart, 1, -early);
  if (!counts_frames) return chart;
  chart = kernels::divide_x(chart, fps);
  chart.x_unit = "s";
  return chart;
}

std::vector<Chart> charts_over_seconds(const Exec& e, const In<float>& in) {
  if (const Animation* animation = e.animation(in)) return animated_charts(*animation, e.fps());
  return {Chart::constant(static_cast<double>(e.get(in)))};
}

std::vector<Chart> charts_over_seconds(const Exec& e, const In<Vec3>& in) {
  if (const Animation* animation = e.animation(in)) return animated_charts(*animation, e.fps());
  const Vec3& v = e.get(in);
  return {Chart::constant(static_cast<double>(v.x)), Chart::constant(static_cast<double>(v.y)),
          Chart::constant(static_cast<double>(v.z))};
}

Chart chart_over_seconds(const Exec& e, const In<bool>& in) {
  const Animation* animation = e.animation(in);
  if (!animation) return Chart::constant(e.get(in) ? 1 : 0);
  Chart chart{.interpolation = Interpolation::stepped, .x_unit = "frames"};
  for (const auto& [frame, value] : animation->held) {
    chart.points.push_back({frame, value.as<bool>() ? 1.0 : 0.0});
  }
  return over_seconds(std::move(chart), e.fps());
}

bool is_always(const Chart& chart, double y) {
  return chart.tangents.empty() && std::all_of(chart.points.begin(), chart.points.end(),
                                               [&](const ChartPoint& p) { return p.y == y; });
}

}  // namespace sinew
