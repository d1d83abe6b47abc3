// Notices that come and go, lower right, over the panels and under dialogs. A click takes one away;
// the messages panel keeps them all.
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/editor/editor.h"
#include "app/ui/landmarks.h"
#include "app/ui/widgets.h"

namespace sinew::editor {
namespace {

constexpr double fading_seconds = 0.6;
constexpr std::size_t most_at_once = 5;

class Toasts : public Overlay {
 public:
  explicit Toasts(Editor& editor) : editor_(editor) {}

  void draw() override {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    // Above the status line and the timeline, so that neither is hidden.
    float bottom = screen.y - ImGui::GetFrameHeight() - ui::px(92 + 14);
    const std::vector<Editor::Notice>& all = editor_.notices();
    std::size_t drawn = 0;
    for (std::size_t i = all.size(); i-- > 0 && drawn < most_at_once;) {
      const double left = all[i].at + Editor::seconds_of(all[i].kind) - editor_.now();
      if (all[i].dismissed || left <= 0) continue;
      if (left < fading_seconds)
        editor_.want_frames(fading_seconds);
      else
        editor_.want_frame_at(all[i].at + Editor::seconds_of(all[i].kind) - fading_seconds);
      const float alpha = static_cast<float>(std::clamp(left / fading_seconds, 0.0, 1.0));
      const float height =
          draw_one(i, all[i], drawn++, ImVec2(screen.x - ui::px(14), bottom), alpha);
      bottom -= height + ui::px(8);
    }
  }

 private:
  // Its height.
  float draw_one(std::size_t index, const Editor::Notice& notice, std::size_t slot, ImVec2 corner,
                 float alpha) {
    const ui::Theme& t = ui::theme();
    struct Look {
      ui::Icon icon;
      ImU32 colour;
    };
    const Look looks[] = {{ui::Icon::info, t.dim},
                          {ui::Icon::check, t.good},
                          {ui::Icon::warning, t.warning},
                          {ui::Icon::error, t.error}};
    const Look& look = looks[static_cast<std::size_t>(notice.kind)];
    const std::string id = "##toast" + std::to_string(slot);
    ImGui::SetNextWindowPos(corner, ImGuiCond_Always, ImVec2(1, 1));
    ImGui::PushStyleVar(ImGuiStyleVar_Alpha, alpha);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui::px(12), ui::px(9)));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, t.raised);
    ImGui::Begin(id.c_str(), nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize |
                     ImGuiWindowFlags_NoFocusOnAppearing);
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(at, ImVec2(at.x + ui::px(4), at.y + size.y),
                       ui::with_alpha(look.colour, alpha), ui::px(6), ImDrawFlags_RoundCornersLeft);
    const float side = ImGui::GetTextLineHeight();
    const ImVec2 here = ImGui::GetCursorScreenPos();
    ui::draw_icon(list, look.icon, ImVec2(here.x + side / 2, here.y + side / 2), side,
                  ui::with_alpha(look.colour, alpha));
    ImGui::Dummy(ImVec2(side, side));
    ImGui::SameLine();
    ImGui::PushTextWrapPos(ui::px(380));
    ImGui::TextUnformatted(notice.text.c_str());
    ImGui::PopTextWrapPos();
    ui::mark_area("toast", std::to_string(slot), at, ImVec2(at.x + size.x, at.y + size.y));
    if (ImGui::IsWindowHovered()) {
      editor_.hint("Click: take the notice away");
      if (ImGui::IsMouseClicked(0)) editor_.dismiss(index);
    }
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(3);
    return size.y;
  }

  Editor& editor_;
};

}  // namespace

std::unique_ptr<Overlay> make_toasts(Editor& editor) { return std::make_unique<Toasts>(editor); }

}  // namespace sinew::editor
