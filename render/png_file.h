// Pictures as the bytes of PNG files.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "render/picture.h"

namespace sinew::render {

// The errors say what is wrong and name no file: whoever shows them does.
struct EncodedPng {
  std::string bytes;
  std::string error;  // empty: it went well
  explicit operator bool() const { return error.empty(); }
};
struct DecodedPng {
  Picture picture;
  std::string error;
  explicit operator bool() const { return error.empty(); }
};

// Without an alpha channel where every pixel is opaque. Says that the colours are sRGB. The same
// picture gives the same bytes.
EncodedPng encode_png(const Picture& picture);

// Any PNG, also with a palette, grey or with 16 bits, as sRGB with 8 bits. The bytes may be
// hostile: sizes are bounded, and nothing is allocated that so few bytes cannot fill.
DecodedPng decode_png(std::string_view bytes, int max_side = max_picture_side);

// Of bytes that begin like a PNG file: the size that they promise, with both sides from 1 to
// 2^31 - 1. The first `png_head_bytes` of a file are enough.
inline constexpr size_t png_head_bytes = 33;
std::optional<Size> png_size(std::string_view bytes);

// The chunk that every complete PNG file ends with.
inline constexpr std::string_view png_tail{"\0\0\0\0IEND\xAE\x42\x60\x82", 12};

}  // namespace sinew::render
