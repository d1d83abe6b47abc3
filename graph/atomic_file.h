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

// Whether a file's name is that of such a temporary file, for `target` (a name without folder).
bool is_temporary_name(std::string_view name, std::string_view target);

}  // namespace sinew
