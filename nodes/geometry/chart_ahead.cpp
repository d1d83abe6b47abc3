#include "nodes/geometry/chart_ahead.h"

#include <algorithm>
#include <cmath>

#include "nodes/geometry/frame_slack.h"

namespace sinew {

bool meets_next_cycle(const Chart& chart) {
  const double span = chart.last_x() - chart.first_x(), cycle = chart.cycle();
  // A gap of rounding errors between the last point and the seam is none.
  return cycle > 0 && !(cycle - span > 1e-12 * cycle && chart.first_x() + cycle > chart.last_x());
}

bool jumps_at_seam(const Chart& chart) {
  return chart.interpolation == Interpolation::linear && meets_next_cycle(chart) &&
         chart.points.front().y != chart.points.back().y;
}

double evaluate_ahead(const Chart& chart, const ChartPieces& pieces, double x, double ahead) {
  if (chart.interpolation == Interpolation::stepped) return pieces.evaluate(x + ahead);
  if (jumps_at_seam(chart) && std::isfinite(x)) {
    // There the first point counts.
    const double since = x - chart.first_x(), cycle = chart.cycle();
    const bool over = rounds_over(since, cycle, ahead) > std::floor(since / cycle);
    if (over) return pieces.evaluate(chart.first_x());
  }
  return pieces.evaluate(x);
}

double tangent_ahead(const Chart& chart, const ChartPieces& pieces, double x, double ahead) {
  // On a ratio axis the slope goes with the value, and changes between kinks.
  if (chart.interpolation != Interpolation::linear || chart.axis == ValueAxis::ratio) {
    return pieces.tangent(x);
  }
  if (chart.cycle() > 0) return pieces.tangent(x + ahead);
  return pieces.tangent(x > chart.last_x() ? x : std::min(x + ahead, chart.last_x()));
}

}  // namespace sinew
