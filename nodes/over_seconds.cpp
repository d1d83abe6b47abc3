#include "nodes/over_seconds.h"

#include <algorithm>
#include <type_traits>

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
// lines, but where it jumps from one value to the next by its nature. Frames that are not among the
// samples are as the one before.
std::vector<Chart> held_charts(const Animation& animation, bool jumps, double fps) {
  const bool lines = animation.sampled && !jumps;
  const auto form = lines ? Interpolation::linear : Interpolation::stepped;
  std::vector<Chart> charts;
  std::vector<double> last;
  double last_frame = 0;
  for (const auto& [frame, value] : animation.held) {
    const std::vector<double> numbers = value.type()->to_numbers(value.data());
    charts.resize(numbers.size(), {.interpolation = form, .x_unit = "frames"});
    const bool waits = lines && !last.empty() && last_frame < frame - 1;
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

std::vector<Chart> animated_charts(const Animation& animation, bool jumps, double fps) {
  if (!animation.held.empty()) return held_charts(animation, jumps, fps);
  std::vector<Chart> charts;
  for (std::size_t k = 0; k < animation.curves.size(); ++k) {
    const Value& curve = animation.curves[k];
    charts.push_back(curve ? over_seconds(curve.as<Chart>(), fps)
                           : Chart::constant(animation.constants[k]));
  }
  return charts;
}

// An input in any of the forms that it can have over time.
template <class T>
std::vector<Chart> charts_of(const Exec& e, const In<T>& in) {
  constexpr bool jumps = std::is_same_v<T, bool>;
  if (const Animation* animation = e.animation(in)) {
    return animated_charts(*animation, jumps, e.fps());
  }
  std::vector<Chart> charts;
  for (const double x : type_of<T>().to_numbers(e.value(in.index).data())) {
    charts.push_back(Chart::constant(x));
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
  return charts_of(e, in);
}

std::vector<Chart> charts_over_seconds(const Exec& e, const In<Vec3>& in) {
  return charts_of(e, in);
}

Chart chart_over_seconds(const Exec& e, const In<bool>& in) { return charts_of(e, in)[0]; }

bool is_always(const Chart& chart, double y) {
  return chart.tangents.empty() && std::all_of(chart.points.begin(), chart.points.end(),
                                               [&](const ChartPoint& p) { return p.y == y; });
}

}  // namespace sinew
