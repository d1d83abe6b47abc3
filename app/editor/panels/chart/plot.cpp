#include "app/editor/panels/chart/plot.h"

#include <fmt/format.h>
#include <implot.h>

#include <algorithm>
#include <cmath>

#include "app/editor/titles.h"
#include "app/ui/landmarks.h"
#include "app/ui/theme.h"

namespace sinew::editor {
namespace {

constexpr float handle_length = 44;

// The lines of the grid on an axis. Of ratios that go far, each is the double of the one before, or
// 1, 2 and 5 of each ten, or whole tens; `apart`: so many tens must lie between two, 0 if it is no
// axis of ratios.
std::vector<double> grid_lines(double low, double high, double step, double apart) {
  std::vector<double> lines;
  if (apart > 0 && high > 6 * low) {
    const bool near = apart <= std::log10(2.0), doubles = near && high < 100 * low;
    const int tens = std::max(static_cast<int>(std::ceil(apart)), 1);
    for (int k = -20; k <= 20; ++k) {
      if (doubles) {
        lines.push_back(std::exp2(k));
      } else if (near) {
        for (const double m : {1.0, 2.0, 5.0}) lines.push_back(m * std::pow(10, k));
      } else if (k % tens == 0) {
        lines.push_back(std::pow(10, k));
      }
    }
    std::erase_if(lines, [&](double v) { return v < low || v > high; });
    return lines;
  }
  for (double k = std::ceil(low / step); k * step <= high && lines.size() < 400; ++k)
    lines.push_back(k == 0 ? 0 : k * step);
  return lines;
}

void set_ticks(ImAxis axis, const std::vector<double>& lines) {
  std::vector<std::string> labels;
  std::vector<const char*> names;
  for (const double v : lines) labels.push_back(fmt::format("{:.4g}", v));
  for (const std::string& label : labels) names.push_back(label.c_str());
  ImPlot::SetupAxisTicks(axis, lines.data(), static_cast<int>(lines.size()), names.data());
}

// `shift`: in dashes, so that two curves in the same place are both seen.
void dashed_line(ImDrawList& list, const std::vector<ImVec2>& points, ImU32 colour, float width,
                 int shift = 0) {
  const float dash = ui::px(5), gap = ui::px(5);
  float gone = dash * static_cast<float>(shift % 2);
  for (std::size_t i = 1; i < points.size(); ++i) {
    const ImVec2 a = points[i - 1], b = points[i];
    const float length = std::hypot(b.x - a.x, b.y - a.y);
    if (!(length > 0) || length > 1e5f) continue;
    for (float at = 0; at < length;) {
      const float in_round = std::fmod(gone + at, dash + gap);
      const bool on = in_round < dash;
      const float rest = std::max((on ? dash : dash + gap) - in_round, 0.25f);
      const float to = std::min(at + rest, length);
      if (on)
        list.AddLine(ImVec2(a.x + (b.x - a.x) * at / length, a.y + (b.y - a.y) * at / length),
                     ImVec2(a.x + (b.x - a.x) * to / length, a.y + (b.y - a.y) * to / length),
                     colour, width);
      at = to;
    }
    gone = std::fmod(gone + length, dash + gap);
  }
}

// ImPlot's hand, for zooming and panning; the left and the right button are ours.
class OwnButtons {
 public:
  OwnButtons() : before_(ImPlot::GetInputMap()) {
    ImPlotInputMap& map = ImPlot::GetInputMap();
    map.Pan = ImGuiMouseButton_Middle;
    map.Fit = ImGuiMouseButton_Middle;
    map.OverrideMod = ImGuiMod_None;
    map.ZoomRate = 0.12f;
  }
  ~OwnButtons() { ImPlot::GetInputMap() = before_; }
  OwnButtons(const OwnButtons&) = delete;
  OwnButtons& operator=(const OwnButtons&) = delete;

