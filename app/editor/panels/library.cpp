// The library: presets by category, with pictures. Two clicks open one and it plays; dragged onto
// the canvas it becomes a group.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/editor/editor.h"
#include "app/editor/preset_card.h"
#include "app/ui/landmarks.h"
#include "app/ui/widgets.h"

namespace sinew::editor {
namespace {

class Library : public Panel {
 public:
  explicit Library(Editor& editor) : editor_(editor) {
    editor_.actions.add({"library.refresh", "Read the library again", "", "",
                         "After files were added to its folders", Where::anywhere,
                         [this] { editor_.refresh_library(); }});
    editor_.actions.add({"library.install", "Install a pack...", "File", "",
                         "A preset that somebody has packed, into your own library",
                         Where::anywhere, [this] { install_dialog(); }});
    editor_.actions.add({"library.upgrade", "Upgrade presets in this document", "Tools", "",
                         "Where the library has newer versions; what was set on them stays",
                         Where::anywhere, [this] { editor_.upgrade_presets(); }});
  }

  void draw() override {
    ImGui::SetCursorPos(ImVec2(ui::px(8), ui::px(6)));
    const float width = ImGui::GetContentRegionAvail().x - ui::px(8);
    ImGui::BeginGroup();
    draw_search(width);
    const PresetInfo* chosen = find(chosen_);
    const float details =
        chosen ? std::min(ui::px(230), 0.42f * ImGui::GetContentRegionAvail().y) : 0;
    ImGui::BeginChild("presets", ImVec2(width, ImGui::GetContentRegionAvail().y - details));
    draw_presets();
    ImGui::EndChild();
    if (chosen) draw_details(*chosen, width);
    ImGui::EndGroup();
    take_drag();
  }

 private:
  void install_dialog() {
    editor_.ask_file(
        {"Install a pack",
         {"sinew"},
         false,
         "packs",
         "",
         [this](const std::filesystem::path& path) { editor_.install_packs({path}); }});
  }

  const PresetInfo* find(const std::filesystem::path& file) const {
    for (const PresetInfo& p : editor_.library.presets())
      if (p.file == file) return &p;
    return nullptr;
  }

  bool grid() const { return editor_.preferences.get("library.grid", true); }

  void draw_search(float width) {
    const float side = ImGui::GetFrameHeight(), gap = ImGui::GetStyle().ItemSpacing.x;
    ImGui::SetNextItemWidth(width - side - gap);
    ui::search_box("##library", letters_, "Search presets");
    ui::mark("library", "search");
    ImGui::SameLine();
    if (ui::icon_button("library.grid", grid() ? ui::Icon::list : ui::Icon::table,
                        grid() ? "As a list" : "As pictures"))
      editor_.preferences.set("library.grid", !grid());
  }

  void draw_presets() {
    const std::vector<PresetInfo>& all = editor_.library.presets();
    if (all.empty())
      return ui::empty_note(editor_.library.reading() ? "Reading the library..."
                                                      : "There are no presets here. SINEW_PRESETS "
                                                        "can name a folder that has some.");
    if (!letters_.empty()) return draw_found();
    std::size_t i = 0;
    while (i < all.size()) {
      std::size_t end = i;
      while (end < all.size() && all[end].category == all[i].category) ++end;
      draw_section(all[i].category, i, end);
      i = end;
    }
  }

  void draw_section(const std::string& category, std::size_t from, std::size_t to) {
    ImGui::PushStyleColor(ImGuiCol_Header, ui::theme().raised);
    const bool open = ImGui::CollapsingHeader(category.c_str(), ImGuiTreeNodeFlags_DefaultOpen);
    ImGui::PopStyleColor();
    ui::mark("library.section", category);
    const std::string count = std::to_string(to - from);
    const ImVec2 pad = ImGui::GetStyle().FramePadding;
    const float left = ImGui::GetItemRectMax().x - ImGui::CalcTextSize(count.c_str()).x - ui::px(8);
    const float title_ends = ImGui::GetItemRectMin().x + ImGui::GetFontSize() + 4 * pad.x +
                             ImGui::CalcTextSize(category.c_str()).x;
    if (title_ends < left)
      ImGui::GetWindowDrawList()->AddText(ImVec2(left, ImGui::GetItemRectMin().y + pad.y),
                                          ui::theme().faint, count.c_str());
    if (!open) return;
    std::vector<const PresetInfo*> items;
    for (std::size_t i = from; i < to; ++i) items.push_back(&editor_.library.presets()[i]);
    draw_items(items);
  }

