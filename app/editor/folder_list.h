// What is in a folder, read on a thread of its own: a folder of ten thousand files, or one at the
// other end of a slow line, holds nothing up.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/library/names.h"

namespace sinew::editor {

using namespace library;

struct FolderEntry {
  std::string name;
  bool is_folder = false;
  uint64_t bytes = 0;
  int64_t changed = 0;  // seconds since 1970
};

enum class FolderOrder : unsigned char { name, date };

class FolderList {
 public:
  // Begins to read. What was read of another folder is forgotten.
  void open(const std::filesystem::path& folder);
  const std::filesystem::path& folder() const { return folder_; }
  // Takes what has been read; true if there is something new. Waits no longer than a moment, so
  // that a usual folder is there at once.
  bool update(double most_seconds_to_wait = 0);
  bool reading() const { return pending_ != nullptr; }
  // Why there is nothing to see; empty: all is well.
  const std::string& error() const { return error_; }
  const std::vector<FolderEntry>& entries() const { return entries_; }

  // The entries that are wanted, as indices: folders first, then by name or newest first. No
  // endings: all files. What begins with a dot is hidden.
  std::vector<std::size_t> chosen(const std::vector<std::string>& endings, bool hidden,
                                  FolderOrder order) const;

 private:
  struct Pending;
  std::filesystem::path folder_;
  std::shared_ptr<Pending> pending_;
  std::vector<FolderEntry> entries_;
  std::string error_;
};

// A path as a person types it: "~" is home, what is relative begins at `base`.
std::filesystem::path typed_path(std::string_view text, const std::filesystem::path& base);
std::filesystem::path home_folder();
// With "~" for home.
std::string shown_path(const std::filesystem::path& path);

}  // namespace sinew::editor
