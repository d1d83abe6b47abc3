// Menus under the right button, and text that is edited in its place.
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>

#include "app/editor/panels/canvas/canvas.h"
#include "app/ui/landmarks.h"
#include "app/ui/widgets.h"

namespace sinew::editor::canvas {
namespace {

constexpr const char *menu_name = "canvas menu", *rename_name = "canvas rename";

// Colours to tell nodes apart by; the first takes a colour away.
constexpr std::array<const char*, 7> colours = {"",        "#8c4a4a", "#8c6d3a", "#4f7a4a",
                                                "#3f7478", "#4a5c8c", "#774a84"};

// A menu of colours. What was chosen; empty: the standard one.
std::optional<std::string> choose_colour(const char* standard) {
  std::optional<std::string> chosen;
  if (!ImGui::BeginMenu("Colour")) return chosen;
  for (const char* colour : colours) {
    ImGui::PushID(colour);
    const bool none = !*colour;
    const ImU32 rgb =
        none ? ui::theme().field
             : ui::type_colour(static_cast<uint32_t>(std::strtoul(colour + 1, nullptr, 16)));
    ImGui::PushStyleColor(ImGuiCol_Button, rgb);
    if (ImGui::Button(none ? standard : "##colour", ImVec2(ui::px(130), 0))) {
      chosen = colour;
      ImGui::CloseCurrentPopup();
    }
    ImGui::PopStyleColor();
    ImGui::PopID();
  }
  ImGui::EndMenu();
  return chosen;
}

}  // namespace

void Canvas::begin_rename() {
  rename_wanted_ = true;
  rename_socket_.clear();
  rename_note_ = false;
  rename_frame_ = frame_;
  rename_id_.clear();
  if (frame_ >= 0) {
    const Json frames = frames_json(session());
    const Json& one = frames[static_cast<std::size_t>(frame_)];
    rename_text_ =
        one.contains("title") && one["title"].is_string() ? one["title"].get<std::string>() : "";
    frame_ = -1;
    return;
  }
  const NodeDoc* active = session().active();
  if (!active) {
    rename_wanted_ = false;
    return;
  }
  const int index = model_.find(active->id);
  rename_id_ = active->id;
  rename_note_ = index >= 0 && node(index).shape == Shape::note;
  rename_text_ = rename_note_ ? node(index).text : active->label;
}

void Canvas::begin_rename_socket(GroupSide side, const std::string& socket) {
  rename_wanted_ = true;
  rename_note_ = false;
  rename_frame_ = -1;
  rename_id_ = node(menu_hit_.node_index).id;
  rename_side_ = side;
  rename_socket_ = socket;
  rename_text_ = socket_name(session(), side, socket);
}

// Who clicks elsewhere has written what there is; only Escape gives it up.
void Canvas::draw_rename() {
  if (std::exchange(rename_wanted_, false)) {
    ImGui::OpenPopup(rename_name);
    rename_open_ = true;
  }
  const int index = model_.find(rename_id_);
  const bool frame = rename_frame_ >= 0 && rename_frame_ < static_cast<int>(model_.frames().size());
  const Rect rect = frame        ? model_.frames()[static_cast<std::size_t>(rename_frame_)].rect
                    : index >= 0 ? node(index).rect()
                                 : Rect{};
  ImGui::SetNextWindowPos(view().screen(rect.from), ImGuiCond_Appearing);
  if (!ImGui::BeginPopup(rename_name)) {
    if (std::exchange(rename_open_, false)) finish_rename();
    return;
  }
  const bool gone = !frame && index < 0;
  const bool done = !gone && edit_name(rect);
  const bool given_up = gone || ImGui::IsKeyPressed(ImGuiKey_Escape);
  if (done || given_up) {
    rename_open_ = false;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
  if (done && !given_up) finish_rename();
}

// True when Enter says that it is done.
bool Canvas::edit_name(const Rect& rect) {
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  bool done = false;
  if (rename_note_) {
    const float k = view().factor();
    const ImVec2 size(std::max(rect.size().x * k, ui::px(220)),
                      std::max(rect.size().y * k, ui::px(90)));
    done = ImGui::InputTextMultiline(
        "##text", &rename_text_, size,
        ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CtrlEnterForNewLine);
    editor_.hint("Enter: done   Ctrl+Enter: a new line   Esc: as it was");
  } else {
    ImGui::SetNextItemWidth(ui::px(220));
    done =
        ImGui::InputText("##text", &rename_text_,
                         ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    editor_.hint("Enter: done   Esc: as it was");
  }
  ui::mark("canvas", "rename");
  return done;
}

void Canvas::finish_rename() {
  session().seal();
  if (const std::string socket = std::exchange(rename_socket_, {}); !socket.empty()) {
    if (!rename_text_.empty())
      editor_.tell(rename_socket(session(), rename_side_, socket, rename_text_));
    return;
  }
  if (rename_frame_ >= 0) {
    Json frames = frames_json(session());
    if (rename_frame_ >= static_cast<int>(frames.size())) return;
    Json& title = frames[static_cast<std::size_t>(rename_frame_)]["title"];
    if (title == Json(rename_text_)) return;
    title = rename_text_;
    (void)session().apply(set_frames(session(), std::move(frames), "Name a frame"));
    return;
  }
  const NodeDoc* renamed = session().body().find(rename_id_);
  if (!renamed) return;
  if (rename_note_) {
    const Json* text = session().param(rename_id_, "text");
    if (text ? *text != Json(rename_text_) : !rename_text_.empty())
      (void)session().set_param(rename_id_, "text", Json(rename_text_));
  } else if (renamed->label != rename_text_) {
    (void)session().apply(
        {"Rename", {edit::SetLabel{session().graph_name(), rename_id_, rename_text_}}, {}});
  }
}

void Canvas::draw_border_menu(GroupSide side, const std::string& socket) {
  const bool rename = ImGui::MenuItem("Rename...");
  ui::mark("menu", "rename_socket");
  const bool remove = ImGui::MenuItem("Remove from the group");
  ui::mark("menu", "unexpose");
  if (rename) begin_rename_socket(side, socket);
  if (remove) editor_.tell(unexpose(session(), side, socket));
}

void Canvas::draw_expose_item(const Node& n, const Pin& pin) {
  const std::string why = pin.input ? why_not_exposed(session(), n.id, pin.name())
                                    : why_output_not_exposed(session(), n.id, pin.name());
  const bool clicked = ImGui::MenuItem("Expose in the group", nullptr, false, why.empty());
  ui::mark("menu", "expose");
  if (!why.empty()) ui::hover_text(why);
  if (!clicked) return;
  editor_.tell(pin.input ? expose(session(), n.id, pin.name())
                         : expose_output(session(), n.id, pin.name()));
}

void Canvas::draw_pin_menu() {
  const bool is_input = menu_hit_.kind == Hit::input;
  const Node& n = node(menu_hit_.node_index);
  const Pin& pin = (is_input ? n.inputs : n.outputs)[static_cast<std::size_t>(menu_hit_.socket)];
  std::vector<LinkDoc> links;
  for (const Link& link : model_.links())
    if ((is_input ? link.to : link.from) == menu_hit_.node_index &&
        (is_input ? link.input : link.output) == menu_hit_.socket)
      links.push_back(link_doc(model_, link));
  const bool unlink = !links.empty() && ImGui::MenuItem("Remove its links");
  if (!links.empty()) ui::mark("menu", "remove_links");
  // What the group takes is what its border gives to the inside, and the other way round.
  const uint64_t before = session().revision();
  if (n.is_border)
    draw_border_menu(is_input ? GroupSide::output : GroupSide::input, pin.name());
  else
    draw_expose_item(n, pin);
  if (unlink && session().revision() == before)
    (void)session().apply(remove_links(session(), links));
}

void Canvas::draw_link_menu() {
  const Link link = model_.links()[static_cast<std::size_t>(menu_hit_.link_index)];
  const bool insert = ImGui::MenuItem("Insert a node...");
  ui::mark("menu", "insert_on_link");
  const bool bend = ImGui::MenuItem("Bend it", "double click");
  ui::mark("menu", "bend_link");
  const bool remove = ImGui::MenuItem("Remove it", "Alt+click");
  ui::mark("menu", "remove_link");
  const LinkDoc doc = link_doc(model_, link);
  if (insert) {
    const Pin& from = node(link.from).outputs[static_cast<std::size_t>(link.output)];
    const Pin& to = node(link.to).inputs[static_cast<std::size_t>(link.input)];
    search_.open(menu_place_, view().screen(menu_place_),
                 LinkEnd{true, doc.from, from.type, to.input, doc.to});
  }
  if (bend)
    if (auto command =
            bend_link(session(), model_, link,
                      ImVec2(menu_place_.x - dot_size / 2, menu_place_.y - dot_size / 2)))
      (void)session().apply(std::move(*command));
  if (remove) (void)session().apply(remove_links(session(), {doc}));
}

void Canvas::draw_frame_menu() {
  const auto index = static_cast<std::size_t>(menu_hit_.frame_index);
  if (ImGui::MenuItem("Rename the frame...")) {
    frame_ = menu_hit_.frame_index;
    begin_rename();
  }
  Json frames = frames_json(session());
  if (const std::optional<std::string> colour = choose_colour("Neutral")) {
    if (colour->empty())
      frames[index].erase("colour");
    else
      frames[index]["colour"] = *colour;
    (void)session().apply(set_frames(session(), std::move(frames), "Colour a frame"));
    return;
  }
  const bool remove = ImGui::MenuItem("Remove the frame");
  ui::mark("menu", "remove_frame");
  if (!remove) return;
  frames.erase(index);
  (void)session().apply(set_frames(session(), std::move(frames), "Remove a frame"));
}

void Canvas::draw_colours() {
  const std::optional<std::string> colour = choose_colour("Of its category");
  if (!colour) return;
  (void)session().apply(set_layout(session(), model_, chosen(), "colour",
                                   colour->empty() ? std::nullopt : std::optional<Json>(*colour),
                                   "Colour a node"));
}

void Canvas::draw_menus() {
  draw_rename();
  if (std::exchange(menu_wanted_, false)) {
    menu_revision_ = model_.revision();
    if (menu_hit_.on_node() && !session().is_selected(node(menu_hit_.node_index).id))
      session().select_only(node(menu_hit_.node_index).id);
    ImGui::OpenPopup(menu_name);
  }
  if (!ImGui::BeginPopup(menu_name)) return;
  // What the menu is about may have changed under it.
  if (menu_revision_ != model_.revision()) {
    ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
    return;
  }
  const auto offer = [&](const char* id) {
    const Action* action = editor_.actions.find(id);
    if (!action) return;
    const std::string keys = action->shortcut.substr(0, action->shortcut.find(' '));
    const bool can = !action->enabled || action->enabled();
    const bool clicked = ImGui::MenuItem(action->title.c_str(), keys.c_str(),
                                         action->checked && action->checked(), can);
    ui::mark("menu", id);
    if (clicked) editor_.actions.run(id);
  };
  // A change in between makes what follows speak of something else: it is drawn in the next frame.
  const uint64_t revision = session().revision();
  if (menu_hit_.kind == Hit::input || menu_hit_.kind == Hit::output) {
    draw_pin_menu();
    ImGui::Separator();
  }
  if (session().revision() != revision) return ImGui::EndPopup();
  if (menu_hit_.kind == Hit::link) {
    draw_link_menu();
  } else if (menu_hit_.frame_index >= 0) {
    draw_frame_menu();
  } else if (menu_hit_.on_node()) {
    for (const char* id : {"canvas.rename", "canvas.mute", "canvas.collapse"}) offer(id);
    draw_colours();
    ImGui::Separator();
    for (const char* id :
         {"edit.cut", "edit.copy", "edit.duplicate", "edit.delete", "edit.dissolve"})
      offer(id);
    ImGui::Separator();
    for (const char* id : {"canvas.group", "canvas.enter", "canvas.ungroup", "canvas.frame_chosen",
                           "canvas.arrange", "canvas.frame"})
      offer(id);
  } else {
    for (const char* id : {"canvas.add", "edit.paste", "edit.select_all"}) offer(id);
    ImGui::Separator();
    for (const char* id : {"canvas.leave", "canvas.arrange", "canvas.frame_all", "canvas.heat",
                           "canvas.map", "canvas.pictures", "canvas.snap"})
      offer(id);
  }
  ImGui::EndPopup();
}

}  // namespace sinew::editor::canvas
