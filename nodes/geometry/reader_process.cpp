#include "nodes/geometry/reader_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <string>
#include <system_error>
#include <vector>

#include "base/spawn.h"

namespace sinew {

namespace fs = std::filesystem;

namespace {

constexpr int tick = 20;             // milliseconds until `cancel` is looked at again
constexpr int pipe_bytes = 1 << 20;  // fewer turns between the two
constexpr auto last_moments = std::chrono::seconds(2);

std::string reason(int error) { return std::generic_category().message(error); }

fs::path find_reader() {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  // Programs for tests are in folders below the one of the program.
  for (const fs::path& place : {folder / "sinew-read", folder.parent_path() / "sinew-read"}) {
    if (::access(place.c_str(), X_OK) == 0 && fs::is_regular_file(place, error)) return place;
  }
  throw FormatError(
      fmt::format("files in this format are read by a program of its own, and '{}' is not there",
                  (folder / "sinew-read").string()));
}

std::string bytes_text(uint64_t bytes) {
  if (bytes < 10000) return fmt::format("{} bytes", bytes);
  if (bytes < 10000000) return fmt::format("{:.0f} kB", static_cast<double>(bytes) / 1e3);
  if (bytes < 1000000000) return fmt::format("{:.0f} MB", static_cast<double>(bytes) / 1e6);
  return fmt::format("{:.1f} GB", static_cast<double>(bytes) / 1e9);
}

}  // namespace

ReaderProcess::ReaderProcess(const char* what, const fs::path& file, uint64_t file_bytes,
                             const ReadLimits& limits, CancelView cancel)
    : cancel_(cancel), limits_(limits), file_bytes_(file_bytes) {
  cancel_.check();
  const fs::path program = find_reader();
  const std::vector<std::string> arguments = {
      what, fs::absolute(file).lexically_normal().string(), std::to_string(limits.bytes),
      std::to_string(std::llround(std::ceil(limits.seconds))), std::to_string(::getpid())};
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    throw FormatError("no pipe to its reader could be made: " + reason(errno));
  }
  const int error = spawn_apart(program, arguments, {.output = ends[1]}, pid_);
  ::close(ends[1]);
  answer_ = ends[0];
  if (error != 0) {
    ::close(answer_);
    throw FormatError(
        fmt::format("its reader '{}' cannot be started: {}", program.string(), reason(error)));
  }
  ::fcntl(answer_, F_SETFL, O_NONBLOCK);
  ::fcntl(answer_, F_SETPIPE_SZ, pipe_bytes);  // if it may not be as large, it is slower
  deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                 std::chrono::duration<double>(limits.seconds));
}

ReaderProcess::~ReaderProcess() {
  ::close(answer_);
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void ReaderProcess::take(void* to, std::size_t size) {
  char* at = static_cast<char*>(to);
  while (size > 0) {
    if (begin_ == end_ && size >= buffer_.size()) {
      const std::size_t got = receive(at, size);
      at += got;
      size -= got;
      continue;
    }
    if (begin_ == end_) {
      begin_ = 0;
      end_ = receive(buffer_.data(), buffer_.size());
    }
    const std::size_t some = std::min(size, end_ - begin_);
    std::memcpy(at, buffer_.data() + begin_, some);
    begin_ += some;
    at += some;
    size -= some;
  }
}

std::size_t ReaderProcess::receive(void* to, std::size_t size) {
  for (;;) {
    cancel_.check();
    if (Clock::now() > deadline_) throw too_long();
    const ssize_t got = ::read(answer_, to, size);
    if (got > 0) return static_cast<std::size_t>(got);
    if (got == 0) throw ended();
    if (errno == EAGAIN || errno == EWOULDBLOCK) {
      pollfd end{answer_, POLLIN, 0};
      ::poll(&end, 1, tick);
    } else if (errno != EINTR) {
      throw FormatError("the answer of its reader was lost: " + reason(errno));
    }
  }
}

FormatError ReaderProcess::too_long() const {
  return FormatError(fmt::format(
      "reading it takes longer than {:g} s, the limit for a file of {}; it is damaged or made to "
      "harm, or SINEW_READ_SECONDS must be set to more",
      limits_.seconds, bytes_text(file_bytes_)));
}

FormatError ReaderProcess::too_much_memory(uint64_t limit) const {
  return FormatError(fmt::format(
      "reading it takes more than {} of memory, the limit for a file of {}; it is damaged or made "
      "to harm, or SINEW_READ_MEMORY must be set to more",
      bytes_text(limit), bytes_text(file_bytes_)));
}

FormatError ReaderProcess::ended() {
  // It has closed its end; as a rule because it is gone.
  const Clock::time_point until = Clock::now() + last_moments;
  int status = 0;
  pid_t gone = 0;
  while ((gone = ::waitpid(pid_, &status, WNOHANG)) == 0 || (gone < 0 && errno == EINTR)) {
    cancel_.check();
    if (Clock::now() > until) return FormatError("its reader does not answer");
    ::poll(nullptr, 0, 1);
  }
  pid_ = -1;
  if (gone < 0) return FormatError("its reader is gone without an answer");
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    if (signal == SIGXCPU) return too_long();
    if (signal == SIGKILL)
      return FormatError("the system has ended its reader (too little memory?)");
    return FormatError(
        fmt::format("its reader crashed ({}), so it is damaged or made to harm; nothing of it is "
                    "read",
                    ::strsignal(signal)));
  }
  if (WEXITSTATUS(status) == reader_has_no_memory) return too_much_memory(limits_.bytes);
  return FormatError(fmt::format("its reader failed (code {})", WEXITSTATUS(status)));
}

}  // namespace sinew
