#include "nodes/geometry/material.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

using Problem = std::optional<std::string>;

// How far the ends of a damping may be from 1 and 0: a hand that drew them meant these.
constexpr double end_tolerance = 1e-9;

// What holds for each chart of a material.
Problem wrong_chart(const char* name, const Chart& chart) {
  if (auto wrong = validate(chart)) return fmt::format("the {} chart: {}", name, *wrong);
  if (chart.extension != Extension::clamped) {
    return fmt::format("the {} chart must not repeat; make it clamped", name);
  }
  if (chart.axis != ValueAxis::linear) {
    return fmt::format("the {} chart must have a linear axis, not one of ratios", name);
  }
  return std::nullopt;
}

Problem wrong_share(const char* name, const Chart& chart) {
  if (auto wrong = wrong_chart(name, chart)) return wrong;
  for (const ChartPoint& p : chart.points) {
    if (p.y < -end_tolerance || p.y > 1 + end_tolerance) {
      return fmt::format("the {} chart must stay from 0 to 1, but is {} at {}", name, p.y, p.x);
    }
  }
  return std::nullopt;
}

Problem wrong_damping(const Chart& chart) {
  if (auto wrong = wrong_share("damping", chart)) return wrong;
  const double first = chart.points.front().y, last = chart.points.back().y;
  if (chart.points.size() < 2 || std::abs(first - 1) > end_tolerance ||
      std::abs(last) > end_tolerance) {
    return fmt::format("the damping chart must go from 1 to 0, but goes from {} to {}", first,
                       last);
  }
  return std::nullopt;
}

Problem wrong_stress(const Material& material) {
  if (auto wrong = wrong_chart("stress", material.stress)) return wrong;
  if (material.stress.first_x() > 0) {
    return fmt::format("the stress chart must begin at a strain of 0, but begins at {}",
                       material.stress.first_x());
  }
  const double elastic = material.elastic_limit(), fracture = material.fracture_limit();
  if (elastic < 0) return fmt::format("the elastic limit must be 0 or more, but is {}", elastic);
  if (fracture < elastic) {
    return fmt::format("the elastic limit {} is beyond the fracture limit {}; exchange them",
                       elastic, fracture);
  }
  return std::nullopt;
}

Problem outside(const char* name, double value, double low, double high) {
  if (value >= low && value <= high) return std::nullopt;
  return fmt::format("the {} must be from {} to {}, but is {}", name, low, high, value);
}

Problem wrong_duration(const char* name, double seconds) {
  return outside(name, seconds, shortest_duration, longest_duration);
}

}  // namespace

double Material::elastic_limit() const { return stress.mark(elastic_mark).value_or(1); }
double Material::fracture_limit() const {
  return stress.mark(fracture_mark).value_or(std::max(10.0, elastic_limit()));
}

Chart Material::standard_stress() {
  Chart chart;
  chart.points = {{0, 0}, {1, 1}, {10, 1.5}};
  chart.interpolation = Interpolation::linear;
  chart.set_mark(elastic_mark, 1);
  chart.set_mark(fracture_mark, 10);
  chart.x_unit = "strain";
  chart.y_unit = "stress";
  return chart;
}

Chart Material::standard_damping() {
  Chart chart;
  for (const double t : {0.0, 0.2, 0.4, 0.6, 0.8, 1.0}) {
    chart.points.push_back({t, (1 - t) * (1 - t)});
  }
  return chart;
}

Chart Material::standard_creep() {
  Chart chart;
  chart.points = {{0, 0}, {0.1, 0.39}, {0.25, 0.71}, {0.45, 0.9}, {0.7, 0.98}, {1, 1}};
  return chart;
}

std::optional<std::string> validate(const Material& material) {
  if (auto wrong = wrong_stress(material)) return wrong;
  if (auto wrong = wrong_damping(material.damping)) return wrong;
  if (auto wrong = wrong_share("gradient", material.gradient)) return wrong;
  if (auto wrong = wrong_share("creep", material.creep)) return wrong;
  if (auto wrong = wrong_share("relaxation", material.relaxation)) return wrong;
  if (auto wrong = outside("mass", material.mass, least_mass, greatest_mass)) return wrong;
  if (auto wrong = outside("stiffness", material.stiffness, 0, greatest_stiffness)) return wrong;
  const double most = greatest_viscosity;
  if (auto wrong = outside("viscosity", material.viscosity, -most, most)) return wrong;
  if (auto wrong = outside("creep coefficient", material.creep_coefficient, -most, most)) {
    return wrong;
  }
  if (auto wrong = wrong_duration("duration of the restoration", material.restoration)) {
    return wrong;
  }
  if (auto wrong = wrong_duration("duration of the creep", material.creep_duration)) return wrong;
  if (auto wrong = wrong_duration("duration of the relaxation", material.relaxation_duration)) {
    return wrong;
  }
  if (material.source.size() > longest_source) {
    return fmt::format("the source has {} characters, but at most {} are allowed",
                       material.source.size(), longest_source);
  }
  return std::nullopt;
}

std::size_t byte_size(const Material& material) {
  std::size_t bytes = sizeof material + material.source.size();
  for (const Chart* chart : {&material.stress, &material.damping, &material.gradient,
                             &material.creep, &material.relaxation}) {
    bytes += byte_size(*chart) - sizeof(Chart);
  }
  return bytes;
}

}  // namespace sinew
