// What a body does over and over: charts along directions, with an amplitude and a delay for each
// vertex. [Ijiri09, sections 4.2 and 4.3]
#include <algorithm>

#include "nodes/procdef/pattern.h"

namespace sinew {
namespace {

In<Mesh> body;
In<Frames> frames;
ChartInputs charts;
TravelInputs travel;
In<float> delay;
ActivationOutputs outputs;

void declare(Declaration& d) {
  d.id("procdef.activation", 1).label("Activation").category("ProcDef").uses_frame();
  d.doc("Lets the tissue of a body stretch and contract by itself, again and again.");
  d.in(body, "body").accepts<TetMesh>().doc("The solid or mesh that moves.");
  d.in(frames, "frames")
      .optional()
      .doc("The three directions at each vertex; without them the axes x, y, z.");
  charts.declare(
      d, kernels::make_named_curve(kernels::NamedCurve::contraction_wave, {.ratio = 1.5}),
      "Its cycle, or else its range, becomes one period; a clamped chart whose ends differ jumps "
      "there.",
      CurveClock{.period = "period", .delay = "delay"});
  travel.declare(d, "1: as the charts say; 0: nothing; -1: expands where the charts contract.");
  d.in(delay, "delay", 0.0f).range(-1e3, 1e3).unit("s").doc("How much later all of it happens.");
  outputs.declare(d, body);
}

struct Prepared {
  ActivationPattern pattern;
  std::size_t bytes() const {
    return sizeof *this + bytes_of(pattern.amplitude).size() + bytes_of(pattern.phase).size();
  }
};

Prepared prepare(const Exec& e) {
  Prepared made;
  made.pattern.charts = charts.compile(e);
  travel.read(e, made.pattern);
  made.pattern.period = charts.period_of(e, travel.period);
  return made;
}

void exec(Exec& e) {
  Activation made;
  made.count = vertices_of(e, body).size();
  made.time = e.seconds() - static_cast<double>(e.get(delay));
  if (!read_frames(e, frames, made.count, made.frames)) return;
  if (!travel.fits(e, made.count)) return;
  // One for all frames of an animation.
  const auto prepared = e.prepared<Prepared>(
      "activation pattern", [&] { return prepare(e); }, charts.primary, charts.secondary,
      charts.tertiary, charts.volume, charts.limit, travel.amplitude, travel.phase, travel.speed,
      travel.period);
  made.pattern = std::shared_ptr<const ActivationPattern>(prepared, &prepared->pattern);
  outputs.set(e, std::move(made));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(procdef_activation, declare, exec)
