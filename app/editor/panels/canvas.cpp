#include <imgui_internal.h>
#include <imnodes.h>

#include <algorithm>
#include <cmath>

#include "app/editor/panels/canvas/canvas.h"
#include "app/editor/titles.h"
#include "app/ui/landmarks.h"
#include "app/ui/widgets.h"

namespace sinew::editor {
namespace canvas {

namespace {

// Of a picture inside a node: twice what it covers at zoom 1.
constexpr std::pair picture_pixels(312, 128);
constexpr double tooltip_delay = 0.4;  // seconds

// imnodes must not see the mouse: it would search all for what is under it.
void begin_without_mouse() {
  ImGuiIO& io = ImGui::GetIO();
  const ImVec2 mouse_place = io.MousePos;
  const float wheel = io.MouseWheel;
  bool down[5], clicked[5], released[5];
  std::copy_n(io.MouseDown, 5, down);
  std::copy_n(io.MouseClicked, 5, clicked);
  std::copy_n(io.MouseReleased, 5, released);
  io.MousePos = ImVec2(-FLT_MAX, -FLT_MAX);
  io.MouseWheel = 0;
  std::fill_n(io.MouseDown, 5, false);
  std::fill_n(io.MouseClicked, 5, false);
  std::fill_n(io.MouseReleased, 5, false);
  ImGui::PushStyleVar(ImGuiStyleVar_ChildBorderSize, 0.0f);
  ImNodes::BeginNodeEditor();
  ImGui::PopStyleVar();
  io.MousePos = mouse_place;
  io.MouseWheel = wheel;
  std::copy_n(down, 5, io.MouseDown);
  std::copy_n(clicked, 5, io.MouseClicked);
  std::copy_n(released, 5, io.MouseReleased);
}

}  // namespace

Canvas::Canvas(Editor& editor)
    : editor_(editor),
      nodes_context_(ImNodes::EditorContextCreate()),
      search_(editor),
      pictures_(editor.host, editor.wake, picture_pixels.first, picture_pixels.second) {
  add_actions();
}

Canvas::~Canvas() { ImNodes::EditorContextFree(nodes_context_); }

View& Canvas::view() {
  if (!view_) view_ = &views_[place_];
  return *view_;
}

std::vector<int> Canvas::chosen() const {
  std::vector<int> nodes;
  for (std::size_t i = 0; i < model_.nodes().size(); ++i)
    if (session().is_selected(model_.nodes()[i].id)) nodes.push_back(static_cast<int>(i));
  return nodes;
}

float Canvas::snapped(float x) const {
  if (!editor_.preferences.get("canvas.snap", false)) return std::round(x);
  return std::round(x / grid_step) * grid_step;
}

// Another document, or another graph of it: each has its own view as long as it is open.
void Canvas::open_graph() {
  if (seen_document_ != session().document_count()) {
    seen_document_ = session().document_count();
    views_.clear();
    view_ = nullptr;
    charts_.clear();
    pictures_.clear();
    seconds_.clear();
    place_ = "\n";
  }
  std::string place;
  for (const std::string& instance : session().place()) place += instance + "/";
  if (place != place_) {
    place_ = place;
    cancel_drag();
    hit_ = {};
    frame_wanted_ = !views_.contains(place_);
    view_ = nullptr;
  }
  const uint64_t before = model_.revision();
  model_.update(session(),
                {editor_.preferences.get("canvas.pictures", true), opened_, opened_for_});
  if (model_.revision() != before) hit_ = {};
  View& v = view();
  v.origin = origin_;
  v.size = size_;
  if (frame_wanted_ && size_.x > 2 && size_.y > 2) {
    frame_wanted_ = false;
    frame_all();
  }
}

void Canvas::frame_all() {
  View& v = view();
  if (model_.nodes().empty() && model_.frames().empty()) {
    v.zoom = 1;
    v.pan = ImVec2(-v.size.x / v.factor() / 2, -v.size.y / v.factor() / 2);
    return;
  }
  v.frame(model_.bounds());
}

void Canvas::zoom_to(float zoom) {
  view().zoom_about(ImVec2(origin_.x + size_.x / 2, origin_.y + size_.y / 2), zoom);
}

void Canvas::frame_selection() {
  const std::vector<int> nodes = chosen();
  if (nodes.empty()) return frame_all();
  view().frame(model_.bounds(nodes));
}

void Canvas::update_states() {
  const Player& player = editor_.player;
  if (shown_revision_ != session().revision()) {
    shown_revision_ = session().revision();
    shown_ = player.shown();
  }
  if (states_shot_ == player.shot_number() && states_model_ == model_.revision()) return;
  states_shot_ = player.shot_number();
  states_model_ = model_.revision();
  states_.assign(model_.nodes().size(), {});
  find_wanted();
  note_seconds();
  for (const NodeMessage& m : player.messages()) {
    // What is said inside a group is seen at its instance.
    const int i = node_on(m.path);
    if (i < 0) continue;
    NodeState& state = states_[static_cast<std::size_t>(i)];
    state.has_message = true;
    state.worst = std::max(state.worst, m.message.severity);
  }
}

int Canvas::node_on(std::string_view path) const {
  if (path.size() <= place_.size() || !path.starts_with(place_)) return -1;
  const std::size_t end = path.find('/', place_.size());
  return model_.find(path.substr(place_.size(), end == path.npos ? end : end - place_.size()));
}

// What is in the cache is not asked for by what needs it, so an evaluation does not tell.
void Canvas::find_wanted() {
  const std::optional<Scene>& scene = editor_.player.scene();
  if (!scene) return;
  const CompiledGraph& graph = scene->graph();
  std::vector<bool> wanted(static_cast<std::size_t>(graph.size()), false);
  std::vector<int> open;
  const auto want = [&](int i) {
    if (i < 0 || wanted[static_cast<std::size_t>(i)]) return;
    wanted[static_cast<std::size_t>(i)] = true;
    open.push_back(i);
  };
  for (const Target& target : scene->targets()) want(target.node);
  while (!open.empty()) {
    const int i = open.back();
    open.pop_back();
    for (const InputSource& input : graph.node(i).inputs)
      for (const LinkSource& link : input.links) want(link.node);
  }
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const int at = graph.find_node(model_.nodes()[i].path);
    states_[i].wanted = at >= 0 && wanted[static_cast<std::size_t>(at)];
  }
}

// The last run of a node counts, also when the newest evaluation had no need of it.
void Canvas::note_seconds() {
  const GraphPtr& graph = session().graph();
  if (const Shot* shot = editor_.player.shot().get())
    for (const NodeReport& report : shot->evaluation.nodes)
      if (report.fate == NodeReport::Fate::ran || report.fate == NodeReport::Fate::hit)
        seconds_[shot->graph->node(report.node).path] = report.seconds;
  std::erase_if(seconds_, [&](const auto& one) { return graph->find_node(one.first) < 0; });
  for (const auto& [path, seconds] : seconds_) {
    const int i = node_on(path);
    if (i < 0) continue;
    states_[static_cast<std::size_t>(i)].timed = true;
    states_[static_cast<std::size_t>(i)].seconds += seconds;
  }
}

void Canvas::draw() {
  origin_ = ImGui::GetCursorScreenPos();
  size_ = ImGui::GetContentRegionAvail();
  if (size_.x < 2 || size_.y < 2) return;
  open_graph();
  update_states();
  pictures_.update(editor_.now());
  if (pictures_.busy()) editor_.want_frames(0.05);

  ImNodes::EditorContextSet(nodes_context_);
  ImNodes::GetStyle().Flags = ImNodesStyleFlags_NodeOutline;
  begin_without_mouse();
  ImGui::SetCursorScreenPos(origin_);
  ImGui::InvisibleButton("canvas", size_,
                         ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle |
                             ImGuiButtonFlags_MouseButtonRight);
  const bool hovered = ImGui::IsItemHovered();
  use_mouse(hovered);
  open_graph();  // what the hand did is seen at once
  update_states();
  held_end_ = fixed_end();
  drop_here_ = doing_ == Doing::linking ? drop_place(hit_) : std::nullopt;

  ImDrawList& list = *ImGui::GetWindowDrawList();
  paint_grid(list);
  paint_frames(list);
  paint_links(list);
  if (view().zoom < overview_zoom)
    paint_overview(list);
  else
    paint_nodes();
  ImNodes::EndNodeEditor();

  // Over the nodes, in a layer of its own.
  ImGui::SetCursorScreenPos(origin_);
  ImGui::BeginChild(
      "over", size_, ImGuiChildFlags_None,
      ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoBackground);
  paint_over(*ImGui::GetWindowDrawList());
  paint_map(*ImGui::GetWindowDrawList());
  ImGui::EndChild();
  draw_breadcrumb();
  if (hovered || doing_ != Doing::nothing) {
    editor_.set_hovered(Where::canvas);
    hint();
  }
  if (hit_ != last_hit_) {
    last_hit_ = hit_;
    hit_since_ = editor_.now();
  }
  if (hovered && doing_ == Doing::nothing && hit_.kind != Hit::nothing) {
    if (editor_.now() - hit_since_ >= tooltip_delay)
      draw_tooltips();
    else
      editor_.want_frames(tooltip_delay);
  }
  search_.draw();
  draw_menus();
}

void Canvas::hint() {
  const auto say = [&](const char* words) { editor_.hint(words); };
  if (doing_ == Doing::linking)
    return say("Drop on a socket or a node   Drop on empty canvas: add what fits   Esc: leave it");
  if (doing_ == Doing::moving) return say("Drop on a link: goes in between   Esc: back");
  if (doing_ == Doing::cutting) return say("Links that are crossed are cut");
  if (doing_ == Doing::boxing) return say("Everything that is touched is chosen   Shift: added");
  switch (hit_.kind) {
    case Hit::input:
    case Hit::output:
      return say("Drag: link   Right click: more");
    case Hit::eye:
      return say("Click: see this in the viewport   Shift+click: see it, too");
    case Hit::chevron:
      return say("Click: show all inputs, or only those that are linked");
    case Hit::corner:
      return say("Drag: larger or smaller");
    case Hit::link:
      return say("Double click: bend it   Alt+click: cut it   Right click: more");
    case Hit::frame:
      return say("Drag: move it with what is inside   Double click: its title");
    case Hit::node:
      if (node(hit_.node_index).is_group)
        return say("Drag: move   Double click: go inside   M: mute   H: collapse   F2: rename");
      return say("Drag: move   Shift+click: choose more   M: mute   H: collapse   F2: rename");
    case Hit::nothing:
      break;
  }
  say("Tab: add a node   Drag: choose   Middle or right drag: move the view   Wheel: zoom   Home: "
      "all");
}

void Canvas::draw_breadcrumb() {
  const auto& place = session().place();
  if (place.empty()) return;
  ImGui::SetCursorScreenPos(ImVec2(origin_.x + ui::px(8), origin_.y + ui::px(8)));
  const float height = ImGui::GetFrameHeight();
  ImGui::BeginChild("breadcrumb", ImVec2(0, height), ImGuiChildFlags_AutoResizeX);
  std::vector<std::string> titles;
  const GraphBody* body = &session().doc().graph;
  for (const std::string& instance : place) {
    const NodeDoc* node = body ? body->find(instance) : nullptr;
    titles.push_back(node ? title_of(session(), *node) : instance);
    body = node ? session().doc().body(node->group) : nullptr;
  }
  std::optional<std::size_t> leave;
  for (std::size_t i = 0; i <= place.size(); ++i) {
    if (i) {
      ImGui::SameLine(0, ui::px(2));
      const ImVec2 at = ImGui::GetCursorScreenPos();
      ui::draw_icon(*ImGui::GetWindowDrawList(), ui::Icon::right,
                    ImVec2(at.x + height / 4, at.y + height / 2), height * 0.5f, ui::theme().dim);
      ImGui::Dummy(ImVec2(height / 2, height));
      ImGui::SameLine(0, ui::px(2));
    }
    ImGui::PushID(static_cast<int>(i));
    const std::string name = i ? titles[i - 1] : session().title();
    ImGui::PushStyleColor(ImGuiCol_Text, i == place.size() ? ui::theme().accent : ui::theme().text);
    if (ImGui::Button(name.c_str()) && i < place.size()) leave = place.size() - i;
    ImGui::PopStyleColor();
    ui::mark("breadcrumb", std::to_string(i));
    ImGui::PopID();
  }
  ImGui::EndChild();
  if (leave) session().leave(*leave);
}

bool Canvas::on_badge(int index, ImVec2 at) const {
  const NodeState& state = states_[static_cast<std::size_t>(index)];
  if (!state.has_message || state.worst == Severity::info) return false;
  const ImVec2 badge = badge_place(node(index));
  return std::hypot(at.x - badge.x, at.y - badge.y) <= badge_radius;
}

void Canvas::draw_tooltips() {
  const auto tip = [](const std::string& title, const std::string& text) {
    if (!ImGui::BeginTooltip()) return;
    ImGui::PushTextWrapPos(ui::px(320));
    ImGui::TextUnformatted(title.c_str());
    if (!text.empty()) {
      ImGui::PushStyleColor(ImGuiCol_Text, ui::theme().dim);
      ImGui::TextUnformatted(text.c_str());
      ImGui::PopStyleColor();
    }
    ImGui::PopTextWrapPos();
    const ImVec2 from = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    ui::mark_area("canvas", "tooltip", from, ImVec2(from.x + size.x, from.y + size.y));
    ImGui::EndTooltip();
  };
  if (hit_.kind == Hit::input || hit_.kind == Hit::output) {
    const Node& n = node(hit_.node_index);
    const Pin& pin =
        (hit_.kind == Hit::input ? n.inputs : n.outputs)[static_cast<std::size_t>(hit_.socket)];
    const std::string type = pin.type ? pin.type->name : "anything";
    return tip(pin.full_label() + ": " + type, pin.input ? pin.input->doc : pin.output->doc);
  }
  if (hit_.kind == Hit::link) {
    const Link& link = model_.links()[static_cast<std::size_t>(hit_.link_index)];
    if (!link.converts) return;
    const TypeInfo* to = node(link.to).inputs[static_cast<std::size_t>(link.input)].type;
    return tip(link.type->name + " becomes " + to->name, "Nothing is lost on the way.");
  }
  if (!hit_.on_node()) return;
  const Node& n = node(hit_.node_index);
  if (!states_[static_cast<std::size_t>(hit_.node_index)].has_message) return;
  const bool header = hit_.kind == Hit::node && mouse().y <= n.at.y + header_height;
  if (!header && !on_badge(hit_.node_index, mouse())) return;
  std::string text;
  for (const Message& m : editor_.player.messages_of(n.path))
    text += (text.empty() ? "" : "\n") + m.text;
  if (text.empty())
    for (const NodeMessage& m : editor_.player.messages())
      if (m.path.starts_with(n.path + "/"))
        text +=
            (text.empty() ? "" : "\n") + title_of_path(session(), m.path) + ": " + m.message.text;
  tip(n.full_title, text);
}

}  // namespace canvas

std::unique_ptr<Panel> make_canvas(Editor& editor) {
  return std::make_unique<canvas::Canvas>(editor);
}

}  // namespace sinew::editor
