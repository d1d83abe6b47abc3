#include "nodes/geometry/text_encoding.h"

#include <cstddef>
#include <cstdint>

namespace sinew {

namespace {

void append(std::string& text, uint32_t c) {
  const auto put = [&](uint32_t byte) { text += static_cast<char>(byte); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xc0 | c >> 6);
    put(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    put(0xe0 | c >> 12);
    put(0x80 | (c >> 6 & 0x3f));
    put(0x80 | (c & 0x3f));
  } else {
    put(0xf0 | c >> 18);
    put(0x80 | (c >> 12 & 0x3f));
    put(0x80 | (c >> 6 & 0x3f));
    put(0x80 | (c & 0x3f));
  }
}

std::string from_utf16(std::string_view bytes, bool big) {
  const auto unit = [&](std::size_t i) {
    const auto a = static_cast<unsigned char>(bytes[i]);
    const auto b = static_cast<unsigned char>(bytes[i + 1]);
    return static_cast<uint32_t>(big ? a << 8 | b : b << 8 | a);
  };
  std::string text;
  text.reserve(bytes.size() / 2);
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    uint32_t c = unit(i);
    const bool pair =
        c >= 0xd800 && c < 0xdc00 && i + 3 < bytes.size() && (unit(i + 2) & 0xfc00) == 0xdc00;
    if (pair) {
      c = 0x10000 + ((c - 0xd800) << 10) + (unit(i + 2) - 0xdc00);
      i += 2;
    } else if (c >= 0xd800 && c < 0xe000) {
      c = '?';  // half of a pair
    }
    append(text, c);
  }
  return text;
}

}  // namespace

std::string_view without_encoding(std::string_view text, std::string& recoded) {
  if (text.starts_with("\xef\xbb\xbf")) return text.substr(3);
  const bool big = text.starts_with("\xfe\xff");
  if (!big && !text.starts_with("\xff\xfe")) return text;
  recoded = from_utf16(text.substr(2), big);
  return recoded;
}

}  // namespace sinew