  // Best first, whatever their category.
  void draw_found() {
    std::vector<std::pair<int, const PresetInfo*>> found;
    for (const PresetInfo& p : editor_.library.presets())
      if (const int score = preset_score(p, letters_); score >= 0) found.emplace_back(score, &p);
    if (found.empty()) return ui::empty_note("No preset fits these letters.");
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<const PresetInfo*> items;
    for (const auto& [score, preset] : found) items.push_back(preset);
    draw_items(items);
  }

  void draw_items(const std::vector<const PresetInfo*>& items) {
    const float room = ImGui::GetContentRegionAvail().x, gap = ui::px(6);
    const int columns =
        grid() ? std::max(1, static_cast<int>((room + gap) / (ui::px(96) + gap))) : 1;
    const float width =
        (room - static_cast<float>(columns - 1) * gap) / static_cast<float>(columns);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(gap, gap));
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i % static_cast<std::size_t>(columns) != 0) ImGui::SameLine();
      if (grid())
        draw_card(*items[i], width);
      else
        draw_line(*items[i], width);
    }
    ImGui::PopStyleVar();
  }

  void draw_card(const PresetInfo& preset, float width) {
    const float picture = std::round(0.72f * width), line = ImGui::GetTextLineHeight();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::PushID(preset.file.c_str());
    ImGui::InvisibleButton("card", ImVec2(width, picture + line + ui::px(6)));
    const ImVec2 to = ImGui::GetItemRectMax();
    if (ImGui::IsItemVisible()) {
      paint_back(preset, at, to);
      const float edge = ui::px(2);
      paint_preset(editor_, preset, ImVec2(at.x + edge, at.y + edge),
                   ImVec2(to.x - edge, at.y + picture), ImGui::IsItemHovered());
      const std::string title = ui::clipped(preset.title, width - ui::px(6));
      ImGui::GetWindowDrawList()->AddText(ImVec2(at.x + ui::px(3), at.y + picture + ui::px(3)),
                                          ui::theme().text, title.c_str());
    }
    take_hand(preset);
    ImGui::PopID();
  }

  void draw_line(const PresetInfo& preset, float width) {
    const float line = ImGui::GetTextLineHeight(), height = 2 * line + ui::px(6);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::PushID(preset.file.c_str());
    ImGui::InvisibleButton("line", ImVec2(width, height));
    if (ImGui::IsItemVisible()) {
      const ImVec2 to = ImGui::GetItemRectMax();
      paint_back(preset, at, to);
      const float edge = ui::px(2), side = 1.3f * (height - 2 * edge);
      paint_preset(editor_, preset, ImVec2(at.x + edge, at.y + edge),
                   ImVec2(at.x + edge + side, to.y - edge), ImGui::IsItemHovered());
      const float x = at.x + side + ui::px(10), room = to.x - x - ui::px(4);
      ImDrawList& list = *ImGui::GetWindowDrawList();
      list.AddText(ImVec2(x, at.y + ui::px(2)), ui::theme().text,
                   ui::clipped(preset.title, room).c_str());
      list.AddText(ImVec2(x, at.y + line + ui::px(3)), ui::theme().dim,
                   ui::clipped(preset.name, room).c_str());
    }
    take_hand(preset);
    ImGui::PopID();
  }

  void paint_back(const PresetInfo& preset, ImVec2 from, ImVec2 to) const {
    const bool chosen = preset.file == chosen_, hot = ImGui::IsItemHovered();
    if (!chosen && !hot) return;
    ImGui::GetWindowDrawList()->AddRectFilled(
        from, to, chosen ? ui::theme().accent_soft : ui::theme().field, ui::px(5));
  }

  // ---- The hand on the last item

  void take_hand(const PresetInfo& preset) {
    mark_preset("library.preset", preset);
    if (ImGui::IsItemHovered()) {
      editor_.hint("Double click: open and play   Drag onto the canvas: insert as a group");
      if (ImGui::IsMouseDoubleClicked(0) && preset.error.empty()) open_ = preset.file;
    }
    if (ImGui::IsItemActivated()) chosen_ = preset.file;
    if (ImGui::IsItemActive() && ImGui::IsMouseDragging(0, ui::px(6)) && preset.error.empty())
      dragged_ = preset.file;
    if (dragged_.empty())
      hover_preset(editor_, preset);
    else if (dragged_ == preset.file)
      show_dragged(preset);
    if (ImGui::IsItemDeactivated() && dragged_ == preset.file) dropped_ = true;
  }

  void show_dragged(const PresetInfo& preset) {
    if (ImGui::IsKeyPressed(ImGuiKey_Escape)) return dragged_.clear();
    const bool canvas = editor_.is_canvas(ImGui::GetMousePos());
    editor_.hint(canvas ? "Let go: insert as a group here"
                        : "Let go on the canvas: insert   "
                          "Elsewhere: open   Escape: neither");
    ImGui::BeginTooltip();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::Dummy(ImVec2(ui::px(80), ui::px(60)));
    paint_preset(editor_, preset, at, ImVec2(at.x + ui::px(80), at.y + ui::px(60)));
    ImGui::TextUnformatted(preset.title.c_str());
    ImGui::EndTooltip();
  }

  // After all is drawn: opening changes what is drawn.
  void take_drag() {
    const std::filesystem::path open = std::exchange(open_, {});
    if (!open.empty()) editor_.open_preset(open, true);
    // The item that is held may go while it is held: when a search or a category changes.
    if (!dropped_ && !ImGui::IsMouseDown(0)) dragged_.clear();
    if (!std::exchange(dropped_, false)) return;
    const std::filesystem::path dragged = std::exchange(dragged_, {});
    const ImVec2 mouse = ImGui::GetMousePos();
    if (editor_.is_canvas(mouse)) {
      const ImVec2 at = editor_.canvas_place(mouse);
      editor_.insert_preset(dragged, at.x, at.y);
    } else if (!ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows |
                                       ImGuiHoveredFlags_AllowWhenBlockedByActiveItem)) {
      editor_.open_preset(dragged, true);
    }
  }

  // ---- What is known of the chosen one

  void draw_details(const PresetInfo& preset, float width) {
    ImGui::PushStyleColor(ImGuiCol_ChildBg, ui::theme().raised);
    ImGui::BeginChild("details", ImVec2(width, ImGui::GetContentRegionAvail().y - ui::px(6)),
                      ImGuiChildFlags_AlwaysUseWindowPadding);
    ImGui::PopStyleColor();
    ImGui::PushTextWrapPos();
    ImGui::TextUnformatted(preset.title.c_str());
    const Meta& m = preset.meta;
    ImGui::TextDisabled("%s", (preset.name + (m.version.empty() ? "" : " " + m.version)).c_str());
    if (!preset.error.empty()) {
      ImGui::TextUnformatted(preset.error.c_str());
    } else {
      draw_buttons(preset);
      if (!m.description.empty()) ImGui::TextUnformatted(m.description.c_str());
      const auto fact = [](const char* what, const std::string& text) {
        if (text.empty()) return;
        ImGui::TextDisabled("%s", what);
        ImGui::SameLine(ui::px(66));
        ImGui::TextUnformatted(text.c_str());
      };
      fact("Author", m.author);
      fact("Licence", m.licence);
      fact("Tags", joined(m.tags));
      fact("Nodes", std::to_string(preset.nodes));
      fact("Uses", joined(preset.uses));
      fact("Holds", joined(preset.embeds));
      fact("Used by", joined(editor_.library.used_by(preset)));
      fact("File", preset.file.filename().string() + (preset.own ? " (yours)" : ""));
    }
    ImGui::PopTextWrapPos();
    ImGui::EndChild();
  }

  void draw_buttons(const PresetInfo& preset) {
    {
      ui::StandardButton standard;
      if (ImGui::Button("Open")) open_ = preset.file;
    }
    ui::mark("library", "open");
    ImGui::SameLine();
    if (ImGui::Button("Insert")) {
      const ImVec2 at = editor_.canvas_place({});
      editor_.insert_preset(preset.file, at.x, at.y);
    }
    ui::mark("library", "insert");
    ui::hover_text("As a group, on the canvas");
    if (!preset.has_body && !preset.has_material) return;
    ImGui::SameLine();
    if (ImGui::Button("Put on")) editor_.put_preset(preset.file);
    ui::mark("library", "put_on");
    ui::hover_text(preset.has_material
                       ? "The chosen operators and simulations, or all, are made of this"
                       : "The mesh of the chosen node moves like this");
  }

  Editor& editor_;
  std::string letters_;
  std::filesystem::path chosen_, dragged_, open_;
  bool dropped_ = false;
};

}  // namespace

std::unique_ptr<Panel> make_library(Editor& editor) { return std::make_unique<Library>(editor); }

}  // namespace sinew::editor
