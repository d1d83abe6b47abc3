// A folder for a while: only this user may look into it, its name cannot be foretold, and it goes
// when it is no longer needed. It is locked while its process lives, so that what a killed process
// left behind can be told from what is in use, and is removed.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

#include "graph/result.h"

namespace sinew {

class ScratchFolder {
 public:
  // ".NAME-kT03xQ" in `beside`, which is made if it is not there.
  static Result<ScratchFolder> make(const std::filesystem::path& beside, std::string_view name);
  ScratchFolder(ScratchFolder&& other) noexcept;
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder();

  const std::filesystem::path& path() const { return path_; }

 private:
  ScratchFolder() = default;

  std::filesystem::path path_;
  int lock_ = -1;
};

// Removes those folders of that name in `beside` that belong to this user and to no process.
// `before` may take out of one what must not be lost.
void remove_left_folders(const std::filesystem::path& beside, std::string_view name,
                         const std::function<void(const std::filesystem::path&)>& before = {});

}  // namespace sinew
