// Scripts: what a person does, written down, one thing a line; for tests, for tutorials, and for
// showing a bug to somebody. docs/scripts.md is the reference.
//
//   settle                     # until evaluations are done and nothing moves
//   click node.bell            # a landmark; also `right`, `middle`, `double`
//   drag node.bell to +120 +0  # from a landmark's middle; to a landmark or by pixels
//   key Ctrl+Z
//   type jelly
//   picture 01_bell.png
//
// A place is a landmark (`node.bell`), a landmark with pixels from its middle (`node.bell +10 -4`),
// or pixels of the window (`@ 300 200`).
#pragma once

#include <deque>
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
  struct Line {
    int number = 0;
    std::vector<std::string> words;
  };
  struct Place {
    float x = 0, y = 0;
  };
  // A frame to come: its events, and what is done with it afterwards.
  struct Step {
    std::vector<WindowEvent> events;
    std::string picture;
  };

  Result<void> begin(Editor& editor, const Line& line);
  Result<void> begin_mouse(const Line& line);
  Result<Place> place(const std::vector<std::string>& words, std::size_t& at,
                      const Place& from) const;
  void move_to(const Place& to);
  void button(MouseButton which, bool down);
  void drag(const Place& from, const Place& to, MouseButton which, int steps);
  void key(const std::string& chord);
  void hold(const std::string& modifier, bool down);
  WindowEvent event(WindowEvent::Kind kind) const;
  void wait(int frames);

  std::filesystem::path folder_;
  std::vector<Line> lines_;
  std::size_t at_ = 0;
  std::deque<Step> steps_;
  std::string picture_;
  std::string failure_;
  int settling_ = 0;
  Place mouse_;
  bool shift_ = false, ctrl_ = false, alt_ = false;
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
