#include "app/ui/landmarks.h"

#include <imgui_internal.h>

#include <algorithm>

namespace sinew::ui {

void Landmarks::put(std::string name, ImVec2 from, ImVec2 to, bool passing) {
  if (const ImGuiWindow* window = ImGui::GetCurrentContext()->CurrentWindow) {
    from = ImMax(from, window->ClipRect.Min);
    to = ImMin(to, window->ClipRect.Max);
  }
  if (to.x <= from.x || to.y <= from.y) return;
  all_[std::move(name)] = {from.x, from.y, to.x, to.y, passing};
}

const Landmark* Landmarks::find(std::string_view name) const {
  const auto found = all_.find(name);
  return found == all_.end() ? nullptr : &found->second;
}

std::string Landmarks::at(float x, float y) const {
  std::string best;
  float smallest = 0;
  for (const auto& [name, mark] : all_) {
    if (mark.passing) continue;
    const float area = (mark.right - mark.left) * (mark.bottom - mark.top);
    if (mark.holds(x, y) && (best.empty() || area < smallest)) {
      best = name;
      smallest = area;
    }
  }
  return best;
}

Landmarks& landmarks() {
  static Landmarks all;
  return all;
}

}  // namespace sinew::ui
