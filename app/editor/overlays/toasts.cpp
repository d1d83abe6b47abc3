#include <imgui.h>

#include "app/editor/editor.h"

namespace sinew::editor {
namespace {

class Toasts : public Overlay {
 public:
  explicit Toasts(Editor& editor) : editor_(editor) {}
  void draw() override {}

 private:
  [[maybe_unused]] Editor& editor_;
};

}  // namespace

std::unique_ptr<Overlay> make_toasts(Editor& editor) { return std::make_unique<Toasts>(editor); }

}  // namespace sinew::editor
