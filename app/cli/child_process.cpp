#include "app/cli/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "base/spawn.h"

namespace sinew::cli {
namespace {

constexpr int tick = 50;  // milliseconds until `cancel` is looked at again
constexpr size_t kept_complaints = 8192;

void close_end(int& fd) {
  if (fd >= 0) ::close(fd);
  fd = -1;
}

}  // namespace

Result<ChildProcess> ChildProcess::start(const std::filesystem::path& program,
                                         const std::vector<std::string>& arguments,
                                         const std::atomic<bool>* cancel) {
  const auto failed = [](int error) {
    return Error{"cannot be started: " + std::generic_category().message(error)};
  };
  // A socket instead of a pipe: writing to one whose reader has gone raises no signal if asked.
  int input[2] = {-1, -1}, complaints[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, input) != 0) return failed(errno);
  ChildProcess self;
  self.cancel_ = cancel;
  self.input_ = input[0];
  if (::pipe2(complaints, O_CLOEXEC) != 0) {
    const int error = errno;
    close_end(input[1]);
    return failed(error);
  }
  self.complaints_ = complaints[0];
  ::fcntl(self.complaints_, F_SETFL, O_NONBLOCK);

  const StandardEnds ends{.input = input[1], .error = complaints[1]};
  const int error = spawn_apart(program, arguments, ends, self.pid_);
  close_end(input[1]);
  close_end(complaints[1]);
  if (error != 0) {
    self.pid_ = -1;
    return failed(error);
  }
  return self;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : cancel_(other.cancel_),
      pid_(std::exchange(other.pid_, -1)),
      input_(std::exchange(other.input_, -1)),
      complaints_(std::exchange(other.complaints_, -1)),
      complaint_text_(std::move(other.complaint_text_)) {}

ChildProcess::~ChildProcess() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  close_end(input_);
  close_end(complaints_);
}

// Its complaints are read meanwhile, or it would stop as soon as nobody does.
void ChildProcess::wait_for(int fd, short event) {
  std::array<pollfd, 2> ends{pollfd{complaints_, POLLIN, 0}, pollfd{fd, event, 0}};
  ::poll(ends.data(), ends.size(), tick);
  read_complaints();
}

void ChildProcess::read_complaints() {
  std::array<char, 4096> buffer;
  while (complaints_ >= 0) {
    const ssize_t got = ::read(complaints_, buffer.data(), buffer.size());
    if (got == 0) close_end(complaints_);  // or poll() would return at once for ever
    if (got <= 0) break;
    complaint_text_.append(buffer.data(), static_cast<size_t>(got));
    if (complaint_text_.size() > kept_complaints)
      complaint_text_.erase(0, complaint_text_.size() - kept_complaints);
  }
}

bool ChildProcess::send(std::string_view bytes) {
  while (!bytes.empty()) {
    if (cancelled()) return false;
    const ssize_t sent = ::send(input_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) {
      bytes.remove_prefix(static_cast<size_t>(sent));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS) {
      wait_for(input_, POLLOUT);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

int ChildProcess::finish() {
  close_end(input_);
  int status = 0;
  for (;;) {
    const pid_t ended = ::waitpid(pid_, &status, WNOHANG);
    if (ended == pid_ || (ended < 0 && errno != EINTR)) break;
    if (cancelled()) ::kill(pid_, SIGKILL);
    wait_for(-1, 0);
  }
  pid_ = -1;
  read_complaints();
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

std::string ChildProcess::last_complaint() const {
  std::string last, line;
  for (const char c : complaint_text_ + "\n") {
    if (c == '\n' || c == '\r') {
      if (line.find_first_not_of(' ') != std::string::npos) last = line;
      line.clear();
    } else {
      line += c;
    }
  }
  return last;
}

}  // namespace sinew::cli
