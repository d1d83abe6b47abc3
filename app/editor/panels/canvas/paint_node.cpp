// Nodes near enough to be read. imnodes draws their boxes, at places and sizes that the model gave
// them; pins, which it would draw with eight corners, and what is written on them are ours.
#include <fmt/format.h>
#include <imgui_internal.h>
#include <imnodes.h>
#include <imnodes_internal.h>

#include <algorithm>
#include <cmath>

#include "app/editor/panels/canvas/canvas.h"
#include "app/editor/panels/canvas/fit.h"
#include "app/ui/icons.h"
#include "app/ui/landmarks.h"

namespace sinew::editor::canvas {
namespace {

constexpr float padding = 4;
constexpr float readable = 6;  // pixels: what is smaller is grey noise

ImVec2 plus(ImVec2 a, ImVec2 b) { return {a.x + b.x, a.y + b.y}; }

}  // namespace

ImU32 Canvas::header_colour(const Node& n) const {
  if (n.colour) return n.colour;
  return n.shape == Shape::note ? ui::theme().field : ui::category_colour(n.category);
}

bool Canvas::could_take(int index, const Pin& pin) const {
  const std::optional<LinkEnd>& end = held_end_;
  if (!link_ || !end || end->is_output != (pin.input != nullptr)) return false;
  if (static_cast<std::size_t>(index) < link_->closed.size() &&
      link_->closed[static_cast<std::size_t>(index)])
    return false;
  const Registry& registry = session().registry();
  return end->is_output ? fit(registry, end->type, *pin.input) > 0
                        : fit(registry, pin.type, *end->input) > 0;
}

ImU32 Canvas::pin_colour(int index, const Pin& pin) const {
  const ImU32 colour = pin.type ? ui::type_colour(pin.type->colour) : ui::theme().dim;
  const bool dim = link_ && !could_take(index, pin);
  return dim || node(index).muted ? ui::with_alpha(colour, 0.3f) : colour;
}

bool Canvas::is_shown(const Node& n, const Pin& pin) const {
  if (shown_.empty()) return false;
  return std::find(shown_.begin(), shown_.end(), n.path + "." + pin.name()) != shown_.end();
}

void Canvas::mark_node(int index) const {
  if (!ui::landmarks().listening) return;
  const Node& n = node(index);
  const View& v = view();
  ui::mark_area("node", n.id, v.screen(n.at),
                v.screen(n.shape == Shape::box
                             ? ImVec2(n.at.x + n.size.x, n.at.y + std::min(n.size.y, header_height))
                             : n.rect().to));
  if (n.shape == Shape::note || v.zoom < overview_zoom) return;
  const float r = 3;
  const auto mark = [&](const std::vector<Pin>& pins, const char* side) {
    for (const Pin& pin : pins) {
      if (!pin.shown) continue;
      const ImVec2 at = v.screen(plus(n.at, pin.offset));
      ui::mark_area("pin", n.id + "." + pin.name() + side, ImVec2(at.x - r, at.y - r),
                    ImVec2(at.x + r, at.y + r));
      if (!pin.output || !pin.has_eye || n.shape != Shape::box) continue;
      const ImVec2 eye = v.screen(plus(n.at, eye_offset(pin)));
      ui::mark_area("eye", n.id + "." + pin.name(), ImVec2(eye.x - r, eye.y - r),
                    ImVec2(eye.x + r, eye.y + r));
    }
  };
  mark(n.inputs, ".in");
  mark(n.outputs, ".out");
  if (n.shape == Shape::box && n.has_more) {
    const ImVec2 at = v.screen(plus(n.at, chevron_offset()));
    ui::mark_area("more", n.id, ImVec2(at.x - r, at.y - r), ImVec2(at.x + r, at.y + r));
  }
}

void Canvas::paint_header(ImDrawList& list, const Node& n, ImVec2 at) {
  const float k = view().factor();
  const ImU32 ink = n.muted ? ui::theme().dim : ui::theme().text;
  paint_text(list, ImVec2(at.x + 9, at.y + (header_height - text_height) / 2 - 1), ink, n.title);
  if (n.has_more && !n.collapsed && text_height * k >= readable)
    ui::draw_icon(list, n.expanded ? ui::Icon::up : ui::Icon::down,
                  view().screen(plus(at, chevron_offset())), 11 * k,
                  ui::with_alpha(ui::theme().text, 0.55f));
  if (!n.muted) return;
  const ImVec2 a = view().screen(ImVec2(at.x + 6, at.y + header_height / 2));
  const ImVec2 b = view().screen(ImVec2(at.x + node_width - 20, at.y + header_height / 2));
  list.AddLine(a, b, ui::theme().dim, std::max(1.0f, 1.4f * k));
}

// A ring around where a dragged link could go, and a full one where it would.
void Canvas::paint_pin(ImDrawList& list, int index, const Pin& pin) {
  const Node& n = node(index);
  const float k = view().factor(), r = pin_radius * k;
  const ImVec2 at = view().screen(plus(n.at, pin.offset));
  const ImU32 colour = pin_colour(index, pin);
  if (pin.linked || pin.output) {
    list.AddCircleFilled(at, r, colour);
  } else {
    list.AddCircleFilled(at, r, ui::theme().raised);
    list.AddCircle(at, r, colour, 0, std::max(1.0f, 1.3f * k));
  }
  if (!link_ || !could_take(index, pin)) return;
  const auto& pins = pin.input ? n.inputs : n.outputs;
  const bool here = drop_here_ && drop_here_->node == index && drop_here_->socket >= 0 &&
                    &pins[static_cast<std::size_t>(drop_here_->socket)] == &pin;
  if (here) {
    list.AddCircleFilled(at, r + 5 * k, ui::with_alpha(ui::theme().accent, 0.45f));
    ui::mark_area("drop", n.id + "." + pin.name(), ImVec2(at.x - r, at.y - r),
                  ImVec2(at.x + r, at.y + r));
  }
  list.AddCircle(at, r + (here ? 5 : 3) * k, ui::theme().accent, 0,
                 std::max(1.0f, (here ? 2.2f : 1.4f) * k));
}

void Canvas::paint_pins(ImDrawList& list, int index) {
  const Node& n = node(index);
  for (const std::vector<Pin>* pins : {&n.inputs, &n.outputs})
    for (const Pin& pin : *pins)
      if (pin.shown || pin.linked) paint_pin(list, index, pin);
  if (!n.is_border || n.collapsed) return;
  // Room for one socket more.
  const bool here = drop_here_ && drop_here_->node == index && drop_here_->adds;
  const float y = n.at.y + n.rows_end - row_height / 2;
  const float x = n.type->role == NodeRole::group_input ? n.size.x - 14 : 14;
  const ImU32 ink = here ? ui::theme().accent : ui::theme().faint;
  ui::draw_icon(list, ui::Icon::plus, view().screen(ImVec2(n.at.x + x, y)), 11 * view().factor(),
                ink);
  if (!here) return;
  const ImVec2 a = view().screen(ImVec2(n.at.x + 4, y - row_height / 2)),
               b = view().screen(ImVec2(n.at.x + n.size.x - 4, y + row_height / 2));
  list.AddRectFilled(a, b, ui::with_alpha(ink, 0.2f), 4 * view().factor());
}

void Canvas::paint_rows(ImDrawList& list, int index) {
  if (text_height * view().factor() < readable) return;
  const Node& n = node(index);
  const ui::Theme& theme = ui::theme();
  const float lift = text_height / 2 + 1;
  const float k = view().factor();
  const bool node_hot = hit_.node_index == index;
  for (const Pin& pin : n.inputs) {
    if (!pin.shown) continue;
    const ImVec2 at = plus(n.at, pin.offset);
    const bool missing = pin.input->required() && !pin.linked && pin.value.empty();
    const bool dim = link_ && !could_take(index, pin);
    const ImU32 ink = dim || n.muted ? theme.faint : missing ? theme.warning : theme.text;
    paint_text(list, ImVec2(at.x + 11, at.y - lift), ink, pin.label);
    if (pin.value.empty()) continue;
    paint_text(list, ImVec2(at.x + node_width - 10 - pin.value_width, at.y - lift), theme.faint,
               pin.value);
  }
  for (const Pin& pin : n.outputs) {
    if (!pin.shown) continue;
    const ImVec2 at = plus(n.at, pin.offset);
    const bool dim = link_ && !could_take(index, pin);
    paint_text(list, ImVec2(at.x - 10 - pin.label_width, at.y - lift),
               dim || n.muted ? theme.faint : theme.text, pin.label);
    const bool on = pin.has_eye && is_shown(n, pin);
    if (!pin.has_eye || (!on && !node_hot)) continue;
    const bool hot = node_hot && hit_.kind == Hit::eye &&
                     &n.outputs[static_cast<std::size_t>(hit_.socket)] == &pin;
    ui::draw_icon(list, ui::Icon::eye, view().screen(plus(n.at, eye_offset(pin))), 13 * k,
                  on    ? theme.accent
                  : hot ? theme.text
                        : theme.faint);
  }
}

void Canvas::paint_note(ImDrawList& list, const Node& n) {
  const View& v = view();
  const float k = v.factor();
  Rect rect = n.rect();
  if (doing_ == Doing::sizing && sized_note_ >= 0 && node(sized_note_).id == n.id) {
    const ImVec2 at = mouse();
    rect.to = ImVec2(std::max(rect.to.x + at.x - pressed_at_.x, rect.from.x + 60),
                     std::max(rect.to.y + at.y - pressed_at_.y, rect.from.y + 30));
  }
  const ImVec2 a = v.screen(rect.from), b = v.screen(rect.to);
  list.AddRectFilled(a, b, ui::with_alpha(header_colour(n), 0.92f), 4 * k);
  list.AddRectFilled(a, ImVec2(a.x + 3 * k, b.y), ui::theme().warning, 4 * k,
                     ImDrawFlags_RoundCornersLeft);
  list.AddTriangleFilled(ImVec2(b.x, b.y - 9 * k), b, ImVec2(b.x - 9 * k, b.y),
                         ui::with_alpha(ui::theme().dim, 0.5f));
  const float size = std::round(text_height * k);
  const bool empty = n.text.empty();
  const std::string_view words = empty ? "Double click to write" : std::string_view(n.text);
  if (size >= 4)
    list.AddText(ImGui::GetFont(), size, ImVec2(std::round(a.x + 9 * k), std::round(a.y + 7 * k)),
                 empty ? ui::theme().faint : ui::theme().text, words.data(),
                 words.data() + words.size(), b.x - a.x - 16 * k);
}

void Canvas::paint_dot(ImDrawList& list, int index) {
  const Node& n = node(index);
  const float k = view().factor();
  const ImVec2 middle = view().screen(n.rect().middle());
  const Pin* pin = !n.outputs.empty() ? &n.outputs[0] : nullptr;
  const ImU32 colour = pin ? pin_colour(index, *pin) : ui::theme().dim;
  list.AddCircleFilled(middle, dot_size / 2 * k, ui::theme().raised);
  list.AddCircle(middle, dot_size / 2 * k,
                 session().is_selected(n.id) ? ui::theme().accent : ui::theme().line, 0,
                 std::max(1.0f, 1.5f * k));
  list.AddCircleFilled(middle, pin_radius * k, colour);
}

// Marks over the box: chosen, in trouble, how long it took.
void Canvas::paint_state(ImDrawList& list, int index) {
  const Node& n = node(index);
  const View& v = view();
  const float k = v.factor();
  const ImVec2 a = v.screen(n.at), b = v.screen(n.rect().to);
  const NodeState& state = states_[static_cast<std::size_t>(index)];
  if (heat_ && state.timed) {
    // A millisecond is warm, a frame's time is hot.
    const double ms = 1000 * state.seconds;
    const auto t =
        static_cast<float>(std::clamp((std::log10(std::max(ms, 0.001)) + 2) / 4, 0.0, 1.0));
    list.AddRectFilled(
        a, b, ui::with_alpha(ui::mixed(ui::theme().good, ui::theme().error, t), 0.15f + 0.35f * t),
        5 * k);
    const std::string text = ms >= 100   ? fmt::format("{:.0f} ms", ms)
                             : ms >= 0.1 ? fmt::format("{:.1f} ms", ms)
                                         : "<0.1 ms";
    const float width = ImGui::GetFont()->CalcTextSizeA(11, FLT_MAX, 0, text.c_str()).x;
    paint_text(list, ImVec2(n.at.x + n.size.x - width - 2, n.at.y - 14), ui::theme().text, text,
               11);
    ui::mark_area("heat", n.id, a, b);
  }
  if (session().is_selected(n.id) && n.shape != Shape::dot)
    list.AddRect(ImVec2(a.x - 1, a.y - 1), ImVec2(b.x + 1, b.y + 1), ui::theme().accent, 6 * k, 0,
                 std::max(1.5f, 2 * k));
  if (!state.has_message || state.worst == Severity::info) return;
  const bool error = state.worst == Severity::error;
  const ImU32 colour = error ? ui::theme().error : ui::theme().warning;
  if (error) list.AddRect(a, b, ui::with_alpha(colour, 0.8f), 5 * k, 0, std::max(1.0f, 1.5f * k));
  const ImVec2 at = v.screen(badge_place(n));
  list.AddCircleFilled(at, badge_radius * k, ui::theme().back);
  ui::mark_area("badge", n.id, ImVec2(at.x - 3, at.y - 3), ImVec2(at.x + 3, at.y + 3));
  ui::draw_icon(list, error ? ui::Icon::error : ui::Icon::warning, at, 15 * k, colour);
}

void Canvas::paint_node(int index) {
  const Node& n = node(index);
  const View& v = view();
  const float k = v.factor();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 head = header_colour(n);
  const ImU32 header = n.muted ? ui::mixed(head, ui::theme().raised, 0.7f) : head;
  const bool closed = link_ && static_cast<std::size_t>(index) < link_->closed.size() &&
                      link_->closed[static_cast<std::size_t>(index)];
  const float alpha = closed ? 0.55f : 1;
  ImNodes::PushColorStyle(ImNodesCol_TitleBar, ui::with_alpha(header, alpha));
  ImNodes::PushColorStyle(ImNodesCol_NodeBackground, ui::with_alpha(ui::theme().raised, alpha));
  const ImVec2 corner = v.screen(n.at);
  ImNodes::SetNodeScreenSpacePos(n.number, corner);
  ImNodes::BeginNode(n.number);
  ImNodes::BeginNodeTitleBar();
  ImGui::Dummy(ImVec2((n.size.x - 2 * padding) * k, (header_height - 2 * padding) * k));
  ImNodes::EndNodeTitleBar();
  ImGui::SetCursorScreenPos(ImVec2(corner.x + padding * k, corner.y + padding * k));
  ImGui::Dummy(ImVec2((n.size.x - 2 * padding) * k, (n.size.y - 2 * padding) * k));
  paint_pins(list, index);
  paint_header(list, n, n.at);
  paint_rows(list, index);
  paint_picture(list, index);
  paint_state(list, index);
  ImNodes::EndNode();
  ImNodes::PopColorStyle();
  ImNodes::PopColorStyle();
  mark_node(index);
}

void Canvas::paint_nodes() {
  const View& v = view();
  const float k = v.factor();
  ImNodesStyle& style = ImNodes::GetStyle();
  style.NodePadding = ImVec2(padding * k, padding * k);
  // Corners that nobody sees round cost as many triangles as those that one does.
  style.NodeCornerRounding = 5 * k < 2.5f ? 0 : 5 * k;
  style.NodeBorderThickness = std::max(1.0f, k);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  Rect seen = v.visible();
  seen.from = ImVec2(seen.from.x - 20, seen.from.y - 20);
  seen.to = ImVec2(seen.to.x + 20, seen.to.y + 20);
  for (const int i : model_.order()) {
    const Node& n = node(i);
    if (!n.rect().meets(seen)) continue;
    if (n.shape == Shape::box) {
      paint_node(i);
      continue;
    }
    // Notes and bends lie below the boxes: imnodes puts its nodes over all that is drawn here.
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.ChannelsSetCurrent(0);
    if (n.shape == Shape::note)
      paint_note(list, n);
    else
      paint_dot(list, i);
    paint_state(list, i);
    mark_node(i);
  }
  ImGui::PopStyleVar();
  // What was submitted last lies on top, as the hit test has it. (imnodes would keep the order in
  // which nodes came into view, and sort by it in a time that grows with the square.)
  ImVector<int>& order = nodes_context_->NodeDepthOrder;
  int kept = 0;
  for (const int i : order)
    if (!nodes_context_->Nodes.InUse[i]) order[kept++] = i;
  order.resize(kept);
  for (const int i : GImNodes->NodeIdxSubmissionOrder) order.push_back(i);
}

}  // namespace sinew::editor::canvas
