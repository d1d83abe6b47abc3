// The slope of a chart, or the area below it, as a chart.
#include "nodes/kernels/chart_ops.h"
#include "nodes/node.h"

namespace sinew {
namespace {

enum class What { slope, area };
constexpr size_t most_points = 1'000'000;

In<Chart> chart;
In<What> what;
In<int> detail;
Out<Chart> out;

void declare(Declaration& d) {
  d.id("chart.derive", 1).label("Slope or Area").category("Chart");
  d.doc("Speed from distance, or distance from speed: the slope of a chart, or the area below it.");
  d.in(chart, "chart", identity_chart()).doc("The chart to follow.");
  d.in(what, "what", What::slope)
      .choices({"slope", "area"})
      .doc("slope: how fast it changes; area: what it adds up to from its first point on.");
  d.in(detail, "detail", 7)
      .range(0, 64)
      .doc("Points added in each interval, to follow curves more closely.");
  d.out(out, "chart").doc("The slope or the area over the same x.");
}

void exec(Exec& e) {
  const size_t needed = (e.get(chart).points.size() + 1) * (static_cast<size_t>(e.get(detail)) + 2);
  if (needed > most_points) {
    return e.error("the chart would have about {} points; at most {} are possible", needed,
                   most_points);
  }
  e.set(out, e.get(what) == What::slope ? kernels::slope_chart(e.get(chart), e.get(detail))
                                        : kernels::area_chart(e.get(chart), e.get(detail)));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(chart_derive, declare, exec)
