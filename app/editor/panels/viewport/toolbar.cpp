// The bar over the picture's upper edge: tools, what is shown, and how.
#include <fmt/format.h>

#include <algorithm>

#include "app/cameras.h"
#include "app/editor/panels/viewport/viewport.h"
#include "app/editor/titles.h"
#include "app/ui/landmarks.h"
#include "app/ui/widgets.h"

namespace sinew::editor {
namespace {

// Escape closes it, as everywhere. The bar it hangs from has narrower borders than a menu.
bool begin_menu(const char* id) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui::px(10), ui::px(8)));
  const bool open = ImGui::BeginPopup(id);
  ImGui::PopStyleVar();
  if (!open) return false;
  if (ImGui::IsKeyPressed(ImGuiKey_Escape, false)) ImGui::CloseCurrentPopup();
  return true;
}

// A word that opens a menu. Ends with EndPopup if it is open.
bool menu_button(const char* id, const std::string& label, const char* tooltip, bool on = false) {
  if (on) ImGui::PushStyleColor(ImGuiCol_Text, ui::theme().accent);
  const bool pressed = ImGui::Button((label + "##" + id).c_str());
  if (on) ImGui::PopStyleColor();
  ui::mark("viewport", id);
  ui::hover_text(tooltip);
  if (pressed) ImGui::OpenPopup(id);
  const ImVec2 below(ImGui::GetItemRectMin().x, ImGui::GetItemRectMax().y + ui::px(4));
  ImGui::SetNextWindowPos(below, ImGuiCond_Appearing);
  return begin_menu(id);
}

void separate() {
  ImGui::SameLine(0, ui::px(8));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddLine(ImVec2(at.x, at.y + ui::px(3)),
                                      ImVec2(at.x, at.y + ImGui::GetFrameHeight() - ui::px(3)),
                                      ui::theme().line);
  ImGui::SameLine(0, ui::px(9));
}

struct MapName {
  const char* name;
  std::optional<draw::ColourMap> map;
};
constexpr MapName maps[] = {{"As it fits", std::nullopt},
                            {"Sequential", draw::ColourMap::sequential},
                            {"Diverging", draw::ColourMap::diverging},
                            {"Strain", draw::ColourMap::strain},
                            {"Phase", draw::ColourMap::phase}};

}  // namespace

void Viewport::draw_toolbar() {
  const float height = ImGui::GetFrameHeight() + ui::px(8);
  ImGui::SetCursorScreenPos(ImVec2(sight_.at.x + ui::px(6), sight_.at.y + ui::px(6)));
  ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, ui::px(6));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui::px(5), ui::px(4)));
  ImGui::PushStyleColor(ImGuiCol_ChildBg, ui::with_alpha(ui::theme().panel, 0.86f));
  ImGui::PushStyleColor(ImGuiCol_Button, IM_COL32(0, 0, 0, 0));
  const float room = sight_.size.x - ui::px(12);
  ImGui::SetNextWindowSizeConstraints(ImVec2(0, height), ImVec2(std::max(room, 1.0f), height));
  ImGui::BeginChild("toolbar", ImVec2(0, height),
                    ImGuiChildFlags_AutoResizeX | ImGuiChildFlags_AlwaysUseWindowPadding,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  const auto tool = [&](const char* id, ui::Icon icon, const char* tooltip, Tool which) {
    if (ui::icon_button(id, icon, tooltip, editor_.tool == which)) editor_.tool = which;
    ui::mark("tool", id);
    ImGui::SameLine(0, ui::px(2));
  };
  tool("look", ui::Icon::pointer, "Look and choose (Q)", Tool::look);
  tool("paint", ui::Icon::brush, "Paint the chosen node's strokes (B)", Tool::paint);
  tool("grab", ui::Icon::hand, "Pull at a simulated body while it plays (G)", Tool::grab);
  tool("touch", ui::Icon::finger, "Touch: puts handles on the body, or stimulates it (T)",
       Tool::touch);
  separate();
  draw_shown_menu();
  ImGui::SameLine(0, ui::px(2));
  draw_look_menus();
  ImGui::SameLine(0, ui::px(2));
  draw_section_menu();
  ImGui::SameLine(0, ui::px(2));
  draw_camera_menu();
  ImGui::EndChild();
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar(2);
}

