#include "app/editor/panels/chart/controls.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/editor/titles.h"
#include "app/ui/landmarks.h"
#include "app/ui/widgets.h"
#include "graph/label.h"

namespace sinew::editor {
namespace {

// A few points of a ready-made curve in a small box.
void draw_preview(const TypeInfo& type, const Value& value, ImVec2 from, ImVec2 size) {
  constexpr std::size_t count = 40;
  std::array<double, count> x{}, y{};
  const auto [left, right] = type.curve_range(value.data());
  for (std::size_t i = 0; i < count; ++i)
    x[i] = left + (right - left) * (static_cast<double>(i) + 0.01) / count;
  type.curve_at(value.data(), x, y, false);
  const auto [low, high] = std::minmax_element(y.begin(), y.end());
  const double height = std::max(*high - *low, 1e-12);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(from, ImVec2(from.x + size.x, from.y + size.y), ui::theme().back, ui::px(3));
  std::array<ImVec2, count> points;
  const float edge = ui::px(3);
  for (std::size_t i = 0; i < count; ++i)
    points[i] = ImVec2(
        from.x + edge + (size.x - 2 * edge) * static_cast<float>(i) / (count - 1),
        from.y + size.y - edge - (size.y - 2 * edge) * static_cast<float>((y[i] - *low) / height));
  list.AddPolyline(points.data(), static_cast<int>(count), ui::theme().accent, 0, ui::px(1.5f));
}

void draw_ready_made(ChartBoard& board) {
  const TypeInfo* type = board.editor.session.registry().curve_type();
  if (!type) return;
  const ImVec2 picture(ui::px(46), ui::px(26));
  float words = 0;
  for (const ReadyMade& start : type->ready_made)
    words = std::max(words, ImGui::CalcTextSize(label_from_name(start.name).c_str()).x);
  const float width = picture.x + words + ui::px(18);
  std::string group;
  int in_line = 0;
  for (const ReadyMade& start : type->ready_made) {
    if (start.group != group) {
      group = start.group;
      in_line = 0;
      ui::heading(group.c_str());
    }
    if (in_line++ % 2 == 1) ImGui::SameLine(0, ui::px(6));
    const Result<Value> value = type->from_json(start.literal);
    if (!value) continue;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool taken = ImGui::Selectable(("##" + start.name).c_str(), false, 0,
                                         ImVec2(width, picture.y + ui::px(4)));
    ui::mark("chart.start", start.name);
    ui::hover_text(start.doc);
    draw_preview(*type, *value, ImVec2(at.x + ui::px(2), at.y + ui::px(2)), picture);
    const float line = ImGui::GetTextLineHeight();
    ImGui::GetWindowDrawList()->AddText(
        ImVec2(at.x + picture.x + ui::px(10), at.y + (picture.y + ui::px(4) - line) / 2),
        ui::theme().text, label_from_name(start.name).c_str());
    if (taken) board.start_with(start);
  }
}

// A choice of words; true when another one was taken.
bool choose(const char* id, std::string& word,
            std::initializer_list<std::pair<const char*, const char*>> words, const char* about,
            float width) {
  const char* shown = word.c_str();
  for (const auto& [name, label] : words)
    if (word == name) shown = label;
  bool changed = false;
  ImGui::SetNextItemWidth(width);
  if (ImGui::BeginCombo(fmt::format("##{}", id).c_str(), shown, ImGuiComboFlags_NoArrowButton)) {
    for (const auto& [name, label] : words) {
      if (ImGui::Selectable(label, word == name)) {
        changed = word != name;
        word = name;
      }
      ui::mark("chart.choice", name);
    }
    ImGui::EndCombo();
  } else {
    ui::hover_text(about);
  }
  ui::mark("chart", id);
  return changed;
}

// A number that counts when it has been typed; true then.
bool number(const char* id, const char* label, double& value, float width) {
  if (*label) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("%s", label);
    ImGui::SameLine(0, ui::px(4));
  }
  ImGui::SetNextItemWidth(width);
  double typed = value;
  ImGui::InputDouble(fmt::format("##{}", id).c_str(), &typed, 0, 0, "%.6g",
                     ImGuiInputTextFlags_AutoSelectAll);
  const bool done = ImGui::IsItemDeactivatedAfterEdit();
  ui::mark("chart", id);
  if (!done || !std::isfinite(typed) || typed == value) return false;
  value = typed;
  return true;
}

bool text(const char* id, const char* label, std::string& value) {
  ImGui::SetNextItemWidth(ui::px(120));
  std::string typed = value;
  ImGui::InputText(label, &typed);
  const bool done = ImGui::IsItemDeactivatedAfterEdit();
  ui::mark("chart", id);
  if (!done || typed == value) return false;
  value = typed;
  return true;
}

void bounds_controls(ChartBoard& board, CurveModel& m) {
  bool on = m.bounds.has_value();
  if (ImGui::Checkbox("Bounds", &on)) {
    if (on) {
      m.bounds = m.ratio() ? std::pair(0.5, 2.0) : std::pair(0.0, 1.0);
      for (const CurvePoint& p : m.points) {
        m.bounds->first = std::min(m.bounds->first, p.y);
        m.bounds->second = std::max(m.bounds->second, p.y);
      }
    } else {
      m.bounds.reset();
    }
    board.change(m);
  }
  ui::mark("chart", "bounds");
  ui::hover_text("No value goes beyond these.");
  if (!m.bounds) return;
  ImGui::SameLine();
  auto [low, high] = *m.bounds;
  bool changed = number("bounds.low", "", low, ui::px(60));
  ImGui::SameLine(0, ui::px(4));
  changed = number("bounds.high", "to", high, ui::px(60)) || changed;
  if (!changed || !(low < high) || (m.ratio() && !(low > 0))) return;
  m.bounds = {low, high};
  board.change(m);
}

void mark_controls(ChartBoard& board, CurveModel& m) {
  for (std::size_t i = 0; i < m.marks.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    std::string name = m.marks[i].first;
    double x = m.marks[i].second;
    const bool renamed = text(fmt::format("mark_name.{}", i).c_str(), "##name", name);
    ImGui::SameLine();
    const bool moved = number("mark_x", "x", x, ui::px(64));
    ImGui::SameLine();
    const bool removed = ui::icon_button("remove mark", ui::Icon::cross, "Remove this mark");
    ImGui::PopID();
    if (removed) {
      m.marks.erase(m.marks.begin() + static_cast<std::ptrdiff_t>(i));
      return board.change(m);
    }
    const bool free = std::none_of(m.marks.begin(), m.marks.end(),
                                   [&](const auto& mark) { return mark.first == name; });
    if (renamed && free && !name.empty()) m.marks[i].first = name;
    if (moved) m.marks[i].second = x;
    if (renamed || moved) return board.change(m);
  }
}

void draw_more(ChartBoard& board) {
  CurveModel m = board.front_curve()->model;
  if (m.cyclic()) {
    double period = m.cycle();
    if (number("period", "One round is", period, ui::px(80))) {
      m.set_period(period);
      board.change(m);
    }
    ImGui::SameLine();
    ImGui::TextDisabled("%s", m.x_unit.c_str());
  }
  if (board.front_curve()->only_points) return;
  bounds_controls(board, m);
  bool loop = !m.back.empty();
  ImGui::BeginDisabled(m.points.size() < 2);
  if (ImGui::Checkbox("A way back of its own", &loop)) {
    if (loop) {
      m.add_back();
    } else {
      m.back.clear();
    }
    board.change(m);
  }
  ImGui::EndDisabled();
  ui::mark("chart", "way_back");
  ui::hover_text(
      "Another curve for when x falls: what comes back is not what went in. Its points "
      "are squares.");
  if (text("x_unit", "unit of x", m.x_unit)) board.change(m);
  if (text("y_unit", "unit of y", m.y_unit)) board.change(m);
  if (m.marks.empty()) return;
  ui::heading("Marks");
  mark_controls(board, m);
}

// Whose curve it is: as the graph that is looked at names it, or from the document's own graph on.
std::string owner_of(const Session& session, const ShownCurve& curve) {
  const bool here = session.path_of(curve.place.node) == curve.path;
  return here ? title_of(session, curve.place.node) : title_of_path(session, curve.path);
}

std::string curve_mark(const ShownCurve& curve) {
  const bool has_name = curve.place.component >= 0 || curve.place.part >= 0;
  return has_name ? curve.name : curve.place.input;
}

void draw_curve_tab(ChartBoard& board, std::size_t i, float each) {
  const ShownCurve& c = board.curves[i];
  const bool chosen = i == board.front;
  const float wanted = ImGui::CalcTextSize(c.name.c_str()).x + ui::px(14);
  const std::string shown = ui::clipped(c.name, std::min(wanted, each) - ui::px(12));
  ImGui::PushID(static_cast<int>(i));
  ImGui::PushStyleColor(ImGuiCol_Button, chosen ? ui::theme().raised : IM_COL32(0, 0, 0, 0));
  ImGui::PushStyleColor(ImGuiCol_Text, chosen ? c.colour : ui::with_alpha(c.colour, 0.8f));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                      ImVec2(ui::px(6), ImGui::GetStyle().FramePadding.y));
  if (ImGui::Button((shown + "##tab").c_str(), ImVec2(std::min(wanted, each), 0)))
    board.bring_to_front(i);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor(2);
  ImGui::PopID();
  ui::mark("chart.curve", curve_mark(c));
  ui::hover_text(fmt::format("{}: {}", owner_of(board.editor.session, c), c.label),
                 c.in_effect ? c.doc + " What counts now is the dashed curve." : c.doc);
  ImGui::SameLine(0, 0);
}

