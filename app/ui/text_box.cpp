#include "app/ui/text_box.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <string_view>

#include "app/ui/theme.h"
#include "app/ui/widgets.h"

namespace sinew::ui {

namespace {

// A long text that nobody types into: wrapped, since Dear ImGui's own box does not. True when it is
// clicked.
bool resting(const char* id, const std::string& text, const char* hint, ImVec2 size) {
  ImGui::PushID(id);
  const ImVec2 at = ImGui::GetCursorScreenPos(), to(at.x + size.x, at.y + size.y);
  ImGui::InvisibleButton("rest", size);
  const bool clicked = ImGui::IsItemActivated(), hot = ImGui::IsItemHovered();
  if (hot) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
  const ImGuiStyle& style = ImGui::GetStyle();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, to, hot ? theme().field_hot : theme().field, style.FrameRounding);
  list.PushClipRect(at, to, true);
  const std::string_view shown = text.empty() ? std::string_view(hint) : std::string_view(text);
  list.AddText(ImGui::GetFont(), ImGui::GetFontSize(),
               ImVec2(at.x + style.FramePadding.x, at.y + style.FramePadding.y),
               text.empty() ? theme().faint : theme().text, shown.data(),
               shown.data() + shown.size(), size.x - 2 * style.FramePadding.x);
  list.PopClipRect();
  const float room = size.x - 2 * style.FramePadding.x;
  if (ImGui::CalcTextSize(text.c_str(), nullptr, false, room).y > size.y) hover_text(text);
  ImGui::PopID();
  return clicked;
}

}  // namespace

std::optional<std::string> text_box(const char* id, const std::string& text, const TextBox& how) {
  static ImGuiID typed = 0;   // the one box that is typed into
  static ImGuiID opened = 0;  // was clicked, and gets the keyboard
  static std::string draft;
  // A box that stands before it in the frame takes the keyboard before this one knows.
  static ImGuiID left = 0;
  static std::string left_text;
  static int typed_frame = 0, left_frame = 0;  // what is older belongs to a box that is gone
  const int now = ImGui::GetFrameCount();
  const ImGuiID self = ImGui::GetID(id);
  std::string shown = typed == self ? draft : text;
  bool active = false;
  if (how.lines > 1) {
    const ImVec2 size(ImGui::CalcItemWidth(),
                      static_cast<float>(how.lines) * ImGui::GetTextLineHeight() +
                          2 * ImGui::GetStyle().FramePadding.y);
    if (typed != self && opened != self) {
      if (resting(id, text, how.hint, size)) opened = self;
    } else {
      if (typed != self) ImGui::SetKeyboardFocusHere();
      ImGui::InputTextMultiline(id, &shown, size);
      active = ImGui::IsItemActive();
    }
  } else {
    ImGui::InputTextWithHint(id, how.hint, &shown);
    active = ImGui::IsItemActive();
  }
  if (active) {
    if (typed != self && typed != 0 && now - typed_frame <= 1) {
      left = typed;
      left_text = draft;
      left_frame = now;
    }
    typed = self;
    typed_frame = now;
    opened = 0;
    draft = shown;
    return std::nullopt;
  }
  if (left == self && left_frame == now) {
    left = 0;
    return left_text == text ? std::nullopt : std::optional(left_text);
  }
  if (typed != self) return std::nullopt;
  typed = 0;
  if (shown == text) return std::nullopt;
  return shown;
}

}  // namespace sinew::ui
