#include <imgui.h>

#include "app/editor/editor.h"

namespace sinew::editor {
namespace {

class HistoryPanel : public Panel {
 public:
  explicit HistoryPanel(Editor& editor) : editor_(editor) {}
  void draw() override {}

 private:
  [[maybe_unused]] Editor& editor_;
};

}  // namespace

std::unique_ptr<Panel> make_history(Editor& editor) { return std::make_unique<HistoryPanel>(editor); }

}  // namespace sinew::editor
