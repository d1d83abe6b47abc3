// Text that is gathered beside the file that it will stand in: attributes over time come frame by
// frame, and stand in their file one after the other. On disk, since a long animation of a large
// body does not fit into memory.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "graph/result.h"

namespace sinew::exchange {

class Spool {
 public:
  Result<void> add(std::string_view text) {
    if (!file_) file_.reset(std::tmpfile());
    if (!file_) return Error{"there is no room for temporary files"};
    if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size())
      return Error{"the disk with the temporary files is full"};
    return {};
  }

  // Hands all of it on, piece by piece.
  template <class Take>
  Result<void> read(const Take& take) {
    if (!file_) return {};
    std::rewind(file_.get());
    std::string piece(1 << 20, '\0');
    for (;;) {
      const std::size_t got = std::fread(piece.data(), 1, piece.size(), file_.get());
      if (got == 0) break;
      if (const Result<void> ok = take(std::string_view(piece).substr(0, got)); !ok) return ok;
    }
    if (std::ferror(file_.get())) return Error{"a temporary file could not be read"};
    return {};
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace sinew::exchange
