#include "app/library/pack_trial.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

#include "base/spawn.h"
#include "graph/pack_folder.h"
#include "graph/plain_text.h"
#include "graph/stranger.h"

namespace sinew::library {
namespace {

namespace fs = std::filesystem;

constexpr rlim_t most_memory = rlim_t{2} << 30;
constexpr std::size_t longest_answer = 1000;
// What the child says by its exit code.
enum Answer { fine = 0, flawed = 3, needs_memory = 4, broken = -1 };

fs::path& trial_program() {
  static fs::path program;
  return program;
}

// What comes from the other end until it is closed, or time is up.
std::string read_until(int fd, std::chrono::steady_clock::time_point end) {
  std::string text;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    pollfd one{fd, POLLIN, 0};
    if (left.count() <= 0) return text;
    if (::poll(&one, 1, static_cast<int>(left.count())) <= 0) continue;
    char piece[512];
    const ssize_t got = ::read(fd, piece, sizeof piece);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(piece, static_cast<std::size_t>(got));
    text.resize(std::min(text.size(), longest_answer));
  }
}

// How it ended; nothing: it still runs.
enum class Wait : bool { no, yes };
std::optional<int> ended(pid_t child, Wait wait) {
  int status = 0;
  for (;;) {
    const pid_t got = ::waitpid(child, &status, wait == Wait::yes ? 0 : WNOHANG);
    if (got < 0 && errno == EINTR) continue;
    return got == child ? std::optional(status) : std::nullopt;
  }
}

std::string flaw_by_child(const fs::path& program, const fs::path& folder, double seconds) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return "there are not enough files to try it";
  // What it starts to read a file is in its group, and ends with it.
  pid_t child = -1;
  const int problem =
      spawn_apart(program, {"presets", "try", folder.string()}, {.output = ends[1]}, child);
  ::close(ends[1]);
  if (problem != 0) {
    ::close(ends[0]);
    return fmt::format("it cannot be tried: {}", std::generic_category().message(problem));
  }
  const auto end = std::chrono::steady_clock::now() +
                   std::chrono::milliseconds(static_cast<long>(1000 * seconds));
  const std::string text = read_until(ends[0], end);
  ::close(ends[0]);
  std::optional<int> status =
      ended(child, std::chrono::steady_clock::now() < end ? Wait::yes : Wait::no);
  if (!status) {
    ::kill(-child, SIGKILL);
    (void)ended(child, Wait::yes);
    return fmt::format("its files take longer than {:g} s to read", seconds);
  }
  const int answer = WIFEXITED(*status) ? WEXITSTATUS(*status) : broken;
  if (answer == fine) return "";
  if (answer == flawed) return plain_line(text);
  if (answer == needs_memory)
    return fmt::format("its files need more than {} MB of memory to be read", most_memory >> 20);
  return "what reads its files breaks over them";
}

}  // namespace

void try_packs_with(fs::path program) { trial_program() = std::move(program); }

PackLimits limits_for_packs() {
  PackLimits limits;
  if (const fs::path program = trial_program(); !program.empty())
    limits.trial = [program, seconds = limits.seconds](const fs::path& folder) {
      return flaw_by_child(program, folder, seconds);
    };
  return limits;
}

TrialAnswer try_here(const std::string& folder, const Registry& registry) {
  const rlimit none{0, 0}, memory{most_memory, most_memory};
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // nobody waits for the answer any more
  ::setrlimit(RLIMIT_CORE, &none);
  // Not of addresses, which threads take plenty of without using them.
  ::setrlimit(RLIMIT_DATA, &memory);
  const PackLimits limits;
  try {
    const Result<GraphDoc> doc =
        load_document(fs::path(folder) / pack_document, registry, nullptr, stranger_limits());
    const std::string flaw = doc ? flaw_of_reading(*doc, registry, folder, limits) : doc.error();
    return {flaw.empty() ? fine : flawed, flaw};
  } catch (const std::bad_alloc&) {
    return {needs_memory, ""};
  }
}

}  // namespace sinew::library
