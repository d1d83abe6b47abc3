// A chart as it would be drawn on paper: a frame with ticks, the curve, the way back in another
// colour, marks as dashed uprights, and the points that it was drawn with.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "nodes/show/parts.h"

namespace sinew::showing {

namespace {

constexpr double width = 1.6, height = 1;  // m; the lower left corner is at (-width / 2, 0)
constexpr int samples = 256;
constexpr double tick_length = 0.015;
constexpr draw::Rgba ink{0.25f, 0.27f, 0.30f, 1};
constexpr draw::Rgba faint{0.62f, 0.64f, 0.67f, 1};
constexpr draw::Rgba way_there = draw::accent;
constexpr draw::Rgba way_back = draw::axis_colours[2];

// One axis: from values to metres on the paper. On a ratio axis, what is even is the logarithm.
struct PaperAxis {
  double low = 0, high = 1;  // values, or logarithms of them
  double length = 1;
  bool ratio = false;

  double at(double value) const {
    const double x = ratio ? std::log(value) : value;
    return (x - low) / (high - low) * length;
  }
};

PaperAxis axis_over(double low, double high, double length, bool ratio) {
  if (ratio) low = std::log(low), high = std::log(high);
  std::tie(low, high) = open_range(low, high);
  return {low, high, length, ratio};
}

// Round numbers between both ends: about five, in steps of 1, 2 or 5 times a power of ten. On a
// ratio axis that spans more than a doubling, powers of 2.
std::vector<double> ticks(const PaperAxis& axis) {
  std::vector<double> list;
  if (axis.ratio && axis.high - axis.low > std::log(2.0)) {
    const double span = (axis.high - axis.low) / std::log(2.0);
    const double step = std::max(1.0, std::ceil(span / 6));
    for (double k = std::ceil(axis.low / std::log(2.0) / step) * step;
         k * std::log(2.0) <= axis.high && list.size() < 8; k += step)
      list.push_back(std::exp2(k));
    return list;
  }
  const double low = axis.ratio ? std::exp(axis.low) : axis.low;
  const double high = axis.ratio ? std::exp(axis.high) : axis.high;
  const double rough = (high - low) / 5, power = std::pow(10, std::floor(std::log10(rough)));
  const double part = rough / power;
  const double step = power * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
  for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step && list.size() < 12;
       ++k)
    list.push_back(k == 0 ? 0 : k * step);
  return list;
}

class Paper {
 public:
  Paper(const Shown& what, draw::DrawList& list) : source_(what.source), list_(list) {}

  PaperAxis x, y;

  draw::Point place(double along, double up) const {
    return {static_cast<float>(along - width / 2), static_cast<float>(up), 0};
  }
  draw::Point at(double px, double py) const { return place(x.at(px), y.at(py)); }

  void lines(std::vector<draw::Point> points, const draw::Rgba& colour, float thickness) {
    draw::Lines item;
    item.source = source_;
    item.points = std::move(points);
    item.colour = colour;
    item.width = thickness;
    if (!item.points.empty()) list_.lines.push_back(std::move(item));
  }
  void points(std::vector<draw::Point> points, const draw::Rgba& colour) {
    draw::Points item;
    item.source = source_;
    item.points = std::move(points);
    item.colour = colour;
    item.size = 7;
    list_.points.push_back(std::move(item));
  }
  void label(const draw::Point& at, std::string text, const draw::Rgba& colour = ink) {
    if (text.empty()) return;
    draw::Label item;
    item.source = source_;
    item.at = at;
    item.text = std::move(text);
    item.colour = colour;
    item.centred = true;
    list_.labels.push_back(std::move(item));
  }

