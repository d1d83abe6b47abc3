#include "app/editor/actions.h"

#include <imgui.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "app/ui/keys.h"
#include "app/ui/landmarks.h"

namespace sinew::editor {
namespace {

// What a text box does itself with the letters that are typed in it.
bool edits_text(ImGuiKeyChord chord) {
  if ((chord & ImGuiMod_Mask_ & ~ImGuiMod_Shift) != ImGuiMod_Ctrl) return false;
  const auto key = static_cast<ImGuiKey>(chord & ~ImGuiMod_Mask_);
  return key == ImGuiKey_Z || key == ImGuiKey_Y || key == ImGuiKey_X || key == ImGuiKey_C ||
         key == ImGuiKey_V || key == ImGuiKey_A;
}

bool can_run(const Action& action) { return action.run && (!action.enabled || action.enabled()); }

// One line of a menu; whether it was clicked.
bool draw_item(const Action& a) {
  if (a.submenu) {
    const bool open = ImGui::BeginMenu(a.title.c_str(), !a.enabled || a.enabled());
    ui::mark("menu", a.id);
    if (!open) return false;
    a.submenu();
    ImGui::EndMenu();
    return false;
  }
  const std::vector<std::string> chords = a.chords();
  const std::string shortcut = chords.empty() ? "" : chords.front();
  const bool clicked =
      ImGui::MenuItem(a.title.c_str(), shortcut.c_str(), a.checked && a.checked(), can_run(a));
  ui::mark("menu", a.id);
  if (!a.doc.empty()) ImGui::SetItemTooltip("%s", a.doc.c_str());
  return clicked;
}

}  // namespace

// The name of a key may hold a blank ("Keypad +"): what is no shortcut by itself goes on.
std::vector<std::string> Action::chords() const {
  std::istringstream in(shortcut);
  std::vector<std::string> all;
  std::string begun;
  for (std::string word; in >> word;) {
    begun += (begun.empty() ? "" : " ") + word;
    if (ui::chord_from_text(begun)) all.push_back(std::exchange(begun, {}));
  }
  return all;
}

void Actions::add(Action action) { all_.push_back(std::move(action)); }

const Action* Actions::find(std::string_view id) const {
  for (const Action& a : all_)
    if (a.id == id) return &a;
  return nullptr;
}

bool Actions::run(std::string_view id) const {
  const Action* action = find(id);
  if (!action || !can_run(*action)) return false;
  const auto run = action->run;  // it may add actions
  run();
  return true;
}

void Actions::press_keys(Where hovered) const {
  const ImGuiIO& io = ImGui::GetIO();
  const Action* meant = nullptr;
  for (const Action& a : all_) {
    if (a.where != Where::anywhere && a.where != hovered) continue;
    for (const std::string& text : a.chords()) {
      const auto chord = ui::chord_from_text(text);
      if (!chord) continue;
      const bool plain = !(*chord & (ImGuiMod_Ctrl | ImGuiMod_Alt));
      const auto key = static_cast<ImGuiKey>(*chord & ~ImGuiMod_Mask_);
      const bool is_function = key >= ImGuiKey_F1 && key <= ImGuiKey_F12;
      if (io.WantTextInput && ((plain && !is_function) || edits_text(*chord))) continue;
      if ((*chord & ImGuiMod_Mask_) != (io.KeyMods & ImGuiMod_Mask_)) continue;
      const bool repeats = key == ImGuiKey_LeftArrow || key == ImGuiKey_RightArrow ||
                           key == ImGuiKey_Z || key == ImGuiKey_Y;
      if (!ImGui::IsKeyPressed(key, repeats)) continue;
      // What is meant for this place counts more than what is meant everywhere.
      if (!meant || (meant->where == Where::anywhere && a.where != Where::anywhere)) meant = &a;
    }
  }
  if (!meant || !can_run(*meant)) return;
  const auto run = meant->run;
  run();
}

std::vector<std::string> Actions::menus() const {
  std::vector<std::string> names;
  for (const Action& a : all_) {
    const std::string top = a.menu.substr(0, a.menu.find('/'));
    if (!top.empty() && std::find(names.begin(), names.end(), top) == names.end())
      names.push_back(top);
  }
  return names;
}

void Actions::draw_menu(std::string_view menu) const {
  const std::string below = std::string(menu) + "/";
  std::vector<const Action*> items;
  for (const Action& a : all_)
    if (a.menu == menu || a.menu.starts_with(below)) items.push_back(&a);
  std::stable_sort(items.begin(), items.end(),
                   [](const Action* a, const Action* b) { return a->section < b->section; });
  std::vector<std::string> drawn;
  const Action* last = nullptr;
  std::function<void()> clicked;
  for (const Action* a : items) {
    if (last && last->section != a->section) ImGui::Separator();
    last = a;
    if (a->menu == menu) {
      if (draw_item(*a)) clicked = a->run;
      continue;
    }
    const std::string rest = a->menu.substr(below.size());
    const std::string name = rest.substr(0, rest.find('/'));
    if (std::find(drawn.begin(), drawn.end(), name) != drawn.end()) continue;
    drawn.push_back(name);
    const bool open = ImGui::BeginMenu(name.c_str());
    ui::mark("menu", name);
    if (!open) continue;
    draw_menu(below + name);
    ImGui::EndMenu();
  }
  if (clicked) clicked();  // at the end, since it may add actions
}

}  // namespace sinew::editor
