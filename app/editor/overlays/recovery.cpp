#include <imgui.h>

#include "app/editor/editor.h"

namespace sinew::editor {
namespace {

class Recovery : public Overlay {
 public:
  explicit Recovery(Editor& editor) : editor_(editor) {}
  void draw() override {}

 private:
  [[maybe_unused]] Editor& editor_;
};

}  // namespace

std::unique_ptr<Overlay> make_recovery(Editor& editor) { return std::make_unique<Recovery>(editor); }

}  // namespace sinew::editor
