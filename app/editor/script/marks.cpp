// What is drawn into the pictures of a script: the pointer, and a few words.
#include <imgui.h>

#include <algorithm>

#include "app/editor/script/script.h"
#include "app/ui/theme.h"

namespace sinew::editor {

void draw_script_pointer(float x, float y, bool pressed) {
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  const float u = ui::px(1.5f);
  if (pressed)
    list.AddCircle(ImVec2(x, y), 9 * u, ui::with_alpha(ui::theme().accent, 0.9f), 0, 1.6f * u);
  // The usual arrow, its tip at the place; the line around it is drawn first.
  const auto at = [&](float dx, float dy) { return ImVec2(x + u * dx, y + u * dy); };
  const ImVec2 line[] = {at(0, 0),     at(0, 11.5f),   at(2.6f, 9), at(4.4f, 13),
                         at(6.2f, 12), at(4.5f, 8.2f), at(8, 8.2f)};
  list.AddPolyline(line, static_cast<int>(std::size(line)), IM_COL32(20, 20, 24, 255),
                   ImDrawFlags_Closed, 2 * u);
  const ImU32 white = IM_COL32(255, 255, 255, 255);
  list.AddTriangleFilled(at(0, 0), at(0, 11.5f), at(8, 8.2f), white);
  list.AddQuadFilled(at(2.2f, 8), at(4.4f, 13), at(6.2f, 12), at(4.2f, 7.6f), white);
}

// The words stand towards the middle of the window, so that they fit, with a line to the place.
void draw_script_note(const std::string& text, float x, float y) {
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float wrap = ui::px(240), pad = ui::px(8), gap = ui::px(34);
  const ImVec2 size = ImGui::CalcTextSize(text.c_str(), nullptr, false, wrap);
  const ImVec2 box(size.x + 2 * pad, size.y + 2 * pad);
  const bool left = x > screen.x / 2, above = y > screen.y / 2;
  ImVec2 from(left ? x - gap - box.x : x + gap, above ? y - gap - box.y : y + gap);
  from.x = std::clamp(from.x, pad, std::max(pad, screen.x - box.x - pad));
  from.y = std::clamp(from.y, pad, std::max(pad, screen.y - box.y - pad));
  const ImVec2 to(from.x + box.x, from.y + box.y);
  const ImU32 colour = ui::theme().accent;
  const ImVec2 near(std::clamp(x, from.x, to.x), std::clamp(y, from.y, to.y));
  list.AddLine(near, ImVec2(x, y), colour, ui::px(2));
  list.AddCircleFilled(ImVec2(x, y), ui::px(4), colour);
  list.AddRectFilled(from, to, ui::theme().raised, ui::px(5));
  list.AddRect(from, to, colour, ui::px(5), 0, ui::px(1.5f));
  list.AddText(nullptr, 0, ImVec2(from.x + pad, from.y + pad), ui::theme().text, text.c_str(),
               nullptr, wrap);
}

}  // namespace sinew::editor
