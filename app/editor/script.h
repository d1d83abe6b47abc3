// Scripts: what a person does, written down, one thing a line; for tests, for tutorials, and for
// showing a bug to somebody. docs/scripts.md is the reference.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/window/window.h"
#include "graph/result.h"

namespace sinew::ui {
class Host;
}

namespace sinew::editor {

class Editor;

class Script {
 public:
  // A script's clock goes by so much with each frame.
  static constexpr double frame_seconds = 1.0 / 60;

  static Result<Script> load(const std::filesystem::path& path);

  void set_size(int width, int height);
  int width() const { return width_; }
  int height() const { return height_; }

  // What happens before the next frame; false when there is nothing left to do.
  bool next(Editor& editor, std::vector<WindowEvent>& events);
  // After the frame: pictures are taken, expectations are checked. The error names the line.
  Result<void> look(Editor& editor, ui::Host& host);
  // Whether all went well.
  Result<void> outcome() const;

 private:
  int width_ = 1440, height_ = 900;
};

// Writes down what is done in a window.
class ScriptRecorder {
 public:
  explicit ScriptRecorder(std::filesystem::path file) : file_(std::move(file)) {}
  void note(const WindowEvent& event);
  void frame(double now);
  Result<void> write();

 private:
  std::filesystem::path file_;
};

// What is where on the screen, as JSON, whenever it has changed.
void write_landmarks(const std::filesystem::path& file, Editor& editor);

}  // namespace sinew::editor
