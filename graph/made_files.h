// What a call makes on its way, and takes back when it fails, as on a full disk: a failed call
// leaves nothing half done behind, and removes nothing that was there before.
#pragma once

#include <filesystem>
#include <vector>

#include "graph/result.h"

namespace sinew {

// Folders that are made before something is written into them. Those that are still empty when this
// goes are removed again.
class MadeFolders {
 public:
  MadeFolders() = default;
  // The folder and those above it, where they are missing; none for an empty path. The error says
  // what is wrong and does not name the folder.
  static Result<MadeFolders> make(const std::filesystem::path& folder);
  MadeFolders(MadeFolders&& other) noexcept;
  MadeFolders& operator=(MadeFolders&& other) noexcept;
  ~MadeFolders();

 private:
  std::vector<std::filesystem::path> made_;  // from the outermost in
};

// Files that are of use only all together. Those that were not there before are removed again,
// unless they are kept.
class MadeFiles {
 public:
  MadeFiles() = default;
  MadeFiles(const MadeFiles&) = delete;
  MadeFiles& operator=(const MadeFiles&) = delete;
  ~MadeFiles();

  // To be called before the file is written.
  void add(const std::filesystem::path& file);
  void keep() { made_.clear(); }

 private:
  std::vector<std::filesystem::path> made_;
};

}  // namespace sinew
