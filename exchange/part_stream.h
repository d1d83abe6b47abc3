// A file that is written piece by piece, and appears when it is whole.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string>

#include "graph/atomic_file.h"

namespace sinew::exchange {

// The errors name the file. Pieces are gathered, so that many small ones cost little.
class PartStream {
 public:
  static Result<PartStream> open(const std::filesystem::path& file) {
    Result<PartFile> part = PartFile::create(file);
    if (!part) return Error{said(file, part.error())};
    return PartStream(file, std::move(*part));
  }

  Result<void> write(std::string_view piece) {
    gathered_ += piece;
    return gathered_.size() > 1 << 20 ? flush() : Result<void>();
  }
  Result<void> finish() {
    if (const Result<void> ok = flush(); !ok) return ok;
    const Result<void> ok = part_.become(file_);
    return ok ? ok : Error{said(file_, ok.error())};
  }
  const std::filesystem::path& file() const { return file_; }

 private:
  PartStream(std::filesystem::path file, PartFile part)
      : file_(std::move(file)), part_(std::move(part)) {}
  static std::string said(const std::filesystem::path& file, const std::string& why) {
    return fmt::format("'{}' {}", file.string(), why);
  }
  Result<void> flush() {
    const Result<void> ok = part_.append(gathered_);
    gathered_.clear();
    return ok ? ok : Error{said(file_, ok.error())};
  }

  std::filesystem::path file_;
  PartFile part_;
  std::string gathered_;
};

}  // namespace sinew::exchange
