#include "nodes/over_seconds.h"

#include <algorithm>

#include "nodes/kernels/chart_ops.h"

namespace sinew {

namespace {

// Each value holds from its frame on.
std::vector<Chart> stepped_charts(const Animation& animation, double dt) {
  std::vector<Chart> charts;
  for (const auto& [frame, value] : animation.held) {
    const std::vector<double> numbers = value.type()->to_numbers(value.data());
    charts.resize(numbers.size(), {.interpolation = Interpolation::stepped, .x_unit = "s"});
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      charts[k].points.push_back({frame * dt, numbers[k]});
    }
  }
  return charts;
}

std::vector<Chart> animated_charts(const Animation& animation, double dt) {
  if (!animation.held.empty()) return stepped_charts(animation, dt);
  std::vector<Chart> charts;
  for (std::size_t k = 0; k < animation.curves.size(); ++k) {
    const Value& curve = animation.curves[k];
    charts.push_back(curve ? over_seconds(curve.as<Chart>(), dt)
                           : Chart::constant(animation.constants[k]));
  }
  return charts;
}

}  // namespace

Chart over_seconds(Chart chart, double dt) {
  if (chart.x_unit != "frames") return chart;
  chart = kernels::scale_x(chart, dt, 0);
  chart.x_unit = "s";
  return chart;
}

std::vector<Chart> charts_over_seconds(const Exec& e, const In<float>& in) {
  if (const Animation* animation = e.animation(in)) return animated_charts(*animation, e.dt());
  return {Chart::constant(static_cast<double>(e.get(in)))};
}

std::vector<Chart> charts_over_seconds(const Exec& e, const In<Vec3>& in) {
  if (const Animation* animation = e.animation(in)) return animated_charts(*animation, e.dt());
  const Vec3& v = e.get(in);
  return {Chart::constant(static_cast<double>(v.x)), Chart::constant(static_cast<double>(v.y)),
          Chart::constant(static_cast<double>(v.z))};
}

bool is_always(const Chart& chart, double y) {
  return chart.tangents.empty() && std::all_of(chart.points.begin(), chart.points.end(),
                                               [&](const ChartPoint& p) { return p.y == y; });
}

}  // namespace sinew
