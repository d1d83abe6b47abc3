// What the mouse does in the plane of the chart editor.
#include <fmt/format.h>
#include <implot.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/editor/panels/chart/plot.h"
#include "app/ui/landmarks.h"
#include "app/ui/theme.h"

namespace sinew::editor {
namespace {

constexpr float reach = 8;  // pixels around a thing in which it is meant

float distance(ImVec2 a, ImVec2 b) { return std::hypot(a.x - b.x, a.y - b.y); }

double rounded_to(double value, double step) { return std::round(value / step) * step; }

}  // namespace

double ChartPlot::pixel_y() const {
  const ChartView& v = held_view_;
  const auto height = static_cast<double>(area_.y);
  const bool ratio = board_.front_curve() && board_.front_curve()->model.ratio();
  return ratio ? std::log(v.high / v.low) / height : (v.high - v.low) / height;
}

// ---- What is meant

float ChartPlot::distance_to(const ShownCurve& curve, bool back, ImVec2 mouse) const {
  const Value& value = curve.in_effect && !back ? curve.in_effect : curve.value;
  if (!value) return INFINITY;
  // The nearest of a few places left and right of the mouse: steep curves are caught, too.
  constexpr int count = 9;
  const bool ratio = board_.front_curve()->model.ratio();
  std::array<double, count> x{}, y{};
  for (int i = 0; i < count; ++i)
    x[static_cast<std::size_t>(i)] =
        ImPlot::PixelsToPlot(mouse.x + ui::px(reach) * static_cast<float>(i - count / 2) / 4,
                             mouse.y)
            .x;
  value.type()->curve_at(value.data(), x, y, back);
  float nearest = INFINITY;
  ImVec2 last;
  for (std::size_t i = 0; i < count; ++i) {
    const ImVec2 at = pixel(x[i], ratio ? std::max(y[i], 1e-9) : y[i]);
    nearest = std::min(nearest, distance(at, mouse));
    // Between two places on a steep part.
    if (i > 0 && (last.y - mouse.y) * (at.y - mouse.y) < 0)
      nearest = std::min(nearest, std::abs((last.x + at.x) / 2 - mouse.x));
    last = at;
  }
  return nearest;
}

ChartPlot::Hot ChartPlot::find_hot(ImVec2 mouse) const {
  const ShownCurve* curve = board_.front_curve();
  Hot hot;
  if (!curve || !is_seen(mouse)) return hot;
  float nearest = ui::px(reach);
  const auto offer = [&](ImVec2 at, Hot candidate) {
    const float d = distance(at, mouse);
    if (d >= nearest) return;
    nearest = d;
    hot = candidate;
  };
  if (curve->editable()) {
    for (const bool back : {false, true})
      for (std::size_t i = 0; i < curve->model.way(back).size(); ++i) {
        const CurvePoint& p = curve->model.way(back)[i];
        offer(pixel(p.x, p.y), {Kind::point, {back, i}, 0});
      }
    for (const PointRef& ref : board_.chosen)
      for (const bool out : {false, true})
        if (const auto at = handle(ref, out))
          offer(*at, {out ? Kind::slope_out : Kind::slope_in, ref, 0});
    if (hot.kind != Kind::nothing) return hot;
    for (std::size_t i = 0; i < curve->model.marks.size(); ++i)
      offer(ImVec2(pixel(curve->model.marks[i].second, board_.view.high).x, mouse.y),
            {Kind::mark, {}, i});
  }
  const auto time = time_on(board_.editor, *curve);
  if (time && frame_length(board_.editor, *curve))
    offer(ImVec2(pixel(*time, board_.view.high).x, mouse.y), {Kind::time, {}, 0});
  if (hot.kind != Kind::nothing) return hot;
  nearest = ui::px(reach);
  for (const bool back : {false, true}) {
    if (back && curve->model.back.empty()) continue;
    if (const float d = distance_to(*curve, back, mouse); d < nearest)
      nearest = d, hot = {Kind::curve, {back, 0}, 0};
  }
  if (hot.kind != Kind::nothing) return hot;
  for (std::size_t i = 0; i < board_.curves.size(); ++i) {
    if (i == board_.front) continue;
    if (const float d = distance_to(board_.curves[i], false, mouse); d < nearest)
      nearest = d, hot = {Kind::other, {}, i};
  }
  return hot;
}

void ChartPlot::say_hint() const {
  Editor& editor = board_.editor;
  const bool slopes = board_.front_curve() && board_.front_curve()->model.smooth();
  switch (hot_.kind) {
    case Kind::point:
      return editor.hint(
          "Drag: move it (Shift finer, Ctrl on the grid, Esc as it was). Shift+click: choose more. "
          "Right click: remove it.");
    case Kind::slope_in:
    case Kind::slope_out:
      return editor.hint("Drag: the slope (Alt: of this side only). Right click: automatic.");
    case Kind::mark:
      return editor.hint("Drag: move the mark.");
    case Kind::time:
      return editor.hint("Drag: go to another moment.");
    case Kind::curve:
      return editor.hint("Double click or Ctrl+click: a new point here.");
    case Kind::other:
      return editor.hint(
          fmt::format("Click: bring '{}' to the front.", board_.curves[hot_.index].name));
    case Kind::nothing:
      break;
  }
  editor.hint(slopes ? "Drag: choose points. Ctrl+click: a new point. Wheel: zoom, middle button: "
                       "pan, F: all. Chosen points have handles for their slopes."
                     : "Drag: choose points. Ctrl+click: a new point. Wheel: zoom, middle button: "
                       "pan, F: all.");
}

// ---- Taking hold, moving, letting go

void ChartPlot::handle_mouse() {
  const ImGuiIO& io = ImGui::GetIO();
  const ImVec2 mouse = io.MousePos;
  if (doing_ != Doing::nothing) {
    const bool changes = doing_ == Doing::move || doing_ == Doing::slope || doing_ == Doing::mark;
    if (ImGui::IsKeyPressed(ImGuiKey_Escape, false)) {
      cancel();
    } else if (changes && !board_.dragging()) {
      doing_ = Doing::nothing;  // what was held is gone
    } else if (!board_.front_curve() || !ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
      finish();
    } else {
      go_on(mouse);
    }
    return;
  }
  const bool hovered = ImPlot::IsPlotHovered();
  hot_ = hovered ? find_hot(mouse) : Hot();
  if (!hovered) return;
  board_.editor.set_hovered(Where::chart);
  say_hint();
  if (hot_.kind == Kind::time || hot_.kind == Kind::mark)
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) &&
      (hot_.kind == Kind::nothing || hot_.kind == Kind::curve)) {
    add_at(mouse, false);
  } else if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
    press(mouse);
  } else if (ImGui::IsMouseClicked(ImGuiMouseButton_Right)) {
    right_click(mouse);
  }
}

