// What the mouse does on the canvas.
#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/editor/panels/canvas/canvas.h"
#include "app/editor/panels/canvas/fit.h"
#include "app/editor/titles.h"

namespace sinew::editor::canvas {
namespace {

constexpr float drag_threshold = 4;  // pixels that a hand shakes

std::string moved_title(std::size_t count) {
  return count == 1 ? "Move a node" : fmt::format("Move {} nodes", count);
}

}  // namespace

void Canvas::zoom_by_wheel() {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.MouseWheel != 0)
    view().zoom_about(io.MousePos, view().zoom * std::pow(1.12f, io.MouseWheel));
}

void Canvas::cancel_drag() {
  if (!moved_.empty()) model_.shift({}, {0, 0});
  moved_.clear();
  moved_by_ = ImVec2(0, 0);
  link_.reset();
  opened_.clear();
  frame_ = sized_note_ = -1;
  doing_ = Doing::nothing;
}

void Canvas::use_mouse(bool hovered) {
  if (hovered) zoom_by_wheel();
  // What is held may be gone, or elsewhere.
  if (doing_ != Doing::nothing && held_revision_ != session().revision()) cancel_drag();
  if (doing_ == Doing::nothing) {
    hit_ = hovered ? hit_test(model_, mouse(), view().zoom) : Hit{};
    if (!hovered) return;
    // The part of a badge that sticks out belongs to its node.
    if (!hit_.on_node() && view().zoom >= overview_zoom)
      for (std::size_t i = 0; i < states_.size(); ++i)
        if (on_badge(static_cast<int>(i), mouse())) {
          hit_ = {};
          hit_.kind = Hit::node;
          hit_.node_index = static_cast<int>(i);
        }
    const bool on_map = has_map() && map_area().holds(ImGui::GetIO().MousePos);
    if (on_map) hit_ = {};
    pressed_pixel_ = ImGui::GetIO().MousePos;
    pressed_at_ = mouse();
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
      if (on_map)
        doing_ = Doing::mapping;
      else
        press_left();
    } else if (ImGui::IsMouseClicked(ImGuiMouseButton_Middle)) {
      doing_ = Doing::panning;
    } else if (ImGui::IsMouseClicked(ImGuiMouseButton_Right)) {
      press_right();
    }
    held_revision_ = session().revision();
    if (doing_ != Doing::mapping) return;
  }
  if (ImGui::IsKeyPressed(ImGuiKey_Escape)) return cancel_drag();
  drag_on();
}

void Canvas::press_right() {
  doing_ = ImGui::GetIO().KeyCtrl ? Doing::cutting : Doing::right_pressed;
}

void Canvas::press_left() {
  const ImGuiIO& io = ImGui::GetIO();
  const bool twice = ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
  if (io.KeyAlt && hit_.kind == Hit::link) {
    const Link& link = model_.links()[static_cast<std::size_t>(hit_.link_index)];
    (void)session().apply(remove_links(session(), {link_doc(model_, link)}));
    hit_ = {};
    return;
  }
  if (io.KeyAlt && !hit_.on_node()) {
    doing_ = Doing::panning;
    return;
  }
  switch (hit_.kind) {
    case Hit::input:
    case Hit::output:
      return press_pin();
    case Hit::eye:
      return toggle_eye(node(hit_.node_index),
                        node(hit_.node_index).outputs[static_cast<std::size_t>(hit_.socket)]);
    case Hit::chevron: {
      const bool on = node(hit_.node_index).expanded;
      (void)session().apply(set_layout(session(), model_, {hit_.node_index}, "expanded",
                                       on ? std::nullopt : std::optional<Json>(true),
                                       on ? "Show fewer inputs" : "Show all inputs"));
      return;
    }
    case Hit::corner:
      frame_ = hit_.frame_index;
      sized_note_ = hit_.node_index;
      frame_rect_ = frame_ >= 0 ? model_.frames()[static_cast<std::size_t>(frame_)].rect
                                : node(sized_note_).rect();
      doing_ = Doing::sizing;
      return;
    case Hit::frame:
      frame_ = hit_.frame_index;
      frame_rect_ = model_.frames()[static_cast<std::size_t>(frame_)].rect;
      if (twice) return begin_rename();
      moved_ = model_.inside(frame_rect_, true);
      moved_by_ = ImVec2(0, 0);
      doing_ = Doing::moving_frame;
      return;
    case Hit::node:
      return press_node();
    case Hit::link:
      if (!twice) break;
      if (auto command = bend_link(
              session(), model_, model_.links()[static_cast<std::size_t>(hit_.link_index)],
              ImVec2(pressed_at_.x - dot_size / 2, pressed_at_.y - dot_size / 2)))
        (void)session().apply(std::move(*command));
      return;
    case Hit::nothing:
      if (!twice) break;
      search_.open(pressed_at_, pressed_pixel_, std::nullopt);
      return;
  }
  before_box_ = io.KeyShift ? session().selection() : std::set<std::string>();
  if (!io.KeyShift) session().clear_selection();
  doing_ = Doing::boxing;
}

