// What the editor does with files, and the actions that every editor has.
#include <fmt/format.h>

#include "app/editor/editor.h"

namespace sinew::editor {

void Editor::guard(std::function<void()> then) {
  if (!session.modified()) return then();
  ask({"Unsaved changes",
       fmt::format("'{}' has changes that are not saved.", session.title()),
       {{"Save",
         [this, then] {
           if (session.file().empty()) {
             ask_file({"Save the document",
                       {"json"},
                       true,
                       "documents",
                       session.title() + ".json",
                       [this, then](const std::filesystem::path& path) {
                         if (tell(session.save_as(path))) then();
                       }});
           } else if (tell(session.save())) {
             then();
           }
         }},
        {"Discard", then},
        {"Cancel", {}}}});
}

void Editor::new_document() {
  guard([this] { session.make_new(); });
}

void Editor::open_file(const std::filesystem::path& path) {
  guard([this, path] { (void)tell(session.open(path)); });
}

void Editor::open_preset(const std::filesystem::path& path) {
  guard([this, path] {
    std::vector<NodeMessage> notes;
    Result<GraphDoc> doc = load_document(path, session.registry(), &notes);
    if (!doc) return notify(NoticeKind::error, path.filename().string() + ": " + doc.error());
    session.adopt(std::move(*doc), {}, false);
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
  if (tell(session.save())) notify(NoticeKind::success, "Saved");
}

void Editor::save_as_dialog() {
  ask_file({"Save the document",
            {"json"},
            true,
            "documents",
            session.title() + ".json",
            [this](const std::filesystem::path& path) {
              if (tell(session.save_as(path))) notify(NoticeKind::success, "Saved");
            }});
}

void Editor::drop(const std::filesystem::path& path, float, float) { open_file(path); }

void Editor::quit() {
  guard([this] { closing_ = true; });
}

void Editor::ask_file(FileQuestion question) {
  file_question_ = std::move(question);
  ++file_questions_asked_;
}
void Editor::ask(Question question) { question_ = std::move(question); }

void Editor::add_actions() {
  actions.add({"file.new", "New", "File", "Ctrl+N", "An empty document", Where::anywhere,
               [this] { new_document(); }});
  actions.add({"file.open", "Open...", "File", "Ctrl+O", "A document from the disk",
               Where::anywhere, [this] { open_dialog(); }});
  actions.add(
      {"file.save", "Save", "File", "Ctrl+S", "To its file", Where::anywhere, [this] { save(); }});
  actions.add({"file.save_as", "Save As...", "File", "Ctrl+Shift+S", "To another file",
               Where::anywhere, [this] { save_as_dialog(); }});
  actions.add({"file.quit", "Quit", "File", "Ctrl+Q", "Ends the program", Where::anywhere,
               [this] { quit(); }});
  actions.add({"edit.undo", "Undo", "Edit", "Ctrl+Z", "Takes back the last step", Where::anywhere,
               [this] { session.undo(); }, [this] { return session.history().can_undo(); }});
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
  toggle("view.left_panel", "Left panel", "left_panel");
  toggle("view.right_panel", "Right panel", "right_panel");
}

}  // namespace sinew::editor
