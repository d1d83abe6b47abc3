// All keys and all that the mouse does, on one sheet.
#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/editor/editor.h"
#include "app/library/names.h"
#include "app/ui/landmarks.h"
#include "app/ui/widgets.h"

namespace sinew::editor {
namespace {

constexpr const char* popup_id = "###shortcuts";

const char* name_of(Where where) {
  switch (where) {
    case Where::anywhere:
      return "Everywhere";
    case Where::canvas:
      return "On the canvas";
    case Where::viewport:
      return "In the viewport";
    case Where::chart:
      return "In charts";
    case Where::timeline:
      return "On the timeline";
  }
  return "";
}

struct Line {
  std::string keys, what, doc;
};

struct Section {
  const char* title;
  std::vector<Line> lines;
};

class ShortcutSheet : public Overlay {
 public:
  explicit ShortcutSheet(Editor& editor) : editor_(editor) {
    editor_.actions.add({"help.shortcuts", "Shortcuts", "Help", "F1",
                         "All keys, and all that the mouse does", Where::anywhere,
                         [this] { (open_ ? unwanted_ : wanted_) = true; }});
  }

  void draw() override {
    if (std::exchange(wanted_, false)) {
      letters_.clear();
      ImGui::OpenPopup(popup_id);
    }
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos(ImVec2(screen.x / 2, screen.y / 2), ImGuiCond_Always,
                            ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowSize(
        ImVec2(std::min(0.94f * screen.x, ui::px(1080)), std::min(0.92f * screen.y, ui::px(760))));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui::px(16), ui::px(12)));
    const bool open =
        ImGui::BeginPopup(popup_id, ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
    ImGui::PopStyleVar();
    open_ = open;
    const bool leave =
        std::exchange(unwanted_, false) || ImGui::IsKeyPressed(ImGuiKey_Escape, false);
    if (!open) return;
    if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
    ImGui::SetNextItemWidth(ui::px(320));
    ui::search_box("##sheet", letters_, "Search keys and gestures");
    ui::mark("shortcuts", "search");
    ImGui::SameLine();
    ImGui::TextDisabled("F1 or Escape closes. A key means what is under the mouse.");
    ImGui::BeginChild("sheet");
    draw_columns();
    ImGui::EndChild();
    if (leave) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
  }

 private:
  bool fits(const Line& line) const {
    return letters_.empty() || library::fuzzy_score(letters_, line.what + " " + line.keys) >= 0;
  }

  std::vector<Section> sections() const {
    std::vector<Section> all;
    for (const Where where :
         {Where::anywhere, Where::viewport, Where::canvas, Where::chart, Where::timeline}) {
      Section section{name_of(where), {}};
      for (const Action& a : editor_.actions.all()) {
        if (a.where != where || a.shortcut.empty()) continue;
        std::string keys, title = a.title;
        for (const std::string& chord : a.chords()) keys += (keys.empty() ? "" : " / ") + chord;
        if (title.ends_with("...")) title.resize(title.size() - 3);
        if (const Line line{keys, title, a.doc}; fits(line)) section.lines.push_back(line);
      }
      for (const Gesture& g : editor_.actions.gestures())
        if (const Line line{g.gesture, g.what, ""}; g.where == where && fits(line))
          section.lines.push_back(line);
      if (!section.lines.empty()) all.push_back(std::move(section));
    }
    return all;
  }

  // Sections flow into columns of about the same length; one may go on in the next.
  void draw_columns() {
    const std::vector<Section> all = sections();
    if (all.empty()) return ui::empty_note("No key and no gesture fits these letters.");
    const float room = ImGui::GetContentRegionAvail().x, gap = ui::px(22);
    const int columns = std::clamp(static_cast<int>(room / ui::px(320)), 1, 3);
    const float width =
        (room - static_cast<float>(columns - 1) * gap) / static_cast<float>(columns);
    std::size_t rows = 0;
    for (const Section& s : all) rows += s.lines.size() + 2;
    const std::size_t each =
        (rows + static_cast<std::size_t>(columns) - 1) / static_cast<std::size_t>(columns);
    const ImVec2 start = ImGui::GetCursorPos();
    int column = 0;
    std::size_t used = 0;
    float lowest = start.y;
    ImGui::BeginGroup();
    const auto next_column = [&] {
      ImGui::EndGroup();
      lowest = std::max(lowest, ImGui::GetCursorPosY());
      ++column;
      used = 0;
      ImGui::SetCursorPos(ImVec2(start.x + static_cast<float>(column) * (width + gap), start.y));
      ImGui::BeginGroup();
    };
    for (const Section& s : all) {
      if (column + 1 < columns && used + 3 > each) next_column();
      draw_heading(s.title, width);
      used += 2;
      for (const Line& line : s.lines) {
        if (column + 1 < columns && used >= each) {
          next_column();
          draw_heading(s.title, width);
          used += 2;
        }
        draw_line(line, width);
        ++used;
      }
    }
    ImGui::EndGroup();
    ImGui::SetCursorPosY(std::max(lowest, ImGui::GetCursorPosY()));
    ImGui::Dummy(ImVec2(0, 0));  // the window reaches down to here
  }

  static void draw_heading(const char* title, float width) {
    ImGui::Dummy(ImVec2(width, ui::px(4)));
    ImGui::PushStyleColor(ImGuiCol_Text, ui::theme().accent);
    ImGui::TextUnformatted(title);
    ImGui::PopStyleColor();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddLine(at, ImVec2(at.x + width, at.y), ui::theme().line);
    ImGui::Dummy(ImVec2(width, ui::px(1)));
  }

  static void draw_line(const Line& line, float width) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float keys = 0.46f * width;
    ImGui::Dummy(ImVec2(width, ImGui::GetTextLineHeight()));
    ui::hover_text(line.keys + ": " + line.what, line.doc);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddText(at, ui::theme().dim, ui::clipped(line.keys, keys - ui::px(8)).c_str());
    list.AddText(ImVec2(at.x + keys, at.y), ui::theme().text,
                 ui::clipped(line.what, width - keys).c_str());
  }

  Editor& editor_;
  bool open_ = false, wanted_ = false, unwanted_ = false;
  std::string letters_;
};

}  // namespace

std::unique_ptr<Overlay> make_shortcut_sheet(Editor& editor) {
  return std::make_unique<ShortcutSheet>(editor);
}

}  // namespace sinew::editor
