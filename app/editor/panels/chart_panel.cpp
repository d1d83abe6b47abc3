// The chart editor: a plane with curves, small controls above it, the numbers of the chosen points
// below.
#include <imgui.h>

#include "app/editor/editor.h"
#include "app/editor/panels/chart/board.h"
#include "app/editor/panels/chart/controls.h"
#include "app/editor/panels/chart/plot.h"
#include "app/ui/widgets.h"

namespace sinew::editor {
namespace {

class ChartPanel : public Panel {
 public:
  explicit ChartPanel(Editor& editor) : editor_(editor), board_(editor), plot_(board_) {
    add_actions();
  }

  void draw() override {
    board_.refresh();
    if (!board_.front_curve()) {
      ui::empty_note("Choose a node with a chart, or let a parameter follow one.");
      return;
    }
    if (ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows)) editor_.set_hovered(Where::chart);
    const float edge = ui::px(6);
    ImGui::SetCursorPos(ImVec2(edge, ui::px(2)));
    const ImVec2 size = ImGui::GetContentRegionAvail();
    ImGui::BeginChild("chart", ImVec2(size.x - edge, size.y - ui::px(4)), ImGuiChildFlags_None,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    draw_owner(board_);
    draw_curve_tabs(board_);
    draw_form(board_);
    const float line = ImGui::GetFrameHeightWithSpacing();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    plot_.draw(ImVec2(room.x, room.y - line));
    draw_numbers(board_);
    ImGui::EndChild();
  }

 private:
  void add_actions();

  Editor& editor_;
  ChartBoard board_;
  ChartPlot plot_;
};

void ChartPanel::add_actions() {
  const auto add = [this](const char* id, const char* title, const char* keys, const char* doc,
                          auto run, auto enabled) {
    editor_.actions.add(Action{.id = id,
                               .title = title,
                               .menu = {},
                               .shortcut = keys,
                               .doc = doc,
                               .where = Where::chart,
                               .run =
                                   [this, run] {
                                     board_.refresh();  // the panel may not have been seen lately
                                     run();
                                   },
                               .enabled = enabled});
  };
  const auto shown = [this] { return board_.front_curve() != nullptr; };
  const auto editable = [this] { return board_.can_edit(); };
  const auto chosen = [this] { return board_.can_edit() && !board_.chosen.empty(); };
  add(
      "chart.fit", "Fit chart", "F", "Shows all of the curves.", [this] { board_.fit(); }, shown);
  add(
      "chart.select_all", "Choose all points", "Ctrl+A",
      "Chooses all points of the curve in front.", [this] { board_.choose_all(); }, shown);
  add(
      "chart.remove", "Remove points", "Delete X", "Removes the chosen points of the chart.",
      [this] { board_.remove_chosen(); }, chosen);
  add(
      "chart.copy", "Copy points", "Ctrl+C", "Copies points as two columns for a spreadsheet.",
      [this] { board_.copy_points(); }, shown);
  add(
      "chart.paste", "Paste points", "Ctrl+V", "Takes two columns of numbers as the points.",
      [this] { board_.paste_points(); }, editable);
  add(
      "chart.automatic", "Automatic slopes", "A", "Lets the slopes of the chosen points follow.",
      [this] { board_.set_slopes_automatic(); }, chosen);
  add(
      "chart.join", "Join slopes", "J", "One slope on both sides of the chosen points.",
      [this] { board_.join_slopes(); }, chosen);
  const auto nudge = [&](const char* id, const char* title, const char* keys, double x, double y) {
    add(
        id, title, keys, "Moves the chosen points by a small step.",
        [this, x, y] { board_.nudge(x, y); }, chosen);
  };
  nudge("chart.left", "Points to the left", "Left", -1, 0);
  nudge("chart.right", "Points to the right", "Right", 1, 0);
  nudge("chart.up", "Points up", "Up", 0, 1);
  nudge("chart.down", "Points down", "Down", 0, -1);
}

}  // namespace

std::unique_ptr<Panel> make_chart_panel(Editor& editor) {
  return std::make_unique<ChartPanel>(editor);
}

}  // namespace sinew::editor
