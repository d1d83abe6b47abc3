// The first thing that is seen: something that moves is one click away.
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

constexpr const char* popup_id = "###welcome";
constexpr std::size_t most_pictures = 6, most_recent = 6;

// Those of the program that say that they are good to begin with, then whatever moves.
std::vector<const PresetInfo*> first_presets(const LibraryIndex& library) {
  std::vector<std::pair<double, const PresetInfo*>> all;
  for (const PresetInfo& p : library.presets()) {
    if (!p.moves || !p.error.empty()) continue;
    const auto said = p.meta.extra.find("featured");
    const bool featured = !p.own && said != p.meta.extra.end() && said->is_number();
    all.emplace_back(featured ? said->get<double>() : 1e9, &p);
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<const PresetInfo*> first;
  for (const auto& [place, preset] : all)
    if (first.size() < most_pictures) first.push_back(preset);
  return first;
}

class Welcome : public Overlay {
 public:
  explicit Welcome(Editor& editor)
      : editor_(editor),
        open_(editor.options.first_start_welcome && editor.preferences.get("welcome", true)) {
    editor_.actions.add(
        {"help.welcome", "Welcome", "Help", "", "Presets to begin with", Where::anywhere, [this] {
           open_ = true;
           documents_ = editor_.session.document_count();
         }});
    documents_ = editor_.session.document_count();
  }

  void draw() override {
    // Whatever begins another document has answered the question of how to begin.
    if (open_ && documents_ != editor_.session.document_count()) open_ = false;
    if (!open_ || editor_.asking()) return;
    if (!ImGui::IsPopupOpen(popup_id)) ImGui::OpenPopup(popup_id);
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos(ImVec2(screen.x / 2, screen.y / 2), ImGuiCond_Always,
                            ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowSize(
        ImVec2(std::min(0.96f * screen.x, ui::px(820)), std::min(0.96f * screen.y, ui::px(600))));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui::px(26), ui::px(20)));
    const bool visible = ImGui::BeginPopupModal(
        popup_id, nullptr,
        ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
    ImGui::PopStyleVar();
    if (!visible) return;
    std::function<void()> then = draw_content();
    const bool outside = ImGui::IsMouseClicked(0) && !ImGui::IsWindowAppearing() &&
                         !ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows |
                                                 ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
    if (ImGui::IsKeyPressed(ImGuiKey_Escape, false) || outside) open_ = false;
    if (then || !open_) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
    if (then) then();
  }

 private:
  // What was chosen, to be done when all is drawn.
  std::function<void()> draw_content() {
    ImGui::PushFont(nullptr, 2.2f * ImGui::GetStyle().FontSizeBase);
    ImGui::TextUnformatted("Sinew");
    ImGui::PopFont();
    ImGui::TextDisabled(
        "Soft things that move. Begin with one that does, and change it while it plays.");
    ImGui::Dummy(ImVec2(0, ui::px(6)));
    std::function<void()> then = draw_pictures();
    ImGui::Dummy(ImVec2(0, ui::px(4)));
    if (auto chosen = draw_lower()) then = chosen;
    return then;
  }

  std::function<void()> draw_pictures() {
    const std::vector<const PresetInfo*> presets = first_presets(editor_.library);
    const float gap = ui::px(12), room = ImGui::GetContentRegionAvail().x;
    const float width = std::floor((room - 2 * gap) / 3), line = ImGui::GetTextLineHeight();
    // Two rows, and below them room for what else there is.
    const float below = 6 * ImGui::GetFrameHeightWithSpacing();
    const float height =
        std::clamp((ImGui::GetContentRegionAvail().y - below) / 2 - line - ui::px(14), ui::px(50),
                   0.75f * width);
    std::function<void()> then;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(gap, ui::px(6)));
    for (std::size_t i = 0; i < presets.size(); ++i) {
      if (i % 3 != 0) ImGui::SameLine();
      const PresetInfo& preset = *presets[i];
      const ImVec2 at = ImGui::GetCursorScreenPos();
      ImGui::PushID(static_cast<int>(i));
      if (ImGui::InvisibleButton("preset", ImVec2(width, height + line + ui::px(8))))
        then = [this, file = preset.file] { editor_.open_preset(file, true); };
      const ImVec2 to = ImGui::GetItemRectMax();
      mark_preset("welcome.preset", preset);
      const bool hot = ImGui::IsItemHovered();
      paint_preset(editor_, preset, at, ImVec2(to.x, at.y + height), hot);
      if (hot) {
        ImDrawList& list = *ImGui::GetWindowDrawList();
        list.AddRect(at, ImVec2(to.x, at.y + height), ui::theme().accent, ui::px(4), 0, ui::px(2));
        // In the corner, clear of the film.
        const float size = ui::px(22);
        ui::draw_icon(list, ui::Icon::play, ImVec2(to.x - size, at.y + height - size), size,
                      ui::with_alpha(ui::theme().accent, 0.9f));
        editor_.hint("Click: open it and play");
      }
      hover_preset(editor_, preset);
      const std::string title = ui::clipped(preset.title, width);
      ImGui::GetWindowDrawList()->AddText(ImVec2(at.x, at.y + height + ui::px(4)), ui::theme().text,
                                          title.c_str());
      ImGui::PopID();
    }
    ImGui::PopStyleVar();
    if (presets.empty())
      ImGui::TextDisabled("%s", editor_.library.reading() ? "Reading the library..."
                                                          : "There is no library to choose from.");
    return then;
  }

  std::function<void()> draw_lower() {
    std::function<void()> then;
    const float button = ui::px(150);
    ImGui::BeginGroup();
    if (ImGui::Button("Empty document", ImVec2(button, 0)))
      then = [this] {
        open_ = false;
        editor_.new_document();
      };
    ui::mark("welcome", "new");
    if (ImGui::Button("Open...", ImVec2(button, 0))) then = [this] { editor_.open_dialog(); };
    ui::mark("welcome", "open");
    if (!editor_.tutorial_file().empty()) {
      if (ImGui::TextLink("Tutorial"))
        then = [this] {
          open_ = false;
          editor_.actions.run("help.tutorial");
        };
      ui::mark("welcome", "tutorial");
    }
    ImGui::EndGroup();
    ImGui::SameLine(0, ui::px(24));
    ImGui::BeginGroup();
    if (!editor_.recent.all().empty()) ImGui::TextDisabled("Opened last");
    editor_.recent.look();
    std::size_t count = 0;
    for (const RecentFiles::File& f : editor_.recent.all()) {
      if (f.missing || count++ >= most_recent) continue;
      ImGui::PushID(f.path.c_str());
      if (ImGui::TextLink(f.path.filename().string().c_str()))
        then = [this, path = f.path] { editor_.open_file(path); };
      ui::mark("welcome.recent", f.path.filename().string());
      ui::hover_text(f.path.string());
      ImGui::PopID();
      if (count % 3 != 0) ImGui::SameLine(0, ui::px(18));
    }
    ImGui::EndGroup();
    bool at_start = editor_.preferences.get("welcome", true);
    const float side = ImGui::GetFrameHeight();
    ImGui::SetCursorPosY(ImGui::GetWindowHeight() - ui::px(20) - side);
    if (ImGui::Checkbox("Show at start", &at_start)) editor_.preferences.set("welcome", at_start);
    ui::mark("welcome", "at_start");
    const char* close = "Close";
    ImGui::SameLine(ImGui::GetWindowWidth() - ui::px(26) - ImGui::CalcTextSize(close).x -
                    2 * ImGui::GetStyle().FramePadding.x);
    if (ImGui::Button(close)) open_ = false;
    ui::mark("welcome", "close");
    return then;
  }

  Editor& editor_;
  bool open_;
  uint64_t documents_ = 0;
};

}  // namespace

std::unique_ptr<Overlay> make_welcome(Editor& editor) { return std::make_unique<Welcome>(editor); }

}  // namespace sinew::editor
