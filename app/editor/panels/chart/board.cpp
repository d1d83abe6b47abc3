#include "app/editor/panels/chart/board.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/editor/panels/chart/spreadsheet.h"

namespace sinew::editor {
namespace {

constexpr int samples = 200;

// The least and the greatest value of a curve over a range.
void widen(const Value& value, double left, double right, bool back, double& low, double& high) {
  std::vector<double> x(samples + 1), y(samples + 1);
  for (int i = 0; i <= samples; ++i)
    x[static_cast<std::size_t>(i)] = left + (right - left) * i / samples;
  value.type()->curve_at(value.data(), x, y, back);
  for (const double v : y) low = std::min(low, v), high = std::max(high, v);
}

}  // namespace

std::string points_text(std::size_t count) {
  return count == 1 ? "1 point" : fmt::format("{} points", count);
}

double nice_step(double range, double count) {
  if (!(range > 0) || !std::isfinite(range)) return 1;
  const double rough = range / count, power = std::pow(10, std::floor(std::log10(rough)));
  const double part = rough / power;
  return power * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
}

// Another node with charts shows its own, one that runs on a curve shows that; any other leaves
// what is there.
void ChartBoard::follow_selection() {
  const Session& session = editor.session;
  if (document_seen_ != session.document_count()) {
    document_seen_ = session.document_count();
    editor.chart.reset();
    focus_ = {};
  }
  runners_.update(session);
  if (editor.chart && !is_there(session, *editor.chart)) editor.chart.reset();
  const bool newly_selected = selection_seen_ != session.selection_revision();
  selection_seen_ = session.selection_revision();
  const NodeDoc* active = session.active();
  if (!active || (editor.chart && editor.chart->node == active->id)) return;
  // What the chosen node runs on may have become another.
  if (editor.chart && !newly_selected && editor.chart != run_on_) return;
  if (const auto first = first_chart(session, *active)) {
    editor.chart = first;
  } else if (const auto curve = runners_.curve_of(session, *active)) {
    editor.chart = run_on_ = curve;
  } else if (const auto given = first_given_chart(session, *active)) {
    editor.chart = given;
  }
}

void ChartBoard::refresh() {
  follow_selection();
  const ChartFocus focus = editor.chart.value_or(ChartFocus{});
  if (focus != focus_) {
    // Charts of one plot lie over one another: the view stays.
    const bool among = std::any_of(curves.begin(), curves.end(), [&](const ShownCurve& c) {
      return c.place.node == focus.node && c.place.input == focus.input && !c.place.animation;
    });
    fit_wanted_ = fit_wanted_ || !among;
    chosen.clear();
    component_ = 0;
    focus_ = focus;
  }
  curves.clear();
  front = 0;
  if (focus.node.empty()) return;
  curves = shown_curves(editor, focus);
  for (ShownCurve& curve : curves)
    if (!curve.place.animation) curve.running = runners_.on(editor, curve.path, curve.place.input);
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const CurvePlace& place = curves[i].place;
    if (place.is_one_of_several() ? place.which() == component_ : place.input == focus.input)
      front = i;
  }
  if (const ShownCurve* curve = front_curve())
    std::erase_if(chosen, [&](const PointRef& ref) { return !curve->model.find(ref); });
  fit_to_others();
  if (fit_wanted_ && front_curve() && front_curve()->value) fit();
  if (view == fitted_) keep_running_in_view();
}

void ChartBoard::bring_to_front(std::size_t index) {
  if (index >= curves.size() || index == front) return;
  const CurvePlace place = curves[index].place;
  front = index;
  chosen.clear();
  if (place.is_one_of_several()) {
    component_ = place.which();
  } else {
    editor.chart = focus_ = {place.node, place.input, focus_.only_seen};
  }
}