 private:
  ImPlotInputMap before_;
};

}  // namespace

ImVec2 ChartPlot::pixel(double x, double y) const {
  const ImVec2 at = ImPlot::PlotToPixels(x, y);
  // Far outside, so that lines to there are drawn where they should be and numbers stay numbers.
  return ImVec2(std::clamp(at.x, -2e4f, 2e4f), std::clamp(at.y, -2e4f, 2e4f));
}

bool ChartPlot::is_seen(ImVec2 at) const {
  return at.x >= from_.x && at.x <= from_.x + area_.x && at.y >= from_.y &&
         at.y <= from_.y + area_.y;
}

ImVec2 ChartPlot::kept_inside(ImVec2 at) const {
  if (is_seen(at)) return at;
  const ImVec2 edge(std::min(ui::px(7), area_.x / 2), std::min(ui::px(7), area_.y / 2));
  return ImVec2(std::clamp(at.x, from_.x + edge.x, from_.x + area_.x - edge.x),
                std::clamp(at.y, from_.y + edge.y, from_.y + area_.y - edge.y));
}

double ChartPlot::value_at(const ShownCurve& curve, double x, bool back) const {
  double y = 0;
  if (curve.value) curve.value.type()->curve_at(curve.value.data(), {&x, 1}, {&y, 1}, back);
  return y;
}

void ChartPlot::draw(ImVec2 size) {
  if (size.x < ui::px(60) || size.y < ui::px(50)) return;
  const OwnButtons buttons;
  const ImPlotFlags flags = ImPlotFlags_NoTitle | ImPlotFlags_NoLegend | ImPlotFlags_NoMenus |
                            ImPlotFlags_NoBoxSelect | ImPlotFlags_NoMouseText | ImPlotFlags_NoFrame;
  if (!ImPlot::BeginPlot("##chart", size, flags)) return;
  set_up_axes();
  ImPlot::SetupFinish();
  from_ = ImPlot::GetPlotPos();
  area_ = ImPlot::GetPlotSize();
  area_ = ImVec2(std::max(area_.x, 1.0f), std::max(area_.y, 1.0f));
  const ChartView before = board_.view;
  handle_mouse();
  ImPlot::PushPlotClipRect();
  draw_grid();
  draw_curves();
  draw_marks();
  draw_time();
  draw_points();
  draw_running();
  draw_box();
  ImPlot::PopPlotClipRect();
  mark_places();
  draw_menu();
  // ImPlot writes its own range into the view now; where a hand has changed that, the hand counts.
  const ChartView wanted = board_.view;
  ImPlot::EndPlot();
  if (wanted != before) board_.view = wanted;
}

void ChartPlot::set_up_axes() {
  ChartView& v = board_.view;
  const ShownCurve* curve = board_.front_curve();
  const bool ratio = curve && curve->model.ratio();
  if (ratio) v.low = std::max(v.low, 1e-9), v.high = std::max(v.high, v.low * 1.001);
  constexpr ImPlotAxisFlags plain = ImPlotAxisFlags_NoHighlight | ImPlotAxisFlags_NoSideSwitch |
                                    ImPlotAxisFlags_NoMenus | ImPlotAxisFlags_NoTickMarks;
  ImPlot::SetupAxes(nullptr, nullptr, plain, plain);
  ImPlot::SetupAxisLinks(ImAxis_X1, &v.left, &v.right);
  ImPlot::SetupAxisLinks(ImAxis_Y1, &v.low, &v.high);
  if (ratio) ImPlot::SetupAxisScale(ImAxis_Y1, ImPlotScale_Log10);
  step_x_ = nice_step(v.right - v.left, std::max(2.0f, area_.x / ui::px(62)));
  step_y_ = nice_step(v.high - v.low, std::max(2.0f, area_.y / ui::px(38)));
  const double label = static_cast<double>(1.2f * ImGui::GetTextLineHeight() / area_.y);
  set_ticks(ImAxis_X1, grid_lines(v.left, v.right, step_x_, 0));
  set_ticks(ImAxis_Y1,
            grid_lines(v.low, v.high, step_y_, ratio ? label * std::log10(v.high / v.low) : 0));
}

void ChartPlot::draw_grid() {
  const ChartView& v = board_.view;
  const ShownCurve* curve = board_.front_curve();
  if (!curve) return;
  ImDrawList& list = *ImPlot::GetPlotDrawList();
  const CurveModel& m = curve->model;
  const ImVec2 to(from_.x + area_.x, from_.y + area_.y);
  for (const double x : grid_lines(v.left, v.right, step_x_ / 5, 0))
    list.AddLine(ImVec2(pixel(x, v.low).x, from_.y), ImVec2(pixel(x, v.low).x, to.y),
                 ui::theme().grid);
  if (!m.ratio())
    for (const double y : grid_lines(v.low, v.high, step_y_ / 5, 0))
      list.AddLine(ImVec2(from_.x, pixel(v.left, y).y), ImVec2(to.x, pixel(v.left, y).y),
                   ui::theme().grid);
  // Where nothing happens: 1 is a length that stays, 0 is nothing.
  const float rest = pixel(v.left, m.ratio() ? 1 : 0).y;
  list.AddLine(ImVec2(from_.x, rest), ImVec2(to.x, rest), ui::with_alpha(ui::theme().dim, 0.75f),
               ui::px(1.2f));
  // Beyond the bounds, and outside of the range that is drawn.
  const ImU32 shade = ui::with_alpha(ui::theme().panel, 0.55f);
  if (m.bounds) {
    const float top = pixel(v.left, m.bounds->second).y, bottom = pixel(v.left, m.bounds->first).y;
    if (top > from_.y) list.AddRectFilled(from_, ImVec2(to.x, top), shade);
    if (bottom < to.y) list.AddRectFilled(ImVec2(from_.x, bottom), to, shade);
  }
  if (m.cyclic()) {
    for (const double x : {m.first_x(), m.first_x() + m.cycle()}) {
      const float at = pixel(x, v.low > 0 ? v.low : 1).x;
      dashed_line(list, {ImVec2(at, from_.y), ImVec2(at, to.y)},
                  ui::with_alpha(ui::theme().faint, 0.7f), 1);
    }
  }
  const auto unit = [&](const std::string& text, ImVec2 at) {
    if (!text.empty()) list.AddText(at, ui::theme().faint, text.c_str());
  };
  const float line = ImGui::GetTextLineHeight();
  unit(m.x_unit,
       ImVec2(to.x - ImGui::CalcTextSize(m.x_unit.c_str()).x - ui::px(4), to.y - line - ui::px(2)));
  unit(m.y_unit, ImVec2(from_.x + ui::px(4), from_.y + ui::px(2)));
}

void ChartPlot::draw_curve(const ShownCurve& curve, const Value& value, bool back, ImU32 colour,
                           float width, bool dashed) const {
  if (!value) return;
  const ChartView& v = board_.view;
  const bool logarithmic = board_.front_curve()->model.ratio();
  const auto [first, last] = value.type()->curve_range(value.data());
  std::vector<double> x;
  const int count = std::max(static_cast<int>(area_.x / 1.5f), 8);
  for (int i = 0; i <= count; ++i) x.push_back(v.left + (v.right - v.left) * i / count);
  // Corners and the ends are seen exactly.
  x.insert(x.end(), {first, last});
  for (const CurvePoint& p : curve.model.way(back)) x.push_back(p.x);
  std::sort(x.begin(), x.end());
  std::vector<double> y(x.size());
  value.type()->curve_at(value.data(), x, y, back);
  const bool holds = curve.model.interpolation == "stepped";
  std::vector<ImVec2> inside, before, after;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double shown = logarithmic ? std::max(y[i], 1e-9) : y[i];
    std::vector<ImVec2>& part = x[i] < first ? before : x[i] > last ? after : inside;
    const ImVec2 at = pixel(x[i], shown);
    if (holds && !part.empty()) part.push_back(ImVec2(at.x, part.back().y));
    part.push_back(at);
  }
  if (!before.empty() && !inside.empty()) before.push_back(inside.front());
  if (!after.empty() && !inside.empty()) after.insert(after.begin(), inside.back());
  ImDrawList& list = *ImPlot::GetPlotDrawList();
  const auto line = [&](const std::vector<ImVec2>& points, ImU32 ink) {
    if (points.size() < 2) return;
    if (dashed)
      return dashed_line(list, points, ink, width, static_cast<int>(&curve - &board_.curves[0]));
    list.AddPolyline(points.data(), static_cast<int>(points.size()), ink, 0, width);
  };
  line(before, ui::with_alpha(colour, 0.4f));
  line(after, ui::with_alpha(colour, 0.4f));
  line(inside, colour);
}

