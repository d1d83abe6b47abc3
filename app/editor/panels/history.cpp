// The steps that were made, and the way back to any of them.
#include <fmt/format.h>
#include <imgui.h>

#include "app/editor/editor.h"
#include "app/ui/landmarks.h"
#include "app/ui/widgets.h"

namespace sinew::editor {
namespace {

class HistoryPanel : public Panel {
 public:
  explicit HistoryPanel(Editor& editor) : editor_(editor) {}

  void draw() override {
    const History& history = editor_.session.history();
    // Titles are copied only when something has changed.
    if (revision_ != editor_.session.revision()) {
      revision_ = editor_.session.revision();
      titles_ = history.titles();
    }
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui::px(8), ui::px(6)));
    ImGui::BeginChild("steps", ImVec2(0, 0), ImGuiChildFlags_AlwaysUseWindowPadding);
    ImGui::PopStyleVar();
    const std::size_t now = history.position();
    std::optional<std::size_t> wanted;
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(titles_.size()) + 1, ImGui::GetFrameHeight());
    if (now != position_) clipper.IncludeItemByIndex(static_cast<int>(now));
    while (clipper.Step())
      for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
        if (draw_step(static_cast<std::size_t>(i), now)) wanted = static_cast<std::size_t>(i);
    position_ = now;
    ImGui::EndChild();
    if (wanted) editor_.session.go_to(*wanted);
  }

 private:
  bool draw_step(std::size_t i, std::size_t now) {
    const std::string title = i == 0 ? "As it was opened" : titles_[i - 1];
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size(std::max(ImGui::GetContentRegionAvail().x, 1.0f), ImGui::GetFrameHeight());
    ImGui::PushID(static_cast<int>(i));
    const bool pressed = ImGui::InvisibleButton("step", size);
    ImGui::PopID();
    const std::string number = fmt::format("{}", i);
    ui::mark("history", number);
    // Where one is stays in sight when it moves.
    if (i == now && now != position_) ImGui::SetScrollHereY(0.5f);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ui::Theme& t = ui::theme();
    const ImVec2 to(at.x + size.x, at.y + size.y);
    if (ImGui::IsItemHovered()) {
      list.AddRectFilled(at, to, t.field_hot, ui::px(4));
      editor_.hint(i == now ? "" : i < now ? "Click: undo back to here" : "Click: redo up to here");
    }
    if (i == now) list.AddRectFilled(at, to, t.accent_soft, ui::px(4));
    const float y = at.y + (size.y - ImGui::GetFontSize()) / 2;
    const ImU32 colour = i > now ? t.faint : t.text;  // what is undone waits to be redone
    list.AddCircleFilled(ImVec2(at.x + ui::px(10), at.y + size.y / 2),
                         ui::px(i == now ? 4.0f : 2.5f), i == now ? t.accent : colour);
    list.AddText(ImVec2(at.x + ui::px(22), y), colour,
                 ui::clipped(title, size.x - ui::px(26)).c_str());
    return pressed && i != now;
  }

  Editor& editor_;
  std::vector<std::string> titles_;
  uint64_t revision_ = 0;
  std::size_t position_ = 0;
};

}  // namespace

std::unique_ptr<Panel> make_history(Editor& editor) {
  return std::make_unique<HistoryPanel>(editor);
}

}  // namespace sinew::editor
