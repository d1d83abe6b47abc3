#include <imgui.h>

#include "app/editor/editor.h"

namespace sinew::editor {
namespace {

class Messages : public Panel {
 public:
  explicit Messages(Editor& editor) : editor_(editor) {}
  void draw() override {}

 private:
  [[maybe_unused]] Editor& editor_;
};

}  // namespace

std::unique_ptr<Panel> make_messages(Editor& editor) { return std::make_unique<Messages>(editor); }

}  // namespace sinew::editor
