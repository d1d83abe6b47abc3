#include "nodes/kernels/named_materials.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "nodes/kernels/chart_ops.h"
#include "nodes/kernels/named_curves.h"

namespace sinew::kernels {

namespace {

using Points = std::vector<ChartPoint>;

Chart stress_chart(Points points, double elastic, double fracture, const char* unit) {
  Chart chart;
  chart.points = std::move(points);
  chart.set_mark(elastic_mark, elastic);
  chart.set_mark(fracture_mark, fracture);
  chart.x_unit = "strain";
  chart.y_unit = unit;
  return chart;
}

Chart time_chart(Points points) {
  Chart chart;
  chart.points = std::move(points);
  chart.x_unit = "s";
  return chart;
}

// A way back that is lower by a part of the stress that fades towards the top: `part` at the
// bottom.
void add_loop(Chart& stress, double part) {
  const double top = stress.last_x();
  for (const ChartPoint& p : stress.points) {
    stress.back.push_back({p.x, p.y * (1 - part * (1 - p.x / top))});
  }
}

// A stiffness for which a swing from the elastic limit takes so many seconds, where the chart is
// straight.
void swing_in(Material& material, double seconds) {
  const double limit = material.elastic_limit();
  const double omega = 2 * std::numbers::pi / seconds;
  const double slope = material.stress.evaluate(limit) / limit;
  material.stiffness = material.mass * omega * omega / slope;
}

Material deer_ligament() {
  Material m;
  m.stress = stress_chart({{0, 0},
                           {0.1, 0.06},
                           {0.2, 0.13},
                           {0.3, 0.22},
                           {0.4, 0.37},
                           {0.5, 0.6},
                           {0.6, 0.95},
                           {0.7, 1.5}},
                          0.6, 0.7, "MPa");
  m.restoration = 2;
  swing_in(m, 0.8);
  m.source =
      "Neck ligament of a deer, Dimery et al. 1985, as in figure 3.13 of the thesis. Measured: "
      "stresses up to 1.5 MPa. The strain axis is not readable there: strains, limits and times "
      "are drawn by eye.";
  return m;
}

Material kangaroo_tendon() {
  Material m;
  m.stress = stress_chart({{0, 0},
                           {0.005, 1.5},
                           {0.01, 4.5},
                           {0.015, 9},
                           {0.02, 14.9},
                           {0.025, 21.6},
                           {0.03, 28.7},
                           {0.0375, 40},
                           {0.0575, 70},
                           {0.0775, 100}},
                          0.07, 0.0775, "MPa");
  add_loop(m.stress, 0.21);
  m.restoration = 1.2;
  swing_in(m, 0.3);
  m.source =
      "Leg tendon of a kangaroo, Ker et al. 1986, as in figure 3.16 of the thesis, with the "
      "figures "
      "of Bennett et al. 1986 for tendons of mammals. Measured: the slope rises to 1.5 GPa above "
      "30 MPa, a round of the loop loses 6 to 11 %, strength of at least 100 MPa. The shape below "
      "30 MPa and of the loop, and times are drawn by eye.";
  return m;
}

Material anemone_mesogloea() {
  Material m;
  m.stress = stress_chart({{0, 0}, {0.5, 4}, {1, 8.5}, {1.5, 14}, {2, 20}, {3, 33}}, 2, 3, "kPa");
  constexpr double hours = 3600;
  Points creep;
  for (const double t : {0.0, 100.0, 300.0, 1e3, 2e3, 3.5e3, 7e3, 1.4e4, 2.5e4, 14 * hours}) {
    creep.push_back({t, 0.1 + 0.9 * (1 - std::exp(-t / 3500))});
  }
  creep.back().y = 1;
  m.creep = time_chart(std::move(creep));
  m.creep_duration = 14 * hours;
  m.gradient = make_named_curve(NamedCurve::strain_rate_gradient, {});
  m.relaxation = time_chart(
      {{0, 1}, {1, 0.85}, {10, 0.65}, {100, 0.45}, {1e3, 0.25}, {1e4, 0.08}, {14 * hours, 0.01}});
  m.relaxation_duration = 14 * hours;
  m.restoration = 14 * hours;
  swing_in(m, 4 * m.restoration);
  m.source =
      "Body wall of the sea anemone Metridium. Measured: strain under a constant load grows from "
      "0.2 to 2 as one Voigt element with a retardation time of about 3500 s, over 12 to 15 hours, "
      "and goes back as slowly (Alexander 1962, Gosline 1971; figure 3.14 of the thesis after "
      "Koehl "
      "1977). Stress axis of figure 3.15 (Gosline 1971): 20 kPa falling to 0.2 kPa. The "
      "relaxation in between and the stress curve are drawn by eye.";
  return m;
}

Material human_skin() {
  Material m;
  m.stress = stress_chart(
      {{0, 0}, {0.2, 0.2}, {0.35, 0.6}, {0.5, 1.6}, {0.6, 3}, {0.7, 5.2}, {0.78, 7.2}, {0.85, 8}},
      0.6, 0.85, "MPa");
  add_loop(m.stress, 0.4);
  m.relaxation = make_named_curve(NamedCurve::relaxation, {});
  m.relaxation_duration = 20;
  m.gradient = make_named_curve(NamedCurve::strain_rate_gradient, {.height = 0.4});
  m.creep_duration = 0.4;
  m.restoration = 1.2;
  swing_in(m, 1.6);
  m.source =
      "Human skin: the shape of figure 3.17 of the thesis after Yamada 1970, whose axes are not "
      "readable there; all figures are drawn by eye.";
  return m;
}

Material human_bone() {
  Material m;
  m.stress = stress_chart({{0, 0},
                           {0.002, 30},
                           {0.004, 60},
                           {0.006, 88},
                           {0.0075, 101},
                           {0.01, 111},
                           {0.0125, 117},
                           {0.015, 120}},
                          0.006, 0.015, "MPa");
  m.restoration = 0.4;
  swing_in(m, 0.12);
  m.source =
      "Human compact bone: handbook figures (modulus 10 to 15 GPa, strength 100 to 150 MPa, "
      "elongation 1 to 3 %), joined by eye in the shape of figure 3.17 of the thesis after Yamada "
      "1970. Times by eye.";
  return m;
}

Material mild_steel() {
  Material m;
  m.stress = stress_chart({{0, 0},
                           {0.00125, 250},
                           {0.015, 252},
                           {0.04, 310},
                           {0.08, 360},
                           {0.14, 392},
                           {0.2, 400},
                           {0.28, 380},
                           {0.33, 330}},
                          0.00125, 0.33, "MPa");
  m.stress.interpolation = Interpolation::linear;
  m.restoration = 0.5;
  swing_in(m, 0.1);
  m.source =
      "Mild steel: textbook figures (modulus 200 GPa, yield 250 MPa, strength 400 MPa at a strain "
      "of 0.2), joined by eye. Times by eye.";
  return m;
}

Material rubber() {
  Material m;
  // Stretch and kg/cm^2, as tabulated.
  constexpr double measured[][2] = {
      {1, 0},       {1.125, 1.37}, {1.24, 2.3},  {1.39, 3.23}, {1.585, 4.16}, {1.9, 5.1},
      {2.42, 6.9},  {3.02, 8.8},   {3.57, 10.7}, {4.03, 12.5}, {4.76, 16.2},  {5.36, 19.9},
      {5.75, 23.6}, {6.15, 27.4},  {6.4, 31},    {6.6, 34.8},  {6.85, 38.5},  {7.05, 42.1},
      {7.25, 49.6}, {7.4, 53.3},   {7.6, 64.4}};
  Points points;
  for (const auto& [stretch, stress] : measured)
    points.push_back({stretch - 1, stress * 0.0980665});
  m.stress = stress_chart(std::move(points), 6, 6.6, "MPa");
  m.damped = DampedEnergy::elastic;
  m.restoration = 2.5;
  swing_in(m, 0.7);
  m.source =
      "Vulcanised rubber in simple tension, Treloar 1944: stress over strain as measured, up to "
      "6.3 MPa at a strain of 6.6. Limits and times by eye.";
  return m;
}

Material putty() {
  Material m;
  m.stress = stress_chart({{0, 0}, {0.02, 0.5}, {0.05, 0.75}, {0.2, 0.9}, {1, 0.98}, {4, 1}}, 0.02,
                          4, "stress");
  m.gradient = make_named_curve(NamedCurve::strain_rate_gradient, {.height = 0.6});
  m.creep_duration = 2;
  m.restoration = 0.3;
  swing_in(m, 1.2);
  m.source = "Putty: drawn by eye. It yields at once and keeps what is done to it.";
  return m;
}

Material jelly() {
  Material m;
  m.stress =
      stress_chart({{0, 0}, {0.3, 0.28}, {0.6, 0.6}, {0.9, 1}, {1.2, 1.3}}, 0.9, 1.2, "stress");
  m.gradient = make_named_curve(NamedCurve::strain_rate_gradient, {.height = 0.3});
  m.creep_duration = 0.3;
  m.restoration = 3;
  swing_in(m, 0.45);
  m.source = "Jelly: drawn by eye. It wobbles for long and goes back completely.";
  return m;
}

// What flows has no stress that would bring it back.
Material fluid(double height, double mu, double creep_seconds) {
  Material m;
  m.stress = stress_chart({{0, 0}, {1, 0}}, 0, 1e6, "stress");
  m.gradient = make_named_curve(NamedCurve::strain_rate_gradient, {.height = height});
  m.creep_coefficient = mu;
  m.creep_duration = creep_seconds;
  return m;
}

Material thin_fluid() {
  Material m = fluid(0.35, 0.9, 0.5);
  m.source = "Thin fluid: drawn by eye. It follows soon and does not come back.";
  return m;
}

Material thick_fluid() {
  Material m = fluid(1, 0.2, 4);
  m.gradient.points = {{0, 0}, {0.15, 0.55}, {0.35, 0.85}, {0.6, 0.97}, {1, 1}};
  m.source = "Thick fluid: drawn by eye. Only what is close follows, and nothing comes back.";
  return m;
}

Material unscaled(NamedMaterial material) {
  switch (material) {
    case NamedMaterial::deer_ligament:
      return deer_ligament();
    case NamedMaterial::kangaroo_tendon:
      return kangaroo_tendon();
    case NamedMaterial::anemone_mesogloea:
      return anemone_mesogloea();
    case NamedMaterial::human_skin:
      return human_skin();
    case NamedMaterial::human_bone:
      return human_bone();
    case NamedMaterial::mild_steel:
      return mild_steel();
    case NamedMaterial::rubber:
      return rubber();
    case NamedMaterial::putty:
      return putty();
    case NamedMaterial::jelly:
      return jelly();
    case NamedMaterial::thin_fluid:
      return thin_fluid();
    case NamedMaterial::thick_fluid:
      break;
  }
  return thick_fluid();
}

void check_scale(const char* name, double scale) {
  if (scale > 0 && std::isfinite(scale)) return;
  throw std::invalid_argument(fmt::format("the {} scale must be above 0, but is {}", name, scale));
}

}  // namespace

std::string_view name_of(NamedMaterial material) {
  static constexpr std::array<std::string_view, named_material_count> names = {
      "deer_ligament", "kangaroo_tendon", "anemone_mesogloea",
      "human_skin",    "human_bone",      "mild_steel",
      "rubber",        "putty",           "jelly",
      "thin_fluid",    "thick_fluid",
  };
  return names[static_cast<std::size_t>(material)];
}

std::string_view about(NamedMaterial material) {
  static constexpr std::array<std::string_view, named_material_count> sentences = {
      "Slack at first, then ever stiffer; springs back from more than half of its length.",
      "Stiff, and gives back nearly all that went in.",
      "Gives way for hours, and takes as long to come back.",
      "Slack at first, then stiff; loses much of what went in.",
      "Hardly stretches, and breaks soon.",
      "A short spring, then a long flow that stays.",
      "Stretches to seven times its length and springs back.",
      "Yields at once and keeps what is done to it.",
      "Wobbles for long and goes back completely.",
      "Follows soon and does not come back.",
      "Only what is close follows, and nothing comes back.",
  };
  return sentences[static_cast<std::size_t>(material)];
}

Material make_named_material(NamedMaterial material, const NamedMaterialOptions& options) {
  check_scale("strain", options.strain_scale);
  check_scale("time", options.time_scale);
  Material m = unscaled(material);
  m.stress = scale_x(m.stress, options.strain_scale, 0);
  // As quick as before at the same part of the limits, but for the time.
  m.stiffness *= options.strain_scale / (options.time_scale * options.time_scale);
  m.stiffness = std::min(m.stiffness, greatest_stiffness);
  for (double* seconds : {&m.restoration, &m.creep_duration, &m.relaxation_duration}) {
    *seconds = std::clamp(*seconds * options.time_scale, shortest_duration, longest_duration);
  }
  return m;
}

}  // namespace sinew::kernels