void ChartPlot::press(ImVec2 mouse) {
  const ImGuiIO& io = ImGui::GetIO();
  if (!board_.front_curve()) return;
  pressed_ = mouse;
  way_ = ImVec2(0, 0);
  moved_ = toggle_on_release_ = only_on_release_ = false;
  held_ = hot_;
  held_view_ = board_.view;
  held_model_ = board_.front_curve()->model;
  chosen_before_ = board_.chosen;
  switch (hot_.kind) {
    case Kind::point:
      press_point(hot_.point);
      break;
    case Kind::slope_in:
    case Kind::slope_out:
      doing_ = Doing::slope;
      break;
    case Kind::mark:
      doing_ = Doing::mark;
      break;
    case Kind::time:
      doing_ = Doing::scrub;
      break;
    case Kind::other:
      board_.bring_to_front(hot_.index);
      return;
    case Kind::curve:
    case Kind::nothing:
      if (io.KeyCtrl && board_.can_edit()) return add_at(mouse, true);
      doing_ = io.KeyAlt ? Doing::pan : Doing::box;
      if (doing_ == Doing::box && !io.KeyShift) board_.chosen.clear();
      break;
  }
  if (doing_ == Doing::move || doing_ == Doing::slope || doing_ == Doing::mark) board_.begin_drag();
}

