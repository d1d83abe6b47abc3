// bgfx, opened on a window, on no window at all, or on nothing that draws.
//
// Vulkan draws with no window and no display server: that is how pictures are made on a machine
// without a screen (Mesa's lavapipe then stands in for a graphics card). OpenGL needs a window. The
// no-op backend runs everything but the drawing itself, for tests.
//
// bgfx is one per process, and so is an open Device. All calls are made from the thread that opened
// it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace sinew::render {

enum class Backend : uint8_t { automatic, vulkan, opengl, noop };

std::string_view backend_name(Backend backend);  // "vulkan"

// As SDL2 or another toolkit knows it.
struct NativeWindow {
  void* display = nullptr;
  void* window = nullptr;
  bool wayland = false;

  explicit operator bool() const { return window != nullptr; }
};

struct DeviceOptions {
  Backend backend = Backend::automatic;
  NativeWindow window = {};     // none: headless
  int width = 0, height = 0;    // of the window, in pixels
  bool wait_for_screen = true;  // show frames at the screen's pace
};

// Counts of what bgfx holds, to see that nothing is left behind.
struct DeviceCounts {
  int vertex_buffers = 0, index_buffers = 0, dynamic_vertex_buffers = 0, textures = 0,
      frame_buffers = 0, programs = 0, shaders = 0, uniforms = 0, layouts = 0;
  bool operator==(const DeviceCounts&) const = default;
};

class Device {
 public:
  // nullptr and a message that says what is missing, with the package that has it.
  static std::unique_ptr<Device> open(const DeviceOptions& options, std::string& error);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  Backend backend() const { return backend_; }
  bool has_window() const { return has_window_; }
  int max_texture_size() const;

  // The window has another size. Nothing is drawn into a window without pixels.
  void resize(int width, int height);
  int width() const { return width_; }
  int height() const { return height_; }
  bool drawable() const { return width_ > 0 && height_ > 0; }

  // Hands the frame over; returns its number.
  uint32_t end_frame();

  // What bgfx holds beyond what it held when the device was opened.
  DeviceCounts counts() const;

 private:
  Device() = default;
  struct Callbacks;

  std::unique_ptr<Callbacks> callbacks_;
  Backend backend_ = Backend::noop;
  bool has_window_ = false;
  int width_ = 0, height_ = 0;
  uint32_t reset_ = 0;
  DeviceCounts at_start_;
};

}  // namespace sinew::render
