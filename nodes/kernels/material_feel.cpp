#include "nodes/kernels/material_feel.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "nodes/kernels/restoration.h"

namespace sinew::kernels {

namespace {

// When the energy that is left has fallen to e^-2, as a part of the restoration. Damping graphs go
// from 1 to 0 but need not fall all the way: the first moment counts.
double fading_part(const Chart& damping) {
  constexpr int steps = 2000;
  const double last = std::exp(-2.0);
  const double first_x = damping.first_x(), range = damping.last_x() - first_x;
  double before = damping.evaluate(first_x);
  for (int i = 1; i <= steps; ++i) {
    const double now = damping.evaluate(first_x + range * i / steps);
    if (now <= last) {
      const double within = before > now ? (before - last) / (before - now) : 0;
      return (i - 1 + within) / steps;
    }
    before = now;
  }
  return 1;
}

}  // namespace

MaterialFeel feel_of(const Material& material, double strain) {
  if (!(strain > 0)) strain = 0.5 * material.elastic_limit();
  if (!(strain > 0)) strain = 1e-3;  // nothing goes back: any strain is beyond the limit
  const Restoration swing(material, strain);
  MaterialFeel feel;
  feel.frequency = swing.angular_speed() / (2 * std::numbers::pi);
  feel.fade = material.restoration * fading_part(material.damping);
  feel.damping = feel.frequency > 0 && feel.fade > 0
                     ? 1 / (2 * std::numbers::pi * feel.frequency * feel.fade)
                     : std::numeric_limits<double>::infinity();
  return feel;
}

}  // namespace sinew::kernels