// A point that is among the chosen moves all of them; only when it was a click is it chosen alone.
void ChartPlot::press_point(PointRef ref) {
  const bool chosen = board_.chosen.contains(ref);
  if (ImGui::GetIO().KeyShift) {
    toggle_on_release_ = chosen;
    board_.chosen.insert(ref);
  } else if (chosen) {
    only_on_release_ = true;
  } else {
    board_.chosen = {ref};
  }
  doing_ = Doing::move;
}

void ChartPlot::add_at(ImVec2 mouse, bool then_drag) {
  if (!board_.can_edit()) return;
  const ShownCurve& curve = *board_.front_curve();
  const ImPlotPoint at = ImPlot::PixelsToPlot(mouse);
  const bool back = hot_.kind == Kind::curve && hot_.point.back;
  held_view_ = board_.view;
  chosen_before_ = board_.chosen;
  const double x = tidy(at.x, pixel_x());
  // On the curve if that is where the mouse is: its shape stays nearly as it is.
  const double y = hot_.kind == Kind::curve ? value_at(curve, x, back) : at.y;
  CurveModel model = curve.model;
  const auto added = model.add(back, x, y);
  if (!added) return;
  model.round_off({*added}, 0, pixel_y());
  if (then_drag) board_.begin_drag();
  board_.change(model);
  board_.chosen = {*added};
  if (!then_drag) return;
  doing_ = Doing::move;
  held_ = hot_ = {Kind::point, *added, 0};
  held_model_ = model;
  pressed_ = mouse;
  way_ = ImVec2(0, 0);
  moved_ = toggle_on_release_ = only_on_release_ = false;
}

void ChartPlot::go_on(ImVec2 mouse) {
  const ImGuiIO& io = ImGui::GetIO();
  board_.editor.set_hovered(Where::chart);
  const float fineness = io.KeyShift ? 0.1f : 1;
  if (!moved_) {
    // A hand that only clicks moves nothing.
    moved_ = distance(mouse, pressed_) >= ui::px(3);
    if (!moved_) return;
    way_ = ImVec2((mouse.x - pressed_.x) * fineness, (mouse.y - pressed_.y) * fineness);
  } else {
    way_.x += io.MouseDelta.x * fineness;
    way_.y += io.MouseDelta.y * fineness;
  }
  switch (doing_) {
    case Doing::move:
      return drag_points();
    case Doing::slope:
      return drag_slope(mouse);
    case Doing::mark:
      return drag_mark();
    case Doing::scrub: {
      const auto frame =
          frame_at(board_.editor, *board_.front_curve(), ImPlot::PixelsToPlot(mouse).x);
      if (frame && std::lround(*frame) != board_.editor.player.frame())
        board_.editor.player.go_to(static_cast<int>(std::lround(std::clamp(*frame, -1e9, 1e9))));
      return;
    }
    case Doing::box:
      return choose_in_box(mouse);
    case Doing::pan: {
      ChartView& v = board_.view;
      const double dx = -way_.x * pixel_x();
      v.left = held_view_.left + dx, v.right = held_view_.right + dx;
      const double dy = way_.y * pixel_y();
      const bool ratio = board_.front_curve()->model.ratio();
      v.low = ratio ? held_view_.low * std::exp(dy) : held_view_.low + dy;
      v.high = ratio ? held_view_.high * std::exp(dy) : held_view_.high + dy;
      return;
    }
    case Doing::nothing:
      return;
  }
}

double ChartPlot::snapped_x(double x) const {
  const auto frame = frame_length(board_.editor, *board_.front_curve());
  return rounded_to(x, frame ? *frame : step_x_ / 5);
}

