// What a chart says at one place.
#include "nodes/node.h"

namespace sinew {
namespace {

enum class Way { there, back };

In<Chart> chart;
In<float> x, from;
In<Way> way;
Out<float> y, slope, area;

void declare(Declaration& d) {
  d.id("chart.sample", 1).label("Sample Chart").category("Chart");
  d.doc("Reads a chart at one place: link the time to x to play it.");
  d.in(chart, "chart", identity_chart()).doc("The chart to read.");
  d.in(x, "x", 0).range(-1e9, 1e9).doc("Where to read it.");
  d.in(from, "from", 0).range(-1e9, 1e9).doc("Where the area begins.");
  d.in(way, "way", Way::there)
      .choices({"there", "back"})
      .doc("Of a loop: the way there or the way back.");
  d.out(y, "y").doc("The value there.");
  d.out(slope, "slope").doc("How steep it is there.");
  d.out(area, "area").doc("The area below it between 'from' and x.");
}

void exec(Exec& e) {
  const Chart& whole = e.get(chart);
  const ChartPieces pieces(e.get(way) == Way::back ? whole.way_back() : whole);
  e.set(y, to_float(pieces.evaluate(e.get(x))));
  e.set(slope, to_float(pieces.tangent(e.get(x))));
  e.set(area, to_float(pieces.integral(e.get(from), e.get(x))));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(chart_sample, declare, exec)
