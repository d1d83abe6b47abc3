// What lies over the window: the triangles of an interface, each list with its pictures. Whoever
// makes them (the editor, by Dear ImGui) hands over plain arrays; nothing is kept but textures.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "render/device.h"
#include "render/picture.h"

namespace sinew::render {

// A picture that triangles are filled with; 0: none.
using TextureId = uint64_t;

struct InterfaceVertex {
  float x, y;       // pixels from the upper left
  float u, v;       // of the picture, 0 .. 1
  uint32_t colour;  // red in the lowest byte, alpha in the highest
};

struct InterfaceDraw {
  uint32_t first_index = 0, index_count = 0, first_vertex = 0;
  std::array<float, 4> clip{0, 0, 0, 0};  // left, top, right, bottom
  TextureId texture = 0;
};

struct InterfaceList {
  std::span<const InterfaceVertex> vertices;
  std::span<const uint32_t> indices;
  std::vector<InterfaceDraw> draws;
};

struct InterfaceFrame {
  int width = 0, height = 0;  // pixels
  std::vector<InterfaceList> lists;
};

class InterfaceLayer {
 public:
  explicit InterfaceLayer(Device& device);
  ~InterfaceLayer();

  // `rgba`: four bytes a pixel, `stride` bytes from one row to the next.
  TextureId add_texture(int width, int height, const uint8_t* rgba, int stride);
  void update_texture(TextureId texture, int x, int y, int width, int height, const uint8_t* rgba,
                      int stride);
  void remove_texture(TextureId texture);

  // Into the window; without one, only what capture() asks for is drawn. The frame is handed over.
  void show(const InterfaceFrame& frame);
  // The same as a picture; nothing and an error where the backend makes none.
  std::optional<Picture> capture(const InterfaceFrame& frame, std::string& error);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace sinew::render
