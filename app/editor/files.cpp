// What the editor does with files, and the actions that every editor has.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/editor/editor.h"
#include "app/library/opening.h"
#include "app/ui/landmarks.h"
#include "app/ui/widgets.h"

namespace sinew::editor {

namespace {

// A title may hold what a file's name may not.
std::string file_name_for(const Session& session) {
  if (!session.file().empty()) return session.file().filename().string();
  std::string name = session.title();
  std::replace(name.begin(), name.end(), '/', '-');
  return name + ".json";
}

}  // namespace

void Editor::guard(std::function<void()> then) {
  if (!session.modified()) return then();
  ask({"Unsaved changes",
       fmt::format("'{}' has changes that are not saved.", session.title()),
       {{"Save",
         [this, then] {
           if (session.file().empty()) {
             ask_save([then] { then(); });
           } else if (tell(session.save())) {
             then();
           }
         }},
        {"Discard", then},
        {"Cancel", {}}}});
}

void Editor::ask_save(std::function<void()> then) {
  ask_file({"Save the document",
            {"json"},
            true,
            "documents",
            file_name_for(session),
            [this, then](const std::filesystem::path& path) {
              if (tell(session.save_as(path))) then();
            }});
}

void Editor::new_document() {
  guard([this] { session.make_new(); });
}

void Editor::open_file(const std::filesystem::path& path) {
  guard([this, path] {
    if (tell(session.open(path))) tell_notes(session.notes());
  });
}

// What opening had to say, in one line; the messages panel has it whole.
void Editor::tell_notes(const std::vector<NodeMessage>& notes) {
  if (notes.empty()) return;
  std::string text = notes.front().message.text;
  if (notes.size() > 1) text += fmt::format(" (and {} more)", notes.size() - 1);
  notify(NoticeKind::warning, text);
}

void Editor::open_preset(const std::filesystem::path& path, bool play) {
  guard([this, path, play] {
    std::vector<NodeMessage> notes;
    Result<GraphDoc> doc = library::open_elsewhere(path, session.registry(), {}, &notes);
    if (!doc) return notify(NoticeKind::error, path.filename().string() + ": " + doc.error());
    session.adopt(std::move(*doc), {}, false);
    tell_notes(notes);
    if (play) player.play(true);
  });
}

void Editor::open_dialog() {
  ask_file({"Open a document",
            {"json"},
            false,
            "documents",
            "",
            [this](const std::filesystem::path& path) { open_file(path); }});
}

void Editor::save() {
  if (session.file().empty()) return save_as_dialog();
  if (tell(session.save()))
    notify(NoticeKind::success, "Saved " + session.file().filename().string());
}

void Editor::save_as_dialog() {
  ask_save([this] { notify(NoticeKind::success, "Saved " + session.file().filename().string()); });
}

void Editor::quit() {
  guard([this] { closing_ = true; });
}

void Editor::ask_file(FileQuestion question) {
  file_question_ = std::move(question);
  ++file_questions_asked_;
}
void Editor::ask(Question question) { question_ = std::move(question); }

void Editor::refresh_library() {
  std::vector<std::filesystem::path> opened;
  for (const RecentFiles::File& f : recent.all()) opened.push_back(f.path);
  library.refresh(std::move(opened));
}

std::filesystem::path Editor::recovery_folder() const {
  if (!options.recovery.empty() || !options.remembers) return options.recovery;
  return state_folder() / "recovery";
}

std::filesystem::path Editor::tutorial_file() const {
  std::error_code ec;
  const std::filesystem::path above = presets_folder_.parent_path();
  for (const char* place : {"docs/tutorial.md", "tutorial.md"})
    if (!above.empty() && std::filesystem::is_regular_file(above / place, ec)) return above / place;
  return {};
}

void Editor::draw_recent_menu() {
  recent.look();
  std::filesystem::path open, gone;
  for (const RecentFiles::File& f : recent.all()) {
    ImGui::PushID(f.path.c_str());
    const std::string label = f.path.filename().string();
    if (f.missing) {
      ImGui::PushStyleColor(ImGuiCol_Text, ui::theme().faint);
      if (ImGui::MenuItem(label.c_str(), "missing")) gone = f.path;
      ImGui::PopStyleColor();
    } else if (ImGui::MenuItem(label.c_str())) {
      open = f.path;
    }
    ui::mark("recent", label);
    ui::hover_text(f.path.string(), f.missing ? "It is not there any more. Click: forget it" : "");
    ImGui::PopID();
  }
  ImGui::Separator();
  if (ImGui::MenuItem("Forget all")) recent.clear();
  if (!open.empty()) open_file(open);
  if (!gone.empty()) recent.remove(gone);
}

void Editor::add_actions() {
  const auto add_file = [this](const char* id, const char* title, const char* shortcut,
                               const char* doc, int section, void (Editor::*run)()) {
    Action action{
        id, title, "File", shortcut, doc, Where::anywhere, [this, run] { (this->*run)(); }};
    action.section = section;
    actions.add(std::move(action));
  };
  add_file("file.new", "New", "Ctrl+N", "An empty document", 0, &Editor::new_document);
  add_file("file.open", "Open...", "Ctrl+O", "A document from the disk", 0, &Editor::open_dialog);
  Action recent_menu{"file.recent", "Open Recent", "File", "", "", Where::anywhere, {}};
  recent_menu.enabled = [this] { return !recent.all().empty(); };
  recent_menu.submenu = [this] { draw_recent_menu(); };
  actions.add(std::move(recent_menu));
  add_file("file.save", "Save", "Ctrl+S", "To its file", 1, &Editor::save);
  add_file("file.save_as", "Save As...", "Ctrl+Shift+S", "To another file", 1,
           &Editor::save_as_dialog);
  add_file("file.import", "Import Mesh...", "Ctrl+I", "A node that reads a file", 2,
           &Editor::import_dialog);
  add_file("file.quit", "Quit", "Ctrl+Q", "Ends the program", 9, &Editor::quit);
  actions.add({"edit.undo", "Undo", "Edit", "Ctrl+Z", "Takes back the last step", Where::anywhere,
               [this] {
                 if (const auto back = give_up)
                   back();
                 else
                   session.undo();
               },
               [this] { return give_up || session.history().can_undo(); }});
  actions.add({"edit.redo", "Redo", "Edit", "Ctrl+Shift+Z Ctrl+Y", "Does again what was taken back",
               Where::anywhere, [this] { session.redo(); },
               [this] { return session.history().can_redo(); }});
  actions.add({"view.theme",
               "Light theme",
               "View",
               "",
               "Light instead of dark",
               Where::anywhere,
               [this] {
                 set_theme(ui::theme().name == ui::ThemeName::dark ? ui::ThemeName::light
                                                                   : ui::ThemeName::dark);
               },
               {},
               [] { return ui::theme().name == ui::ThemeName::light; }});
  actions.add({"view.larger", "Larger", "View", "Ctrl+= Ctrl+Keypad +", "Everything is larger",
               Where::anywhere, [this] { set_scale(preferences.get("scale", 1.0f) + 0.1f); }});
  actions.add({"view.smaller", "Smaller", "View", "Ctrl+-", "Everything is smaller",
               Where::anywhere, [this] { set_scale(preferences.get("scale", 1.0f) - 0.1f); }});
  const auto toggle = [this](const char* id, const char* title, const char* key) {
    actions.add({id,
                 title,
                 "View",
                 "",
                 "Whether it is there",
                 Where::anywhere,
                 [this, key] { preferences.set(key, !preferences.get(key, true)); },
                 {},
                 [this, key] { return preferences.get(key, true); }});
  };
  actions.add({"view.reset_layout", "Reset layout", "View", "", "Panels as they were at first",
               Where::anywhere, [this] {
                 for (const char* key :
                      {"split.left", "split.right", "split.middle", "split.chart", "left_panel",
                       "right_panel", "tab.left", "tab.lower_right"})
                   preferences.erase(key);
               }});
  toggle("view.left_panel", "Left panel", "left_panel");
  toggle("view.right_panel", "Right panel", "right_panel");
}

}  // namespace sinew::editor
