#include "graph/scratch_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace sinew {
namespace {

namespace fs = std::filesystem;

int open_folder(const fs::path& path) {
  return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

// Whether the folder that is open is still the one at the path: somebody may have found it before
// it was locked, and removed it.
bool is_still_there(int fd, const fs::path& path) {
  struct stat open {
  }, there{};
  return ::fstat(fd, &open) == 0 && ::lstat(path.c_str(), &there) == 0 &&
         open.st_dev == there.st_dev && open.st_ino == there.st_ino;
}

void remove_one(const fs::path& path, const std::function<void(const fs::path&)>& before) {
  const int fd = open_folder(path);
  if (fd < 0) return;
  struct stat status {};
  if (::fstat(fd, &status) == 0 && status.st_uid == ::geteuid() &&
      ::flock(fd, LOCK_EX | LOCK_NB) == 0) {
    if (before) before(path);
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  ::close(fd);
}

}  // namespace

Result<ScratchFolder> ScratchFolder::make(const fs::path& beside, std::string_view name) {
  std::error_code ec;
  fs::create_directories(beside, ec);
  int problem = 0;
  for (int attempt = 0; attempt < 100; ++attempt) {
    std::string path = (beside / fmt::format(".{}-XXXXXX", name)).string();
    if (!::mkdtemp(path.data())) {
      problem = errno;
      break;
    }
    ScratchFolder folder;
    folder.path_ = path;
    folder.lock_ = open_folder(folder.path_);
    if (folder.lock_ >= 0 && ::flock(folder.lock_, LOCK_EX) == 0 &&
        is_still_there(folder.lock_, folder.path_))
      return folder;
    problem = errno;
  }
  return Error{fmt::format("no folder can be made in '{}': {}", beside.string(),
                           std::generic_category().message(problem))};
}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::exchange(other.lock_, -1)) {}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
  if (lock_ >= 0) ::close(lock_);
}

void remove_left_folders(const fs::path& beside, std::string_view name,
                         const std::function<void(const fs::path&)>& before) {
  const std::string begin = fmt::format(".{}-", name);
  std::vector<fs::path> left;
  std::error_code ec;
  for (fs::directory_iterator it(beside, ec), end; !ec && it != end; it.increment(ec))
    if (it->path().filename().string().starts_with(begin)) left.push_back(it->path());
  for (const fs::path& path : left) remove_one(path, before);
}

}  // namespace sinew
