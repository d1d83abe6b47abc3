// What a chart says at one place.
#include <cmath>

#include "nodes/geometry/chart_ahead.h"
#include "nodes/node.h"

namespace sinew {
namespace {

constexpr double float_error = 0x1p-22;  // of a sum of a few floats, as a part of it

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
  const Chart way_taken = e.get(way) == Way::back ? whole.way_back() : whole;
  const ChartPieces pieces(way_taken);
  const double at = double{e.get(x)};
  // A time as a float is a little before or after that of its frame.
  const double largest =
      std::max({std::abs(at), std::abs(whole.first_x()), std::abs(whole.last_x())});
  const double ahead = float_error * largest;
  e.set(y, to_float(evaluate_ahead(way_taken, pieces, at, ahead)));
  e.set(slope, to_float(tangent_ahead(way_taken, pieces, at, ahead)));
  e.set(area, to_float(pieces.integral(e.get(from), at)));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(chart_sample, declare, exec)
