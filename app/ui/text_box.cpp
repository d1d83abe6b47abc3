#include "app/ui/text_box.h"

#include <imgui.h>
#include <imgui_stdlib.h>

namespace sinew::ui {

std::optional<std::string> text_box(const char* id, const std::string& text, const TextBox& how) {
  static ImGuiID typed = 0;
  static std::string draft;  // of the one box that is typed into
  const ImGuiID self = ImGui::GetID(id);
  std::string shown = typed == self ? draft : text;
  const float width = ImGui::CalcItemWidth();
  if (how.lines > 1)
    ImGui::InputTextMultiline(
        id, &shown,
        ImVec2(width, static_cast<float>(how.lines) * ImGui::GetTextLineHeight() +
                          2 * ImGui::GetStyle().FramePadding.y));
  else
    ImGui::InputTextWithHint(id, how.hint, &shown);
  if (ImGui::IsItemActive()) {
    typed = self;
    draft = shown;
    return std::nullopt;
  }
  if (typed != self) return std::nullopt;
  typed = 0;
  if (shown == text) return std::nullopt;
  return shown;
}

}  // namespace sinew::ui
