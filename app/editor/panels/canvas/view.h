// Which part of the canvas is seen, and how large.
#pragma once

#include <algorithm>

#include "app/editor/panels/canvas/model.h"
#include "app/ui/theme.h"

namespace sinew::editor::canvas {

inline constexpr float smallest_zoom = 0.05f, largest_zoom = 3;
// Below this, nodes are boxes with a title.
inline constexpr float overview_zoom = 0.35f;

struct View {
  ImVec2 pan{0, 0};  // the place of the canvas in the upper left corner
  float zoom = 1;
  ImVec2 origin{0, 0}, size{1, 1};  // the panel, in pixels of the window

  float factor() const { return zoom * ui::scale(); }
  ImVec2 screen(ImVec2 p) const {
    const float k = factor();
    return {origin.x + (p.x - pan.x) * k, origin.y + (p.y - pan.y) * k};
  }
  ImVec2 canvas(ImVec2 p) const {
    const float k = factor();
    return {(p.x - origin.x) / k + pan.x, (p.y - origin.y) / k + pan.y};
  }
  Rect visible() const { return {pan, canvas(ImVec2(origin.x + size.x, origin.y + size.y))}; }
  // What is under this pixel stays there.
  void zoom_about(ImVec2 pixel, float to) {
    const ImVec2 there = canvas(pixel);
    zoom = std::clamp(to, smallest_zoom, largest_zoom);
    const float k = factor();
    pan = ImVec2(there.x - (pixel.x - origin.x) / k, there.y - (pixel.y - origin.y) / k);
  }
  void frame(const Rect& rect, float margin = 30) {
    const float wide = std::max(rect.to.x - rect.from.x + 2 * margin, 1.0f);
    const float high = std::max(rect.to.y - rect.from.y + 2 * margin, 1.0f);
    zoom = std::clamp(std::min(size.x / wide, size.y / high) / ui::scale(), smallest_zoom, 1.0f);
    const float k = factor();
    pan = ImVec2(rect.middle().x - size.x / k / 2, rect.middle().y - size.y / k / 2);
  }
};

}  // namespace sinew::editor::canvas
