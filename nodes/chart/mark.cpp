// A named place on a chart.
#include "nodes/node.h"

namespace sinew {
namespace {

In<Chart> chart;
In<std::string> name;
In<float> x;
Out<Chart> out;
Out<float> y;

void declare(Declaration& d) {
  d.id("chart.mark", 1).label("Mark").category("Chart");
  d.doc("Gives a place on a chart a name, or moves the one that has it.");
  d.in(chart, "chart", identity_chart()).doc("The chart to mark.");
  d.in(name, "name", std::string("mark")).doc("What the place is called.");
  d.in(x, "x", 0).range(-1e9, 1e9).doc("Where it is.");
  d.out(out, "chart").doc("The chart with the mark.");
  d.out(y, "y").doc("The value there.");
}

void exec(Exec& e) {
  Chart marked = e.get(chart);
  marked.set_mark(e.get(name), e.get(x));
  if (const auto wrong = validate(marked)) return e.error("{}", *wrong);
  e.set(y, to_float(marked.evaluate(e.get(x))));
  e.set(out, std::move(marked));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(chart_mark, declare, exec)
