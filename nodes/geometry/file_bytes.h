// Whole files in memory, and whole files to disk.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "nodes/geometry/types.h"

namespace sinew {

// Read by several threads into memory of our own, not mapped: a file that another program cuts
// short while we read gives a message, where a mapping would end the process.
class FileBytes {
 public:
  // Throws FormatError with the reason (no file, a directory, ...).
  explicit FileBytes(const std::filesystem::path& path, CancelView cancel = {});

  std::string_view text() const { return {data_.get(), size_}; }

 private:
  std::unique_ptr<char[]> data_;
  std::size_t size_ = 0;
};

// Calls write(temporary path) and renames the result to `path`, so that the file appears whole or
// not at all. Throws FormatError.
void write_whole(const std::filesystem::path& path,
                 const std::function<void(const std::filesystem::path&)>& write);

// Writes the pieces one after the other, and waits for the disk. Throws FormatError.
void write_pieces(const std::filesystem::path& path, std::span<const std::string_view> pieces);

}  // namespace sinew
