// Archives as somebody might make them who does not use our program.
#pragma once

#include <zstd.h>

#include <string>

#include "graph/archive.h"

namespace sinew::testing {

inline std::string compressed(const std::string& tar) {
  std::string packed(ZSTD_compressBound(tar.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), tar.data(), tar.size(), 3));
  return packed;
}

inline std::string decompressed(const std::string& packed) {
  std::string tar(ZSTD_getFrameContentSize(packed.data(), packed.size()), '\0');
  ZSTD_decompress(tar.data(), tar.size(), packed.data(), packed.size());
  return tar;
}

// A tar of one file, its header changed and its checksum made right again.
template <class Change>
std::string with_header(const Change& change) {
  std::string tar = decompressed(*pack_archive({{"a.json", "content"}}));
  change(tar);
  unsigned sum = 0;
  for (std::size_t i = 0; i < 512; ++i)
    sum += i >= 148 && i < 156 ? ' ' : static_cast<unsigned char>(tar[i]);
  std::string text(8, ' ');
  for (int k = 5; k >= 0; --k, sum /= 8)
    text[static_cast<std::size_t>(k)] = static_cast<char>('0' + sum % 8);
  text[6] = '\0';
  tar.replace(148, 8, text);
  return compressed(tar);
}

}  // namespace sinew::testing
