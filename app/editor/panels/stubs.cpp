#include <imgui.h>

#include "app/editor/editor.h"

namespace sinew::editor {
namespace {
struct Empty : Panel {
  explicit Empty(const char* n) : name(n) {}
  const char* name;
  void draw() override { ImGui::TextUnformatted(name); }
};
struct Nothing : Overlay {
  void draw() override {}
};
}  // namespace
std::unique_ptr<Panel> make_canvas(Editor&) { return std::make_unique<Empty>("Canvas"); }
std::unique_ptr<Panel> make_inspector(Editor&) { return std::make_unique<Empty>("Inspector"); }
std::unique_ptr<Panel> make_chart_panel(Editor&) { return std::make_unique<Empty>("Chart"); }
std::unique_ptr<Panel> make_numbers(Editor&) { return std::make_unique<Empty>("Numbers"); }
std::unique_ptr<Panel> make_timeline(Editor&) { return std::make_unique<Empty>("Timeline"); }
std::unique_ptr<Panel> make_library(Editor&) { return std::make_unique<Empty>("Library"); }
std::unique_ptr<Panel> make_history(Editor&) { return std::make_unique<Empty>("History"); }
std::unique_ptr<Panel> make_messages(Editor&) { return std::make_unique<Empty>("Messages"); }
std::unique_ptr<Overlay> make_file_dialog(Editor&) { return std::make_unique<Nothing>(); }
std::unique_ptr<Overlay> make_question_box(Editor&) { return std::make_unique<Nothing>(); }
std::unique_ptr<Overlay> make_palette(Editor&) { return std::make_unique<Nothing>(); }
std::unique_ptr<Overlay> make_shortcut_sheet(Editor&) { return std::make_unique<Nothing>(); }
std::unique_ptr<Overlay> make_welcome(Editor&) { return std::make_unique<Nothing>(); }
std::unique_ptr<Overlay> make_toasts(Editor&) { return std::make_unique<Nothing>(); }
std::unique_ptr<Overlay> make_recovery(Editor&) { return std::make_unique<Nothing>(); }
}  // namespace sinew::editor
