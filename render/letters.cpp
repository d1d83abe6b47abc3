#include "render/letters.h"

#define STBTT_STATIC
#define STB_TRUETYPE_IMPLEMENTATION
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_truetype.h>
#pragma GCC diagnostic pop

#include <algorithm>
#include <cmath>
#include <stdexcept>

#ifndef SINEW_FONT_FILE
#error "the build names the font"
#endif

// The font's bytes, put into the program by the assembler.
asm(".section .rodata\n"
    ".balign 16\n"
    "sinew_font_begin: .incbin \"" SINEW_FONT_FILE
    "\"\n"
    "sinew_font_end: .byte 0\n"
    ".previous\n");
extern "C" const unsigned char sinew_font_begin[] __attribute__((visibility("hidden")));
extern "C" const unsigned char sinew_font_end[] __attribute__((visibility("hidden")));

namespace sinew::render {
namespace {

const stbtt_fontinfo& font() {
  static const stbtt_fontinfo info = [] {
    stbtt_fontinfo made;
    if (!stbtt_InitFont(&made, sinew_font_begin, stbtt_GetFontOffsetForIndex(sinew_font_begin, 0)))
      throw std::runtime_error("the program's font is damaged");
    return made;
  }();
  return info;
}

// Printable Latin, Greek for formulas, and the signs of units.
std::vector<uint32_t> known_codes() {
  std::vector<uint32_t> codes;
  const auto range = [&](uint32_t first, uint32_t last) {
    for (uint32_t c = first; c <= last; ++c) codes.push_back(c);
  };
  range(0x20, 0x7E);
  range(0xA1, 0x17F);
  range(0x391, 0x3C9);
  for (const uint32_t c : {0x2013u, 0x2014u, 0x2018u, 0x2019u, 0x201Cu, 0x201Du, 0x2022u, 0x2026u,
                           0x207Bu, 0x2070u, 0x2074u, 0x2212u, 0x221Eu, 0x2248u, 0x2264u, 0x2265u})
    codes.push_back(c);
  return codes;
}

}  // namespace

Letters::Letters(float pixels) {
  pixels = std::clamp(pixels, 6.0f, 200.0f);
  const stbtt_fontinfo& info = font();
  scale_ = stbtt_ScaleForPixelHeight(&info, pixels);
  int ascent = 0, descent = 0, gap = 0;
  stbtt_GetFontVMetrics(&info, &ascent, &descent, &gap);
  ascent_ = static_cast<float>(ascent) * scale_;
  line_height_ = static_cast<float>(ascent - descent + gap) * scale_;

  // Rows of letters, a pixel apart.
  atlas_width_ = pixels <= 40 ? 512 : 2048;
  int x = 1, y = 1, row = 0;
  struct Slot {
    uint32_t code;
    int glyph, x, y, w, h;
  };
  std::vector<Slot> slots;
  for (const uint32_t code : known_codes()) {
    const int glyph = stbtt_FindGlyphIndex(&info, static_cast<int>(code));
    if (glyph == 0) continue;
    int x0 = 0, y0 = 0, x1 = 0, y1 = 0, advance = 0, bearing = 0;
    stbtt_GetGlyphBitmapBox(&info, glyph, scale_, scale_, &x0, &y0, &x1, &y1);
    stbtt_GetGlyphHMetrics(&info, glyph, &advance, &bearing);
    const int w = x1 - x0, h = y1 - y0;
    if (x + w + 1 > atlas_width_) x = 1, y += row + 1, row = 0;
    slots.push_back({code, glyph, x, y, w, h});
    letters_[code] = {0,
                      0,
                      0,
                      0,
                      static_cast<float>(x0),
                      static_cast<float>(y0),
                      static_cast<float>(w),
                      static_cast<float>(h),
                      static_cast<float>(advance) * scale_};
    x += w + 1;
    row = std::max(row, h);
  }
  atlas_height_ = y + row + 1;
  atlas_.assign(static_cast<std::size_t>(atlas_width_) * atlas_height_, 0);
  for (const Slot& s : slots) {
    if (s.w > 0 && s.h > 0)
      stbtt_MakeGlyphBitmap(&info, &atlas_[static_cast<std::size_t>(s.y) * atlas_width_ + s.x], s.w,
                            s.h, atlas_width_, scale_, scale_, s.glyph);
    Letter& l = letters_[s.code];
    l.u0 = static_cast<float>(s.x) / static_cast<float>(atlas_width_);
    l.v0 = static_cast<float>(s.y) / static_cast<float>(atlas_height_);
    l.u1 = static_cast<float>(s.x + s.w) / static_cast<float>(atlas_width_);
    l.v1 = static_cast<float>(s.y + s.h) / static_cast<float>(atlas_height_);
  }
}

const Letters::Letter& Letters::letter(uint32_t code) const {
  const auto found = letters_.find(code);
  return found != letters_.end() ? found->second : letters_.at('?');
}

float Letters::kerning(uint32_t left, uint32_t right) const {
  return scale_ * static_cast<float>(stbtt_GetCodepointKernAdvance(&font(), static_cast<int>(left),
                                                                   static_cast<int>(right)));
}

float Letters::width(std::string_view text) const {
  float sum = 0;
  uint32_t before = 0;
  while (!text.empty()) {
    const uint32_t code = next_code(text);
    if (before) sum += kerning(before, code);
    sum += letter(code).advance;
    before = code;
  }
  return sum;
}

std::span<const unsigned char> font_bytes() { return {sinew_font_begin, sinew_font_end}; }

uint32_t next_code(std::string_view& text) {
  const auto first = static_cast<uint8_t>(text.front());
  text.remove_prefix(1);
  if (first < 0x80) return first;
  const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : -1;
  if (more < 0 || text.size() < static_cast<std::size_t>(more)) return '?';
  uint32_t code = first & (0x3Fu >> more);
  for (int i = 0; i < more; ++i) {
    const auto next = static_cast<uint8_t>(text[i]);
    if ((next & 0xC0) != 0x80) return '?';
    code = (code << 6) | (next & 0x3F);
  }
  text.remove_prefix(more);
  return code;
}

}  // namespace sinew::render
