#include <imgui.h>

#include "app/editor/editor.h"

namespace sinew::editor {
namespace {

class Timeline : public Panel {
 public:
  explicit Timeline(Editor& editor) : editor_(editor) {}
  void draw() override {}

 private:
  [[maybe_unused]] Editor& editor_;
};

}  // namespace

std::unique_ptr<Panel> make_timeline(Editor& editor) { return std::make_unique<Timeline>(editor); }

}  // namespace sinew::editor
