// A wave that repeats.
#include "nodes/kernels/chart_ops.h"
#include "nodes/node.h"

namespace sinew {
namespace {

enum class Unit { seconds, frames, none };
constexpr const char* unit_names[] = {"s", "frames", ""};

In<kernels::WaveShape> shape;
In<float> period, amplitude, offset, phase, duty;
In<int> points;
In<Unit> unit;
Out<Chart> out;

void declare(Declaration& d) {
  d.id("chart.wave", 1).label("Wave").category("Chart").doc("A curve that repeats for ever.");
  d.in(shape, "shape", kernels::WaveShape::sine)
      .choices({"sine", "triangle", "square", "saw", "bell", "pulse"})
      .doc("bell and pulse rise from 0; the others go from -1 to 1.");
  d.in(period, "period", 1).range(1e-3, 1e6).doc("How long one wave is, in the unit of x.");
  d.in(amplitude, "amplitude", 1).range(-1e6, 1e6).doc("How high it goes.");
  d.in(offset, "offset", 0).range(-1e6, 1e6).doc("Added to every value.");
  d.in(phase, "phase", 0).range(-1e3, 1e3).doc("Where the wave begins, in periods.");
  d.in(duty, "duty", 0.5f)
      .range(0.001, 0.999)
      .doc("square, pulse: the part of the period that is up; bell: how wide it is.");
  d.in(points, "points", 16).range(4, 1024).doc("sine, bell: points in one period.");
  d.in(unit, "unit", Unit::seconds).choices({"s", "frames", "none"}).doc("What x counts.");
  d.out(out, "chart").doc("One period, cyclic.");
}

void exec(Exec& e) {
  Chart wave = kernels::make_wave({.shape = e.get(shape),
                                   .period = e.get(period),
                                   .amplitude = e.get(amplitude),
                                   .offset = e.get(offset),
                                   .phase = e.get(phase),
                                   .duty = e.get(duty),
                                   .points = e.get(points)});
  wave.x_unit = unit_names[static_cast<int>(e.get(unit))];
  e.set(out, std::move(wave));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(chart_wave, declare, exec)
