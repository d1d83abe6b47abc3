// One question at a time, over everything else: Enter gives the first answer, Escape the last.
#include "app/editor/overlays/question_box.h"

#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/editor/editor.h"
#include "app/ui/landmarks.h"
#include "app/ui/widgets.h"

namespace sinew::editor {
namespace {

constexpr const char* popup_id = "###question";

class QuestionBox : public Overlay {
 public:
  explicit QuestionBox(Editor& editor) : editor_(editor) {}
  // A popup belongs to the one under it: over the file dialog it is drawn by the file dialog.
  void draw() override {
    if (!editor_.file_question()) draw_question(editor_);
  }

 private:
  Editor& editor_;
};

float width_of(const std::string& label) {
  return std::max(ui::px(84),
                  ImGui::CalcTextSize(label.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x);
}

float width_of(const std::vector<Editor::Question::Answer>& answers) {
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  float width = -gap;
  for (const auto& answer : answers) width += width_of(answer.label) + gap;
  return width;
}

// As wide as what is said in it, never as the window: that is as wide as what is in it.
float content_width(const Editor::Question& question) {
  return std::max({ui::px(340), width_of(question.answers),
                   ImGui::CalcTextSize(question.text.c_str(), nullptr, false, ui::px(440)).x});
}

// The answers from the right, as they are found in other programs; which one was pressed, or -1.
int draw_answers(const Editor::Question& question, float width, bool keys) {
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + width - width_of(question.answers));
  int pressed = -1;
  for (std::size_t i = 0; i < question.answers.size(); ++i) {
    const std::string& label = question.answers[i].label;
    if (i > 0) ImGui::SameLine();
    ui::StandardButton standard(i == 0);
    if (ImGui::Button(label.c_str(), ImVec2(width_of(label), 0))) pressed = static_cast<int>(i);
    ui::mark("answer", label);
  }
  if (!keys) return pressed;
  if (ImGui::IsKeyPressed(ImGuiKey_Enter, false) ||
      ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false))
    pressed = 0;
  if (ImGui::IsKeyPressed(ImGuiKey_Escape, false))
    pressed = static_cast<int>(question.answers.size()) - 1;
  return pressed;
}

}  // namespace

void draw_question(Editor& editor) {
  std::optional<Editor::Question>& question = editor.question();
  if (!question) return;
  if (!ImGui::IsPopupOpen(popup_id)) ImGui::OpenPopup(popup_id);
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos(ImVec2(screen.x / 2, 0.4f * screen.y), ImGuiCond_Always,
                          ImVec2(0.5f, 0.5f));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui::px(18), ui::px(14)));
  const bool open = ImGui::BeginPopupModal(popup_id, nullptr,
                                           ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                               ImGuiWindowFlags_AlwaysAutoResize |
                                               ImGuiWindowFlags_NoSavedSettings);
  ImGui::PopStyleVar();
  if (!open) return;
  ImGui::PushFont(nullptr, 1.2f * ImGui::GetStyle().FontSizeBase);
  ImGui::TextUnformatted(question->title.c_str());
  ImGui::PopFont();
  const float width = content_width(*question);
  ImGui::Dummy(ImVec2(width, ui::px(2)));
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + ui::px(440));
  ImGui::TextUnformatted(question->text.c_str());
  ImGui::PopTextWrapPos();
  ImGui::Dummy(ImVec2(0, ui::px(8)));
  // The key that led to the question is no answer to it.
  const int pressed = draw_answers(*question, width, !ImGui::IsWindowAppearing());
  if (pressed < 0) return ImGui::EndPopup();
  ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
  const auto then = std::move(question->answers[static_cast<std::size_t>(pressed)].then);
  question.reset();  // before the answer, which may ask the next one
  if (then) then();
}

std::unique_ptr<Overlay> make_question_box(Editor& editor) {
  return std::make_unique<QuestionBox>(editor);
}

}  // namespace sinew::editor
