// Pictures as the bytes of JPEG files: small ones, where a PNG would be ten times as large. What a
// picture is of can be said in it, as a comment that no viewer shows.
#pragma once

#include <string>
#include <string_view>

#include "render/picture.h"

namespace sinew::render {

// Alpha is laid over white. The same picture gives the same bytes. `quality` from 1 to 100. A
// comment that is longer than 65,000 bytes is cut. Empty: the picture is not whole.
std::string encode_jpeg(const Picture& picture, int quality, std::string_view comment = {});

// Opaque; empty if the bytes are no JPEG, or one that is wider or higher than `max_side`. Meant for
// files that came with the program: it is not hardened against those of strangers.
Picture decode_jpeg(std::string_view bytes, int max_side);

// The first comment of a file; empty if it has none or is no JPEG.
std::string jpeg_comment(std::string_view bytes);

}  // namespace sinew::render
