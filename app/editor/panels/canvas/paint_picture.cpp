// Pictures inside nodes: charts as curves, fields as the body in its colours. Only of what is in
// view and that the picture in the viewport depends on, so that looking costs no evaluation of its
// own; of the others the last one stays.
#include <algorithm>

#include "app/editor/panels/canvas/canvas.h"

namespace sinew::editor::canvas {
namespace {

constexpr std::size_t most_curves = 2000;

// The strokes of a chart's drawing that carry the curve, in a box of width and height 1.
std::vector<std::pair<ImU32, std::vector<ImVec2>>> curves_of(const draw::DrawList& list) {
  std::vector<std::pair<ImU32, std::vector<ImVec2>>> curves;
  float left = INFINITY, right = -INFINITY, top = -INFINITY, bottom = INFINITY;
  for (const draw::Lines& lines : list.lines)
    for (const draw::Point& p : lines.points) {
      left = std::min(left, p.x());
      right = std::max(right, p.x());
      bottom = std::min(bottom, p.y());
      top = std::max(top, p.y());
    }
  if (!(right > left) || !(top > bottom)) return curves;
  for (const draw::Lines& lines : list.lines) {
    const bool there = lines.colour == draw::accent, back = lines.colour == draw::axis_colours[2];
    if (!there && !back) continue;
    std::vector<ImVec2> points;
    for (std::size_t i = 0; i < lines.points.size(); i += i + 1 < lines.points.size() ? 1 : 2) {
      const ImVec2 p((lines.points[i].x() - left) / (right - left),
                     (top - lines.points[i].y()) / (top - bottom));
      if (points.empty() || points.back().x != p.x || points.back().y != p.y) points.push_back(p);
    }
    curves.emplace_back(ui::type_colour(there ? 0xF0A03C : 0x5A8FDC), std::move(points));
  }
  return curves;
}

}  // namespace

// What a node's picture is of: a value that is there already, or one to ask for.
std::optional<Shown> Canvas::pictured(const Node& n) {
  const GraphPtr& graph = session().graph();
  Shown what;
  what.source = n.path;
  if (n.picture_of_input) {
    if (n.sink < 0 || n.picture_socket >= static_cast<int>(graph->node(n.sink).inputs.size()))
      return std::nullopt;
    const InputSource& input =
        graph->node(n.sink).inputs[static_cast<std::size_t>(n.picture_socket)];
    if (!input.literal) return std::nullopt;
    what.value = input.literal;
    what.key = input.literal_key;
    return what;
  }
  const Target target{n.source, n.picture_socket};
  const Shot* shot = editor_.player.shot().get();
  if (n.source < 0 || !shot) return std::nullopt;
  editor_.player.watch(target);
  const std::optional<Target> body =
      n.picture == PictureKind::body ? graph->body_of(target) : std::nullopt;
  if (body) editor_.player.watch(*body);
  // An older evaluation is of an older graph: what it calls by these numbers may be another node.
  if (shot->graph != graph && shot->graph->find_node(n.path) != n.source) return std::nullopt;
  const TargetResult* value = shot->result(target);
  if (!value || (n.picture == PictureKind::body && !body)) return std::nullopt;
  what.value = value->value;
  what.key = value->key;
  if (!body) return what;
  const TargetResult* on = shot->result(*body);
  if (!on) return std::nullopt;
  what.body = on->value;
  what.body_key = on->key;
  return what;
}

void Canvas::paint_picture(ImDrawList& list, int index) {
  const Node& n = node(index);
  if (n.picture == PictureKind::none) return;
  const View& v = view();
  const float k = v.factor();
  const ImVec2 a = v.screen(ImVec2(n.at.x + 7, n.at.y + n.rows_end));
  const ImVec2 b = v.screen(ImVec2(n.at.x + node_width - 7, n.at.y + n.rows_end + picture_height));
  list.AddRectFilled(a, b, ui::with_alpha(ui::theme().back, 0.75f), 3 * k);
  const bool asks = n.picture_of_input || states_[static_cast<std::size_t>(index)].wanted;
  const std::optional<Shown> what = asks ? pictured(n) : std::nullopt;
  if (n.picture == PictureKind::body) {
    const ui::Texture* texture =
        what ? pictures_.get(n.path, *what, editor_.now()) : pictures_.last(n.path, editor_.now());
    if (texture)
      list.AddImage(texture->ref(), a, b, ImVec2(0, 0), ImVec2(1, 1),
                    IM_COL32(255, 255, 255, n.muted ? 100 : 255));
    return;
  }
  if (what) {
    if (charts_.size() > most_curves) charts_.clear();
    DrawnChart& chart = charts_[n.path];
    if (chart.key != what->key || !chart.drawn) {
      draw::DrawList drawn;
      chart = {what->key, true, {}};
      if (show(*what, {}, drawn)) chart.curves = curves_of(drawn);
    }
  }
  const auto found = charts_.find(n.path);
  if (found == charts_.end()) return;
  const ImVec2 from(a.x + 5 * k, a.y + 5 * k), size(b.x - a.x - 10 * k, b.y - a.y - 10 * k);
  for (const auto& [colour, points] : found->second.curves) {
    list.PathClear();
    // A few points are enough for so few pixels.
    const std::size_t step = size.x < 120 ? 4 : 2;
    for (std::size_t i = 0; i < points.size(); i += step)
      list.PathLineTo(ImVec2(from.x + points[i].x * size.x, from.y + points[i].y * size.y));
    if (!points.empty())
      list.PathLineTo(ImVec2(from.x + points.back().x * size.x, from.y + points.back().y * size.y));
    list.PathStroke(n.muted ? ui::with_alpha(colour, 0.4f) : colour, 0, std::max(1.0f, 1.6f * k));
  }
}

}  // namespace sinew::editor::canvas
