#include "nodes/geometry/reader/limits.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>

#include "nodes/geometry/reader_answer.h"

// The sanitizers take terabytes of addresses for themselves; AddressSanitizer looks after memory.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SINEW_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SINEW_SANITIZED
#endif
#endif

#if defined(SINEW_SANITIZED)
extern "C" const char* __asan_default_options() {
  return "hard_rss_limit_mb=1500:max_allocation_size_mb=1500:detect_leaks=0";
}
#endif

namespace sinew {

namespace {

void limit(int what, rlim_t soft, rlim_t hard) {
  rlimit now{};
  if (::getrlimit(what, &now) != 0) return;
  // What we were started with may be less, and cannot be raised.
  const rlimit wanted{std::min(soft, now.rlim_max), std::min(hard, now.rlim_max)};
  ::setrlimit(what, &wanted);
}

}  // namespace

void no_memory() {
  rlimit now{};
  ::getrlimit(RLIMIT_AS, &now);
  give_memory_limit(now.rlim_cur, answer);
  ::_exit(reader_has_no_memory);
}

void set_limits(uint64_t bytes, uint64_t seconds, int parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // it ended before
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  limit(RLIMIT_CORE, 0, 0);
  limit(RLIMIT_FSIZE, 0, 0);
  limit(RLIMIT_CPU, seconds, seconds + 1);
#if !defined(SINEW_SANITIZED)
  limit(RLIMIT_AS, bytes, bytes);
#endif
  std::set_new_handler(no_memory);
}

void answer(const void* bytes, std::size_t size) {
  const char* at = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t done = ::write(STDOUT_FILENO, at, size);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) ::_exit(1);
    at += done;
    size -= static_cast<std::size_t>(done);
  }
}

}  // namespace sinew
