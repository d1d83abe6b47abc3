#include <imgui.h>

#include "app/editor/editor.h"

namespace sinew::editor {
namespace {

class Numbers : public Panel {
 public:
  explicit Numbers(Editor& editor) : editor_(editor) {}
  void draw() override {}

 private:
  [[maybe_unused]] Editor& editor_;
};

}  // namespace

std::unique_ptr<Panel> make_numbers(Editor& editor) { return std::make_unique<Numbers>(editor); }

}  // namespace sinew::editor
