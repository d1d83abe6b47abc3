// Three deformation charts that keep the volume.
#include "nodes/kernels/chart_ops.h"
#include "nodes/kernels/named_curves.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<Chart> primary;
In<kernels::VolumeMode> mode;
Out<Chart> first, second, third;

void declare(Declaration& d) {
  d.id("chart.volume_preserving", 1).label("Keep Volume").category("Chart");
  d.doc("Makes the charts for the other two directions, so that the volume stays the same.");
  d.in(primary, "primary",
       kernels::make_named_curve(kernels::NamedCurve::contraction_wave, {.ratio = 1.5}))
      .doc("Stretching along the first direction; every value above 0.");
  d.in(mode, "mode", kernels::VolumeMode::both)
      .choices({"both", "secondary"})
      .doc("both: the two others share what the first takes; secondary: the second takes it all.");
  d.out(first, "primary").doc("The first chart, as ratios.");
  d.out(second, "secondary").doc("Stretching along the second direction.");
  d.out(third, "tertiary").doc("Stretching along the third direction.");
}

void exec(Exec& e) {
  kernels::VolumeCharts charts = kernels::volume_preserving(e.get(primary), e.get(mode));
  e.set(first, std::move(charts.primary));
  e.set(second, std::move(charts.secondary));
  e.set(third, std::move(charts.tertiary));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(chart_volume_preserving, declare, exec)
