#include <imgui.h>

#include "app/editor/editor.h"

namespace sinew::editor {
namespace {

class FileDialog : public Overlay {
 public:
  explicit FileDialog(Editor& editor) : editor_(editor) {}
  void draw() override {}

 private:
  [[maybe_unused]] Editor& editor_;
};

}  // namespace

std::unique_ptr<Overlay> make_file_dialog(Editor& editor) { return std::make_unique<FileDialog>(editor); }

}  // namespace sinew::editor