void draw_curve_list(ChartBoard& board, float width) {
  const ShownCurve& front = *board.front_curve();
  ImGui::SetNextItemWidth(width);
  ImGui::PushStyleColor(ImGuiCol_Text, front.colour);
  const bool open = ImGui::BeginCombo("##curves", front.name.c_str(), ImGuiComboFlags_HeightLarge);
  ImGui::PopStyleColor();
  ui::mark("chart", "curves");
  if (open) {
    std::size_t wanted = board.front;
    for (std::size_t i = 0; i < board.curves.size(); ++i) {
      const ShownCurve& c = board.curves[i];
      ImGui::PushID(static_cast<int>(i));
      ImGui::PushStyleColor(ImGuiCol_Text, c.colour);
      if (ImGui::Selectable(c.name.c_str(), i == board.front)) wanted = i;
      ImGui::PopStyleColor();
      ImGui::PopID();
      ui::mark("chart.curve", curve_mark(c));
    }
    ImGui::EndCombo();
    board.bring_to_front(wanted);
  } else {
    ui::hover_text("Which curve is in front");
  }
  ImGui::SameLine(0, 0);
}

}  // namespace

void draw_owner(ChartBoard& board) {
  const ShownCurve* curve = board.front_curve();
  if (!curve) return;
  Session& session = board.editor.session;
  const std::string path = curve->path;
  const NodeDoc* active = session.active();
  const bool chosen = active && session.path_of(active->id) == path;
  ui::clipped_text(owner_of(session, *curve), ImGui::GetContentRegionAvail().x,
                   chosen ? ui::theme().text : ui::theme().faint);
  ui::mark("chart", "owner");
  if (chosen) return;
  ui::hover_text("Another node is chosen. Click: choose the one whose chart this is");
  if (ImGui::IsItemClicked()) session.go_to_node(path);
}

