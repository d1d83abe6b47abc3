// The command palette: a few letters, and it is done.
#include <imgui.h>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "app/editor/editor.h"
#include "app/editor/palette_list.h"
#include "app/ui/landmarks.h"
#include "app/ui/widgets.h"

namespace sinew::editor {
namespace {

constexpr const char* popup_id = "###palette";
constexpr std::size_t most_found = 60, most_remembered = 20;

class Palette : public Overlay {
 public:
  explicit Palette(Editor& editor) : editor_(editor) {
    editor_.actions.add({"help.palette", "Command palette...", "Help", "Ctrl+P Ctrl+Shift+P",
                         "Finds everything by a few letters", Where::anywhere,
                         [this] { wanted_ = true; }});
  }

  void draw() override {
    if (std::exchange(wanted_, false)) begin();
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos(ImVec2(screen.x / 2, 0.12f * screen.y), ImGuiCond_Always,
                            ImVec2(0.5f, 0));
    ImGui::SetNextWindowSize(ImVec2(std::min(0.9f * screen.x, ui::px(620)), 0));
    if (!ImGui::BeginPopup(popup_id, ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings)) {
      entries_.clear();
      return;
    }
    if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
    ImGui::SetNextItemWidth(-FLT_MIN);
    if (ui::search_box("##palette", letters_, "What do you want to do?")) find();
    ui::mark("palette", "search");
    take_keys();
    const int taken = draw_found();
    const bool leave = taken >= 0 || ImGui::IsKeyPressed(ImGuiKey_Escape, false);
    if (leave) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
    if (taken >= 0) run(static_cast<std::size_t>(taken));
  }

 private:
  void begin() {
    recent_ = editor_.preferences.get("palette.recent", std::vector<std::string>());
    letters_.clear();
    entries_ = palette_entries(editor_);
    find();
    ImGui::OpenPopup(popup_id);
  }

  void find() {
    found_ = find_entries(entries_, letters_, recent_, most_found);
    row_ = 0;
    scroll_ = true;
  }

  void take_keys() {
    const int last = static_cast<int>(found_.size()) - 1;
    const auto go = [&](int by) {
      row_ = std::clamp(row_ + by, 0, std::max(last, 0));
      scroll_ = true;
    };
    if (ImGui::IsKeyPressed(ImGuiKey_DownArrow)) go(1);
    if (ImGui::IsKeyPressed(ImGuiKey_UpArrow)) go(-1);
    if (ImGui::IsKeyPressed(ImGuiKey_PageDown)) go(8);
    if (ImGui::IsKeyPressed(ImGuiKey_PageUp)) go(-8);
  }

  // Which of the found ones was taken; -1: none.
  int draw_found() {
    if (found_.empty()) {
      ImGui::TextDisabled("Nothing fits these letters.");
      return -1;
    }
    int taken = -1;
    const float line = ImGui::GetTextLineHeight(), height = 2 * line + ui::px(8);
    const float rows = std::min(static_cast<float>(found_.size()), 9.0f);
    ImGui::BeginChild("found", ImVec2(0, rows * (height + ui::px(2))));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, ui::px(2)));
    for (std::size_t i = 0; i < found_.size(); ++i) {
      const bool chosen = static_cast<int>(i) == row_;
      ImGui::PushID(static_cast<int>(i));
      const ImVec2 at = ImGui::GetCursorScreenPos();
      if (ImGui::Selectable("##entry", chosen, 0, ImVec2(0, height))) taken = static_cast<int>(i);
      const PaletteEntry& e = entries_[found_[i]];
      ui::mark("palette.entry", e.title);
      if (chosen && scroll_) ImGui::ScrollToItem();
      if (ImGui::IsItemVisible()) paint(e, at, ImGui::GetItemRectMax(), line);
      ImGui::PopID();
    }
    ImGui::PopStyleVar();
    ImGui::EndChild();
    scroll_ = false;
    if (ImGui::IsKeyPressed(ImGuiKey_Enter, false) ||
        ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false))
      taken = row_;
    return taken;
  }

  static void paint(const PaletteEntry& e, ImVec2 at, ImVec2 to, float line) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ui::Theme& t = ui::theme();
    const float x = at.x + line + ui::px(14), top = at.y + ui::px(3);
    ui::draw_icon(list, e.icon, ImVec2(at.x + line / 2 + ui::px(4), (at.y + to.y) / 2), line,
                  t.dim);
    float right = to.x - ui::px(8);
    if (!e.shortcut.empty()) {
      const ImVec2 size = ImGui::CalcTextSize(e.shortcut.c_str());
      right -= size.x;
      list.AddText(ImVec2(right, top), t.accent, e.shortcut.c_str());
      right -= ui::px(10);
    }
    const std::string title = ui::clipped(e.title, right - x);
    list.AddText(ImVec2(x, top), t.text, title.c_str());
    const float used = x + ImGui::CalcTextSize(title.c_str()).x + ui::px(12);
    if (used + ui::px(30) < right)
      list.AddText(ImVec2(used, top), t.faint, ui::clipped(e.where, right - used).c_str());
    list.AddText(ImVec2(x, top + line + ui::px(2)), t.dim,
                 ui::clipped(e.doc, to.x - ui::px(8) - x).c_str());
  }

  void run(std::size_t row) {
    if (row >= found_.size()) return;
    const PaletteEntry entry = entries_[found_[row]];
    std::erase(recent_, entry.key);
    recent_.insert(recent_.begin(), entry.key);
    if (recent_.size() > most_remembered) recent_.resize(most_remembered);
    editor_.preferences.set("palette.recent", recent_);
    entry.run();
  }

  Editor& editor_;
  bool wanted_ = false, scroll_ = false;
  std::string letters_;
  std::vector<PaletteEntry> entries_;
  std::vector<std::size_t> found_;
  std::vector<std::string> recent_;
  int row_ = 0;
};

}  // namespace

std::unique_ptr<Overlay> make_palette(Editor& editor) { return std::make_unique<Palette>(editor); }

}  // namespace sinew::editor
