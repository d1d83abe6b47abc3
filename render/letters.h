// Letters of one size, drawn into one picture from which signs are cut out. The font is Roboto, in
// the program itself, so that a machine without fonts shows the same.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

namespace sinew::render {

class Letters {
 public:
  // The height of a line's letters, from top to bottom of "Aj", in pixels: 6 to 200.
  explicit Letters(float pixels);

  struct Letter {
    float u0, v0, u1, v1;  // in the atlas, 0 .. 1
    float left, top;       // from the pen on the base line, y down
    float width, height;   // pixels
    float advance;
  };
  // A sign that the font does not have is a question mark.
  const Letter& letter(uint32_t code) const;
  float kerning(uint32_t left, uint32_t right) const;
  float ascent() const { return ascent_; }
  float line_height() const { return line_height_; }
  // Of one line of UTF-8; what is not UTF-8 counts as question marks.
  float width(std::string_view text) const;

  int atlas_width() const { return atlas_width_; }
  int atlas_height() const { return atlas_height_; }
  std::span<const uint8_t> atlas() const { return atlas_; }  // coverage, rows from the top

 private:
  int atlas_width_ = 0, atlas_height_ = 0;
  std::vector<uint8_t> atlas_;
  std::map<uint32_t, Letter> letters_;
  float ascent_ = 0, line_height_ = 0, scale_ = 0;
};

// The font itself, as its file: for others who draw letters.
std::span<const unsigned char> font_bytes();

// The next sign of UTF-8 text; moves `text` on. What is wrong is '?'.
uint32_t next_code(std::string_view& text);

}  // namespace sinew::render
