#include <imgui.h>

#include "app/editor/editor.h"

namespace sinew::editor {
namespace {

class Welcome : public Overlay {
 public:
  explicit Welcome(Editor& editor) : editor_(editor) {}
  void draw() override {}

 private:
  [[maybe_unused]] Editor& editor_;
};

}  // namespace

std::unique_ptr<Overlay> make_welcome(Editor& editor) { return std::make_unique<Welcome>(editor); }

}  // namespace sinew::editor
