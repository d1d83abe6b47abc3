// SDL2, wrapped once: a window to draw into, and what happens to it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "graph/result.h"
#include "render/device.h"

namespace sinew {

enum class MouseButton { none, left, middle, right };

// One thing that a person did.
struct WindowEvent {
  enum Kind { quit, resized, key, press, release, move, wheel } kind = quit;
  std::string key_name;              // as SDL calls it: "Space", "F", "Left"
  bool repeated = false;             // the key is held down
  bool shift = false, ctrl = false;  // held
  MouseButton button = MouseButton::none;
  float x = 0, y = 0;    // of the mouse, in pixels from the upper left
  float dx = 0, dy = 0;  // by how much it moved; of the wheel, in notches
};

class Window {
 public:
  enum class Visible { no, yes };
  // The error says that there is no display, or what SDL says.
  static Result<std::unique_ptr<Window>> open(const std::string& title, int width, int height,
                                              Visible visible);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  render::NativeWindow native() const;
  int width() const;  // in pixels; 0 while it is minimised
  int height() const;
  void set_title(const std::string& title);
  // What happened since the last call. Waits for something for at most so many milliseconds.
  std::vector<WindowEvent> events(int wait_milliseconds);

 private:
  Window() = default;
  struct Handle;
  std::unique_ptr<Handle> handle_;
};

// Whether there is a screen to open a window on.
bool has_display();

}  // namespace sinew
