#include <imgui.h>

#include "app/editor/editor.h"

namespace sinew::editor {
namespace {

class Inspector : public Panel {
 public:
  explicit Inspector(Editor& editor) : editor_(editor) {}
  void draw() override {}

 private:
  [[maybe_unused]] Editor& editor_;
};

}  // namespace

std::unique_ptr<Panel> make_inspector(Editor& editor) { return std::make_unique<Inspector>(editor); }

}  // namespace sinew::editor
