// What the nodes of ProcDef share: the charts of the three directions, and the outputs.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "nodes/kernels/activation.h"
#include "nodes/kernels/named_curves.h"
#include "nodes/node.h"

namespace sinew {

struct ChartInputs {
  In<Chart> primary, secondary, tertiary;
  In<kernels::ChartLink> volume;
  In<float> limit;

  // `clock`: what x is, if it is time.
  void declare(Declaration& d, Chart standard, const std::string& about_the_ends,
               std::optional<CurveClock> clock = std::nullopt) {
    const auto stretch = [&](InputWords words) {
      if (clock) words.over_time(*clock);
      return words.plot("stretch");
    };
    stretch(d.in(primary, "primary", std::move(standard)))
        .doc("Stretching along the primary direction; every value above 0, 1 is at rest. " +
             about_the_ends);
    stretch(d.in(secondary, "secondary", Chart::constant(1)))
        .in_effect([this](std::span<const Value> inputs) { return linked(inputs, 1); })
        .doc("Stretching along the secondary direction, if the volume is as drawn.");
    stretch(d.in(tertiary, "tertiary", Chart::constant(1)))
        .in_effect([this](std::span<const Value> inputs) { return linked(inputs, 2); })
        .doc("Stretching along the tertiary direction, if the volume is as drawn.");
    d.in(volume, "volume", kernels::ChartLink::keep_both)
        .choices({"as_drawn", "keep_both", "keep_secondary"})
        .doc(
            "as_drawn: three charts; keep_both: the other two directions share what the first "
            "takes; keep_secondary: the second takes it all.");
    d.in(limit, "limit", 4.0f)
        .range(1.01, 20)
        .doc("No direction is ever longer than this many times its length, or shorter by as much.");
  }

  // Throws std::invalid_argument, which names the chart.
  DeformationCharts compile(const Exec& e) const {
    return kernels::compile_charts(e.get(primary), e.get(secondary), e.get(tertiary), e.get(volume),
                                   static_cast<double>(e.get(limit)));
  }

  // A period that is a float makes steps late; smooth charts keep the bits that they have with it.
  double period_of(const Exec& e, const In<float>& period) const {
    const bool as_drawn = e.get(volume) == kernels::ChartLink::drawn;
    const auto steps = [&](const In<Chart>& in) {
      return e.get(in).interpolation == Interpolation::stepped;
    };
    const bool any = steps(primary) || (as_drawn && (steps(secondary) || steps(tertiary)));
    return any ? shortest_decimal(e.get(period)) : double{e.get(period)};
  }

  // The chart that follows from the first one; empty if this direction is as drawn, or if it is
  // not known from what.
  Value linked(std::span<const Value> inputs, int direction) const {
    const Value& first = inputs[static_cast<std::size_t>(primary.index)];
    const Value& link = inputs[static_cast<std::size_t>(volume.index)];
    const Value& most = inputs[static_cast<std::size_t>(limit.index)];
    if (!first || !link || !most) return {};
    const auto kind = static_cast<kernels::ChartLink>(link.as<Choice>().index);
    std::optional<Chart> chart = kernels::linked_chart(
        first.as<Chart>(), kind, static_cast<double>(most.as<float>()), direction);
    return chart ? Value::of(std::move(*chart)) : Value();
  }
};

// The values of a field, kept within bounds: per vertex the graph only warns of what is beyond.
inline std::vector<float> within(const Field& field, float low, float high) {
  const std::span<const float> values = field.values();
  std::vector<float> result(values.begin(), values.end());
  for (float& v : result) v = std::clamp(v, low, high);
  return result;
}

// How a movement travels through a body: who takes part, how late, how fast.
struct TravelInputs {
  In<Field> amplitude, phase;
  In<float> speed, period;

  void declare(Declaration& d, const std::string& about_the_amplitude) {
    d.in(amplitude, "amplitude", Field::constant(1)).range(-1, 1).doc(about_the_amplitude);
    d.in(phase, "phase", Field::constant(0))
        .range(0, 1)
        .doc("0: where the movement starts; 1: where it arrives last.");
    d.in(speed, "speed", 1.0f)
        .range(0.01, 100)
        .unit("1/s")
        .doc("How fast the movement travels: phases a second.");
    d.in(period, "period", 1.0f).range(0.02, 1000).unit("s").doc("How long one round takes.");
  }
  // Whether both fields are for a body of so many vertices; says which is not.
  bool fits(Exec& e, std::size_t count) const {
    return fits_vertices(e, "amplitude", e.get(amplitude), count) &&
           fits_vertices(e, "phase", e.get(phase), count);
  }
  // Into anything that has these four: the pattern of an activation, the settings of a search.
  template <class Pattern>
  void read(const Exec& e, Pattern& into) const {
    into.amplitude = within(e.get(amplitude), -1, 1);
    into.phase = within(e.get(phase), 0, 1);
    into.speed = static_cast<double>(e.get(speed));
    into.period = static_cast<double>(e.get(period));
  }
};

// Frames as an activation holds them: the input itself, not a copy. Null if there are none; false
// after an error.
inline bool read_frames(Exec& e, const In<Frames>& in, std::size_t count,
                        std::shared_ptr<const Frames>& out) {
  if (!e.has(in)) return true;
  const Frames& frames = e.get(in);
  if (frames.size() != count) {
    e.error("'frames' has directions for {} vertices, but the body has {}; make them on this body",
            frames.size(), count);
    return false;
  }
  out = std::shared_ptr<const Frames>(e.value(in.index).shared(), &frames);
  return true;
}

struct ActivationOutputs {
  Out<Activation> activation;
  Out<Field> signal;

  void declare(Declaration& d, const In<Mesh>& body) {
    d.out(activation, "activation").on(body).doc("What each vertex does, now and at any time.");
    d.out(signal, "signal")
        .on(body)
        .doc("Change of length along the primary direction: contraction below 0.");
  }

  void set(Exec& e, Activation made) const {
    kernels::ActivationScratch scratch;
    std::vector<float> strain(made.count);
    kernels::activation_signal(made, 0, {}, scratch, strain);
    e.set(signal, Field(Domain::vertex, std::move(strain), {.kind = FieldKind::strain}));
    e.set(activation, std::move(made));
  }
};

}  // namespace sinew
