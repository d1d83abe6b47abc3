// The small map in the lower right corner: all of the graph, and which part is seen.
#include <algorithm>

#include "app/editor/panels/canvas/canvas.h"
#include "app/ui/landmarks.h"

namespace sinew::editor::canvas {

Rect Canvas::map_area() const {
  const ImVec2 size(std::min(ui::px(170), size_.x / 3), std::min(ui::px(110), size_.y / 3));
  const ImVec2 to(origin_.x + size_.x - ui::px(10), origin_.y + size_.y - ui::px(10));
  return {ImVec2(to.x - size.x, to.y - size.y), to};
}

// The part of the canvas that the map shows: the graph, in the map's proportions.
Rect Canvas::map_extent() const {
  Rect rect = model_.bounds();
  const ImVec2 area = map_area().size();
  const float wide = std::max(rect.size().x + 60, 400.0f),
              high = std::max(rect.size().y + 60, 300.0f);
  const float k = std::max(wide / area.x, high / area.y);
  const ImVec2 middle = rect.middle();
  return {ImVec2(middle.x - area.x * k / 2, middle.y - area.y * k / 2),
          ImVec2(middle.x + area.x * k / 2, middle.y + area.y * k / 2)};
}

// Where all of the graph is seen, a map of it would only hide a part.
bool Canvas::has_map() const {
  if (!editor_.preferences.get("canvas.map", true) || model_.nodes().empty()) return false;
  const ImVec2 size = map_area().size();
  if (size.x < 40 || size.y < 30) return false;
  return doing_ == Doing::mapping || !view().visible().contains(model_.bounds());
}

void Canvas::paint_map(ImDrawList& list) {
  if (!has_map()) return;
  const Rect area = map_area(), extent = map_extent();
  if (ui::landmarks().listening) ui::landmarks().put("minimap", area.from, area.to);
  list.AddRectFilled(area.from, area.to, ui::with_alpha(ui::theme().panel, 0.85f), ui::px(4));
  const float k = area.size().x / extent.size().x;
  const auto at = [&](ImVec2 p) {
    return ImVec2(std::clamp(area.from.x + (p.x - extent.from.x) * k, area.from.x, area.to.x),
                  std::clamp(area.from.y + (p.y - extent.from.y) * k, area.from.y, area.to.y));
  };
  for (const Frame& frame : model_.frames())
    list.AddRect(at(frame.rect.from), at(frame.rect.to), ui::theme().grid_strong);
  for (const Node& n : model_.nodes()) {
    const ImVec2 a = at(n.at), b = at(n.rect().to);
    const ImU32 colour = session().is_selected(n.id) ? ui::theme().accent : header_colour(n);
    list.AddRectFilled(a, ImVec2(std::max(b.x, a.x + 1), std::max(b.y, a.y + 1)), colour);
  }
  const Rect seen = view().visible();
  list.AddRectFilled(at(seen.from), at(seen.to), ui::theme().grid);
  list.AddRect(at(seen.from), at(seen.to), ui::theme().dim);
  list.AddRect(area.from, area.to, ui::theme().line, ui::px(4));
}

}  // namespace sinew::editor::canvas
