#include <imgui.h>

#include "app/editor/editor.h"

namespace sinew::editor {
namespace {

class Library : public Panel {
 public:
  explicit Library(Editor& editor) : editor_(editor) {}
  void draw() override {}

 private:
  [[maybe_unused]] Editor& editor_;
};

}  // namespace

std::unique_ptr<Panel> make_library(Editor& editor) { return std::make_unique<Library>(editor); }

}  // namespace sinew::editor
