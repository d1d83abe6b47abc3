// Where a material stops springing back, and where it breaks.
#include "nodes/node.h"

namespace sinew {
namespace {

In<Chart> chart;
In<float> elastic, fracture;
Out<Chart> out;
Out<float> stiffness;

void declare(Declaration& d) {
  d.id("chart.limits", 1).label("Material Limits").category("Chart");
  d.doc("Marks on a stress/strain chart where a body no longer springs back and where it breaks.");
  d.in(chart, "chart", identity_chart()).doc("Stress (y) over strain (x).");
  d.in(elastic, "elastic", 1).range(0, 1e6).doc("Up to this strain it springs back completely.");
  d.in(fracture, "fracture", 10).range(0, 1e6).doc("From this strain on it is broken.");
  d.out(out, "chart").doc("The chart with the marks 'elastic' and 'fracture'.");
  d.out(stiffness, "stiffness").doc("Stress over strain at the elastic limit.");
}

void exec(Exec& e) {
  const double limit = e.get(elastic);
  if (limit > e.get(fracture)) {
    return e.error("the elastic limit {} is beyond the fracture limit {}; exchange them", limit,
                   e.get(fracture));
  }
  Chart marked = e.get(chart);
  marked.set_mark(elastic_mark, limit);
  marked.set_mark(fracture_mark, e.get(fracture));
  const ChartPieces pieces(marked);
  const double s = limit > 0 ? pieces.evaluate(limit) / limit : pieces.tangent(0);
  e.set(stiffness, to_float(s));
  e.set(out, std::move(marked));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(chart_limits, declare, exec)