void Canvas::press_node() {
  const ImGuiIO& io = ImGui::GetIO();
  const Node& n = node(hit_.node_index);
  const std::string id = n.id;
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    if (n.is_group && session().enter(id)) return;
    if (n.shape == Shape::note) {
      session().select_only(id);
      return begin_rename();
    }
  }
  if (io.KeyShift || io.KeyCtrl)
    session().toggle_selected(id);
  else if (!session().is_selected(id))
    session().select_only(id);
  doing_ = Doing::pressed;
}

void Canvas::begin_link(int index, bool from_output, int socket, std::optional<LinkDoc> detached) {
  const Node& n = node(index);
  LinkDrag drag;
  drag.from_output = from_output;
  drag.node = n.id;
  drag.socket = (from_output ? n.outputs : n.inputs)[static_cast<std::size_t>(socket)].name();
  drag.detached = std::move(detached);
  drag.closed = from_output ? model_.upstream(index) : model_.downstream(index);
  link_ = std::move(drag);
  doing_ = Doing::linking;
}

void Canvas::press_pin() {
  const bool is_input = hit_.kind == Hit::input;
  if (!is_input) return begin_link(hit_.node_index, true, hit_.socket, std::nullopt);
  // A link that an input has is taken off and held at its other end; the last of several.
  for (auto link = model_.links().rbegin(); link != model_.links().rend(); ++link) {
    if (link->to != hit_.node_index || link->input != hit_.socket) continue;
    return begin_link(link->from, true, link->output, link_doc(model_, *link));
  }
  begin_link(hit_.node_index, false, hit_.socket, std::nullopt);
}

void Canvas::toggle_eye(const Node& n, const Pin& pin) {
  const std::string name = n.path + "." + pin.name();
  std::vector<std::string> all = editor_.player.shown();
  const auto found = std::find(all.begin(), all.end(), name);
  if (found != all.end())
    all.erase(found);
  else if (ImGui::GetIO().KeyShift)
    all.push_back(name);
  else
    all = {name};
  editor_.player.show(std::move(all));
}

