#include "graph/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <random>
#include <system_error>
#include <utility>

namespace sinew {
namespace {

namespace fs = std::filesystem;

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  explicit operator bool() const { return fd_ >= 0; }
  int get() const { return fd_; }
  int close() { return ::close(release()); }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

std::string reason(int error) { return std::generic_category().message(error); }

template <class Call>
auto retried(const Call& call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

// ".heart.json.sinew-9f86d081884c7d65.tmp": hidden, next to its target, told from any other file.
constexpr std::string_view temporary_mark = ".sinew-";
constexpr std::string_view temporary_end = ".tmp";
constexpr size_t random_digits = 16;

std::string temporary_prefix(std::string_view target) {
  // A file name has at most 255 bytes; a long one is told by its beginning.
  return fmt::format(".{}{}", target.substr(0, 200), temporary_mark);
}

std::string random_name(std::string_view target) {
  static thread_local std::random_device device;
  const uint64_t number = (uint64_t(device()) << 32) | device();
  return fmt::format("{}{:016x}{}", temporary_prefix(target), number, temporary_end);
}

// A temporary file is locked by the process that writes it for as long as it lives, so one that can
// be locked was left behind.
void remove_leftovers(const fs::path& folder, std::string_view target) {
  std::error_code ignored;
  for (fs::directory_iterator it(folder, ignored), end; !ignored && it != end;
       it.increment(ignored)) {
    if (!is_temporary_name(it->path().filename().string(), target)) continue;
    const Descriptor file(::open(it->path().c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
    if (file && ::flock(file.get(), LOCK_EX | LOCK_NB) == 0) ::unlink(it->path().c_str());
  }
}

struct Temporary {
  fs::path path;
  Descriptor file;
};

Result<Temporary> create_temporary(const fs::path& folder, const std::string& target) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    fs::path path = folder / random_name(target);
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!file) {
      if (errno == EEXIST || errno == EINTR) continue;
      return Error{fmt::format("cannot write into the folder: {}", reason(errno))};
    }
    // Between its creation and its lock, another process may have taken it for a leftover.
    struct stat status {};
    if (retried([&] { return ::flock(file.get(), LOCK_EX); }) == 0 &&
        ::fstat(file.get(), &status) == 0 && status.st_nlink == 0) {
      continue;
    }
    return Temporary{std::move(path), std::move(file)};
  }
  return Error{"cannot make a temporary file in the folder"};
}

bool write_all(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = retried([&] { return ::write(fd, content.data(), content.size()); });
    if (written < 0) return false;
    content.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

// Where a chain of symbolic links ends, whether or not there is a file.
Result<fs::path> resolve_links(fs::path path) {
  for (int steps = 0; steps < 40; ++steps) {
    std::error_code error;
    const fs::path target = fs::read_symlink(path, error);
    if (error) return path;
    path = target.is_absolute() ? target : path.parent_path() / target;
  }
  return Error{"cannot be written: too many symbolic links"};
}

// Content and permissions of the temporary file; false with errno set.
bool fill(const Descriptor& file, std::string_view content, const struct stat* old) {
  if (old) {
    // The owner can only be kept by root, the group only by its members: then the rest is kept.
    [[maybe_unused]] const int owned = ::fchown(file.get(), old->st_uid, old->st_gid);
    if (::fchmod(file.get(), old->st_mode & 07777) != 0) return false;
  }
  return write_all(file.get(), content) && retried([&] { return ::fsync(file.get()); }) == 0;
}

void sync_folder(const fs::path& folder) {
  // Some file systems cannot sync a folder; the rename has happened all the same.
  const Descriptor handle(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (handle) ::fsync(handle.get());
}

}  // namespace

bool is_temporary_name(std::string_view name, std::string_view target) {
  const std::string prefix = temporary_prefix(target);
  if (name.size() != prefix.size() + random_digits + temporary_end.size()) return false;
  return name.substr(0, prefix.size()) == prefix &&
         name.substr(prefix.size() + random_digits) == temporary_end &&
         name.substr(prefix.size(), random_digits).find_first_not_of("0123456789abcdef") ==
             std::string_view::npos;
}

Result<std::string> read_file(const std::filesystem::path& path, size_t max_bytes) {
  // O_NONBLOCK: opening a pipe must not wait for somebody to write to it.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) return Error{fmt::format("cannot be read: {}", reason(errno))};
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) {
    return Error{fmt::format("cannot be read: {}", reason(errno))};
  }
  if (S_ISDIR(status.st_mode)) return Error{"cannot be read: it is a folder"};
  if (!S_ISREG(status.st_mode)) return Error{"cannot be read: it is not a regular file"};
  const auto too_large = [&](size_t bytes) {
    return Error{fmt::format("is too large: {} bytes, at most {} are allowed", bytes, max_bytes)};
  };
  if (static_cast<uint64_t>(status.st_size) > max_bytes) {
    return too_large(static_cast<size_t>(status.st_size));
  }
  // One byte more, so that the end is seen without growing.
  std::string content(static_cast<size_t>(status.st_size) + 1, '\0');
  size_t filled = 0;
  for (;;) {
    if (filled == content.size()) {
      // The file may have grown since, or be one of those that do not know their size.
      if (filled > max_bytes) return too_large(filled);
      content.resize(std::min(max_bytes, filled + 65536) + 1);
    }
    const ssize_t got = retried(
        [&] { return ::read(file.get(), content.data() + filled, content.size() - filled); });
    if (got < 0) return Error{fmt::format("cannot be read: {}", reason(errno))};
    if (got == 0) break;
    filled += static_cast<size_t>(got);
  }
  content.resize(filled);
  if (filled > max_bytes) return too_large(filled);
  return content;
}

Result<void> write_file_atomically(const std::filesystem::path& path, std::string_view content) {
  const Result<fs::path> resolved = resolve_links(path);
  if (!resolved) return Error{resolved.error()};
  const std::string target = resolved->filename().string();
  if (target.empty()) return Error{"cannot be written: it is a folder"};
  const fs::path folder = resolved->has_parent_path() ? resolved->parent_path() : fs::path(".");

  struct stat old {};
  const bool exists = ::stat(resolved->c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) return Error{"cannot be written: it is a folder"};
  if (exists && !S_ISREG(old.st_mode)) {
    return Error{"cannot be written: it is not a regular file"};
  }
  remove_leftovers(folder, target);
  Result<Temporary> temporary = create_temporary(folder, target);
  if (!temporary) return Error{temporary.error()};

  bool is_whole = fill(temporary->file, content, exists ? &old : nullptr);
  // The lock is held until the rename, so that nobody takes the file for a leftover.
  is_whole = is_whole && ::rename(temporary->path.c_str(), resolved->c_str()) == 0;
  if (!is_whole) {
    const int error = errno;
    ::unlink(temporary->path.c_str());
    return Error{fmt::format("cannot be written: {}; {}", reason(error),
                             exists ? "the old file is unchanged" : "no file was made")};
  }
  if (temporary->file.close() != 0) {
    return Error{fmt::format("may not be written completely: {}", reason(errno))};
  }
  sync_folder(folder);
  return {};
}

Result<PartFile> PartFile::create(const fs::path& target) {
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  const std::string name = target.filename().string();
  remove_leftovers(folder, name);
  Result<Temporary> temporary = create_temporary(folder, name);
  if (!temporary) return Error{temporary.error()};
  PartFile part;
  part.path_ = std::move(temporary->path);
  part.fd_ = temporary->file.release();
  return part;
}

PartFile::PartFile(PartFile&& other) noexcept
    : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)) {}

PartFile::~PartFile() {
  if (fd_ < 0) return;
  ::unlink(path_.c_str());
  ::close(fd_);
}

bool PartFile::empty() const {
  struct stat status {};
  return ::fstat(fd_, &status) != 0 || status.st_size == 0;
}

Result<void> PartFile::append(std::string_view content) {
  if (!write_all(fd_, content)) return Error{fmt::format("cannot be written: {}", reason(errno))};
  return {};
}

Result<void> PartFile::become(const fs::path& target) {
  if (::fsync(fd_) != 0 || ::rename(path_.c_str(), target.c_str()) != 0)
    return Error{fmt::format("cannot be written: {}", reason(errno))};
  ::close(std::exchange(fd_, -1));
  return {};
}

}  // namespace sinew
