// Draws a DrawList: into the device's window, or as a picture of any size. One scene, whatever the
// backend: lights, shadow, floor, bodies, signs.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "render/camera.h"
#include "render/device.h"
#include "render/draw_list.h"
#include "render/look.h"
#include "render/picture.h"
#include "render/upload_counts.h"

namespace sinew::render {

struct View {
  Camera camera;
  Look look;
  // How high the floor lies; without it at the lowest point of the scene.
  std::optional<float> floor;
};

// What became of a frame.
struct FrameReport {
  std::vector<std::string> problems;  // what could not be drawn, and why; the rest was
  double seconds = 0;                 // of our own work on the processor, without the driver's
};

class Renderer {
 public:
  // The largest picture: 16384 x 16384 pixels.
  static constexpr int most_pixels = 16384;

  explicit Renderer(Device& device);
  ~Renderer();

  // Draws into the window, if it has pixels.
  FrameReport show(const draw::DrawList& list, const View& view);
  // Draws onto a page of this size, which stays until the next call and can be shown by others,
  // such as an interface; the frame is not handed over yet.
  struct Page {
    uint64_t texture = 0;      // as InterfaceLayer knows it; 0: nothing was drawn
    bool upside_down = false;  // its first row is the lowest
  };
  Page paint(const draw::DrawList& list, const View& view, int width, int height,
             FrameReport& report);
  // Draws and reads back; nothing and an error if the backend makes no pictures or the size is
  // wrong.
  std::optional<Picture> picture(const draw::DrawList& list, const View& view, int width,
                                 int height, FrameReport& report, std::string& error);

  const UploadCounts& uploads() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace sinew::render
