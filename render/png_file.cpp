#include "render/png_file.h"

#include <fmt/format.h>
#include <png.h>

#include <csetjmp>
#include <limits>
#include <new>
#include <vector>

namespace sinew::render {
namespace {

constexpr std::string_view signature{"\x89PNG\r\n\x1A\n", 8};

struct Output {
  std::string bytes;
  std::string error;
};

void on_error(png_structp png, png_const_charp text) {
  // libpng leaves by a jump, over which nothing may be destroyed: the text is copied into what
  // lives outside.
  try {
    static_cast<Output*>(png_get_error_ptr(png))->error = text;
  } catch (const std::bad_alloc&) {
  }
  png_longjmp(png, 1);
}

void on_warning(png_structp, png_const_charp) {}

void append(png_structp png, png_bytep data, size_t size) {
  bool fits = true;
  try {
    static_cast<Output*>(png_get_io_ptr(png))
        ->bytes.append(reinterpret_cast<const char*>(data), size);
  } catch (const std::bad_alloc&) {
    fits = false;  // an exception must not pass through C
  }
  if (!fits) png_error(png, "there is not enough memory");
}

void flush(png_structp) {}

// Between setjmp and its jump there is nothing with a destructor. False: `output.error` may say
// why.
bool write_rows(png_structp png, png_infop info, const Picture& picture, bool opaque,
                Output& output) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_write_fn(png, &output, append, flush);
  png_set_IHDR(png, info, static_cast<png_uint_32>(picture.width),
               static_cast<png_uint_32>(picture.height), 8,
               opaque ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGBA, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  png_set_compression_level(png, 6);
  png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE | PNG_FILTER_SUB | PNG_FILTER_UP);
  png_write_info(png, info);
  if (opaque) png_set_filler(png, 0, PNG_FILLER_AFTER);  // drops the fourth byte of each pixel
  for (int y = 0; y < picture.height; ++y) png_write_row(png, picture.pixel(0, y));
  png_write_end(png, info);
  return true;
}

uint32_t big_endian(std::string_view bytes, size_t at) {
  uint32_t number = 0;
  for (size_t i = 0; i < 4; ++i) number = (number << 8) | static_cast<uint8_t>(bytes[at + i]);
  return number;
}

// How many bytes the pixels have before they are compressed, at least.
uint64_t raw_bytes(std::string_view bytes, const Size& size) {
  const int depth = static_cast<uint8_t>(bytes[24]), type = static_cast<uint8_t>(bytes[25]);
  const int channels = type == 2 ? 3 : type == 4 ? 2 : type == 6 ? 4 : 1;
  return (static_cast<uint64_t>(size.width) * depth * channels + 7) / 8 * size.height;
}

}  // namespace

EncodedPng encode_png(const Picture& picture) {
  if (!is_whole(picture))
    return {"", fmt::format("a picture of {} x {} with {} bytes cannot be written as PNG",
                            picture.width, picture.height, picture.rgba.size())};
  Output output;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &output, on_error, on_warning);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  const bool ok = info && write_rows(png, info, picture, is_opaque(picture), output);
  png_destroy_write_struct(&png, &info);
  if (ok) return {std::move(output.bytes), ""};
  return {"", output.error.empty() ? "there is not enough memory" : output.error};
}

std::optional<Size> png_size(std::string_view bytes) {
  if (bytes.size() < png_head_bytes || !bytes.starts_with(signature)) return {};
  if (big_endian(bytes, 8) != 13 || bytes.substr(12, 4) != "IHDR") return {};
  const uint32_t width = big_endian(bytes, 16), height = big_endian(bytes, 20);
  constexpr uint32_t most = std::numeric_limits<int>::max();
  if (width < 1 || height < 1 || width > most || height > most) return {};
  return Size{static_cast<int>(width), static_cast<int>(height)};
}

DecodedPng decode_png(std::string_view bytes, int max_side) {
  const auto failed = [](std::string text) { return DecodedPng{{}, std::move(text)}; };
  const std::optional<Size> size = png_size(bytes);
  if (!size) return failed("it is not a PNG file");
  if (size->width > max_side || size->height > max_side)
    return failed(fmt::format("the picture is too large: {} x {}, at most {} x {} are allowed",
                              size->width, size->height, max_side, max_side));
  // Deflate makes nothing smaller than by a factor of 1032.
  if (raw_bytes(bytes, *size) / 1032 > bytes.size()) return failed("the PNG file is cut short");

  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()))
    return failed(fmt::format("the PNG file is damaged: {}", image.message));
  image.format = PNG_FORMAT_RGBA;
  Picture picture{size->width, size->height, {}};
  try {
    picture.rgba.resize(4 * picture.pixels());
  } catch (const std::bad_alloc&) {
    png_image_free(&image);
    return failed("there is not enough memory for the picture");
  }
  if (!png_image_finish_read(&image, nullptr, picture.rgba.data(), 0, nullptr))
    return failed(fmt::format("the PNG file is damaged: {}", image.message));
  return {std::move(picture), ""};
}

}  // namespace sinew::render
