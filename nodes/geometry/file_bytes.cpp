#include "nodes/geometry/file_bytes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <system_error>

#include "nodes/geometry/format_error.h"
#include "nodes/geometry/parallel.h"

namespace sinew {

namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

std::string reason(int error) { return std::generic_category().message(error); }

// Reads exactly [begin, end) of the file; false if it is shorter now or cannot be read.
bool read_range(int fd, char* data, std::size_t begin, std::size_t end) {
  while (begin < end) {
    const ssize_t got = ::pread(fd, data + begin, end - begin, static_cast<off_t>(begin));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    begin += static_cast<std::size_t>(got);
  }
  return true;
}

std::size_t checked_size(const struct stat& info) {
  if (S_ISDIR(info.st_mode)) throw FormatError("it is a directory");
  if (!S_ISREG(info.st_mode)) throw FormatError("it is not a regular file");
  if (info.st_size == 0) throw FormatError("the file is empty");
  return static_cast<std::size_t>(info.st_size);
}

}  // namespace

std::size_t readable_size(const std::filesystem::path& path) {
  struct stat info;
  if (::stat(path.c_str(), &info) != 0) {
    throw FormatError(errno == ENOENT ? "no such file" : reason(errno));
  }
  return checked_size(info);
}

std::shared_ptr<const FileBytes> FileBytes::of(std::string_view content) {
  const std::shared_ptr<FileBytes> made(new FileBytes);
  made->data_ = std::make_unique_for_overwrite<char[]>(content.size());
  made->size_ = content.size();
  std::copy(content.begin(), content.end(), made->data_.get());
  return made;
}

FileBytes::FileBytes(const std::filesystem::path& path, CancelView cancel, std::size_t max_bytes) {
  // O_NONBLOCK: opening a pipe that nobody writes to must not wait.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) throw FormatError(errno == ENOENT ? "no such file" : reason(errno));
  struct stat info;
  if (::fstat(file.get(), &info) != 0) throw FormatError(reason(errno));
  size_ = checked_size(info);
  if (size_ > max_bytes) {
    throw FormatError(fmt::format("it has {} bytes; at most {} are read", size_, max_bytes));
  }
  data_ = std::make_unique_for_overwrite<char[]>(size_);
  std::atomic<bool> failed = false;
  parallel_blocks(
      size_,
      [&](std::size_t begin, std::size_t end) {
        if (cancel() || failed) return;
        if (!read_range(file.get(), data_.get(), begin, end)) failed = true;
      },
      std::size_t{4} << 20);
  cancel.check();
  if (failed) throw FormatError("the file changed while it was read");
}

}  // namespace sinew