void ChartPlot::draw_curves() {
  const auto draw_one = [&](std::size_t i) {
    const ShownCurve& c = board_.curves[i];
    const bool in_front = i == board_.front;
    const bool hovered = hot_.kind == Kind::other && hot_.index == i;
    const float width = in_front ? ui::px(2.2f) : ui::px(hovered ? 2.0f : 1.3f);
    const ImU32 colour = in_front || hovered ? c.colour : ui::with_alpha(c.colour, 0.75f);
    // What counts in place of what is drawn is dashed; what is drawn and does not count is faint.
    if (c.in_effect) {
      draw_curve(c, c.in_effect, false, colour, width, true);
      if (!in_front) return;
    }
    const float ink = c.in_effect ? 0.35f : 1;
    if (!c.model.back.empty())
      draw_curve(c, c.value, true, ui::with_alpha(ui::mixed(c.colour, ui::theme().text, 0.5f), ink),
                 ui::px(1.6f), false);
    draw_curve(c, c.value, false, ui::with_alpha(colour, ink), width, false);
  };
  for (std::size_t i = 0; i < board_.curves.size(); ++i)
    if (i != board_.front) draw_one(i);
  draw_one(board_.front);
}

void ChartPlot::draw_marks() {
  const ShownCurve* curve = board_.front_curve();
  if (!curve) return;
  ImDrawList& list = *ImPlot::GetPlotDrawList();
  for (std::size_t i = 0; i < curve->model.marks.size(); ++i) {
    const auto& [name, x] = curve->model.marks[i];
    const float at = pixel(x, board_.view.high).x;
    const bool hot = hot_.kind == Kind::mark && hot_.index == i;
    const ImU32 colour = hot ? ui::theme().text : ui::theme().warning;
    dashed_line(list, {ImVec2(at, from_.y), ImVec2(at, from_.y + area_.y)}, colour, ui::px(1.3f));
    // Names beside each other's lines, one below the other where they are close.
    const float line = ImGui::GetTextLineHeight();
    const bool room = at + ImGui::CalcTextSize(name.c_str()).x + ui::px(8) < from_.x + area_.x;
    const float left = room ? at + ui::px(4) : at - ImGui::CalcTextSize(name.c_str()).x - ui::px(4);
    list.AddText(ImVec2(left, from_.y + ui::px(3) + line * static_cast<float>(i % 3)), colour,
                 name.c_str());
  }
}