void draw_curve_tabs(ChartBoard& board) {
  const float side = ImGui::GetFrameHeight();
  const float buttons = 3 * side + 2 * ui::px(2);
  const float room = ImGui::GetContentRegionAvail().x - buttons;
  const float start = ImGui::GetCursorPosX();
  const float each =
      (room - ui::px(4)) / static_cast<float>(std::max<std::size_t>(board.curves.size(), 1));
  // Of many, names would be cut to nothing.
  if (board.curves.size() > 2 && each < ui::px(52)) {
    draw_curve_list(board, room - ui::px(6));
  } else {
    for (std::size_t i = 0; i < board.curves.size(); ++i) draw_curve_tab(board, i, each);
  }
  ImGui::SameLine(start + room);
  const bool shapes = board.can_edit() && !board.front_curve()->only_points;
  if (ui::icon_button("curves", ui::Icon::chart, "Curves to start from", false, shapes))
    ImGui::OpenPopup("ready made");
  ui::mark("chart", "menu.curves");
  ImGui::SetNextWindowSizeConstraints(ImVec2(0, 0), ImVec2(10000, ui::px(640)));
  if (ImGui::BeginPopup("ready made")) {
    draw_ready_made(board);
    ImGui::EndPopup();
  }
  ImGui::SameLine(0, ui::px(2));
  if (ui::icon_button("fit chart", ui::Icon::home, "Show all of it (F)")) board.fit();
  ui::mark("chart", "fit");
  ImGui::SameLine(0, ui::px(2));
  if (ui::icon_button("chart more", ui::Icon::dots, "Period, bounds, way back, units, marks", false,
                      board.can_edit()))
    ImGui::OpenPopup("more");
  ui::mark("chart", "menu.more");
  if (ImGui::BeginPopup("more")) {
    if (board.can_edit()) draw_more(board);
    ImGui::EndPopup();
  }
}

