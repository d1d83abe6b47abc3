#include <imgui.h>

#include "app/editor/editor.h"

namespace sinew::editor {
namespace {

class QuestionBox : public Overlay {
 public:
  explicit QuestionBox(Editor& editor) : editor_(editor) {}
  void draw() override {}

 private:
  [[maybe_unused]] Editor& editor_;
};

}  // namespace

std::unique_ptr<Overlay> make_question_box(Editor& editor) { return std::make_unique<QuestionBox>(editor); }

}  // namespace sinew::editor