void ChartPlot::draw_time() {
  const ShownCurve* curve = board_.front_curve();
  const auto x = curve ? time_on(board_.editor, *curve) : std::nullopt;
  if (!x) return;
  ImDrawList& list = *ImPlot::GetPlotDrawList();
  const float at = pixel(*x, board_.view.high).x;
  if (at < from_.x - 1 || at > from_.x + area_.x + 1) return;
  const bool hot = hot_.kind == Kind::time || doing_ == Doing::scrub;
  list.AddLine(ImVec2(at, from_.y), ImVec2(at, from_.y + area_.y), ui::theme().playhead,
               ui::px(hot ? 2.5f : 1.5f));
  // What the curves are at this moment.
  for (const ShownCurve& c : board_.curves) {
    const Value& value = c.in_effect ? c.in_effect : c.value;
    if (!value) continue;
    double y = 0;
    value.type()->curve_at(value.data(), {&*x, 1}, {&y, 1}, false);
    if (curve->model.ratio() && !(y > 0)) continue;
    list.AddCircleFilled(pixel(*x, y), ui::px(3), ui::theme().playhead);
  }
}

double ChartPlot::slope_shown(const CurvePoint& point, bool out) const {
  const std::optional<double>& drawn = out ? point.out : point.in;
  if (drawn) return *drawn;
  const ShownCurve& curve = *board_.front_curve();
  // Near enough to be seen where the curve goes.
  const double h = (out ? 1e-5 : -1e-5) * std::max(curve.model.cycle(), 1e-9);
  const double y = value_at(curve, point.x, false), beside = value_at(curve, point.x + h, false);
  if (!curve.model.ratio()) return (beside - y) / h;
  return y > 0 && beside > 0 ? std::log(beside / y) / h : 0;
}