void ChartBoard::change(const CurveModel& model) {
  ShownCurve* curve = front_curve();
  if (!curve || !curve->editable() || model.write() == curve->model.write()) return;
  const CurvePlace& place = curve->place;
  const std::string merge =
      dragging_ ? fmt::format("chart {} {}.{}", drag_, place.node, place.input) : std::string();
  const Result<Json> whole = with_curve(editor.session, place, model.write());
  if (!whole) return editor.notify(NoticeKind::warning, whole.error());
  if (!editor.tell(editor.session.set_param(place.node, place.input, *whole, merge))) return;
  curve->model = model;
  revision_seen_ = editor.session.revision();
}

void ChartBoard::begin_drag() {
  editor.session.seal();
  ++drag_;
  dragging_ = true;
  before_drag_ = editor.session.history().position();
}

void ChartBoard::cancel_drag() {
  const bool changed = dragging_ && editor.session.history().position() > before_drag_;
  end_drag();
  if (changed) editor.session.undo();
}

void ChartBoard::fit_to_others() {
  if (std::exchange(revision_seen_, editor.session.revision()) == editor.session.revision()) return;
  if (front_curve() && front_curve()->only_points && view == fitted_) fit_wanted_ = true;
}

void ChartBoard::fit_to_change() {
  fit_wanted_ = true;
  editor.session.on_undo([this] { fit_wanted_ = true; }, [this] { fit_wanted_ = true; });
}

void ChartBoard::end_drag() {
  if (!dragging_) return;
  dragging_ = false;
  editor.session.seal();
}

void ChartBoard::fit() {
  fit_wanted_ = false;
  const ShownCurve* in_front = front_curve();
  if (!in_front) return;
  const bool ratio = in_front->model.ratio();
  double left = INFINITY, right = -INFINITY, low = INFINITY, high = -INFINITY;
  for (const ShownCurve& c : curves) {
    const Value& value = c.in_effect ? c.in_effect : c.value;
    if (!value) continue;
    const auto [from, to] = value.type()->curve_range(value.data());
    // A curve of one point is the same everywhere: it has no range of its own.
    if (from == to && curves.size() > 1 && !c.place.animation) continue;
    left = std::min(left, from), right = std::max(right, to);
  }
  if (in_front->place.animation) {
    if (const auto length = frame_length(editor, *in_front)) {
      left = std::min(left, editor.player.first_frame() * *length);
      right = std::max(right, editor.player.last_frame() * *length);
    }
  }
  if (!(left <= right)) left = 0, right = 1;
  if (left == right) right = left + 1;
  for (const ShownCurve& c : curves) {
    const Value& value = c.in_effect ? c.in_effect : c.value;
    if (value)
      for (const bool back : {false, true}) widen(value, left, right, back, low, high);
  }
  if (!(low <= high)) low = 0, high = 1;
  const double margin = 0.06 * (right - left);
  view.left = left - margin;
  view.right = right + margin;
  if (ratio) {
    low = std::max(low, 1e-6), high = std::max(high, low);
    const double room = std::max(0.12 * std::log(high / low), std::log(1.1));
    view.low = low / std::exp(room);
    view.high = high * std::exp(room);
  } else {
    const double size = std::max({std::abs(low), std::abs(high), 1e-12});
    const double room = high - low > 1e-9 * size ? 0.12 * (high - low) : 0.5 * std::max(size, 1.0);
    view.low = low - room;
    view.high = high + room;
  }
  keep_running_in_view();
}

void ChartBoard::keep_running_in_view() {
  const bool ratio = front_curve() && front_curve()->model.ratio();
  const double across = 0.06 * (view.right - view.left), up = 0.12 * (view.high - view.low);
  for (const ShownCurve& c : curves)
    for (const RunningMark& mark : c.running) {
      if (mark.x < view.left) view.left = mark.x - across;
      if (mark.x > view.right) view.right = mark.x + across;
      if (mark.y > view.high) view.high = mark.y + up;
      if (mark.y < view.low && !ratio) view.low = mark.y - up;
      if (mark.y < view.low && ratio && mark.y > 0) view.low = mark.y / 1.1;
    }
  fitted_ = view;
}

