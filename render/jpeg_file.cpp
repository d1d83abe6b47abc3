#include "render/jpeg_file.h"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_image_write.h>
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_JPEG
#define STBI_NO_STDIO
#include <stb/stb_image.h>
#pragma GCC diagnostic pop

#include <algorithm>

namespace sinew::render {

namespace {

// Segments of a JPEG file begin with 0xFF and one of these; before the picture's own data only such
// segments stand, each with its length.
constexpr unsigned char begins = 0xFF, start_of_file = 0xD8, comment_segment = 0xFE,
                        start_of_scan = 0xDA;
constexpr std::size_t longest_comment = 65000;

unsigned byte_at(std::string_view bytes, std::size_t i) {
  return static_cast<unsigned char>(bytes[i]);
}

}  // namespace

std::string encode_jpeg(const Picture& picture, int quality, std::string_view comment) {
  if (!is_whole(picture)) return "";
  Picture over = filled(picture.width, picture.height, {255, 255, 255, 255});
  draw_over(over, picture, 0, 0);
  std::string bytes;
  const auto append = [](void* to, void* data, int size) {
    static_cast<std::string*>(to)->append(static_cast<const char*>(data),
                                          static_cast<std::size_t>(size));
  };
  if (!stbi_write_jpg_to_func(append, &bytes, over.width, over.height, 4, over.rgba.data(),
                              std::clamp(quality, 1, 100)))
    return "";
  if (comment.empty()) return bytes;
  const std::string_view text = comment.substr(0, longest_comment);
  const std::size_t length = text.size() + 2;
  std::string segment = {static_cast<char>(begins), static_cast<char>(comment_segment),
                         static_cast<char>(length >> 8), static_cast<char>(length & 0xFF)};
  segment += text;
  bytes.insert(2, segment);  // right behind the start of the file
  return bytes;
}

Picture decode_jpeg(std::string_view bytes, int max_side) {
  const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
  const int size = static_cast<int>(std::min<std::size_t>(bytes.size(), 1u << 30));
  Picture picture;
  int channels = 0;
  if (!stbi_info_from_memory(data, size, &picture.width, &picture.height, &channels) ||
      picture.width > max_side || picture.height > max_side)
    return {};
  stbi_uc* pixels =
      stbi_load_from_memory(data, size, &picture.width, &picture.height, &channels, 4);
  if (!pixels) return {};
  picture.rgba.assign(pixels, pixels + 4 * picture.pixels());
  stbi_image_free(pixels);
  return picture;
}

std::string jpeg_comment(std::string_view bytes) {
  if (bytes.size() < 4 || byte_at(bytes, 0) != begins || byte_at(bytes, 1) != start_of_file)
    return "";
  for (std::size_t at = 2; at + 4 <= bytes.size();) {
    if (byte_at(bytes, at) != begins || byte_at(bytes, at + 1) == start_of_scan) return "";
    const std::size_t length = byte_at(bytes, at + 2) * 256 + byte_at(bytes, at + 3);
    if (length < 2 || at + 2 + length > bytes.size()) return "";
    if (byte_at(bytes, at + 1) == comment_segment)
      return std::string(bytes.substr(at + 4, length - 2));
    at += 2 + length;
  }
  return "";
}

}  // namespace sinew::render
