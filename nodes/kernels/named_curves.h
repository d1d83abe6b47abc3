// Curves to start from, each drawn with few points so that it can be changed by hand.
//
// Motions and shapes go from 0 to `height`. Deformations are ratios (see ValueAxis): they are drawn
// as exponents from -1 (contract) to 1 (expand) of `ratio`, so that the values go from 1 / ratio to
// ratio [Ijiri09, 4.2]. Those of materials are the graphs of [Hurmusiadis]: stress over strain
// with its limits as marks (6.20), spatial damping (5.17), energy damping (6.10), strain rate
// gradient (7.6), creep (7.7), relaxation (7.9), hysteresis (7.12), momentum (8.10).
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "nodes/geometry/chart.h"

namespace sinew::kernels {

enum class NamedCurve : uint8_t {
  // Shapes, from 0 to 1.
  identity,
  ease_in,
  ease_out,
  ease_in_out,
  overshoot,
  bounce,
  step,
  pulse,
  sawtooth,
  // Deformations.
  contraction_wave,
  heartbeat,
  jellyfish_stroke,
  peristalsis,
  breathing,
  crawl,
  wing_beat,
  twitch,
  // Stress over strain.
  soft_tissue,
  rubber,
  plastic,
  clay,
  brittle,
  hysteresis,
  // Damping and time.
  strain_damping,
  strain_rate_gradient,
  energy_damping_linear,
  energy_damping_exponential,
  energy_damping_late,
  creep,
  relaxation,
  momentum,
};
inline constexpr int named_curve_count = static_cast<int>(NamedCurve::momentum) + 1;

// As it is saved: "ease_in_out".
std::string_view name_of(NamedCurve curve);
// What it is for, in one sentence; and the family that it belongs to, for menus.
std::string_view about(NamedCurve curve);
std::string_view family_of(NamedCurve curve);

struct CurveOptions {
  double width = 1;             // of the curve, or of one cycle, in x; > 0
  double height = 1;            // of all that is no deformation
  double ratio = 2;             // of deformations: the largest stretch, > 1
  std::string time_unit = "s";  // of those over time
};

// std::invalid_argument for a width that is not positive or a ratio that is not above 1.
Chart make_named_curve(NamedCurve curve, const CurveOptions& options);

}  // namespace sinew::kernels