void Canvas::drag_on() {
  const ImGuiIO& io = ImGui::GetIO();
  const ImVec2 at = mouse();
  const bool far = std::hypot(io.MousePos.x - pressed_pixel_.x, io.MousePos.y - pressed_pixel_.y) >
                   drag_threshold;
  const bool left = ImGui::IsMouseDown(ImGuiMouseButton_Left);
  const bool right = ImGui::IsMouseDown(ImGuiMouseButton_Right);
  const bool middle = ImGui::IsMouseDown(ImGuiMouseButton_Middle);
  if (doing_ == Doing::right_pressed) {
    if (!right) {
      menu_hit_ = hit_;
      menu_place_ = pressed_at_;
      menu_wanted_ = true;
      doing_ = Doing::nothing;
      return;
    }
    if (!far) return;
    doing_ = Doing::panning;
  }
  if (doing_ == Doing::panning) {
    // What was under the hand when it was pressed stays under it.
    View& v = view();
    v.pan = ImVec2(v.pan.x + pressed_at_.x - at.x, v.pan.y + pressed_at_.y - at.y);
    if (!left && !right && !middle) doing_ = Doing::nothing;
    return;
  }
  if (doing_ == Doing::cutting) {
    if (!right) cut();
    return;
  }
  if (doing_ == Doing::mapping) {
    const Rect area = map_area(), extent = map_extent();
    View& v = view();
    const Rect seen = v.visible();
    const float x = extent.from.x + (io.MousePos.x - area.from.x) / area.size().x * extent.size().x;
    const float y = extent.from.y + (io.MousePos.y - area.from.y) / area.size().y * extent.size().y;
    v.pan = ImVec2(x - seen.size().x / 2, y - seen.size().y / 2);
    if (!left) doing_ = Doing::nothing;
    return;
  }
  if (doing_ == Doing::pressed && far) {
    doing_ = Doing::moving;
    moved_ = chosen();
    grabbed_ = hit_.on_node() ? node(hit_.node_index).at : pressed_at_;
  }
  if (doing_ == Doing::moving || doing_ == Doing::moving_frame) {
    const ImVec2 start = doing_ == Doing::moving_frame ? frame_rect_.from : grabbed_;
    moved_by_ = ImVec2(snapped(start.x + at.x - pressed_at_.x) - start.x,
                       snapped(start.y + at.y - pressed_at_.y) - start.y);
    model_.shift(moved_, moved_by_);
  }
  if (doing_ == Doing::linking) {
    const Hit over = hit_test(model_, at, view().zoom);
    hit_ = over;
    // The node under the link opens, and stays open while the link is over it.
    const std::optional<LinkEnd> end = fixed_end();
    opened_for_ = end && end->is_output ? end->type : nullptr;
    const bool opens =
        over.on_node() && end && end->is_output && node(over.node_index).id != link_->node;
    opened_ = opens ? node(over.node_index).id : std::string();
  }
  if (doing_ == Doing::moving || doing_ == Doing::linking || doing_ == Doing::boxing) pan_at_edge();
  if (doing_ == Doing::boxing && far) drop_box();
  if (!left) release_left();
}

// What is dragged to the border of the panel takes the view along.
void Canvas::pan_at_edge() {
  const ImVec2 p = ImGui::GetIO().MousePos;
  const auto beyond = [](float x, float low, float high) {
    return x < low ? std::max(x - low, -60.0f) : x > high ? std::min(x - high, 60.0f) : 0.0f;
  };
  const float edge = ui::px(6);
  const ImVec2 by(beyond(p.x, origin_.x + edge, origin_.x + size_.x - edge),
                  beyond(p.y, origin_.y + edge, origin_.y + size_.y - edge));
  if (by.x == 0 && by.y == 0) return;
  const float step = 10 * ImGui::GetIO().DeltaTime / view().factor();
  View& v = view();
  v.pan = ImVec2(v.pan.x + step * by.x, v.pan.y + step * by.y);
  editor_.want_frames(0.1);
}

void Canvas::release_left() {
  const Doing was = std::exchange(doing_, Doing::nothing);
  if (was == Doing::pressed && !ImGui::GetIO().KeyShift && !ImGui::GetIO().KeyCtrl &&
      hit_.on_node())
    session().select_only(node(hit_.node_index).id);
  if (was == Doing::moving) drop_nodes();
  if (was == Doing::linking) drop_link();
  if (was == Doing::moving_frame) drop_frame();
  if (was == Doing::sizing) drop_corner();
  cancel_drag();
}

// A frame takes along the nodes and the frames that lie inside.
void Canvas::drop_frame() {
  if (moved_by_.x == 0 && moved_by_.y == 0) return;
  Json frames = frames_json(session());
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const Rect& rect = model_.frames()[i].rect;
    if (static_cast<int>(i) == frame_ || frame_rect_.contains(rect))
      frames[i]["at"] = {rect.from.x + moved_by_.x, rect.from.y + moved_by_.y};
  }
  std::vector<ImVec2> to;
  for (const int i : moved_) to.push_back(node(i).at);
  Command command = move_nodes(session(), model_, moved_, to, "Move a frame");
  const Command frame = set_frames(session(), std::move(frames), "Move a frame");
  command.edits.insert(command.edits.end(), frame.edits.begin(), frame.edits.end());
  session().seal();
  (void)session().apply(std::move(command));
}

