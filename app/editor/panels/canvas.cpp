#include <imgui.h>

#include "app/editor/editor.h"

namespace sinew::editor {
namespace {

class Canvas : public Panel {
 public:
  explicit Canvas(Editor& editor) : editor_(editor) {}
  void draw() override {}

 private:
  [[maybe_unused]] Editor& editor_;
};

}  // namespace

std::unique_ptr<Panel> make_canvas(Editor& editor) { return std::make_unique<Canvas>(editor); }

}  // namespace sinew::editor
