#include <imgui.h>

#include "app/editor/editor.h"

namespace sinew::editor {
namespace {

class Palette : public Overlay {
 public:
  explicit Palette(Editor& editor) : editor_(editor) {}
  void draw() override {}

 private:
  [[maybe_unused]] Editor& editor_;
};

}  // namespace

std::unique_ptr<Overlay> make_palette(Editor& editor) { return std::make_unique<Palette>(editor); }

}  // namespace sinew::editor