void Canvas::drop_corner() {
  const ImVec2 at = mouse();
  if (at.x == pressed_at_.x && at.y == pressed_at_.y) return;
  const ImVec2 size(std::max(snapped(frame_rect_.size().x + at.x - pressed_at_.x), 60.0f),
                    std::max(snapped(frame_rect_.size().y + at.y - pressed_at_.y), 30.0f));
  session().seal();
  if (frame_ >= 0) {
    Json frames = frames_json(session());
    frames[static_cast<std::size_t>(frame_)]["size"] = {size.x, size.y};
    (void)session().apply(set_frames(session(), std::move(frames), "Resize a frame"));
  } else {
    (void)session().apply(set_layout(session(), model_, {sized_note_}, "size", Json{size.x, size.y},
                                     "Resize a note"));
  }
}

void Canvas::drop_box() {
  const ImVec2 at = mouse();
  const Rect box = {ImVec2(std::min(at.x, pressed_at_.x), std::min(at.y, pressed_at_.y)),
                    ImVec2(std::max(at.x, pressed_at_.x), std::max(at.y, pressed_at_.y))};
  std::set<std::string> nodes = before_box_;
  for (const int i : model_.inside(box, false)) nodes.insert(node(i).id);
  if (nodes != session().selection()) session().select(std::move(nodes));
}

// Which link a single free node was dropped on.
std::optional<int> Canvas::link_under_nodes() const {
  if (moved_.size() != 1) return std::nullopt;
  const int index = moved_.front();
  for (const Link& link : model_.links())
    if (link.from == index || link.to == index) return std::nullopt;
  const Node& n = node(index);
  const Rect rect = n.rect();
  const Rect core = {ImVec2(rect.from.x + rect.size().x * 0.2f, rect.from.y),
                     ImVec2(rect.to.x - rect.size().x * 0.2f, rect.to.y)};
  for (std::size_t i = 0; i < model_.links().size(); ++i) {
    const Link& link = model_.links()[i];
    const Curve curve = model_.curve(link);
    if (!curve.bounds().meets(rect)) continue;
    bool through = false;
    for (int s = 0; s <= 40; ++s)
      through = through || core.holds(curve.at(static_cast<float>(s) / 40));
    if (!through) continue;
    const Pin& from = node(link.from).outputs[static_cast<std::size_t>(link.output)];
    const Pin& to = node(link.to).inputs[static_cast<std::size_t>(link.input)];
    if (best_input(session().registry(), n, from.type) >= 0 &&
        best_output(session().registry(), n, *to.input) >= 0)
      return static_cast<int>(i);
  }
  return std::nullopt;
}

void Canvas::drop_nodes() {
  if (moved_.empty() || (moved_by_.x == 0 && moved_by_.y == 0)) return;
  std::vector<ImVec2> to;
  for (const int i : moved_) to.push_back(node(i).at);
  Command command = move_nodes(session(), model_, moved_, to, moved_title(moved_.size()));
  session().seal();
  if (const std::optional<int> under = link_under_nodes()) {
    auto inserted = insert_on_link(session(), model_, moved_.front(),
                                   model_.links()[static_cast<std::size_t>(*under)], command);
    if (inserted) command = std::move(*inserted);
  }
  moved_.clear();  // the document has the places now
  (void)session().apply(std::move(command));
}

std::optional<LinkEnd> Canvas::fixed_end() const {
  const int index = link_ ? model_.find(link_->node) : -1;
  if (index < 0) return std::nullopt;
  const Node& n = node(index);
  const int socket =
      link_->from_output ? n.find_output(link_->socket) : n.find_input(link_->socket);
  if (socket < 0) return std::nullopt;
  const Pin& pin = (link_->from_output ? n.outputs : n.inputs)[static_cast<std::size_t>(socket)];
  return LinkEnd{link_->from_output, {link_->node, link_->socket}, pin.type, pin.input, {}};
}

