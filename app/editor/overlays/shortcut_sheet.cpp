#include <imgui.h>

#include "app/editor/editor.h"

namespace sinew::editor {
namespace {

class ShortcutSheet : public Overlay {
 public:
  explicit ShortcutSheet(Editor& editor) : editor_(editor) {}
  void draw() override {}

 private:
  [[maybe_unused]] Editor& editor_;
};

}  // namespace

std::unique_ptr<Overlay> make_shortcut_sheet(Editor& editor) { return std::make_unique<ShortcutSheet>(editor); }

}  // namespace sinew::editor