 private:
  const std::string& source_;
  draw::DrawList& list_;
};

// The curve as a run of points; where it jumps, both ends of the jump.
std::vector<ChartPoint> traced(const Chart& chart, double from, double to) {
  const ChartPieces curve(chart);
  std::vector<double> places;
  for (int i = 0; i <= samples; ++i)
    places.push_back(from + (to - from) * static_cast<double>(i) / samples);
  for (const ChartPoint& p : chart.points)
    if (p.x > from && p.x < to) places.push_back(p.x);
  std::sort(places.begin(), places.end());
  std::vector<ChartPoint> run;
  for (const double px : places) {
    const double py = curve.evaluate(px);
    const bool holds = chart.interpolation == Interpolation::stepped;
    if (holds && !run.empty()) run.push_back({px, run.back().y});
    run.push_back({px, py});
  }
  return run;
}

std::vector<draw::Point> segments(const Paper& paper, const std::vector<ChartPoint>& run) {
  std::vector<draw::Point> list;
  for (std::size_t i = 1; i < run.size(); ++i) {
    list.push_back(paper.at(run[i - 1].x, run[i - 1].y));
    list.push_back(paper.at(run[i].x, run[i].y));
  }
  return list;
}

void draw_axes(Paper& paper, const Chart& chart) {
  std::vector<draw::Point> frame = {paper.place(0, 0),          paper.place(width, 0),
                                    paper.place(width, 0),      paper.place(width, height),
                                    paper.place(width, height), paper.place(0, height),
                                    paper.place(0, height),     paper.place(0, 0)};
  std::vector<draw::Point> grid;
  for (const double value : ticks(paper.x)) {
    const double along = paper.x.at(value);
    frame.insert(frame.end(), {paper.place(along, 0), paper.place(along, -tick_length)});
    grid.insert(grid.end(), {paper.place(along, 0), paper.place(along, height)});
    paper.label(paper.place(along, -0.05), fmt::format("{:.4g}", value));
  }
  for (const double value : ticks(paper.y)) {
    const double up = paper.y.at(value);
    frame.insert(frame.end(), {paper.place(0, up), paper.place(-tick_length, up)});
    grid.insert(grid.end(), {paper.place(0, up), paper.place(width, up)});
    paper.label(paper.place(-0.1, up), fmt::format("{:.4g}", value));
  }
  paper.lines(std::move(grid), faint, 1);
  paper.lines(std::move(frame), ink, 1.5f);
  paper.label(paper.place(width + 0.06, 0), chart.x_unit);
  paper.label(paper.place(0, height + 0.06), chart.y_unit);
}

void draw_marks(Paper& paper, const Chart& chart) {
  constexpr int dashes = 20;
  for (const ChartMark& mark : chart.marks) {
    const double along = paper.x.at(mark.x);
    if (along < 0 || along > width) continue;
    std::vector<draw::Point> upright;
    for (int k = 0; k < dashes; ++k) {
      upright.push_back(paper.place(along, height * k / dashes));
      upright.push_back(paper.place(along, height * (k + 0.5) / dashes));
    }
    paper.lines(std::move(upright), draw::axis_colours[0], 1.5f);
    paper.label(paper.place(along, height + 0.04), mark.name, draw::axis_colours[0]);
  }
}

}  // namespace

void show_chart(const Shown& what, draw::DrawList& list) {
  const Chart& chart = what.value.as<Chart>();
  if (chart.points.empty()) return;
  const double cycle = chart.cycle();
  const auto [from, to] =
      open_range(chart.first_x(), cycle > 0 ? chart.first_x() + cycle : chart.last_x());
  const std::vector<ChartPoint> there = traced(chart, from, to);
  const std::vector<ChartPoint> back =
      chart.has_loop() ? traced(chart.way_back(), from, to) : std::vector<ChartPoint>();
  double low = there[0].y, high = there[0].y;
  for (const std::vector<ChartPoint>* run : {&there, &back}) {
    for (const ChartPoint& p : *run) {
      low = std::min(low, p.y);
      high = std::max(high, p.y);
    }
  }
  Paper paper(what, list);
  paper.x = axis_over(from, to, width, false);
  paper.y = axis_over(low, high, height, chart.axis == ValueAxis::ratio);
  draw_axes(paper, chart);
  draw_marks(paper, chart);
  if (!back.empty()) paper.lines(segments(paper, back), way_back, 2.5f);
  paper.lines(segments(paper, there), way_there, 2.5f);
  const ChartPieces curve(chart);
  std::vector<draw::Point> drawn;
  for (const ChartPoint& p : chart.points) drawn.push_back(paper.at(p.x, curve.evaluate(p.x)));
  paper.points(std::move(drawn), way_there);
  paper.label(paper.place(width / 2, height + 0.12), what.title.empty() ? what.source : what.title);
}

}  // namespace sinew::showing
