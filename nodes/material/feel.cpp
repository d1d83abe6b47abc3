// A material for a simulation: the numbers that it means there.
#include <algorithm>
#include <cmath>

#include "nodes/kernels/material_feel.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<Material> material;
In<float> strain, speed;
Out<float> frequency, damping, decay, times;
Out<int> passes;

// What simulations take: Hz, and a part of what does not swing any more.
constexpr double slowest = 0.1, fastest = 100, most_damped = 2;
// A body of shape matching that swings once a second is held together by about so many passes.
constexpr double passes_per_hertz = 1.5;
// Bodies of modes are as stiff as something that swings so often, unless told.
constexpr double usual_frequency = 2;

void declare(Declaration& d) {
  d.id("material.feel", 1).label("Feel of a Material").category("Material");
  d.doc(
      "What a material means for a simulated body: how fast it swings and how soon that dies. Link "
      "the outputs to its stiffness and damping.");
  d.in(material, "material").doc("The substance.");
  d.in(strain, "strain", 0.0f)
      .range(0, 1e6)
      .doc(
          "How far it is strained: curves are steeper in one place than in another. 0: half way to "
          "its elastic limit.");
  d.in(speed, "speed", 1.0f)
      .range(0.001, 1000)
      .doc("How many times as fast it swings: large things of the same stuff are slow.");
  d.out(frequency, "frequency").doc("How often it swings in a second, 0.1 to 100.");
  d.out(damping, "damping").doc("0: it swings for ever, 1: not at all, up to 2.");
  d.out(decay, "decay").doc("How fast jiggling dies down, 1/s.");
  d.out(passes, "passes").doc("The stiffness of shape matching, 1 to 200.");
  d.out(times, "times").doc("How many times as stiff as something that swings twice a second.");
}

void exec(Exec& e) {
  const kernels::MaterialFeel feel =
      kernels::feel_of(e.get(material), static_cast<double>(e.get(strain)));
  const double f = std::clamp(feel.frequency * static_cast<double>(e.get(speed)), slowest, fastest);
  e.set(frequency, static_cast<float>(f));
  e.set(damping, static_cast<float>(std::min(feel.damping, most_damped)));
  // The speed of an oscillator fades twice as fast as the width of its swing.
  e.set(decay, static_cast<float>(std::min(
                   2 / std::max(feel.fade / static_cast<double>(e.get(speed)), 2e-3), 1000.0)));
  e.set(passes, static_cast<int>(std::clamp(std::round(passes_per_hertz * f), 1.0, 200.0)));
  e.set(times, static_cast<float>((f / usual_frequency) * (f / usual_frequency)));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(material_feel, declare, exec)