std::optional<ImVec2> ChartPlot::handle(PointRef ref, bool out) const {
  const ShownCurve* curve = board_.front_curve();
  if (!curve || ref.back || !curve->model.smooth() || !board_.can_edit()) return std::nullopt;
  const CurveModel& m = curve->model;
  const CurvePoint* p = m.find(ref);
  if (!p || m.points.size() < 2) return std::nullopt;
  // A held end is level, and a cycle that ends with its last point goes on from its first.
  const bool is_end = out ? ref.index + 1 == m.points.size() : ref.index == 0;
  if (is_end && !m.cyclic()) return std::nullopt;
  if (m.cyclic() && ref.index + 1 == m.points.size() && m.period <= m.last_x() - m.first_x())
    return std::nullopt;
  const double slope = slope_shown(*p, out),
               dx = (out ? 1 : -1) * 1e-3 * (board_.view.right - board_.view.left);
  const ImVec2 at = pixel(p->x, p->y);
  const double y =
      m.ratio() ? p->y * std::exp(std::clamp(slope * dx, -50.0, 50.0)) : p->y + slope * dx;
  const ImVec2 beside = ImPlot::PlotToPixels(p->x + dx, y);
  const float length = std::hypot(beside.x - at.x, beside.y - at.y);
  if (!(length > 0)) return std::nullopt;
  const float scale = ui::px(handle_length) / length;
  return ImVec2(at.x + (beside.x - at.x) * scale, at.y + (beside.y - at.y) * scale);
}

void ChartPlot::draw_slopes(PointRef ref) {
  const CurvePoint* p = board_.front_curve()->model.find(ref);
  ImDrawList& list = *ImPlot::GetPlotDrawList();
  const ImU32 ink = ui::theme().text;
  for (const bool out : {false, true}) {
    const auto end = handle(ref, out);
    if (!end) continue;
    const bool drawn = (out ? p->out : p->in).has_value();
    const bool hot = hot_.kind == (out ? Kind::slope_out : Kind::slope_in) && hot_.point == ref;
    list.AddLine(pixel(p->x, p->y), *end, ui::with_alpha(ink, drawn || hot ? 0.8f : 0.35f),
                 ui::px(1.2f));
    const float radius = ui::px(hot ? 4.5f : 3.5f);
    if (drawn || hot) {
      list.AddCircleFilled(*end, radius, ink);
    } else {
      list.AddCircleFilled(*end, radius, ui::theme().back);
      list.AddCircle(*end, radius, ui::with_alpha(ink, 0.6f), 0, ui::px(1.2f));
    }
  }
}

