// Heights as ratios.
#include "nodes/kernels/chart_ops.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<Chart> chart;
In<float> ratio;
Out<Chart> out;

void declare(Declaration& d) {
  d.id("chart.ratio", 1).label("Ratios").category("Chart");
  d.doc("Turns heights from -1 to 1 into stretching from 1/ratio to ratio: 0 leaves all as it is.");
  d.in(chart, "chart", identity_chart()).doc("Heights. A chart of ratios only gets the bounds.");
  d.in(ratio, "ratio", 1.5f).range(1.001, 100).doc("How far it stretches where the height is 1.");
  d.out(out, "chart").doc("A chart of ratios that stays between 1/ratio and ratio.");
}

// Bounds that were drawn stay where they are narrower.
ChartBounds within(const std::optional<ChartBounds>& drawn, double low, double high) {
  if (!drawn || drawn->low >= high || drawn->high <= low) return {low, high};
  return {std::max(drawn->low, low), std::min(drawn->high, high)};
}

void exec(Exec& e) {
  const double most = e.get(ratio);
  Chart ratios = e.get(chart);
  if (ratios.axis == ValueAxis::ratio) {
    ratios.bounds = within(ratios.bounds, 1 / most, most);
  } else {
    ratios.bounds = within(ratios.bounds, -1, 1);
    ratios = kernels::exponential(ratios, most);
  }
  e.set(out, std::move(ratios));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(chart_ratio, declare, exec)
