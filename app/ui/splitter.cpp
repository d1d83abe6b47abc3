#include "app/ui/splitter.h"

#include <imgui.h>

#include <algorithm>
#include <string>

#include "app/ui/landmarks.h"
#include "app/ui/theme.h"

namespace sinew::ui {

std::optional<float> splitter(const char* id, Direction direction, float x, float y, float width,
                              float height) {
  if (width < 1 || height < 1) return std::nullopt;
  const bool upright = direction == Direction::upright;
  // Easier to catch than to see.
  const float more = px(3);
  const ImVec2 from(upright ? x - more : x, upright ? y : y - more);
  const ImVec2 size(upright ? width + 2 * more : width, upright ? height : height + 2 * more);
  ImGui::SetNextWindowPos(from);
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
  ImGui::Begin((std::string("##splitter_") + id).c_str(), nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoBringToFrontOnFocus);
  ImGui::PopStyleVar(2);
  ImGui::InvisibleButton("border", ImGui::GetContentRegionAvail());
  mark("splitter", id);
  std::optional<float> moved;
  if (ImGui::IsItemHovered() || ImGui::IsItemActive()) {
    ImGui::SetMouseCursor(upright ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(x, y), ImVec2(x + width, y + height),
                                              theme().accent);
  }
  if (ImGui::IsItemActive()) moved = upright ? ImGui::GetMousePos().x : ImGui::GetMousePos().y;
  ImGui::End();
  return moved;
}

}  // namespace sinew::ui
