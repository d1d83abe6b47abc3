// A curve to start from, by its name.
#include "nodes/kernels/named_curves.h"
#include "nodes/node.h"

namespace sinew {
namespace {

enum class Unit { seconds, frames, none };
constexpr const char* unit_names[] = {"s", "frames", ""};

In<kernels::NamedCurve> curve;
In<float> width, height, ratio;
In<Unit> unit;
Out<Chart> out;

std::vector<std::string> curve_names() {
  std::vector<std::string> names;
  for (int i = 0; i < kernels::named_curve_count; ++i) {
    names.emplace_back(kernels::name_of(static_cast<kernels::NamedCurve>(i)));
  }
  return names;
}

void declare(Declaration& d) {
  d.id("chart.curve", 1).label("Named Curve").category("Chart");
  d.doc("A ready-made curve: eases, heartbeat, jellyfish stroke, materials, damping and more.");
  d.in(curve, "curve", kernels::NamedCurve::ease_in_out)
      .choices(curve_names())
      .doc(
          "contraction_wave to twitch stretch and squeeze, soft_tissue to hysteresis are stress "
          "over "
          "strain, the others go between 0 and the height.");
  d.in(width, "width", 1)
      .range(1e-3, 1e6)
      .doc("How long the curve or one cycle is, or the largest strain.");
  d.in(height, "height", 1).range(-1e6, 1e6).doc("How high it goes, unless it stretches.");
  d.in(ratio, "ratio", 1.5f)
      .range(1.001, 100)
      .doc("Curves that stretch: from 1/ratio of the length to ratio times the length.");
  d.in(unit, "unit", Unit::seconds)
      .choices({"s", "frames", "none"})
      .doc("What x counts, for curves over time.");
  d.out(out, "chart").doc("The curve.");
}

void exec(Exec& e) {
  e.set(out, kernels::make_named_curve(e.get(curve),
                                       {.width = e.get(width),
                                        .height = e.get(height),
                                        .ratio = e.get(ratio),
                                        .time_unit = unit_names[static_cast<int>(e.get(unit))]}));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(chart_curve, declare, exec)
