#include "app/ui/widgets.h"

#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "app/ui/landmarks.h"

namespace sinew::ui {

bool icon_button(const char* id, Icon icon, const char* tooltip, bool on, bool enabled) {
  const float side = ImGui::GetFrameHeight();
  ImGui::BeginDisabled(!enabled);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool pressed = ImGui::InvisibleButton(id, ImVec2(side, side));
  const bool hot = ImGui::IsItemHovered(), held = ImGui::IsItemActive();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (on || hot || held)
    list.AddRectFilled(at, ImVec2(at.x + side, at.y + side),
                       on     ? theme().accent_soft
                       : held ? theme().field_held
                              : theme().field_hot,
                       px(4));
  const ImU32 colour = on ? theme().accent : theme().text;
  draw_icon(list, icon, ImVec2(at.x + side / 2, at.y + side / 2), 0.72f * side,
            enabled ? colour : with_alpha(colour, 0.4f));
  mark("button", id);
  ImGui::EndDisabled();
  if (tooltip && *tooltip) hover_text(tooltip);
  return pressed;
}

bool search_box(const char* id, std::string& text, const char* hint) {
  const float side = ImGui::GetFrameHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::CalcItemWidth();
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                      ImVec2(side + px(2), ImGui::GetStyle().FramePadding.y));
  const bool changed = ImGui::InputTextWithHint(id, hint, &text);
  ImGui::PopStyleVar();
  mark("search", id);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  draw_icon(list, Icon::search, ImVec2(at.x + side / 2, at.y + side / 2), 0.6f * side, theme().dim);
  if (text.empty()) return changed;
  const ImVec2 centre(at.x + width - side / 2, at.y + side / 2);
  const bool hot = ImGui::IsMouseHoveringRect(ImVec2(centre.x - side / 2, at.y),
                                              ImVec2(centre.x + side / 2, at.y + side));
  draw_icon(list, Icon::cross, centre, 0.5f * side, hot ? theme().text : theme().dim);
  if (!hot || !ImGui::IsMouseClicked(0)) return changed;
  text.clear();
  ImGui::ClearActiveID();
  return true;
}

void heading(const char* text) {
  ImGui::Dummy(ImVec2(0, px(2)));
  ImGui::PushStyleColor(ImGuiCol_Text, theme().dim);
  ImGui::SeparatorText(text);
  ImGui::PopStyleColor();
}

std::string clipped(std::string_view text, float width) {
  const char* begin = text.data();
  const char* end = begin + text.size();
  if (ImGui::CalcTextSize(begin, end).x <= width) return std::string(text);
  const float dots = ImGui::CalcTextSize("...").x;
  const char* rest = nullptr;
  ImGui::GetFont()->CalcTextSizeA(ImGui::GetFontSize(), std::max(width - dots, 0.0f), 0, begin, end,
                                  &rest);
  return std::string(begin, rest) + "...";
}

void clipped_text(std::string_view text, float width, ImU32 colour) {
  ImGui::PushStyleColor(ImGuiCol_Text, colour);
  ImGui::TextUnformatted(clipped(text, width).c_str());
  ImGui::PopStyleColor();
}

void hover_text(std::string_view text) {
  if (text.empty() || !ImGui::BeginItemTooltip()) return;
  ImGui::PushTextWrapPos(px(320));
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

void hover_text(std::string_view title, std::string_view text) {
  if (!ImGui::BeginItemTooltip()) return;
  ImGui::PushTextWrapPos(px(320));
  ImGui::TextUnformatted(title.data(), title.data() + title.size());
  if (!text.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, theme().dim);
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    ImGui::PopStyleColor();
  }
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

void empty_note(std::string_view text) {
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float width = std::max(px(60), std::min(room.x - px(24), px(340)));
  const ImVec2 size = ImGui::CalcTextSize(text.data(), text.data() + text.size(), false, width);
  const ImVec2 at = ImGui::GetCursorPos();
  ImGui::SetCursorPos(ImVec2(at.x + std::max(px(12), (room.x - size.x) / 2),
                             at.y + std::max(px(8), (room.y - size.y) / 2)));
  ImGui::PushStyleColor(ImGuiCol_Text, theme().faint);
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
}

StandardButton::StandardButton(bool standard) : standard_(standard) {
  if (!standard_) return;
  const ImU32 colour = theme().accent;
  ImGui::PushStyleColor(ImGuiCol_Button, mixed(theme().raised, colour, 0.85f));
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, colour);
  ImGui::PushStyleColor(ImGuiCol_ButtonActive, mixed(theme().text, colour, 0.8f));
  ImGui::PushStyleColor(ImGuiCol_Text,
                        theme().name == ThemeName::dark ? theme().back : theme().field);
}

StandardButton::~StandardButton() {
  if (standard_) ImGui::PopStyleColor(4);
}

}  // namespace sinew::ui
