// Pictures in memory, and how they are made smaller or larger.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sinew::render {

// The longest side that is read, written and laid out: one gibibyte of pixels for a square.
inline constexpr int max_picture_side = 16384;

using Pixel = std::array<uint8_t, 4>;  // red, green, blue, alpha

// Eight bits for each channel in sRGB, with straight alpha; rows from the top.
struct Picture {
  int width = 0, height = 0;
  std::vector<uint8_t> rgba;

  bool operator==(const Picture&) const = default;
  bool empty() const { return width <= 0 || height <= 0; }
  size_t pixels() const { return empty() ? 0 : static_cast<size_t>(width) * height; }
  const uint8_t* pixel(int x, int y) const { return rgba.data() + offset(x, y); }
  uint8_t* pixel(int x, int y) { return rgba.data() + offset(x, y); }
  size_t offset(int x, int y) const { return 4 * (static_cast<size_t>(y) * width + x); }
};

// A picture of one colour.
Picture filled(int width, int height, const Pixel& colour);
// Whether it has a size within the bounds, and as many bytes as that needs.
bool is_whole(const Picture& picture);
bool is_opaque(const Picture& picture);

// Between what is stored and the amount of light, from 0 to 1.
float linear_light(uint8_t stored);
uint8_t stored_light(float linear);

// Each pixel of the result is the average of the area that it covers, in linear light and weighted
// by alpha, so that neither thin bright lines nor the edges of transparent parts change their tone.
Picture scaled(const Picture& picture, int width, int height);

// The largest size of the same shape that fits into width x height; each side is at least 1.
struct Size {
  int width = 0, height = 0;
  bool operator==(const Size&) const = default;
};
Size fitted(const Picture& picture, int width, int height);

// Lays one picture over another with its left top corner at (x, y), in linear light. What reaches
// over the edge is left out.
void draw_over(Picture& target, const Picture& picture, int x, int y);

}  // namespace sinew::render
