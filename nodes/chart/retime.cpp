// The same curve earlier, later, slower, backwards.
#include "nodes/kernels/chart_ops.h"
#include "nodes/node.h"

namespace sinew {
namespace {

enum class Repeat { as_it_is, clamped, cyclic };

In<Chart> chart;
In<float> stretch, shift;
In<bool> backwards;
In<Repeat> extension;
Out<Chart> out;

void declare(Declaration& d) {
  d.id("chart.retime", 1).label("Retime").category("Chart");
  d.doc("Stretches a chart, shifts it, turns it round, or lets it repeat.");
  d.in(chart, "chart", identity_chart()).doc("The chart to change.");
  d.in(stretch, "stretch", 1).range(1e-4, 1e4).doc("How many times as long it becomes.");
  d.in(shift, "shift", 0).range(-1e6, 1e6).doc("How much later it starts, in the unit of x.");
  d.in(backwards, "backwards", false).doc("Runs from its end to its start.");
  d.in(extension, "extension", Repeat::as_it_is)
      .choices({"as_it_is", "clamped", "cyclic"})
      .doc("clamped: holds its first and last value; cyclic: repeats.");
  d.out(out, "chart").doc("The chart with its new x.");
}

void exec(Exec& e) {
  Chart result = e.get(backwards) ? kernels::mirror_x(e.get(chart)) : e.get(chart);
  result = kernels::scale_x(result, e.get(stretch), e.get(shift));
  if (e.get(extension) == Repeat::clamped) result.extension = Extension::clamped;
  if (e.get(extension) == Repeat::cyclic) result.extension = Extension::cyclic;
  // A clamped chart may carry a period that was never asked for.
  if (result.extension == Extension::clamped) result.period = 0;
  if (result.period < result.last_x() - result.first_x()) result.period = 0;
  if (validate(result)) {
    return e.error("the points are too close together to be moved so far; use a smaller shift");
  }
  e.set(out, std::move(result));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(chart_retime, declare, exec)