void Canvas::drop_link() {
  const std::optional<LinkEnd> end = fixed_end();
  if (!end) return;
  const LinkDrag drag = *link_;
  const Hit hit = hit_test(model_, mouse(), view().zoom);
  if (!hit.on_node()) {
    const bool moved =
        std::hypot(ImGui::GetIO().MousePos.x - pressed_pixel_.x,
                   ImGui::GetIO().MousePos.y - pressed_pixel_.y) > 2 * drag_threshold;
    if (drag.detached)
      (void)session().apply(remove_links(session(), {*drag.detached}));
    else if (moved)
      search_.open(mouse(), ImGui::GetIO().MousePos, end);
    return;
  }
  const Node& n = node(hit.node_index);
  if (n.id == drag.node && !drag.detached) return;
  const std::optional<DropPlace> drop = drop_place(hit);
  if (!drop) {
    editor_.notify(NoticeKind::warning,
                   fmt::format("'{}' has nothing that this goes with", n.full_title));
    return;
  }
  if (const std::string why = why_not(*drop); !why.empty()) {
    editor_.notify(NoticeKind::warning, why);
    return;
  }
  session().seal();
  if (drop->adds) return drop_as_socket();
  const Pin& pin =
      (drag.from_output ? n.inputs : n.outputs)[static_cast<std::size_t>(drop->socket)];
  const InputInfo& input = drag.from_output ? *pin.input : *end->input;
  const Endpoint here{n.id, pin.name()};
  const LinkDoc link = drag.from_output ? LinkDoc{end->at, here} : LinkDoc{here, end->at};
  if (drag.detached && *drag.detached == link) return;
  (void)session().apply(connect(session(), link, input.multi, drag.detached));
}

// On a pin that one; elsewhere on a node its best. The border of a group gets a socket more.
std::optional<DropPlace> Canvas::drop_place(const Hit& hit) const {
  const std::optional<LinkEnd> end = fixed_end();
  if (!end || !hit.on_node()) return std::nullopt;
  const Node& n = node(hit.node_index);
  DropPlace drop{hit.node_index, -1, false};
  if (hit.kind == (end->is_output ? Hit::input : Hit::output))
    drop.socket = hit.socket;
  else if (n.is_border && n.id != end->at.node)
    drop.adds = n.type->role == (end->is_output ? NodeRole::group_output : NodeRole::group_input);
  else if (end->is_output)
    drop.socket = best_input(session().registry(), n, end->type);
  else
    drop.socket = best_output(session().registry(), n, *end->input);
  return drop.socket >= 0 || drop.adds ? std::optional(drop) : std::nullopt;
}

std::string Canvas::why_not(const DropPlace& drop) const {
  const LinkEnd end = *fixed_end();
  const Node& n = node(drop.node);
  if (drop.adds)
    return end.is_output ? why_output_not_exposed(session(), end.at.node, end.at.socket)
                         : why_not_exposed(session(), end.at.node, end.at.socket);
  const bool round = static_cast<std::size_t>(drop.node) < link_->closed.size() &&
                     link_->closed[static_cast<std::size_t>(drop.node)];
  if (round)
    return fmt::format("'{}' depends on '{}' already: they would wait for each other",
                       title_of(session(), end.is_output ? end.at.node : n.id),
                       title_of(session(), end.is_output ? n.id : end.at.node));
  const Pin& pin = (end.is_output ? n.inputs : n.outputs)[static_cast<std::size_t>(drop.socket)];
  const InputInfo& input = end.is_output ? *pin.input : *end.input;
  const TypeInfo* output = end.is_output ? end.type : pin.type;
  if (fit(session().registry(), output, input) > 0) return {};
  return fmt::format("{} cannot become {}", with_article(output->name),
                     with_article(input.type->name));
}

void Canvas::drop_as_socket() {
  const LinkDrag drag = *link_;
  std::vector<Edit> also;
  if (drag.detached) also.push_back(edit::EraseLink{session().graph_name(), *drag.detached});
  if (drag.from_output)
    editor_.tell(expose_output(session(), drag.node, drag.socket, also));
  else
    editor_.tell(expose(session(), drag.node, drag.socket));
}

std::vector<LinkDoc> Canvas::links_across() const {
  std::vector<LinkDoc> links;
  const ImVec2 at = mouse();
  for (const Link& link : model_.links())
    if (crosses(model_.curve(link), pressed_at_, at)) links.push_back(link_doc(model_, link));
  return links;
}

void Canvas::cut() {
  doing_ = Doing::nothing;
  if (const std::vector<LinkDoc> links = links_across(); !links.empty())
    (void)session().apply(remove_links(session(), links));
}

}  // namespace sinew::editor::canvas
