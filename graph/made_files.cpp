#include "graph/made_files.h"

#include <fmt/format.h>

#include <system_error>
#include <utility>

namespace sinew {

namespace fs = std::filesystem;

Result<MadeFolders> MadeFolders::make(const fs::path& folder) {
  if (folder.empty()) return MadeFolders();
  std::error_code ec;
  fs::path path = fs::absolute(folder, ec);
  if (!path.has_filename()) path = path.parent_path();  // "frames/"
  std::vector<fs::path> missing;
  for (fs::path at = path; !fs::exists(at, ec) && at != at.parent_path(); at = at.parent_path())
    missing.push_back(at);
  MadeFolders made;
  for (auto at = missing.rbegin(); at != missing.rend(); ++at) {
    if (fs::create_directory(*at, ec)) made.made_.push_back(*at);
    if (ec) return Error{fmt::format("cannot be made: {}", ec.message())};
  }
  if (!fs::is_directory(path, ec)) return Error{"is a file, but must be a folder"};
  return made;
}

MadeFolders::MadeFolders(MadeFolders&& other) noexcept : made_(std::exchange(other.made_, {})) {}

MadeFolders& MadeFolders::operator=(MadeFolders&& other) noexcept {
  std::swap(made_, other.made_);
  return *this;
}

MadeFolders::~MadeFolders() {
  std::error_code ec;
  for (auto at = made_.rbegin(); at != made_.rend(); ++at)
    if (!fs::remove(*at, ec)) break;  // something is in it
}

MadeFiles::~MadeFiles() {
  std::error_code ec;
  for (const fs::path& file : made_) fs::remove(file, ec);
}

void MadeFiles::add(const fs::path& file) {
  std::error_code ec;
  if (!fs::exists(fs::symlink_status(file, ec))) made_.push_back(file);
}

}  // namespace sinew