double ChartPlot::snapped_y(double y) const {
  if (!board_.front_curve()->model.ratio()) return rounded_to(y, step_y_ / 5);
  return std::max(rounded_to(y, 0.05), 0.05);
}

void ChartPlot::drag_points() {
  const CurvePoint* start = held_model_.find(held_.point);
  if (!start) return;
  const bool ratio = held_model_.ratio();
  double x = start->x + way_.x * pixel_x();
  double y = ratio ? start->y * std::exp(-way_.y * pixel_y()) : start->y - way_.y * pixel_y();
  const bool snaps = ImGui::GetIO().KeyCtrl;
  const bool fine = ImGui::GetIO().KeyShift;
  if (snaps) x = snapped_x(x), y = snapped_y(y);
  const double finer = fine ? 0.1 : 1;
  CurveModel model;
  model.move(held_model_, board_.chosen, x - start->x, ratio ? y / start->y : y - start->y);
  model.round_off(board_.chosen, pixel_x() * finer * (snaps ? 1e-3 : 1),
                  pixel_y() * finer * (snaps ? 1e-3 : 1));
  board_.change(model);
  // What is held stays in sight.
  if (const CurvePoint* now = model.find(held_.point)) {
    ChartView& v = board_.view;
    const double dx = 10 * pixel_x(), dy = 10 * pixel_y();
    v.left = std::min(v.left, now->x - dx), v.right = std::max(v.right, now->x + dx);
    v.low = std::min(v.low, ratio ? now->y * std::exp(-dy) : now->y - dy);
    v.high = std::max(v.high, ratio ? now->y * std::exp(dy) : now->y + dy);
    const std::string& unit = model.x_unit;
    board_.editor.hint(fmt::format("{:.6g}{}{}, {:.6g}{}{}", now->x, unit.empty() ? "" : " ", unit,
                                   now->y, model.y_unit.empty() ? "" : " ", model.y_unit));
  }
}

void ChartPlot::drag_slope(ImVec2 mouse) {
  const CurvePoint* start = held_model_.find(held_.point);
  if (!start) return;
  const bool out = held_.kind == Kind::slope_out, ratio = held_model_.ratio();
  const ImVec2 at = pixel(start->x, start->y);
  // A handle stays on its side, and never quite upright.
  const double across = std::max(out ? mouse.x - at.x : at.x - mouse.x, ui::px(0.5f));
  const double up = at.y - mouse.y;
  double slope = (out ? 1 : -1) * up * pixel_y() / (across * pixel_x());
  if (ImGui::GetIO().KeyCtrl) slope = rounded_to(slope, ratio ? 0.25 : step_y_ / step_x_ / 4);
  slope = tidy(slope, std::max(std::abs(slope), pixel_y() / (area_.x * pixel_x())) * 0.01);
  CurveModel model = held_model_;
  CurvePoint& p = model.points[held_.point.index];
  // Two sides that differ were parted on purpose.
  const bool parted = p.in != p.out || ImGui::GetIO().KeyAlt;
  (out ? p.out : p.in) = slope;
  if (!parted) p.in = p.out = slope;
  board_.change(model);
  board_.editor.hint(fmt::format("Slope{}: {:.4g}", ratio ? " of the logarithm" : "", slope));
}

void ChartPlot::drag_mark() {
  CurveModel model = held_model_;
  if (held_.index >= model.marks.size()) return;
  double& x = model.marks[held_.index].second;
  x = tidy(x + way_.x * pixel_x(), pixel_x());
  if (ImGui::GetIO().KeyCtrl) x = tidy(snapped_x(x), pixel_x() * 1e-3);
  board_.editor.hint(fmt::format("{}: {:.6g}", model.marks[held_.index].first, x));
  board_.change(model);
}

