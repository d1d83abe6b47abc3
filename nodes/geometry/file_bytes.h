// Whole files in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

#include "nodes/geometry/types.h"

namespace sinew {

// How large a file is. Throws FormatError where there is nothing to read (no file, a directory, an
// empty file, ...).
std::size_t readable_size(const std::filesystem::path& path);

// Read by several threads into memory of our own, not mapped: a file that another program cuts
// short while we read gives a message, where a mapping would end the process.
class FileBytes {
 public:
  // Throws FormatError with the reason (no file, a directory, larger than allowed, ...).
  explicit FileBytes(const std::filesystem::path& path, CancelView cancel = {},
                     std::size_t max_bytes = SIZE_MAX);
  // What a file might have had.
  static std::shared_ptr<const FileBytes> of(std::string_view content);

  std::string_view text() const { return {data_.get(), size_}; }

 private:
  FileBytes() = default;

  std::unique_ptr<char[]> data_;
  std::size_t size_ = 0;
};

}  // namespace sinew
