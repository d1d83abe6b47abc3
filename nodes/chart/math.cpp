// A chart from two.
#include "nodes/kernels/chart_ops.h"
#include "nodes/node.h"

namespace sinew {
namespace {

constexpr size_t most_points = 1'000'000;

In<kernels::ChartOp> operation;
In<Chart> a, b;
In<float> factor;
In<int> detail;
Out<Chart> out;

void declare(Declaration& d) {
  d.id("chart.math", 1).label("Chart Math").category("Chart");
  d.doc("Computes with two charts, point by point. The result has the form of the first.");
  d.in(operation, "operation", kernels::ChartOp::add)
      .choices({"add", "subtract", "multiply", "minimum", "maximum", "mix"})
      .doc("mix: from a to b by the factor.");
  d.in(a, "a", Chart::constant(0)).doc("The first chart.");
  d.in(b, "b", Chart::constant(1)).doc("The second chart.");
  d.in(factor, "factor", 0.5f).range(0, 1).doc("mix: 0 gives a, 1 gives b.");
  d.in(detail, "detail", 3)
      .range(0, 64)
      .doc("Points added in each interval, to follow curves more closely.");
  d.out(out, "chart").doc("The combined chart.");
}

void exec(Exec& e) {
  const size_t needed =
      (e.get(a).points.size() + e.get(b).points.size()) * (static_cast<size_t>(e.get(detail)) + 1);
  if (needed > most_points) {
    return e.error("the chart would have about {} points; at most {} are possible", needed,
                   most_points);
  }
  e.set(out, kernels::combine_charts(e.get(operation), e.get(a), e.get(b), e.get(factor),
                                     e.get(detail)));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(chart_math, declare, exec)