void draw_form(ChartBoard& board) {
  const ShownCurve* curve = board.front_curve();
  if (!curve) return;
  if (!curve->editable()) {
    ImGui::AlignTextToFramePadding();
    ui::clipped_text(curve->locked, ImGui::GetContentRegionAvail().x - ui::px(60), ui::theme().dim);
    if (curve->source.empty()) return;
    ImGui::SameLine(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - ui::px(52));
    const std::string source = curve->source;
    if (ImGui::Button("Go to")) board.editor.session.go_to_node(source);
    ui::mark("chart", "source");
    return;
  }
  if (curve->only_points) {
    ImGui::AlignTextToFramePadding();
    ui::clipped_text(curve->doc, ImGui::GetContentRegionAvail().x, ui::theme().faint);
    ui::hover_text(curve->doc);
    return;
  }
  CurveModel m = curve->model;
  const float gap = ui::px(4);
  const float each = (ImGui::GetContentRegionAvail().x - 2 * gap) / 3;
  if (choose("interpolation", m.interpolation,
             {{"smooth", "Smooth"}, {"linear", "Straight"}, {"stepped", "Steps"}},
             "How the points are joined.", each))
    board.change(m);
  ImGui::SameLine(0, gap);
  if (std::string extension = m.extension;
      choose("extension", extension, {{"clamped", "Holds"}, {"cyclic", "Repeats"}},
             "Outside of the points: holds the first and the last value, or repeats.", each)) {
    m.set_cyclic(extension == "cyclic");
    board.change(m);
  }
  ImGui::SameLine(0, gap);
  if (std::string axis = m.axis;
      choose("axis", axis, {{"linear", "Linear"}, {"ratio", "Ratio"}},
             "Ratio: values are factors above 0, and half way between 1 and 4 is 2.", each)) {
    m.set_ratio(axis == "ratio");
    board.change(m);
    board.fit();
  }
}

void draw_numbers(ChartBoard& board) {
  const ShownCurve* curve = board.front_curve();
  if (!curve || !curve->editable()) return;
  const CurveModel& before = curve->model;
  if (board.chosen.empty()) {
    ImGui::AlignTextToFramePadding();
    ui::clipped_text(
        fmt::format("{}. Click one for its numbers.", points_text(before.points.size())),
        ImGui::GetContentRegionAvail().x, ui::theme().faint);
    return;
  }
  const PointRef first = *board.chosen.begin();
  const CurvePoint point = *before.find(first);
  const bool slopes = before.smooth() && !first.back;
  const float buttons = slopes ? ui::px(52) : 0;
  const float width = (ImGui::GetContentRegionAvail().x - buttons - ui::px(44)) / 2;
  CurveModel model = before;
  double x = point.x, y = point.y;
  if (number("x", "x", x, width)) {
    // All of them go with the first.
    if (board.chosen.size() == 1) {
      model.place(first, x, y);
    } else {
      model.move(before, board.chosen, x - point.x, before.ratio() ? 1 : 0);
    }
    board.change(model);
  }
  ImGui::SameLine(0, ui::px(6));
  if (number("y", "y", y, width)) {
    for (const PointRef& ref : board.chosen) model.place(ref, model.find(ref)->x, y);
    board.change(model);
  }
  if (!slopes) return;
  ImGui::SameLine(0, ui::px(6));
  const bool drawn = point.in || point.out;
  ImGui::BeginDisabled(!drawn);
  if (ImGui::Button("Auto", ImVec2(ui::px(46), 0))) board.set_slopes_automatic();
  ImGui::EndDisabled();
  ui::mark("chart", "automatic");
  ui::hover_text("Slopes that never overshoot, from the neighbours.");
}

}  // namespace sinew::editor