void ChartPlot::draw_points() {
  const ShownCurve* curve = board_.front_curve();
  if (!curve || !curve->editable()) return;
  ImDrawList& list = *ImPlot::GetPlotDrawList();
  for (const PointRef& ref : board_.chosen) draw_slopes(ref);
  for (const bool back : {true, false}) {
    const std::vector<CurvePoint>& points = curve->model.way(back);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const PointRef ref{back, i};
      const ImVec2 at = pixel(points[i].x, points[i].y);
      const bool chosen = board_.chosen.contains(ref);
      const bool hot = hot_.kind == Kind::point && hot_.point == ref;
      const float radius = ui::px(chosen || hot ? 5.2f : 4);
      const ImU32 colour = back ? ui::mixed(curve->colour, ui::theme().text, 0.5f) : curve->colour;
      const ImU32 fill = chosen ? ui::theme().text : colour;
      if (back) {
        const ImVec2 corner(radius * 0.85f, radius * 0.85f);
        list.AddRectFilled(ImVec2(at.x - corner.x, at.y - corner.y),
                           ImVec2(at.x + corner.x, at.y + corner.y), fill);
        continue;
      }
      list.AddCircleFilled(at, radius + ui::px(1.2f), ui::theme().back);
      list.AddCircleFilled(at, radius, fill);
      if (chosen) list.AddCircleFilled(at, radius - ui::px(1.8f), colour);
    }
  }
}

// As many digits as can be told apart in what is seen, so that numbers that run do not jump about.
// Of several, each with the name of who runs there.
std::string ChartPlot::running_text(const ShownCurve& curve, const RunningMark& mark) const {
  const bool several = curve.running.size() > 1;
  const auto number = [&](double value, double range, const std::string& unit) {
    const int digits = static_cast<int>(2 - std::floor(std::log10(std::max(range, 1e-12))));
    const std::string text = digits >= 0 && digits <= 6 ? fmt::format("{:.{}f}", value, digits)
                                                        : fmt::format("{:.4g}", value);
    return unit.empty() || several ? text : text + " " + unit;
  };
  const ChartView& v = board_.view;
  const std::string numbers =
      fmt::format("{}, {}", number(mark.x, v.right - v.left, curve.model.x_unit),
                  number(mark.y, v.high - v.low, curve.model.y_unit));
  if (!several) return numbers;
  return fmt::format("{}: {}", title_of_path(board_.editor.session, mark.path), numbers);
}

// Where words of this size are seen and lie on nothing else: beside the dot, else in any line.
ImVec4 ChartPlot::room_beside(ImVec2 dot, ImVec2 size, const std::vector<ImVec4>& taken) const {
  const float gap = ui::px(9);
  const float right = dot.x + gap, left = dot.x - gap - size.x;
  std::vector<ImVec2> places;
  const float above = dot.y - gap - size.y, below = dot.y + gap;
  // Most curves rise: below on the right and above on the left there is room.
  for (const ImVec2& corner :
       {ImVec2(right, below), ImVec2(left, above), ImVec2(right, above), ImVec2(left, below)})
    places.push_back(corner);
  for (float y = from_.y; y + size.y <= from_.y + area_.y; y += size.y)
    for (const float x : {right, left}) places.push_back(ImVec2(x, y));
  std::optional<ImVec4> first;
  for (const ImVec2& place : places) {
    const float x = std::clamp(place.x, from_.x, std::max(from_.x + area_.x - size.x, from_.x));
    const float y = std::clamp(place.y, from_.y, std::max(from_.y + area_.y - size.y, from_.y));
    const ImVec4 box(x, y, x + size.x, y + size.y);
    if (!first) first = box;
    const bool is_free = std::none_of(taken.begin(), taken.end(), [&](const ImVec4& other) {
      return box.x < other.z && other.x < box.z && box.y < other.w && other.y < box.w;
    });
    if (is_free) return box;
  }
  return *first;
}

