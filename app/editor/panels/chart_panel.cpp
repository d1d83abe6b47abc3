#include <imgui.h>

#include "app/editor/editor.h"

namespace sinew::editor {
namespace {

class ChartPanel : public Panel {
 public:
  explicit ChartPanel(Editor& editor) : editor_(editor) {}
  void draw() override {}

 private:
  [[maybe_unused]] Editor& editor_;
};

}  // namespace

std::unique_ptr<Panel> make_chart_panel(Editor& editor) { return std::make_unique<ChartPanel>(editor); }

}  // namespace sinew::editor