void Viewport::draw_shown_menu() {
  const std::vector<std::string> shown = editor_.player.shown();
  const Session& session = editor_.session;
  std::string label = shown.empty() ? "Viewers" : title_of_output(session, shown.front());
  if (shown.size() > 1) label += fmt::format(" and {} more", shown.size() - 1);
  if (!menu_button("shown", ui::clipped(label, ui::px(150)), "What is shown here", !shown.empty()))
    return;
  if (ImGui::MenuItem("What the viewers show", nullptr, shown.empty())) editor_.player.show({});
  ui::mark("shown", "viewers");
  const CompiledGraph& graph = *editor_.session.graph();
  const auto offer = [&](const std::string& name) {
    const bool chosen = std::find(shown.begin(), shown.end(), name) != shown.end();
    // Of the same kind there may be several: their names tell them apart.
    const std::string title = title_of_output(session, name) + "##" + name;
    if (ImGui::MenuItem(title.c_str(), nullptr, chosen)) editor_.player.show({name});
    ui::mark("shown", name);
    ui::hover_text(name);
  };
  for (const Target& t : graph.default_targets()) {
    const CompiledNode& node = graph.node(t.node);
    if (node.type->viewer && node.output_types[t.output] && can_show(*node.output_types[t.output]))
      offer(node.path + "." + node.type->outputs[t.output].name);
  }
  const NodeDoc* active = editor_.session.active();
  const int node = active ? graph.find_node(editor_.session.path_of(active->id)) : -1;
  if (node >= 0) {
    ImGui::SeparatorText("Of the chosen node");
    const CompiledNode& n = graph.node(node);
    for (std::size_t i = 0; i < n.output_types.size(); ++i)
      if (n.output_types[i] && can_show(*n.output_types[i]))
        offer(editor_.session.path_of(active->id) + "." + n.type->outputs[i].name);
  }
  ImGui::EndPopup();
}

void Viewport::draw_look_menus() {
  const auto shadings = render::shading_names();
  const auto now = static_cast<std::size_t>(sight_.view.look.shading);
  std::string shading(shadings[now].name);
  shading[0] = static_cast<char>(shading[0] - 32);
  if (menu_button("shading", shading, "How bodies are shaded")) {
    editor_.actions.draw_menu("View/Shading");
    ImGui::SeparatorText("Colours of values");
    for (const MapName& m : maps)
      if (ImGui::MenuItem(m.name, nullptr, sight_.show.map == m.map)) sight_.show.map = m.map;
    ImGui::EndPopup();
  }
  ImGui::SameLine(0, ui::px(2));
  if (menu_button("overlays", "Overlays", "What is drawn over and around the body")) {
    ImGui::PushItemFlag(ImGuiItemFlags_AutoClosePopups, false);
    editor_.actions.draw_menu("View/Overlays");
    ImGui::SeparatorText("While something moves");
    const std::string coarse = editor_.preferences.get<std::string>("viewport.coarse", "auto");
    const auto choice = [&](const char* label, const char* name, const char* doc) {
      if (ImGui::MenuItem(label, nullptr, coarse == name))
        editor_.preferences.set("viewport.coarse", name);
      ui::hover_text(doc);
    };
    choice("Coarser where drawing is slow", "auto", "Half as fine until it rests");
    choice("Always coarser", "always", "Half as fine until it rests");
    choice("Never coarser", "never", "Always as fine as the screen");
    ImGui::PopItemFlag();
    ImGui::EndPopup();
  }
}

void Viewport::draw_section_menu() {
  std::optional<draw::SectionPlane>& section = sight_.show.section;
  if (!menu_button("section", "Cut", "Cuts bodies open (X)", section.has_value())) return;
  if (ImGui::MenuItem("No cut", nullptr, !section)) set_section(std::nullopt);
  ui::mark("section", "off");
  const char* names[] = {"Across x", "Across y", "Across z"};
  const char* marks[] = {"x", "y", "z"};
  for (int axis = 0; axis < 3; ++axis) {
    const bool chosen = section && std::abs(section->normal[axis]) > 0.999f;
    if (ImGui::MenuItem(names[axis], nullptr, chosen)) set_section(axis);
    ui::mark("section", marks[axis]);
  }
  if (ImGui::MenuItem("The other side", nullptr, false, section.has_value()))
    section->normal = -section->normal;
  ui::mark("section", "flip");
  if (ImGui::MenuItem("Across the look", nullptr, false, section.has_value()))
    section->normal = sight_.camera().back();
  ImGui::EndPopup();
}

void Viewport::draw_camera_menu() {
  const bool pressed = ui::icon_button("cameras", ui::Icon::camera, "Views (0 to 6, F, Home)");
  ui::mark("viewport", "cameras");
  if (pressed) ImGui::OpenPopup("cameras");
  ImGui::SetNextWindowPos(ImVec2(ImGui::GetItemRectMin().x, ImGui::GetItemRectMax().y + ui::px(4)),
                          ImGuiCond_Appearing);
  if (!begin_menu("cameras")) return;
  const Json& extra = editor_.session.doc().graph.layout.extra;
  if (const auto found = extra.find("cameras"); found != extra.end() && found->is_object()) {
    ImGui::SeparatorText("Kept in the document");
    for (const auto& [name, json] : found->items()) {
      const bool chosen = ImGui::MenuItem(name.c_str());
      ui::mark("camera", name);
      if (!chosen) continue;
      if (const Result<render::Camera> camera = camera_from_json(json))
        moves_.go_to(*camera);
      else
        editor_.notify(NoticeKind::error, fmt::format("camera '{}': {}", name, camera.error()));
    }
  }
  const auto item = [&](const char* id) {
    const Action* action = editor_.actions.find(id);
    if (action && ImGui::MenuItem(action->title.c_str(), action->shortcut.c_str())) action->run();
    ui::mark("menu", id);
  };
  item("viewport.keep_camera");
  ImGui::Separator();
  item("viewport.frame");
  item("viewport.frame_all");
  ImGui::Separator();
  editor_.actions.draw_menu("View/Look from");
  ImGui::EndPopup();
}

}  // namespace sinew::editor