void ChartPlot::choose_in_box(ImVec2 mouse) {
  board_.chosen = ImGui::GetIO().KeyShift ? chosen_before_ : std::set<PointRef>();
  const ShownCurve& curve = *board_.front_curve();
  if (!curve.editable()) return;
  for (const bool back : {false, true})
    for (std::size_t i = 0; i < curve.model.way(back).size(); ++i) {
      const ImVec2 at = pixel(curve.model.way(back)[i].x, curve.model.way(back)[i].y);
      if (at.x >= std::min(pressed_.x, mouse.x) && at.x <= std::max(pressed_.x, mouse.x) &&
          at.y >= std::min(pressed_.y, mouse.y) && at.y <= std::max(pressed_.y, mouse.y))
        board_.chosen.insert({back, i});
    }
}

void ChartPlot::finish() {
  if (doing_ == Doing::move && !moved_) {
    if (toggle_on_release_) board_.chosen.erase(held_.point);
    if (only_on_release_) board_.chosen = {held_.point};
  }
  board_.end_drag();
  doing_ = Doing::nothing;
}

void ChartPlot::cancel() {
  board_.cancel_drag();
  board_.chosen = chosen_before_;
  board_.view = held_view_;
  doing_ = Doing::nothing;
}

// ---- The right button

void ChartPlot::right_click(ImVec2 mouse) {
  const bool editable = board_.can_edit();
  if (hot_.kind == Kind::point && editable) {
    // One of the chosen stands for all of them.
    if (!board_.chosen.contains(hot_.point)) board_.chosen = {hot_.point};
    return board_.remove_chosen();
  }
  if (hot_.kind == Kind::slope_in || hot_.kind == Kind::slope_out) {
    CurveModel model = board_.front_curve()->model;
    CurvePoint& p = model.points[hot_.point.index];
    (hot_.kind == Kind::slope_out ? p.out : p.in).reset();
    return board_.change(model);
  }
  const ImPlotPoint at = ImPlot::PixelsToPlot(mouse);
  menu_x_ = at.x, menu_y_ = at.y;
  ImGui::OpenPopup("##chart menu");
}

void ChartPlot::draw_menu() {
  if (!ImGui::BeginPopup("##chart menu")) return;
  const bool editable = board_.can_edit();
  const bool any = !board_.chosen.empty();
  const auto item = [&](const char* text, const char* keys, bool enabled, auto then) {
    if (ImGui::MenuItem(text, keys, false, enabled)) then();
    ui::mark("chart.menu", text);
  };
  item("Add a point", "Ctrl+click", editable, [&] {
    CurveModel model = board_.front_curve()->model;
    held_view_ = board_.view;
    if (const auto added = model.add(false, tidy(menu_x_, pixel_x()), menu_y_)) {
      model.round_off({*added}, 0, pixel_y());
      board_.change(model);
      board_.chosen = {*added};
    }
  });
  const bool shapes = editable && !board_.front_curve()->only_points;
  item("Add a mark", "", shapes, [&] {
    CurveModel model = board_.front_curve()->model;
    held_view_ = board_.view;
    std::string name = "mark";
    const auto taken = [&] {
      return std::any_of(model.marks.begin(), model.marks.end(),
                         [&](const auto& m) { return m.first == name; });
    };
    for (int i = 2; taken(); ++i) name = fmt::format("mark {}", i);
    model.marks.emplace_back(name, tidy(menu_x_, pixel_x()));
    board_.change(model);
  });
  ImGui::Separator();
  item("Remove points", "X", editable && any, [&] { board_.remove_chosen(); });
  item("Automatic slopes", "", editable && any, [&] { board_.set_slopes_automatic(); });
  item("Join slopes", "", editable && any, [&] { board_.join_slopes(); });
  ImGui::Separator();
  item("Choose all", "Ctrl+A", true, [&] { board_.choose_all(); });
  item("Copy points", "Ctrl+C", true, [&] { board_.copy_points(); });
  item("Paste points", "Ctrl+V", editable, [&] { board_.paste_points(); });
  item("Fit view", "F", true, [&] { board_.fit(); });
  ImGui::EndPopup();
}

}  // namespace sinew::editor
