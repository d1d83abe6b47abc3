// Files that are whole or untouched: a reader sees the old content or the new one, whatever happens
// to the writer in between.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "graph/result.h"

namespace sinew {

// The errors say what happened and do not name the file: whoever shows them does.

// The content of a regular file of at most `max_bytes`. Pipes, devices and folders are refused.
Result<std::string> read_file(const std::filesystem::path& path, size_t max_bytes);

// Writes to a temporary file in the same folder, syncs it, and renames it over `path`; then syncs
// the folder. A symbolic link is followed, so that it stays one; the permissions of an existing
// file are kept. Temporary files that a killed process left for the same path are removed.
Result<void> write_file_atomically(const std::filesystem::path& path, std::string_view content);

// A file beside a target that becomes the target, or is gone: for what another program writes, or
// what is written piece by piece. As a temporary file it is named and locked while we live, so that
// what a killed process leaves behind can be told from the work of one that goes on, and is
// removed.
class PartFile {
 public:
  static Result<PartFile> create(const std::filesystem::path& target);
  PartFile(PartFile&& other) noexcept;
  PartFile& operator=(PartFile&&) = delete;
  ~PartFile();

  const std::filesystem::path& path() const { return path_; }
  bool empty() const;
  // At the end of what has been written so.
  Result<void> append(std::string_view content);
  Result<void> become(const std::filesystem::path& target);

 private:
  PartFile() = default;

  std::filesystem::path path_;
  int fd_ = -1;
};

// Whether a file's name is that of such a temporary file, for `target` (a name without folder).
bool is_temporary_name(std::string_view name, std::string_view target);

}  // namespace sinew
