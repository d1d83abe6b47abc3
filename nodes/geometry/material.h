// The stuff that a VOO's surroundings are made of, as curves and a few numbers [Hurmusiadis,
// chapters 6 and 7]. All of it is drawn: no constant here is one of physics.
//
// Restoration (chapter 6). `stress` is stress over strain; only its shape counts, and what one unit
// of stress over one unit of strain is as an elasticity coefficient says `stiffness`:
//   s = stiffness d(stress)/d(strain),   omega0 = sqrt(s / mass) radians a second.
// Its marks are the elastic limit e_e, up to which all strain goes back, and the fracture limit
// e_f, from which on none does. Its way back, if it has one, is the unloading branch of a
// hysteresis loop (section 7.4). `damping` is the part of the energy that is left, from 1 to 0,
// over the time that a restoration takes; `damped` says of which energy (6.22, 6.24, 6.26).
//
// Strain creep (section 7.2). `gradient` is the viscous strain rate gradient over the distance
// delta, 0 at the centre of a field and 1 at its edge; `creep` says how far the viscous behaviour
// has become plastic. Stress relaxation (section 7.3): `relaxation` is the part of the stress that
// is left, counted from when the stress began.
//
// Charts over time are drawn over any range: from the first point to the last they last as long as
// their duration says, and hold their last value from then on.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "nodes/geometry/chart.h"

namespace sinew {

// What a damping graph is a part of.
enum class DampedEnergy : uint8_t { total, elastic, kinetic };

struct Material {
  Chart stress = standard_stress();
  Chart damping = standard_damping();  // zeta, from 1 to 0
  DampedEnergy damped = DampedEnergy::total;
  double mass = 50;
  double stiffness = 50;
  double restoration = 1;  // tmax - t0, seconds

  Chart gradient = Chart::constant(0);  // 0 to 1 over delta from 0 to 1
  double viscosity = 1;                 // nu; 0: plastic
  Chart creep = standard_creep();       // 0 to 1
  double creep_duration = 1;            // seconds
  double creep_coefficient = 1;         // mu; 0: viscous, without creep

  Chart relaxation = Chart::constant(1);  // 1 to 0
  double relaxation_duration = 1;         // seconds

  std::string source;  // where the curves were measured, or that they were drawn by eye

  // e_e and e_f: the marks of the stress chart, or 1 and 10 where there are none.
  double elastic_limit() const;
  double fracture_limit() const;

  // Straight up to the elastic limit at 1, then a long flow to the fracture limit at 10.
  static Chart standard_stress();
  // (1 - t)^2: the swing that is left fades evenly.
  static Chart standard_damping();
  // Quickly at first, then ever more slowly.
  static Chart standard_creep();

  bool operator==(const Material&) const = default;
};

// What the ranges of the numbers are: wide enough for any unit, and far from overflow.
inline constexpr double least_mass = 1e-9, greatest_mass = 1e12;
inline constexpr double greatest_stiffness = 1e12;
inline constexpr double shortest_duration = 1e-4, longest_duration = 1e9;  // seconds
inline constexpr double greatest_viscosity = 1e3;
inline constexpr std::size_t longest_source = 2000;  // characters

// The first thing that is wrong, or nothing: a chart that is unsound, repeats or has ratios; a
// stress that begins above strain 0; limits the wrong way round; a damping not from 1 to 0; a
// gradient, creep or relaxation outside of 0 to 1; a number outside of the ranges above.
std::optional<std::string> validate(const Material& material);

std::size_t byte_size(const Material& material);

template <class Hash>
void visit_content(const Material& material, Hash&& hash) {
  for (const Chart* chart : {&material.stress, &material.damping, &material.gradient,
                             &material.creep, &material.relaxation}) {
    visit_content(*chart, hash);
  }
  hash(bytes_of(std::array{static_cast<uint64_t>(material.damped),
                           static_cast<uint64_t>(material.source.size())}));
  hash(bytes_of(std::array{material.mass, material.stiffness, material.restoration,
                           material.viscosity, material.creep_duration, material.creep_coefficient,
                           material.relaxation_duration}));
  hash(bytes_of(material.source));
}

}  // namespace sinew
