// Menus under the right button, and text that is edited in its place.
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>

#include "app/editor/expose.h"
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

void Canvas::draw_rename() {
  if (std::exchange(rename_wanted_, false)) ImGui::OpenPopup(rename_name);
  const int index = model_.find(rename_id_);
  const bool frame = rename_frame_ >= 0 && rename_frame_ < static_cast<int>(model_.frames().size());
  const Rect rect = frame        ? model_.frames()[static_cast<std::size_t>(rename_frame_)].rect
                    : index >= 0 ? node(index).rect()
                                 : Rect{};
  const View& v = view();
  ImGui::SetNextWindowPos(v.screen(rect.from), ImGuiCond_Appearing);
  if (!ImGui::BeginPopup(rename_name)) return;
  if (!frame && index < 0) {
    ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
    return;
  }
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  bool done = false;
  if (rename_note_) {
    const ImVec2 size(std::max(rect.size().x * v.factor(), ui::px(220)),
                      std::max(rect.size().y * v.factor(), ui::px(90)));
    done = ImGui::InputTextMultiline(
        "##text", &rename_text_, size,
        ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CtrlEnterForNewLine);
  } else {
    ImGui::SetNextItemWidth(ui::px(220));
    done =
        ImGui::InputText("##text", &rename_text_,
                         ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  }
  ui::mark("canvas", "rename");
  if (done) {
    ImGui::CloseCurrentPopup();
    session().seal();
    if (frame) {
      Json frames = frames_json(session());
      frames[static_cast<std::size_t>(rename_frame_)]["title"] = rename_text_;
      (void)session().apply(set_frames(session(), std::move(frames), "Name a frame"));
    } else if (rename_note_) {
      (void)session().set_param(rename_id_, "text", Json(rename_text_));
    } else {
      (void)session().apply(
          {"Rename", {edit::SetLabel{session().graph_name(), rename_id_, rename_text_}}, {}});
    }
  }
  if (ImGui::IsKeyPressed(ImGuiKey_Escape)) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

void Canvas::draw_input_menu() {
  const Node& n = node(menu_hit_.node_index);
  const Pin& pin = n.inputs[static_cast<std::size_t>(menu_hit_.socket)];
  if (pin.linked && ImGui::MenuItem("Remove its links")) {
    std::vector<LinkDoc> links;
    for (const Link& link : model_.links())
      if (link.to == menu_hit_.node_index && link.input == menu_hit_.socket)
        links.push_back(link_doc(model_, link));
    (void)session().apply(remove_links(session(), links));
    return;
  }
  const std::string why = why_not_exposed(session(), n.id, pin.input->name);
  const bool clicked = ImGui::MenuItem("Expose in the group", nullptr, false, why.empty());
  ui::mark("menu", "expose");
  if (!why.empty()) ui::hover_text(why);
  if (clicked) editor_.tell(expose(session(), n.id, pin.input->name));
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
  if (menu_hit_.kind == Hit::input || menu_hit_.kind == Hit::output) {
    if (menu_hit_.kind == Hit::input) draw_input_menu();
    ImGui::Separator();
  }
  if (menu_hit_.frame_index >= 0) {
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
