#include "nodes/over_seconds.h"

#include <algorithm>
#include <type_traits>

#include "nodes/kernels/chart_ops.h"

namespace sinew {

namespace {

// What jumps at a frame jumps so much of a frame before it, so that neither rounds of a cycle nor a
// delay, which is a float, can make it late by their rounding.
constexpr double early = 1e-3;

// Where a linear chart that repeats jumps from its last point to its first, it does so before the
// frame of the first.
void close_seam(Chart& chart) {
  const bool jumps = chart.interpolation == Interpolation::linear &&
                     chart.extension == Extension::cyclic && chart.period == 0 &&
                     chart.points.size() > 1 && chart.points.front().y != chart.points.back().y;
  if (!jumps) return;
  chart.period = chart.cycle();
  const ChartPoint before = chart.points[chart.points.size() - 2];
  ChartPoint& last = chart.points.back();
  const double width = last.x - before.x;
  if (!(width > early)) return;
  last.y = before.y + (last.y - before.y) * (1 - early / width);
  last.x -= early;
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
  if (chart.x_unit != "frames") return chart;
  close_seam(chart);
  if (chart.interpolation == Interpolation::stepped) chart = kernels::scale_x(chart, 1, -early);
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
