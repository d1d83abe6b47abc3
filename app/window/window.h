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
  enum Kind {
    quit,
    resized,
    key,
    key_up,
    text,  // letters were typed
    press,
    release,
    move,
    wheel,
    drop,   // a file was dropped onto the window
    focus,  // the window came to the front, or another one did
    woken,  // by wake_window()
  } kind = quit;
  std::string key_name;   // as SDL calls it: "Space", "F", "Left"
  std::string content;    // what was typed; the path of what was dropped
  bool repeated = false;  // the key is held down
  bool focused = false;
  bool shift = false, ctrl = false, alt = false;  // held
  MouseButton button = MouseButton::none;
  float x = 0, y = 0;    // of the mouse, in pixels from the upper left
  float dx = 0, dy = 0;  // by how much it moved; of the wheel, in notches
};

// What the mouse looks like.
enum class Pointer : unsigned char {
  arrow,
  text,
  move,
  across,
  along,
  slanted_up,
  slanted_down,
  hand,
  forbidden
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
  // How much larger than usual this screen wants things to be drawn.
  float scale() const;
  void set_title(const std::string& title);
  void set_pointer(Pointer pointer);
  // Whether the mouse's moves are told while it is outside with a button held.
  void capture_mouse(bool on);
  static std::string clipboard();
  static void set_clipboard(const std::string& text);
  // What happened since the last call. Waits for something for at most so many milliseconds.
  std::vector<WindowEvent> events(int wait_milliseconds);

 private:
  Window() = default;
  struct Handle;
  std::unique_ptr<Handle> handle_;
};

// From any thread: whoever waits for events goes on.
void wake_window();

// Whether there is a screen to open a window on.
bool has_display();

}  // namespace sinew
