#include "nodes/geometry/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

constexpr double largest_number = 1e300;
constexpr std::size_t longest_name = 100;

bool usable(double v) { return std::abs(v) <= largest_number; }
// So that 1 / v is usable, too.
bool usable_ratio(double v) { return v >= 1 / largest_number && v <= largest_number; }

std::optional<std::string> wrong_points(const std::vector<ChartPoint>& points, ValueAxis axis,
                                        const char* which) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ChartPoint& p = points[i];
    if (!std::isfinite(p.x) || !std::isfinite(p.y)) {
      return fmt::format("point {} of the {} is not finite", i, which);
    }
    if (!usable(p.x) || !usable(p.y)) {
      return fmt::format("point {} of the {} is beyond {}", i, which, largest_number);
    }
    if (i > 0 && !(p.x > points[i - 1].x)) {
      return fmt::format(
          "x must increase from point to point, but point {} of the {} is at {} "
          "after {}",
          i, which, p.x, points[i - 1].x);
    }
    if (axis == ValueAxis::ratio && !usable_ratio(p.y)) {
      return fmt::format("a ratio must be above 0, but point {} of the {} is {}", i, which, p.y);
    }
  }
  return std::nullopt;
}

std::optional<std::string> wrong_way_back(const Chart& chart) {
  if (!chart.has_loop()) return std::nullopt;
  if (chart.points.size() < 2 || chart.back.size() < 2) {
    return "a chart with a way back needs at least two points on each way";
  }
  if (auto wrong = wrong_points(chart.back, chart.axis, "way back")) return wrong;
  if (chart.back.front().x != chart.first_x() || chart.back.back().x != chart.last_x()) {
    return fmt::format("the way back must go from {} to {} as the way there does, not {} to {}",
                       chart.first_x(), chart.last_x(), chart.back.front().x, chart.back.back().x);
  }
  return std::nullopt;
}

std::optional<std::string> wrong_marks(const Chart& chart) {
  for (std::size_t i = 0; i < chart.marks.size(); ++i) {
    const ChartMark& mark = chart.marks[i];
    if (mark.name.empty() || mark.name.size() > longest_name) {
      return fmt::format("the name of a mark has 1 to {} characters", longest_name);
    }
    if (!usable(mark.x)) return fmt::format("the mark '{}' is not at a usable number", mark.name);
    if (i > 0 && !(chart.marks[i - 1].name < mark.name)) {
      return fmt::format("the mark '{}' is there twice or out of order", mark.name);
    }
  }
  return std::nullopt;
}

std::optional<std::string> wrong_bounds(const Chart& chart) {
  if (!chart.bounds) return std::nullopt;
  const auto [low, high] = *chart.bounds;
  if (!usable(low) || !usable(high) || !(low < high)) {
    return "the bounds of a chart are the lowest and the highest value, in this order";
  }
  if (chart.axis == ValueAxis::ratio && !usable_ratio(low)) {
    return fmt::format("a ratio must be above 0, but the lower bound is {}", low);
  }
  return std::nullopt;
}

std::optional<std::string> wrong_tangents(const Chart& chart) {
  if (chart.tangents.empty()) return std::nullopt;
  if (chart.tangents.size() != chart.points.size()) {
    return fmt::format("a chart of {} points has slopes for {}", chart.points.size(),
                       chart.tangents.size());
  }
  for (std::size_t i = 0; i < chart.tangents.size(); ++i) {
    const ChartTangent& t = chart.tangents[i];
    if (!usable(t.in.value_or(0)) || !usable(t.out.value_or(0))) {
      return fmt::format("the slope at point {} is not a usable number", i);
    }
  }
  return std::nullopt;
}

auto place_of(const std::vector<ChartMark>& marks, std::string_view name) {
  return std::lower_bound(
      marks.begin(), marks.end(), name,
      [](const ChartMark& mark, std::string_view wanted) { return mark.name < wanted; });
}

}  // namespace

Chart Chart::constant(double y) {
  Chart chart;
  chart.points = {{0, y}};
  return chart;
}

double Chart::cycle() const {
  if (extension == Extension::clamped || points.size() < 2) return 0;
  return std::max(period, last_x() - first_x());
}

double Chart::evaluate(double x) const { return ChartPieces(*this).evaluate(x); }
double Chart::tangent(double x) const { return ChartPieces(*this).tangent(x); }
double Chart::integral(double a, double b) const { return ChartPieces(*this).integral(a, b); }

Chart Chart::way_back() const {
  Chart chart = *this;
  if (has_loop()) {
    chart.points = back;
    chart.tangents.clear();
  }
  chart.back.clear();
  return chart;
}

double Chart::loop_area() const {
  if (!has_loop()) return 0;
  // As two clamped charts: the seam of a cyclic one would change the value at the last point.
  Chart there = *this, here = way_back();
  there.extension = here.extension = Extension::clamped;
  return there.integral(first_x(), last_x()) - here.integral(first_x(), last_x());
}

std::optional<double> Chart::mark(std::string_view name) const {
  const auto place = place_of(marks, name);
  if (place == marks.end() || place->name != name) return std::nullopt;
  return place->x;
}

void Chart::set_mark(std::string_view name, double x) {
  const auto place = marks.begin() + (place_of(marks, name) - marks.cbegin());
  if (place != marks.end() && place->name == name) {
    place->x = x;
  } else {
    marks.insert(place, {std::string(name), x});
  }
}

std::optional<std::string> validate(const Chart& chart) {
  if (chart.points.empty()) return "a chart needs at least one point";
  if (auto wrong = wrong_points(chart.points, chart.axis, "chart")) return wrong;
  if (!usable(chart.period) || chart.period < 0) {
    return "the period must be 0 (from the first point to the last) or positive";
  }
  const double span = chart.last_x() - chart.first_x();
  if (chart.extension == Extension::cyclic && chart.period > 0 && chart.period < span) {
    return fmt::format("the period {} is shorter than the {} from the first point to the last",
                       chart.period, span);
  }
  if (auto wrong = wrong_way_back(chart)) return wrong;
  if (auto wrong = wrong_tangents(chart)) return wrong;
  if (auto wrong = wrong_marks(chart)) return wrong;
  return wrong_bounds(chart);
}

std::size_t byte_size(const Chart& chart) {
  std::size_t bytes = sizeof(Chart) + bytes_of(chart.points).size() + bytes_of(chart.back).size() +
                      chart.x_unit.size() + chart.y_unit.size() +
                      chart.tangents.size() * sizeof(ChartTangent);
  for (const ChartMark& mark : chart.marks) bytes += sizeof(ChartMark) + mark.name.size();
  return bytes;
}

}  // namespace sinew
