#include "nodes/kernels/named_curves.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "nodes/kernels/chart_ops.h"

namespace sinew::kernels {

namespace {

using Points = std::vector<ChartPoint>;

// What x and y stand for.
enum class Kind { shape, motion, deformation, material, space };

// A curve over x from 0 to 1, before it is scaled.
struct Drawing {
  Kind kind = Kind::shape;
  Points points;
  Interpolation interpolation = Interpolation::smooth;
  Extension extension = Extension::clamped;
  Points back = {};
  std::vector<ChartMark> marks = {};
};

template <class Function>
Points sampled(int intervals, const Function& f) {
  Points points;
  for (int i = 0; i <= intervals; ++i) {
    const double u = static_cast<double>(i) / intervals;
    points.push_back({u, f(u)});
  }
  return points;
}

// From 1 at 0 to exactly 0 at 1, as exp(-rate u) falls.
double decay(double u, double rate) {
  return (std::exp(-rate * u) - std::exp(-rate)) / (1 - std::exp(-rate));
}

// More points where an exponential bends, and an editable number of them.
Points falling(double rate, double to) {
  Points points;
  for (const double u : {0.0, 0.05, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.0}) {
    points.push_back({u, to + (1 - to) * decay(u, rate)});
  }
  return points;
}

// Falls on the height 1 as a ball on the floor, and jumps up three times.
Points bouncing() {
  Points points = sampled(8, [](double u) { return u * u; });
  double duration = 1, end = 1;
  for (int jump = 0; jump < 3; ++jump) {
    // An arc that takes twice the time of a fall from its height.
    duration *= jump == 0 ? 1.0 : 0.5;
    const double depth = duration * duration / 4;
    const int steps = 8 - 2 * jump;
    for (int i = 1; i <= steps; ++i) {
      const double v = static_cast<double>(i) / steps;
      points.push_back({end + duration * v, 1 - depth * 4 * v * (1 - v)});
    }
    end += duration;
  }
  for (ChartPoint& p : points) p.x /= end;
  return points;
}

// Past the end by a fifth, and back to rest: a damped swing, with its turning points.
Points overshooting() {
  return {{0, 0}, {0.12, 0.55}, {0.28, 1.2}, {0.46, 0.92}, {0.64, 1.03}, {0.82, 0.99}, {1, 1}};
}

Drawing shape_of(NamedCurve curve) {
  switch (curve) {
    case NamedCurve::ease_in:
      return {Kind::motion, sampled(5, [](double u) { return u * u * u; })};
    case NamedCurve::ease_out:
      return {Kind::motion, sampled(5, [](double u) { return 1 - std::pow(1 - u, 3); })};
    case NamedCurve::ease_in_out:
      return {Kind::motion, sampled(6, [](double u) { return u * u * (3 - 2 * u); })};
    case NamedCurve::overshoot:
      return {Kind::motion, overshooting()};
    case NamedCurve::bounce:
      return {Kind::motion, bouncing(), Interpolation::linear};
    case NamedCurve::step:
      return {Kind::motion, {{0, 0}, {0.5, 1}, {1, 1}}, Interpolation::stepped};
    case NamedCurve::pulse:
      return {Kind::motion,
              sampled(8, [](double u) { return std::pow(std::sin(std::numbers::pi * u), 2); })};
    case NamedCurve::sawtooth:
      return {Kind::motion, {{0, 0}, {1, 1}}, Interpolation::linear, Extension::cyclic};
    default:
      return {Kind::shape, {{0, 0}, {1, 1}}, Interpolation::linear};
  }
}

// Exponents: -1 contracts to 1 / ratio, 1 expands to ratio.
Drawing deformation_of(NamedCurve curve) {
  const auto cycle = [](Points points) {
    return Drawing{Kind::deformation, std::move(points), Interpolation::smooth, Extension::cyclic};
  };
  switch (curve) {
    case NamedCurve::heartbeat:  // fills, a little more by the atria, then the stroke
      return cycle({{0, 0},
                    {0.08, 0.15},
                    {0.14, 0.12},
                    {0.26, -0.85},
                    {0.34, -1},
                    {0.42, -0.9},
                    {0.56, -0.2},
                    {0.75, -0.05}});
    case NamedCurve::jellyfish_stroke:  // quick contraction, slow relaxation, a pause
      return cycle(
          {{0, 0}, {0.1, -0.6}, {0.18, -1}, {0.26, -0.94}, {0.5, -0.45}, {0.72, -0.1}, {0.85, 0}});
    case NamedCurve::peristalsis:  // opens ahead of the ring that closes
      return cycle({{0, 0}, {0.2, 0.4}, {0.45, -1}, {0.62, -0.4}, {0.8, 0}});
    case NamedCurve::breathing:  // in, out without effort, a pause
      return cycle({{0, 0},
                    {0.1, 0.2},
                    {0.26, 0.8},
                    {0.38, 1},
                    {0.46, 0.92},
                    {0.6, 0.4},
                    {0.75, 0.08},
                    {0.85, 0}});
    case NamedCurve::crawl:  // as long as it is short
      return cycle({{0, 0},
                    {0.125, 0.7},
                    {0.25, 1},
                    {0.375, 0.7},
                    {0.5, 0},
                    {0.625, -0.7},
                    {0.75, -1},
                    {0.875, -0.7}});
    case NamedCurve::wing_beat:  // a strong stroke down, a slower one up
      return cycle({{0, 1}, {0.1, 0.75}, {0.3, -0.75}, {0.38, -1}, {0.5, -0.8}, {0.85, 0.75}});
    case NamedCurve::twitch:  // once
      return {
          Kind::deformation,
          {{0, 0}, {0.06, -0.7}, {0.12, -1}, {0.2, -0.92}, {0.45, -0.35}, {0.7, -0.08}, {1, 0}}};
    default:  // contraction_wave: a smooth squeeze between two rests
      return cycle({{0, 0}, {0.15, 0}, {0.32, -0.5}, {0.5, -1}, {0.68, -0.5}, {0.85, 0}});
  }
}

// Marks are in parts of the width.
std::vector<ChartMark> limits(double elastic, double fracture) {
  return {{std::string(elastic_mark), elastic}, {std::string(fracture_mark), fracture}};
}

Drawing material_of(NamedCurve curve) {
  const auto material = [](Points points, std::vector<ChartMark> marks) {
    return Drawing{
        Kind::material,  std::move(points), Interpolation::smooth, Extension::clamped, {},
        std::move(marks)};
  };
  switch (curve) {
    case NamedCurve::rubber:  // stiff, then soft, then stiff: an S
      return material({{0, 0},
                       {0.06, 0.13},
                       {0.15, 0.23},
                       {0.35, 0.33},
                       {0.6, 0.43},
                       {0.8, 0.6},
                       {0.92, 0.82},
                       {1, 1}},
                      limits(0.92, 1));
    case NamedCurve::plastic:  // a straight line, the yield, a long flow that ends in a neck
      return material({{0, 0},
                       {0.06, 0.35},
                       {0.12, 0.7},
                       {0.17, 0.8},
                       {0.3, 0.89},
                       {0.5, 0.97},
                       {0.7, 1},
                       {0.87, 0.96},
                       {1, 0.85}},
                      limits(0.12, 1));
    case NamedCurve::clay:  // yields at once and keeps what is done to it
      return material(
          {{0, 0}, {0.015, 0.4}, {0.03, 0.7}, {0.06, 0.82}, {0.2, 0.92}, {0.6, 0.98}, {1, 1}},
          limits(0.015, 1));
    case NamedCurve::brittle: {  // straight up, and broken
      Drawing drawing = material({{0, 0}, {0.99, 1}, {1, 0}}, limits(0.99, 0.99));
      drawing.interpolation = Interpolation::linear;
      return drawing;
    }
    case NamedCurve::hysteresis: {  // less comes back than went in
      Drawing drawing =
          material({{0, 0}, {0.2, 0.15}, {0.4, 0.34}, {0.6, 0.56}, {0.8, 0.79}, {1, 1}}, {});
      drawing.back = {{0, 0}, {0.2, 0.03}, {0.4, 0.1}, {0.6, 0.23}, {0.8, 0.48}, {1, 1}};
      return drawing;
    }
    default:  // soft_tissue: slack at first, then ever stiffer: a J
      return material(sampled(8, [](double u) { return 1 - decay(u, -4.5); }), limits(0.75, 1));
  }
}

Drawing damping_of(NamedCurve curve) {
  switch (curve) {
    case NamedCurve::strain_damping:  // all at the centre, nothing at the edge
      return {Kind::space, sampled(6, [](double u) { return u * u * (3 - 2 * u); })};
    case NamedCurve::strain_rate_gradient:  // what is further away follows later
      return {Kind::space, sampled(5, [](double u) { return 1 - (1 - u) * (1 - u); })};
    case NamedCurve::energy_damping_linear:
      return {Kind::motion, {{0, 1}, {1, 0}}, Interpolation::linear};
    case NamedCurve::energy_damping_exponential:
      return {Kind::motion, falling(4, 0)};
    case NamedCurve::energy_damping_late:
      return {Kind::motion, sampled(6, [](double u) { return 1 - u * u * u; })};
    case NamedCurve::creep: {
      Drawing drawing{Kind::motion, falling(5, 0)};
      for (ChartPoint& p : drawing.points) p.y = 1 - p.y;
      return drawing;
    }
    case NamedCurve::relaxation:
      return {Kind::motion, falling(5, 0.25)};
    default:  // momentum: gets going, goes on, brakes
      return {Kind::motion,
              {{0, 0},
               {0.06, 0.13},
               {0.12, 0.5},
               {0.18, 0.87},
               {0.25, 1},
               {0.7, 1},
               {0.78, 0.86},
               {0.85, 0.5},
               {0.92, 0.14},
               {1, 0}}};
  }
}

Drawing drawing_of(NamedCurve curve) {
  if (curve <= NamedCurve::sawtooth) return shape_of(curve);
  if (curve <= NamedCurve::twitch) return deformation_of(curve);
  if (curve <= NamedCurve::hysteresis) return material_of(curve);
  return damping_of(curve);
}

}  // namespace

std::string_view name_of(NamedCurve curve) {
  static constexpr std::array<std::string_view, named_curve_count> names = {
      "identity",
      "ease_in",
      "ease_out",
      "ease_in_out",
      "overshoot",
      "bounce",
      "step",
      "pulse",
      "sawtooth",
      "contraction_wave",
      "heartbeat",
      "jellyfish_stroke",
      "peristalsis",
      "breathing",
      "crawl",
      "wing_beat",
      "twitch",
      "soft_tissue",
      "rubber",
      "plastic",
      "clay",
      "brittle",
      "hysteresis",
      "strain_damping",
      "strain_rate_gradient",
      "energy_damping_linear",
      "energy_damping_exponential",
      "energy_damping_late",
      "creep",
      "relaxation",
      "momentum",
  };
  return names[static_cast<std::size_t>(curve)];
}

std::string_view about(NamedCurve curve) {
  static constexpr std::array<std::string_view, named_curve_count> sentences = {
      "A straight line from 0 to 1.",
      "Begins slowly.",
      "Ends slowly.",
      "Begins and ends slowly.",
      "Past the end by a fifth, and back to rest.",
      "Falls as a ball and jumps up three times.",
      "Off, then on.",
      "Up and down again, once.",
      "Rises evenly and jumps back, again and again.",
      "A smooth squeeze between two rests.",
      "Fills, a little more by the atria, then the stroke.",
      "A quick contraction, a slow relaxation, a pause.",
      "Opens ahead of the ring that closes.",
      "In, out without effort, a pause.",
      "As long as it is short: a worm that stretches and pulls itself together.",
      "A strong stroke down, a slower one up.",
      "One quick contraction that fades.",
      "Slack at first, then ever stiffer.",
      "Stiff, then soft, then stiff.",
      "A straight line, the yield, a long flow that ends in a neck.",
      "Yields at once and keeps what is done to it.",
      "Straight up, and broken.",
      "Less comes back than went in: it has a way back.",
      "Nothing at the centre, all at the edge.",
      "What is further away follows later.",
      "Falls evenly.",
      "Falls quickly, then ever more slowly.",
      "Holds, then falls.",
      "Gives way quickly, then ever more slowly.",
      "Falls to a quarter, and stays there.",
      "Gets going, goes on, brakes.",
  };
  return sentences[static_cast<std::size_t>(curve)];
}

std::string_view family_of(NamedCurve curve) {
  if (curve <= NamedCurve::sawtooth) return "Shapes";
  if (curve <= NamedCurve::twitch) return "Deformations";
  if (curve <= NamedCurve::hysteresis) return "Stress over strain";
  return "Damping and time";
}

Chart make_named_curve(NamedCurve curve, const CurveOptions& options) {
  if (!(options.width > 0) || !std::isfinite(options.width)) {
    throw std::invalid_argument(
        fmt::format("the width must be positive, but is {}", options.width));
  }
  if (!(options.ratio > 1) || !std::isfinite(options.ratio)) {
    throw std::invalid_argument(fmt::format("the ratio must be above 1, but is {}", options.ratio));
  }
  Drawing drawing = drawing_of(curve);
  Chart chart;
  chart.points = std::move(drawing.points);
  chart.interpolation = drawing.interpolation;
  chart.extension = drawing.extension;
  chart.back = std::move(drawing.back);
  chart.marks = std::move(drawing.marks);
  // A wave that jumps at its seam ends at the seam; the others run on from their last point.
  const bool to_the_seam = chart.points.back().x == 1;
  if (chart.extension == Extension::cyclic && !to_the_seam) chart.period = 1;
  chart = scale_x(chart, options.width, 0);
  switch (drawing.kind) {
    case Kind::deformation:
      chart = exponential(chart, options.ratio);
      chart.bounds = ChartBounds{1 / options.ratio, options.ratio};
      chart.x_unit = options.time_unit;
      return chart;
    case Kind::motion:
      chart.x_unit = options.time_unit;
      break;
    case Kind::material:
      chart.x_unit = "strain";
      chart.y_unit = "stress";
      break;
    case Kind::space:
      chart.x_unit = "distance";
      break;
    case Kind::shape:
      break;
  }
  return scale_y(chart, options.height, 0);
}

}  // namespace sinew::kernels
