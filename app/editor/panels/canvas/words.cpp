// What can be done on the canvas by name.
#include <fmt/format.h>

#include <algorithm>

#include "app/editor/panels/canvas/arrange.h"
#include "app/editor/panels/canvas/canvas.h"

namespace sinew::editor::canvas {

void Canvas::add_actions() {
  add_edit_actions();
  add_node_actions();
  add_view_actions();
}

void Canvas::add_edit_actions() {
  // Ctrl+C in a text box means the text.
  const auto some = [this] {
    return !session().selection().empty() && !ImGui::GetIO().WantTextInput;
  };
  const auto free = [] { return !ImGui::GetIO().WantTextInput; };
  const auto add = [this](const char* id, const char* title, const char* keys, const char* doc,
                          std::function<void()> run, std::function<bool()> enabled) {
    editor_.actions.add(
        {id, title, "Edit", keys, doc, Where::canvas, std::move(run), std::move(enabled)});
  };
  add(
      "edit.cut", "Cut", "Ctrl+X", "The chosen nodes go to the clipboard",
      [this] {
        copy();
        remove_chosen(false);
      },
      some);
  add(
      "edit.copy", "Copy", "Ctrl+C", "The chosen nodes as text, with the links between them",
      [this] { copy(); }, some);
  add(
      "edit.paste", "Paste", "Ctrl+V", "Nodes from the clipboard, at the mouse",
      [this] {
        const char* text = ImGui::GetClipboardText();
        paste(text ? text : "", std::nullopt);
      },
      free);
  add(
      "edit.duplicate", "Duplicate", "Ctrl+D", "The chosen nodes once more",
      [this] { duplicate(); }, some);
  add(
      "edit.delete", "Delete", "Delete Backspace X", "The chosen nodes and their links go",
      [this] { remove_chosen(false); }, some);
  add(
      "edit.dissolve", "Dissolve", "Ctrl+Delete Ctrl+Backspace",
      "The chosen nodes go, and what came in is joined with what went out",
      [this] { remove_chosen(true); }, some);
  add(
      "edit.select_all", "Choose all", "Ctrl+A", "Every node of this graph",
      [this] {
        std::set<std::string> all;
        for (const NodeDoc& n : session().body().nodes) all.insert(n.id);
        session().select(std::move(all));
      },
      free);
  add(
      "edit.select_none", "Choose nothing", "Escape", "", [this] { session().clear_selection(); },
      [this] { return doing_ == Doing::nothing && !session().selection().empty(); });
}

void Canvas::add_node_actions() {
  const auto some = [this] { return !session().selection().empty(); };
  const auto add = [this](const char* id, const char* title, const char* keys, const char* doc,
                          std::function<void()> run, std::function<bool()> enabled = {}) {
    editor_.actions.add(
        {id, title, "Node", keys, doc, Where::canvas, std::move(run), std::move(enabled)});
  };
  add("canvas.add", "Add a node...", "Tab Shift+A", "Searches through all types of nodes", [this] {
    const ImVec2 pixel = ImGui::GetIO().MousePos;
    const Rect panel = {origin_, ImVec2(origin_.x + size_.x, origin_.y + size_.y)};
    const ImVec2 at = panel.holds(pixel) ? pixel : panel.middle();
    search_.open(view().canvas(at), at, std::nullopt);
  });
  add(
      "canvas.mute", "Mute", "M", "Switched off: hands on what it is given", [this] { mute(); },
      some);
  add(
      "canvas.collapse", "Collapse", "H", "Only the header is left",
      [this] { toggle_layout("collapsed", "Collapse"); }, some);
  add(
      "canvas.rename", "Rename...", "F2", "Its title", [this] { begin_rename(); },
      [this] { return session().active() != nullptr; });
  add(
      "canvas.group", "Make a group", "Ctrl+G", "The chosen nodes become one",
      [this] { make_group_of_chosen(); }, some);
  add(
      "canvas.enter", "Go into the group", "Ctrl+Shift+G", "Shows what is inside",
      [this] {
        if (const NodeDoc* active = session().active()) session().enter(active->id);
      },
      [this] {
        const NodeDoc* active = session().active();
        return active && !active->group.empty();
      });
  add(
      "canvas.ungroup", "Take the group apart", "Ctrl+Alt+G", "What is inside comes out",
      [this] {
        Result<Command> command = ungroup(session(), session().active()->id);
        session().seal();
        if (command)
          (void)session().apply(std::move(*command));
        else
          editor_.notify(NoticeKind::warning, command.error());
      },
      [this] {
        const NodeDoc* active = session().active();
        return active && !active->group.empty();
      });
  add(
      "canvas.leave", "Leave the group", "Ctrl+Up", "Back to where its instance is",
      [this] { session().leave(); }, [this] { return !session().place().empty(); });
  add(
      "canvas.frame_chosen", "Put a frame round", "Ctrl+Shift+F",
      "A box with a title; moving it moves what is inside", [this] { frame_chosen(); }, some);
  add("canvas.arrange", "Arrange", "L", "In columns, from left to right: the chosen nodes, or all",
      [this] { arrange_chosen(); });
  const auto several = [this] { return session().selection().size() > 1; };
  add(
      "canvas.align_left", "Align left", "", "One below the other", [this] { align(true); },
      several);
  add(
      "canvas.align_top", "Align top", "", "Side by side", [this] { align(false); }, several);
  add(
      "canvas.distribute_across", "Distribute across", "", "Equal gaps from left to right",
      [this] { distribute(true); }, several);
  add(
      "canvas.distribute_down", "Distribute down", "", "Equal gaps from top to bottom",
      [this] { distribute(false); }, several);
  const auto step = [this](const char* id, const char* title, const char* key, float x, float y) {
    editor_.actions.add({id, title, "", key, "By a step of the grid", Where::canvas,
                         [this, x, y] { nudge(x, y); },
                         [this] { return !session().selection().empty(); }});
  };
  step("canvas.left", "Move left", "Left", -grid_step, 0);
  step("canvas.right", "Move right", "Right", grid_step, 0);
  step("canvas.up", "Move up", "Up", 0, -grid_step);
  step("canvas.down", "Move down", "Down", 0, grid_step);
}

void Canvas::add_view_actions() {
  const auto add = [this](const char* id, const char* title, const char* keys, const char* doc,
                          std::function<void()> run, std::function<bool()> checked = {}) {
    editor_.actions.add({id,
                         title,
                         "View/Canvas",
                         keys,
                         doc,
                         Where::canvas,
                         std::move(run),
                         {},
                         std::move(checked)});
  };
  add("canvas.frame", "Frame what is chosen", "F", "Fills the canvas with it",
      [this] { frame_selection(); });
  add("canvas.frame_all", "Frame all nodes", "Home Shift+F", "The whole graph in view",
      [this] { frame_all(); });
  add(
      "canvas.heat", "Time of each node", "", "Colours nodes by how long they take",
      [this] { heat_ = !heat_; }, [this] { return heat_; });
  const auto toggle = [&](const char* id, const char* title, const char* doc, const char* key,
                          bool standard) {
    add(
        id, title, "", doc,
        [this, key, standard] {
          editor_.preferences.set(key, !editor_.preferences.get(key, standard));
        },
        [this, key, standard] { return editor_.preferences.get(key, standard); });
  };
  toggle("canvas.map", "Small map",
         "In the lower right corner, when a part of the graph is out of sight", "canvas.map", true);
  toggle("canvas.pictures", "Pictures in nodes", "Charts and fields, as they are now",
         "canvas.pictures", true);
  toggle("canvas.snap", "Snap to the grid", "Nodes move in steps", "canvas.snap", false);
}

void Canvas::remove_chosen(bool join) {
  const std::vector<int> nodes = chosen();
  if (nodes.empty()) return;
  const std::set<std::string>& ids = session().selection();
  Command command =
      join ? dissolve(session(), model_, nodes)
           : remove_nodes(session().doc(), session().graph_name(), {ids.begin(), ids.end()});
  session().seal();
  (void)session().apply(std::move(command));
}

// What is chosen without the border of the group, which belongs to it alone.
std::vector<std::string> Canvas::chosen_inside() const {
  std::vector<std::string> ids;
  for (const int i : chosen())
    if (!node(i).is_border) ids.push_back(node(i).id);
  return ids;
}

void Canvas::copy() {
  const std::vector<std::string> ids = chosen_inside();
  if (ids.empty()) return;
  ImGui::SetClipboardText(write_fragment(session().doc(), session().graph_name(), ids).c_str());
}

void Canvas::paste(const std::string& text, std::optional<ImVec2> at) {
  constexpr const char* no_nodes = "The clipboard holds no nodes.";
  const std::size_t open = text.find('{'), close = text.rfind('}');
  if (open == std::string::npos || close == std::string::npos || close < open ||
      !Json::accept(text.substr(open, close - open + 1)))
    return editor_.notify(NoticeKind::warning, no_nodes);
  if (!at) {
    const ImVec2 pixel = ImGui::GetIO().MousePos;
    const Rect panel = {origin_, ImVec2(origin_.x + size_.x, origin_.y + size_.y)};
    at = view().canvas(panel.holds(pixel) ? pixel : panel.middle());
  }
  Result<Command> command = paste_fragment(
      session().doc(), session().graph_name(), text, session().registry(),
      std::round(static_cast<double>(at->x)), std::round(static_cast<double>(at->y)));
  if (!command) return editor_.notify(NoticeKind::warning, command.error());
  std::set<std::string> added;
  for (const Edit& edit : command->edits)
    if (const auto* insert = std::get_if<edit::InsertNode>(&edit);
        insert && insert->graph == session().graph_name())
      added.insert(insert->node.id);
  if (added.empty()) return editor_.notify(NoticeKind::warning, no_nodes);
  session().seal();
  if (session().apply(std::move(*command))) session().select(std::move(added));
}

void Canvas::duplicate() {
  std::vector<int> nodes = chosen();
  std::erase_if(nodes, [&](int i) { return node(i).is_border; });
  if (nodes.empty()) return;
  const Rect rect = model_.bounds(nodes);
  paste(write_fragment(session().doc(), session().graph_name(), chosen_inside()),
        ImVec2(rect.from.x + 30, rect.from.y + 30));
}

void Canvas::nudge(float x, float y) {
  const std::vector<int> nodes = chosen();
  if (nodes.empty()) return;
  std::vector<ImVec2> to;
  std::string key = "nudge";
  for (const int i : nodes) {
    to.emplace_back(node(i).at.x + x, node(i).at.y + y);
    key += " " + node(i).id;
  }
  Command command =
      move_nodes(session(), model_, nodes, to,
                 nodes.size() == 1 ? "Move a node" : fmt::format("Move {} nodes", nodes.size()));
  command.merge_key = std::move(key);
  (void)session().apply(std::move(command));
}

void Canvas::arrange_chosen() {
  std::vector<int> nodes = chosen();
  const bool all = nodes.size() < 2;
  if (all) {
    nodes.clear();
    for (std::size_t i = 0; i < model_.nodes().size(); ++i) nodes.push_back(static_cast<int>(i));
  }
  if (nodes.empty()) return;
  const Rect before = model_.bounds(nodes);
  std::vector<ImVec2> to = arrange(model_.nodes(), model_.links(), nodes);
  for (ImVec2& p : to) p = ImVec2(p.x + std::round(before.from.x), p.y + std::round(before.from.y));
  session().seal();
  (void)session().apply(move_nodes(session(), model_, nodes, to, "Arrange"));
  if (all) frame_wanted_ = true;
}

void Canvas::align(bool left) {
  const std::vector<int> nodes = chosen();
  if (nodes.size() < 2) return;
  const Rect rect = model_.bounds(nodes);
  std::vector<ImVec2> to;
  for (const int i : nodes)
    to.emplace_back(left ? rect.from.x : node(i).at.x, left ? node(i).at.y : rect.from.y);
  session().seal();
  (void)session().apply(
      move_nodes(session(), model_, nodes, to, left ? "Align left" : "Align top"));
}

void Canvas::distribute(bool across) {
  std::vector<int> nodes = chosen();
  if (nodes.size() < 2) return;
  const auto start = [&](int i) { return across ? node(i).at.x : node(i).at.y; };
  const auto length = [&](int i) { return across ? node(i).size.x : node(i).size.y; };
  std::stable_sort(nodes.begin(), nodes.end(), [&](int a, int b) { return start(a) < start(b); });
  float sum = 0;
  for (const int i : nodes) sum += length(i);
  const float room = start(nodes.back()) + length(nodes.back()) - start(nodes.front());
  const float gap = std::max((room - sum) / static_cast<float>(nodes.size() - 1), 20.0f);
  float at = start(nodes.front());
  std::vector<ImVec2> to;
  for (const int i : nodes) {
    to.emplace_back(across ? at : node(i).at.x, across ? node(i).at.y : at);
    at += length(i) + gap;
  }
  session().seal();
  (void)session().apply(move_nodes(session(), model_, nodes, to, "Distribute"));
}

void Canvas::toggle_layout(const char* member, const char* title) {
  const std::vector<int> nodes = chosen();
  if (nodes.empty()) return;
  const bool on = std::all_of(nodes.begin(), nodes.end(), [&](int i) { return node(i).collapsed; });
  session().seal();
  (void)session().apply(set_layout(session(), model_, nodes, member,
                                   on ? std::nullopt : std::optional<Json>(true), title));
}

void Canvas::mute() {
  const std::vector<int> nodes = chosen();
  if (nodes.empty()) return;
  const bool all = std::all_of(nodes.begin(), nodes.end(), [&](int i) { return node(i).muted; });
  Command command{all ? "Unmute" : "Mute", {}, {}};
  for (const int i : nodes)
    if (node(i).muted == all)
      command.edits.push_back(edit::SetMuted{session().graph_name(), node(i).id, !all});
  session().seal();
  (void)session().apply(std::move(command));
}

void Canvas::make_group_of_chosen() {
  std::string instance;
  std::vector<int> nodes = chosen();
  std::erase_if(nodes, [&](int i) { return node(i).is_border; });
  Result<Command> command = group_nodes(session(), model_, nodes, &instance);
  if (!command) {
    editor_.notify(NoticeKind::warning, command.error());
    return;
  }
  session().seal();
  if (session().apply(std::move(*command))) session().select_only(instance);
}

void Canvas::frame_chosen() {
  const std::vector<int> nodes = chosen();
  if (nodes.empty()) return;
  const Rect rect = model_.bounds(nodes);
  Json frames = frames_json(session());
  frames.push_back({{"title", "Frame"},
                    {"at", {std::round(rect.from.x - 20), std::round(rect.from.y - 44)}},
                    {"size", {std::round(rect.size().x + 40), std::round(rect.size().y + 64)}}});
  Command command = move_nodes(session(), model_, {}, {}, "Put a frame round");
  const Command frame = set_frames(session(), std::move(frames), "");
  command.edits.insert(command.edits.end(), frame.edits.begin(), frame.edits.end());
  session().seal();
  if (!session().apply(std::move(command))) return;
  frame_ = static_cast<int>(model_.frames().size());
  begin_rename();
}

}  // namespace sinew::editor::canvas
