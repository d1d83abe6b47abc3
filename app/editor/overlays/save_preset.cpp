// The document as a preset of one's own: a copy with a name, in the person's library.
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <sstream>

#include "app/editor/editor.h"
#include "app/library/installing.h"
#include "app/ui/landmarks.h"
#include "app/ui/widgets.h"
#include "graph/file_places.h"
#include "graph/made_files.h"

namespace sinew::editor {
namespace {

constexpr const char* popup_id = "###save_preset";

// Small letters, digits and hyphens: what reads well in a name and works in every file system.
std::string as_name(const std::string& text) {
  std::string name;
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (std::isalnum(u) && u < 128)
      name += static_cast<char>(std::tolower(u));
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  while (!name.empty() && name.back() == '-') name.pop_back();
  return name;
}

std::vector<std::string> words_of(std::string text) {
  std::replace(text.begin(), text.end(), ',', ' ');
  std::istringstream in(text);
  std::vector<std::string> all;
  for (std::string word; in >> word;) all.push_back(word);
  return all;
}

class SavePreset : public Overlay {
 public:
  explicit SavePreset(Editor& editor) : editor_(editor) {
    Action action{"library.save",
                  "Save into My Library...",
                  "File",
                  "",
                  "A copy with a name, to begin from and to insert",
                  Where::anywhere,
                  [this] { begin(); }};
    action.enabled = [this] { return !editor_.library.own_folder().empty(); };
    action.section = 2;
    editor_.actions.add(std::move(action));
  }

  void draw() override {
    if (!open_ || editor_.asking()) return;
    if (!ImGui::IsPopupOpen(popup_id)) ImGui::OpenPopup(popup_id);
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos(ImVec2(screen.x / 2, 0.42f * screen.y), ImGuiCond_Always,
                            ImVec2(0.5f, 0.5f));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui::px(18), ui::px(14)));
    const bool visible = ImGui::BeginPopupModal(
        popup_id, nullptr,
        ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
            ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings);
    ImGui::PopStyleVar();
    if (!visible) return;
    const bool save = draw_content();
    if (ImGui::IsKeyPressed(ImGuiKey_Escape, false)) open_ = false;
    if (save || !open_) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
    if (save) keep();
  }

 private:
  void begin() {
    const Meta& meta = editor_.session.doc().meta;
    const char* user = std::getenv("USER");
    space_ = as_name(editor_.preferences.get<std::string>("library.namespace", user ? user : ""));
    if (space_.empty()) space_ = "mine";
    title_ = editor_.session.title();
    name_ = as_name(title_);
    description_ = meta.description;
    // What came with the program was made by others; its copy is the person's.
    const bool theirs = !meta.author.empty() && !library::is_in_own_namespace(meta.name);
    author_ = editor_.preferences.get<std::string>("library.author", theirs ? meta.author
                                                                     : user ? user
                                                                            : "");
    // Whoever made somebody else's preset is not the person, unless the person says so.
    const bool own = as_name(meta.name.substr(0, meta.name.find('/'))) == space_;
    strangers_ = theirs && !own ? meta.author : "";
    tags_.clear();
    for (const std::string& tag : meta.tags) tags_ += (tags_.empty() ? "" : ", ") + tag;
    open_ = true;
  }

  static float label_width() { return ui::px(100); }
  static float box_width() { return ui::px(330); }

  void line(const char* label, const char* id, std::string& text, const char* doc) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(label);
    ImGui::SameLine(0, 0);
    ImGui::SetCursorPosX(ImGui::GetStyle().WindowPadding.x + label_width());
    ImGui::SetNextItemWidth(box_width());
    ImGui::InputText((std::string("##") + id).c_str(), &text);
    ui::mark("preset", id);
    ui::hover_text(doc);
  }

  bool draw_content() {
    ImGui::PushFont(nullptr, 1.2f * ImGui::GetStyle().FontSizeBase);
    ImGui::TextUnformatted("Save into my library");
    ImGui::PopFont();
    ImGui::Dummy(ImVec2(0, ui::px(2)));
    line("Title", "title", title_, "What is shown");
    line("Namespace", "space", space_, "Whose it is: names of one namespace never hide another's");
    line("Name", "name", name_, "Small letters, digits and hyphens");
    line("Description", "description", description_, "What it is, and what to try");
    line("Author", "author", author_, "Who made it: you, or whoever it is by");
    line("Tags", "tags", tags_, "With commas between them; the first is its category");
    const std::string space = as_name(space_), name = as_name(name_);
    const bool right = !space.empty() && !name.empty();
    ImGui::TextDisabled("%s", right ? fmt::format("It will be {}/{}", space, name).c_str()
                                    : "It needs a namespace and a name.");
    ImGui::Dummy(ImVec2(0, ui::px(4)));
    const float width = ui::px(96);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + label_width() + box_width() - 2 * width -
                         ImGui::GetStyle().ItemSpacing.x);
    ImGui::BeginDisabled(!right);
    bool save = false;
    {
      ui::StandardButton standard;
      save = ImGui::Button("Save", ImVec2(width, 0));
    }
    ui::mark("preset", "save");
    ImGui::EndDisabled();
    ImGui::SameLine();
    if (ImGui::Button("Cancel", ImVec2(width, 0))) open_ = false;
    ui::mark("preset", "cancel");
    return right &&
           (save || (ImGui::IsKeyPressed(ImGuiKey_Enter, false) && !ImGui::IsWindowAppearing()));
  }

  void keep() {
    open_ = false;
    space_ = as_name(space_);
    name_ = as_name(name_);
    editor_.preferences.set("library.namespace", space_);
    if (author_ != strangers_) editor_.preferences.set("library.author", author_);
    const std::filesystem::path file = editor_.library.own_folder() / space_ / (name_ + ".json");
    std::error_code ec;
    if (!std::filesystem::exists(file, ec)) return write(file);
    editor_.ask({"Replace the preset?",
                 fmt::format("{}/{} is already in your library.", space_, name_),
                 {{"Replace", [this, file] { write(file); }},
                  {"Another name", [this] { open_ = true; }},
                  {"Cancel", {}}}});
  }

  void write(const std::filesystem::path& file) {
    GraphDoc doc = editor_.session.kept();
    for (const Edit& named : edits_for_place(doc, editor_.session.registry(),
                                             editor_.session.folder(), file.parent_path()))
      (void)apply_edit(doc, named);
    doc.meta.name = space_ + "/" + name_;
    doc.meta.author = author_;
    doc.meta.extra.erase("featured");  // its place among the first is not the copy's
    if (doc.meta.version.empty()) doc.meta.version = "1.0.0";
    doc.meta.title = title_;
    doc.meta.description = description_;
    doc.meta.tags = words_of(tags_);
    const Result<MadeFolders> made = MadeFolders::make(file.parent_path());
    if (!made)
      return editor_.notify(
          NoticeKind::error,
          fmt::format("the folder '{}' {}", file.parent_path().string(), made.error()));
    if (!editor_.tell(save_document(doc, file))) return;
    editor_.refresh_library();
    editor_.bring_forward("Library");
    editor_.notify(NoticeKind::success, fmt::format("{}/{} is in your library", space_, name_));
  }

  Editor& editor_;
  bool open_ = false;
  std::string space_, name_, title_, description_, author_, tags_;
  std::string strangers_;  // who made the document, if that is somebody else
};

}  // namespace

std::unique_ptr<Overlay> make_save_preset(Editor& editor) {
  return std::make_unique<SavePreset>(editor);
}

}  // namespace sinew::editor
