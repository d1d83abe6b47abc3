#include "render/sheet.h"

#include <algorithm>
#include <cmath>

namespace sinew::render {
namespace {

uint32_t packed(draw::Rgba c) {
  const auto byte = [](float x) {
    return static_cast<uint32_t>(std::lrint(255 * std::clamp(x, 0.0f, 1.0f)));
  };
  return byte(c.r) | byte(c.g) << 8 | byte(c.b) << 16 | byte(c.a) << 24;
}

}  // namespace

float map_row(draw::ColourMap map) {
  return (static_cast<float>(map) + 0.5f) / draw::colour_map_count;
}

void Sheet::quad(float x0, float y0, float x1, float y1, float kind, float u0, float v0, float u1,
                 float v1, uint32_t abgr) {
  const SheetVertex a{x0, y0, kind, u0, v0, abgr}, b{x1, y0, kind, u1, v0, abgr},
      c{x1, y1, kind, u1, v1, abgr}, d{x0, y1, kind, u0, v1, abgr};
  vertices_.insert(vertices_.end(), {a, b, c, a, c, d});
}

// Edges between pixels would be blurred, and fall differently on different machines.
void Sheet::box(float x0, float y0, float x1, float y1, draw::Rgba colour) {
  quad(std::round(x0), std::round(y0), std::round(x1), std::round(y1), 0, 0, 0, 0, 0,
       packed(colour));
}

void Sheet::text(const Letters& letters, float x, float y, std::string_view text,
                 draw::Rgba colour) {
  const uint32_t abgr = packed(colour);
  y = std::round(y);
  uint32_t before = 0;
  while (!text.empty()) {
    const uint32_t code = next_code(text);
    if (before) x += letters.kerning(before, code);
    const Letters::Letter& l = letters.letter(code);
    const float left = std::round(x) + l.left, top = y + l.top;
    if (l.width > 0)
      quad(left, top, left + l.width, top + l.height, 1, l.u0, l.v0, l.u1, l.v1, abgr);
    x += l.advance;
    before = code;
  }
}

void Sheet::outlined_text(const Letters& letters, float x, float y, std::string_view words,
                          draw::Rgba colour, draw::Rgba rim) {
  const float r = std::max(1.0f, letters.line_height() / 16);
  for (int k = 0; k < 8; ++k) {
    const float angle = 0.78539816f * static_cast<float>(k);
    text(letters, x + r * std::cos(angle), std::round(y) + std::round(r * std::sin(angle)), words,
         rim);
  }
  text(letters, x, y, words, colour);
}

void Sheet::colour_bar(float x0, float y0, float x1, float y1, draw::ColourMap map) {
  const float v = map_row(map), half = 0.5f / 256;
  quad(std::round(x0), std::round(y0), std::round(x1), std::round(y1), 2, half, v, 1 - half, v,
       0xFFFFFFFF);
}

}  // namespace sinew::render
