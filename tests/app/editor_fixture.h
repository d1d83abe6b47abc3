// The editor as a person has it, but with no screen: events go in as a window would send them, the
// clock is ours, and what is where is found by landmarks.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "app/editor/editor.h"
#include "app/ui/landmarks.h"
#include "tests/app/headless_editor.h"

namespace sinew::testing {

class EditorTest : public ::testing::Test {
 protected:
  explicit EditorTest(int width = 1440, int height = 900, const Registry* registry = nullptr);
  ~EditorTest() override;

  // Another editor in place of this one, which ends as it should: for tests of what is remembered.
  // Nothing is remembered in the folders of the user, whatever the options say.
  void restart(editor::EditorOptions options);
  void end() { desk_->end(); }

  // A document as text; the evaluation of its first frame is waited for.
  void open(const std::string& text);
  void open_preset(const std::string& name);  // "jellyfish_swim"
  const GraphDoc& doc() const { return editor().session.doc(); }
  // As it would be saved.
  std::string text() const { return write_document(doc()); }
  editor::Editor& editor() const { return desk_->editor(); }

  // ---- Time
  void frame() { desk_->frame(); }
  void frames(int count) { desk_->frames(count); }
  // Until evaluations are done and the interface has settled.
  void settle() { desk_->settle(); }

  // ---- The hand. Places are landmarks ("node.bell") or pixels.
  ImVec2 place(const std::string& landmark) const;
  bool sees(const std::string& landmark) const;
  void move(ImVec2 to);
  void press(MouseButton button = MouseButton::left);
  void release(MouseButton button = MouseButton::left);
  void click(ImVec2 at, MouseButton button = MouseButton::left);
  void click(const std::string& landmark, MouseButton button = MouseButton::left);
  void double_click(const std::string& landmark);
  void drag(ImVec2 from, ImVec2 to, MouseButton button = MouseButton::left, int steps = 8);
  void wheel(ImVec2 at, float notches);
  // "Ctrl+Shift+Z", "Tab".
  void key(const std::string& chord);
  void hold(const std::string& modifier, bool down);  // "Shift", "Ctrl", "Alt"
  void type(const std::string& letters);

  // A script, as docs/scripts.md describes them; what it says against itself.
  Result<void> play(const std::string& script);

  HeadlessEditor& desk() { return *desk_; }

 private:
  void send(WindowEvent event);

  std::unique_ptr<HeadlessEditor> desk_;
  ImVec2 mouse_{0, 0};
  bool shift_ = false, ctrl_ = false, alt_ = false;
};

}  // namespace sinew::testing
