// Writes down what a person does in a window, as a script that does the same again. Places are
// written relative to what the pointer was over, so that the script still works when something has
// moved; pauses are written as frames.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/window/window.h"
#include "graph/result.h"

namespace sinew::editor {

class Editor;

class ScriptRecorder {
 public:
  // An empty name: nothing is written.
  explicit ScriptRecorder(std::filesystem::path file) : file_(std::move(file)) {}

  // Before the event reaches the editor: the screen is still the one that the person saw.
  void note(const WindowEvent& event);
  // After each frame.
  void frame(Editor& editor);
  // What was done so far.
  std::string text() const;
  Result<void> write() const;

 private:
  struct Point {
    float x = 0, y = 0;
  };
  // A button that is held down.
  struct Held {
    MouseButton button = MouseButton::left;
    std::string place;
    std::vector<Point> path;
    int began = 0;      // the frame in which it was pressed
    bool told = false;  // the press is written already: something else happened meanwhile
  };

  void press(const WindowEvent& event);
  void release(const WindowEvent& event);
  void key(const WindowEvent& event);
  void type(const WindowEvent& event);
  void wheel(const WindowEvent& event);
  void tell_press();
  void tell_hover();
  void tell_held_keys(const WindowEvent& event);
  void add(std::string line);
  std::string place_of(float x, float y) const;

  std::filesystem::path file_;
  std::vector<std::string> lines_;
  std::optional<Held> held_;
  std::string held_key_;  // one that repeats
  std::string typed_, wheel_place_;
  float notches_ = 0;
  Point mouse_, told_mouse_;
  bool shift_ = false, ctrl_ = false, alt_ = false;
  bool types_ = false;  // letters go into a box
  bool calm_ = true;    // nothing plays and nothing is evaluated
  int frame_ = 0, last_frame_ = 0, last_click_frame_ = -1000;
  double began_at_ = -1;
  int width_ = 0, height_ = 0;
};

}  // namespace sinew::editor
