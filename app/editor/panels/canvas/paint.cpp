// What lies under the nodes and over them: grid, frames, links, boxes of the hand; and the nodes
// themselves from far away.
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/editor/panels/canvas/canvas.h"
#include "app/ui/icons.h"
#include "app/ui/landmarks.h"

namespace sinew::editor::canvas {

void Canvas::paint_text(ImDrawList& list, ImVec2 canvas_at, ImU32 colour, std::string_view text,
                        float height) const {
  // Whole sizes: the letters of a few sizes are made once, not anew with each turn of the wheel.
  const float size = std::round(height * view().factor());
  if (size < 4 || text.empty()) return;
  const ImVec2 at = view().screen(canvas_at);
  list.AddText(ImGui::GetFont(), size, ImVec2(std::round(at.x), std::round(at.y)), colour,
               text.data(), text.data() + text.size());
}

void Canvas::paint_grid(ImDrawList& list) {
  const View& v = view();
  const float k = v.factor();
  float step = 2 * grid_step;
  while (step * k < ui::px(12)) step *= 5;
  const Rect seen = v.visible();
  const ImVec2 end(v.origin.x + v.size.x, v.origin.y + v.size.y);
  const auto lines = [&](bool upright) {
    const float from = upright ? seen.from.x : seen.from.y, to = upright ? seen.to.x : seen.to.y;
    for (auto i = static_cast<long>(std::ceil(from / step)); static_cast<float>(i) * step < to;
         ++i) {
      const ImU32 colour = i % 5 == 0 ? ui::theme().grid_strong : ui::theme().grid;
      const float at = static_cast<float>(i) * step;
      if (upright) {
        const float x = std::round(v.screen(ImVec2(at, 0)).x);
        list.AddRectFilled(ImVec2(x, v.origin.y), ImVec2(x + 1, end.y), colour);
      } else {
        const float y = std::round(v.screen(ImVec2(0, at)).y);
        list.AddRectFilled(ImVec2(v.origin.x, y), ImVec2(end.x, y + 1), colour);
      }
    }
  };
  lines(true);
  lines(false);
}

void Canvas::paint_frames(ImDrawList& list) {
  const View& v = view();
  for (std::size_t i = 0; i < model_.frames().size(); ++i) {
    const Frame& frame = model_.frames()[i];
    Rect rect = frame.rect;
    const bool own = static_cast<int>(i) == frame_;
    if (own || (doing_ == Doing::moving_frame && frame_rect_.contains(rect))) {
      const ImVec2 at = mouse();
      if (doing_ == Doing::moving_frame)
        rect = {ImVec2(rect.from.x + moved_by_.x, rect.from.y + moved_by_.y),
                ImVec2(rect.to.x + moved_by_.x, rect.to.y + moved_by_.y)};
      else if (doing_ == Doing::sizing)
        rect.to = ImVec2(rect.to.x + at.x - pressed_at_.x, rect.to.y + at.y - pressed_at_.y);
    }
    const ImVec2 a = v.screen(rect.from), b = v.screen(rect.to);
    const ImU32 colour = frame.colour ? frame.colour : ui::theme().faint;
    const float round = 6 * v.factor();
    list.AddRectFilled(a, b, ui::with_alpha(colour, 0.10f), round);
    list.AddRectFilled(a, ImVec2(b.x, std::min(b.y, a.y + header_height * v.factor())),
                       ui::with_alpha(colour, 0.22f), round, ImDrawFlags_RoundCornersTop);
    list.AddRect(a, b, ui::with_alpha(colour, 0.5f), round);
    paint_text(list, ImVec2(rect.from.x + 8, rect.from.y + 5), ui::theme().text, frame.title);
    ui::mark_area("frame", std::to_string(i), a,
                  ImVec2(b.x, std::min(b.y, a.y + header_height * v.factor())));
  }
}

void Canvas::paint_link(ImDrawList& list, std::size_t index, const Rect& visible) {
  const Link& link = model_.links()[index];
  const Curve c = model_.curve(link);
  if (!c.bounds().meets(visible)) return;
  if (link_ && link_->detached && *link_->detached == link_doc(model_, link)) return;
  const View& v = view();
  const float k = v.factor();
  ImU32 colour = link.type ? ui::type_colour(link.type->colour) : ui::theme().dim;
  const bool hot = hit_.kind == Hit::link && hit_.link_index == static_cast<int>(index);
  const bool quiet = node(link.from).muted || doing_ == Doing::linking;
  colour = ui::with_alpha(colour, hot ? 1.0f : quiet ? 0.35f : 0.8f);
  const float width = std::max(1.0f, (hot ? 3.4f : 2.2f) * k);
  const ImVec2 a = v.screen(c.a), b = v.screen(c.b), d = v.screen(c.c), e = v.screen(c.d);
  const float length = std::abs(e.x - a.x) + std::abs(e.y - a.y);
  if (length < 6)
    list.AddLine(a, e, colour, width);
  else
    list.AddBezierCubic(a, b, d, e, colour, width,
                        std::clamp(static_cast<int>(length / 14), 6, 28));
  const ImVec2 middle = v.screen(c.at(0.5f));
  if (link.converts && v.zoom >= overview_zoom) {
    list.AddCircleFilled(middle, 4 * k, ui::theme().back);
    list.AddCircleFilled(
        middle, 3 * k,
        ui::type_colour(node(link.to).inputs[static_cast<std::size_t>(link.input)].type->colour));
  }
  if (ui::landmarks().listening) {
    const LinkDoc doc = link_doc(model_, link);
    ui::mark_area("link",
                  doc.from.node + "." + doc.from.socket + "." + doc.to.node + "." + doc.to.socket,
                  ImVec2(middle.x - 3, middle.y - 3), ImVec2(middle.x + 3, middle.y + 3));
  }
}

void Canvas::paint_links(ImDrawList& list) {
  const Rect visible = view().visible();
  for (std::size_t i = 0; i < model_.links().size(); ++i) paint_link(list, i, visible);
  if (doing_ != Doing::moving) return;
  if (const std::optional<int> under = link_under_nodes()) {
    const Curve c = model_.curve(model_.links()[static_cast<std::size_t>(*under)]);
    const View& v = view();
    list.AddBezierCubic(v.screen(c.a), v.screen(c.b), v.screen(c.c), v.screen(c.d),
                        ui::theme().accent, 5 * v.factor());
  }
}

void Canvas::paint_dragged_link(ImDrawList& list) {
  const std::optional<LinkEnd> end = search_.is_open() && !link_ ? search_.end() : fixed_end();
  if (!end) return;
  const int index = model_.find(end->at.node);
  if (index < 0) return;
  const Node& n = node(index);
  const int socket = end->is_output ? n.find_output(end->at.socket) : n.find_input(end->at.socket);
  if (socket < 0) return;
  const ImVec2 fixed =
      end->is_output ? model_.output_place(index, socket) : model_.input_place(index, socket);
  const ImVec2 loose = link_ ? mouse() : view().canvas(search_.pixel());
  const Curve c = end->is_output ? Curve::between(fixed, loose) : Curve::between(loose, fixed);
  const View& v = view();
  const TypeInfo* type = end->is_output ? end->type : end->input ? end->input->type : nullptr;
  list.AddBezierCubic(v.screen(c.a), v.screen(c.b), v.screen(c.c), v.screen(c.d),
                      type ? ui::type_colour(type->colour) : ui::theme().dim,
                      std::max(1.5f, 3 * v.factor()));
  list.AddCircleFilled(v.screen(loose), std::max(3.0f, 4 * v.factor()),
                       type ? ui::type_colour(type->colour) : ui::theme().dim);
}

void Canvas::paint_over(ImDrawList& list) {
  const View& v = view();
  if (doing_ == Doing::linking || search_.is_open()) paint_dragged_link(list);
  if (doing_ == Doing::boxing) {
    const ImVec2 a = v.screen(pressed_at_), b = ImGui::GetIO().MousePos;
    const ImVec2 from(std::min(a.x, b.x), std::min(a.y, b.y)),
        to(std::max(a.x, b.x), std::max(a.y, b.y));
    list.AddRectFilled(from, to, ui::with_alpha(ui::theme().accent, 0.10f));
    list.AddRect(from, to, ui::with_alpha(ui::theme().accent, 0.7f));
  }
  if (doing_ == Doing::cutting) {
    list.AddLine(v.screen(pressed_at_), ImGui::GetIO().MousePos, ui::theme().error, ui::px(1.5f));
    for (const Link& link : model_.links()) {
      const Curve c = model_.curve(link);
      if (crosses(c, pressed_at_, mouse()))
        list.AddBezierCubic(v.screen(c.a), v.screen(c.b), v.screen(c.c), v.screen(c.d),
                            ui::theme().error, 3 * v.factor());
    }
  }
  if (model_.nodes().empty() && doing_ == Doing::nothing && !search_.is_open()) {
    const char* words = "Tab or a double click adds a node";
    const ImVec2 size = ImGui::CalcTextSize(words);
    list.AddText(ImVec2(v.origin.x + (v.size.x - size.x) / 2, v.origin.y + (v.size.y - size.y) / 2),
                 ui::theme().faint, words);
  }
}

void Canvas::fit_far_titles(float room) {
  if (far_titles_of_ == std::pair(model_.revision(), room)) return;
  far_titles_of_ = {model_.revision(), room};
  far_titles_.clear();
  for (const Node& n : model_.nodes()) far_titles_.push_back(fitted(n.full_title, room));
}

// From far away: boxes with a title, if it can be read, and notes with as much as fits.
void Canvas::paint_overview(ImDrawList& list) {
  const View& v = view();
  const Rect visible = v.visible();
  const float k = v.factor(), round = std::max(1.0f, 5 * k);
  const float size = std::max(std::round(text_height * k), std::round(ui::px(7)));
  const bool words = node_width * k >= ui::px(36);
  const float edge = ui::px(3);
  if (words) fit_far_titles((node_width * k - 2 * edge) * text_height / size);
  for (const int i : model_.order()) {
    const Node& n = node(i);
    if (!n.rect().meets(visible)) continue;
    const ImVec2 a = v.screen(n.at), b = v.screen(n.rect().to);
    const ImU32 colour = header_colour(n);
    list.AddRectFilled(a, b, n.muted ? ui::with_alpha(colour, 0.4f) : colour, round);
    if (session().is_selected(n.id)) list.AddRect(a, b, ui::theme().accent, round, 0, 2);
    const NodeState& state = states_[static_cast<std::size_t>(i)];
    if (state.has_message && state.worst != Severity::info)
      list.AddRect(a, b, state.worst == Severity::error ? ui::theme().error : ui::theme().warning,
                   round, 0, 2);
    if (words && n.shape != Shape::dot) {
      const bool note = n.shape == Shape::note;
      const std::string& text = note ? n.text : far_titles_[static_cast<std::size_t>(i)];
      const ImVec4 clip(a.x, a.y, b.x - 1, b.y);
      list.AddText(ImGui::GetFont(), size, ImVec2(std::round(a.x + edge), std::round(a.y + 1)),
                   ui::theme().text, text.data(), text.data() + text.size(),
                   note ? b.x - a.x - 2 * edge : 0, &clip);
    }
    mark_node(i);
  }
}

}  // namespace sinew::editor::canvas
