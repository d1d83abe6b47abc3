// Signs on the glass before the scene: boxes, letters, colour bars. Pixels from the picture's upper
// left, y down.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "render/draw_list.h"
#include "render/letters.h"

namespace sinew::render {

// As it lies in the vertex buffer.
struct SheetVertex {
  float x, y, kind;  // kind: 0 a box, 1 a letter, 2 a piece of a colour map
  float u, v;
  uint32_t abgr;
};

class Sheet {
 public:
  void clear() { vertices_.clear(); }
  const std::vector<SheetVertex>& vertices() const { return vertices_; }

  void box(float x0, float y0, float x1, float y1, draw::Rgba colour);
  // The pen's base line begins at x, y. Letters sit on whole pixels, or they would be blurred.
  void text(const Letters& letters, float x, float y, std::string_view text, draw::Rgba colour);
  // The same with a rim of another colour, for words over a scene.
  void outlined_text(const Letters& letters, float x, float y, std::string_view text,
                     draw::Rgba colour, draw::Rgba rim);
  // The whole map from left to right.
  void colour_bar(float x0, float y0, float x1, float y1, draw::ColourMap map);

 private:
  void quad(float x0, float y0, float x1, float y1, float kind, float u0, float v0, float u1,
            float v1, uint32_t abgr);

  std::vector<SheetVertex> vertices_;
};

// The row of a map in the texture that holds them all, from 0 to 1.
float map_row(draw::ColourMap map);

}  // namespace sinew::render