// Who runs along the curves: a dot with a cross hair; at the edge, if it is beyond.
void ChartPlot::draw_running() {
  struct Label {
    ImVec2 dot;
    std::string text;
  };
  ImDrawList& list = *ImPlot::GetPlotDrawList();
  const ImU32 ink = ui::theme().playhead, hair = ui::with_alpha(ink, 0.45f);
  const ImVec2 to(from_.x + area_.x, from_.y + area_.y);
  std::vector<Label> labels;
  std::vector<ImVec4> taken;
  for (const ShownCurve& curve : board_.curves)
    for (const RunningMark& mark : curve.running) {
      const bool ratio = board_.front_curve()->model.ratio();
      const ImVec2 at = pixel(mark.x, ratio ? std::max(mark.y, 1e-9) : mark.y);
      const ImVec2 dot = kept_inside(at);
      if (at.x >= from_.x && at.x <= to.x)
        list.AddLine(ImVec2(at.x, from_.y), ImVec2(at.x, to.y), hair, ui::px(1));
      if (at.y >= from_.y && at.y <= to.y)
        list.AddLine(ImVec2(from_.x, at.y), ImVec2(to.x, at.y), hair, ui::px(1));
      list.AddCircleFilled(dot, ui::px(6.5f), ui::theme().back);
      if (is_seen(at)) list.AddCircleFilled(dot, ui::px(3.2f), ink);
      list.AddCircle(dot, ui::px(5.6f), ink, 0, ui::px(1.6f));
      labels.push_back({dot, running_text(curve, mark)});
      const float r = ui::px(7);
      taken.push_back(ImVec4(dot.x - r, dot.y - r, dot.x + r, dot.y + r));
    }
  for (const Label& label : labels) {
    const ImVec2 words = ImGui::CalcTextSize(label.text.c_str());
    const ImVec4 box =
        room_beside(label.dot, ImVec2(words.x + ui::px(10), words.y + ui::px(4)), taken);
    taken.push_back(box);
    list.AddRectFilled(ImVec2(box.x, box.y), ImVec2(box.z, box.w),
                       ui::with_alpha(ui::theme().raised, 0.85f), ui::px(4));
    list.AddText(ImVec2(box.x + ui::px(5), box.y + ui::px(2)), ui::theme().text,
                 label.text.c_str());
  }
}

void ChartPlot::draw_box() const {
  if (doing_ != Doing::box || !moved_) return;
  const ImVec2 mouse = ImGui::GetMousePos();
  const ImVec2 a(std::min(pressed_.x, mouse.x), std::min(pressed_.y, mouse.y));
  const ImVec2 b(std::max(pressed_.x, mouse.x), std::max(pressed_.y, mouse.y));
  ImDrawList& list = *ImPlot::GetPlotDrawList();
  list.AddRectFilled(a, b, ui::with_alpha(ui::theme().accent, 0.12f));
  list.AddRect(a, b, ui::theme().accent);
}

void ChartPlot::mark_places() const {
  if (!ui::landmarks().listening) return;
  ui::mark_area("chart", "plot", from_, ImVec2(from_.x + area_.x, from_.y + area_.y));
  const ShownCurve* curve = board_.front_curve();
  if (!curve) return;
  const auto put = [&](const std::string& name, ImVec2 at) {
    const float r = ui::px(6);
    if (is_seen(at))
      ui::mark_area("chart", name, ImVec2(at.x - r, at.y - r), ImVec2(at.x + r, at.y + r));
  };
  for (const bool back : {false, true})
    for (std::size_t i = 0; i < curve->model.way(back).size(); ++i) {
      const CurvePoint& p = curve->model.way(back)[i];
      put(fmt::format("{}.{}", back ? "back" : "point", i), pixel(p.x, p.y));
    }
  for (const PointRef& ref : board_.chosen)
    for (const bool out : {false, true})
      if (const auto at = handle(ref, out))
        put(fmt::format("tangent.{}.{}", ref.index, out ? "out" : "in"), *at);
  for (const auto& [name, x] : curve->model.marks)
    put("mark." + name, ImVec2(pixel(x, board_.view.high).x, from_.y + area_.y * 0.75f));
  for (const ShownCurve& c : board_.curves)
    for (const RunningMark& mark : c.running)
      put("running." + mark.path, kept_inside(pixel(mark.x, mark.y)));
  if (const auto x = time_on(board_.editor, *curve))
    put("time", ImVec2(pixel(*x, board_.view.high).x, from_.y + area_.y * 0.35f));
}

}  // namespace sinew::editor
