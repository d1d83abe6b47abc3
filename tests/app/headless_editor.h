// The editor with no window and no graphics, with a clock of its own: what tests, the monkey and
// the benchmarks drive.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/editor/editor.h"
#include "app/editor/script/script.h"

namespace sinew::testing {

class HeadlessEditor {
 public:
  static constexpr double frame_seconds = editor::Script::frame_seconds;

  // `registry`: other nodes than those of the program; it outlives the editor.
  HeadlessEditor(int width, int height, const editor::EditorOptions& options,
                 editor::Preferences preferences = {}, const Registry* registry = nullptr);
  ~HeadlessEditor();

  // Another editor in place of this one, which ends as it should.
  void restart(const editor::EditorOptions& options, editor::Preferences preferences = {});
  void end() { editor_.reset(); }

  editor::Editor& editor() const { return *editor_; }
  ui::Host& host() const { return *host_; }

  // As a window hands them on.
  void feed(const WindowEvent& event);
  // `over`: what is drawn over it.
  void frame(const std::function<void()>& over = {});
  void frames(int count);
  // Until evaluations are done and the interface has settled.
  void settle();
  // All of a script; pictures are not taken. `each` is called after each frame.
  Result<void> play(editor::Script script, const std::function<void()>& each = {});
  // A document as text.
  void open(const std::string& text);

  // Where events go by, before they come in, and frames: for who writes them down.
  std::function<void(const WindowEvent&)> on_event;
  std::function<void()> on_frame;

  int width, height;
  double now = 0;

 private:
  const Registry& registry_;
  std::unique_ptr<render::Device> device_;
  std::unique_ptr<ui::Host> host_;
  std::unique_ptr<editor::Editor> editor_;
};

}  // namespace sinew::testing