void ChartBoard::choose_all() {
  chosen.clear();
  const ShownCurve* curve = front_curve();
  if (!curve) return;
  for (const bool back : {false, true})
    for (std::size_t i = 0; i < curve->model.way(back).size(); ++i) chosen.insert({back, i});
}

void ChartBoard::remove_chosen() {
  if (!can_edit() || chosen.empty()) return;
  end_drag();  // what a hand holds is gone
  CurveModel model = front_curve()->model;
  model.remove(chosen);
  chosen.clear();
  change(model);
}

void ChartBoard::nudge(double right, double up) {
  if (!can_edit() || chosen.empty()) return;
  const CurveModel from = front_curve()->model;
  CurveModel model;
  const double step = nice_step(view.right - view.left, 100);
  if (from.ratio()) {
    model.move(from, chosen, right * step, std::pow(1.01, up));
    model.round_off(chosen, step / 10, 0.001);
  } else {
    const double rise = nice_step(view.high - view.low, 100);
    model.move(from, chosen, right * step, up * rise);
    model.round_off(chosen, step / 10, rise / 10);
  }
  change(model);
}

void ChartBoard::copy_points() const {
  const ShownCurve* curve = front_curve();
  if (!curve) return;
  std::vector<CurvePoint> list;
  for (const PointRef& ref : chosen)
    if (!ref.back) list.push_back(*curve->model.find(ref));
  if (list.empty()) list = curve->model.points;
  ImGui::SetClipboardText(write_columns(list).c_str());
  editor.notify(NoticeKind::info,
                fmt::format("{} copied as two columns.", points_text(list.size())));
}

void ChartBoard::paste_points() {
  if (!can_edit()) return;
  const char* text = ImGui::GetClipboardText();
  Columns columns = read_columns(text ? text : "");
  if (columns.points.empty()) {
    editor.notify(NoticeKind::warning,
                  "What was copied is no two columns of numbers, x and y, line by line.");
    return;
  }
  CurveModel model = front_curve()->model;
  const std::size_t given = columns.points.size();
  if (model.ratio()) {
    std::erase_if(columns.points, [](const CurvePoint& p) { return !(p.y > 0); });
    if (columns.points.empty()) {
      editor.notify(NoticeKind::warning,
                    "The values of this chart are factors, and none is above 0.");
      return;
    }
  }
  const auto below = given - columns.points.size();
  const int twice = model.set_points(std::move(columns.points));
  chosen.clear();
  change(model);
  fit_to_change();
  std::string said = fmt::format("{} pasted.", points_text(model.points.size()));
  if (twice > 0) said += fmt::format(" {} at an x that was there already were left out.", twice);
  if (below > 0) said += fmt::format(" {} that are not above 0 were left out.", below);
  if (columns.skipped > 0) said += fmt::format(" {} lines are no numbers.", columns.skipped);
  const bool all = twice == 0 && below == 0 && columns.skipped == 0;
  editor.notify(all ? NoticeKind::success : NoticeKind::warning, said);
}

void ChartBoard::start_with(const ReadyMade& start) {
  if (!can_edit()) return;
  const auto model = CurveModel::read(start.literal);
  if (!model) return;
  chosen.clear();
  change(start_from(front_curve()->model, *model));
  fit_to_change();
}

void ChartBoard::set_slopes_automatic() {
  if (!can_edit()) return;
  CurveModel model = front_curve()->model;
  for (const PointRef& ref : chosen)
    if (!ref.back) model.points[ref.index].in = model.points[ref.index].out = std::nullopt;
  change(model);
}

void ChartBoard::join_slopes() {
  if (!can_edit()) return;
  CurveModel model = front_curve()->model;
  for (const PointRef& ref : chosen) {
    if (ref.back) continue;
    CurvePoint& p = model.points[ref.index];
    if (p.in && p.out) {
      p.in = p.out = (*p.in + *p.out) / 2;
    } else {
      p.in = p.out = p.in ? p.in : p.out;
    }
  }
  change(model);
}

}  // namespace sinew::editor
