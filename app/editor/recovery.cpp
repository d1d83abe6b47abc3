#include "app/editor/recovery.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>

#include "graph/atomic_file.h"

namespace sinew::editor {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_bytes = 256u << 20;
constexpr const char* ending = ".recovery";

fs::path lock_of(fs::path copy) { return copy += ".lock"; }

// Whether the program that wrote the copy still runs. A lock that nobody holds, or that is not
// there, says no.
bool is_held(const fs::path& copy) {
  const int fd = ::open(lock_of(copy).c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0) return false;
  const bool held = ::flock(fd, LOCK_EX | LOCK_NB) != 0;
  ::close(fd);
  return held;
}

std::optional<LeftWork> read_copy(const fs::path& file) {
  const Result<std::string> text = read_file(file, most_bytes);
  if (!text) return {};
  const Json json = Json::parse(*text, nullptr, false);
  if (!json.is_object()) return {};
  try {
    LeftWork work;
    work.file = file;
    work.original = json.at("original").get<std::string>();
    work.time = json.at("time").get<int64_t>();
    work.process = json.at("process").get<int>();
    work.title = json.at("title").get<std::string>();
    work.text = json.at("document").get<std::string>();
    return work;
  } catch (const Json::exception&) {
    return {};
  }
}

}  // namespace

std::string saved_text(const LeftWork& work) {
  if (work.original.empty()) return {};
  Result<std::string> text = read_file(work.original, most_bytes);
  return text ? std::move(*text) : std::string();
}

void discard(const LeftWork& work) {
  std::error_code ec;
  fs::remove(work.file, ec);
  fs::remove(lock_of(work.file), ec);
}

std::vector<LeftWork> find_left_work(const fs::path& folder) {
  std::vector<LeftWork> all;
  std::error_code ec;
  fs::directory_iterator it(folder, ec);
  for (const fs::directory_iterator end; !ec && it != end; it.increment(ec)) {
    if (it->path().extension() != ending || is_held(it->path())) continue;
    std::optional<LeftWork> work = read_copy(it->path());
    if (!work) continue;
    if (work->text == saved_text(*work) || work->text == write_document(GraphDoc{})) {
      discard(*work);
      continue;
    }
    all.push_back(std::move(*work));
  }
  std::sort(all.begin(), all.end(),
            [](const LeftWork& a, const LeftWork& b) { return a.time > b.time; });
  return all;
}

RecoveryWriter::RecoveryWriter(fs::path folder) : folder_(std::move(folder)) {
  if (folder_.empty()) return;
  static int count = 0;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  file_ = folder_ / fmt::format("{}-{}-{}{}", getpid(),
                                std::chrono::duration_cast<std::chrono::milliseconds>(now).count(),
                                ++count, ending);
  thread_ = std::thread([this] { work(); });
}

RecoveryWriter::~RecoveryWriter() {
  if (!thread_.joinable()) return;
  clear();
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
  if (lock_ < 0) return;
  std::error_code ec;
  fs::remove(lock_of(file_), ec);
  ::close(lock_);
}

void RecoveryWriter::keep(GraphDoc doc, fs::path original, std::string title,
                          std::optional<LeftWork> instead) {
  if (folder_.empty()) return;
  const std::lock_guard lock(mutex_);
  waiting_ = Job{std::move(doc), std::move(original), std::move(title)};
  if (instead) replaced_.push_back(std::move(*instead));
  remove_ = false;
  changed_.notify_all();
}

void RecoveryWriter::clear() {
  if (folder_.empty()) return;
  const std::lock_guard lock(mutex_);
  waiting_.reset();
  remove_ = true;
  changed_.notify_all();
}

void RecoveryWriter::wait() {
  if (folder_.empty()) return;
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !working_ && !waiting_ && !remove_; });
}

bool RecoveryWriter::lock_file() {
  if (lock_ >= 0) return true;
  std::error_code ec;
  fs::create_directories(folder_, ec);
  lock_ = ::open(lock_of(file_).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock_ >= 0 && ::flock(lock_, LOCK_EX | LOCK_NB) == 0) return true;
  if (lock_ >= 0) ::close(lock_);
  lock_ = -1;
  return false;
}

bool RecoveryWriter::write(const Job& job) {
  // Before the copy, so that there is never one without its lock.
  if (!lock_file()) return false;
  std::error_code ec;
  Json json;
  json["sinew_recovery"] = 1;
  json["process"] = static_cast<int>(getpid());
  json["time"] = static_cast<int64_t>(std::time(nullptr));
  json["original"] = job.original.empty() ? "" : fs::absolute(job.original, ec).string();
  json["title"] = job.title;
  json["document"] = write_document(job.doc);
  const Result<void> ok =
      write_file_atomically(file_, json.dump(-1, ' ', false, Json::error_handler_t::replace));
  return static_cast<bool>(ok);
}

void RecoveryWriter::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return ending_ || waiting_ || remove_; });
    if (!waiting_ && !remove_) return;  // it ends, and all is done
    working_ = true;
    const bool remove = std::exchange(remove_, false);
    const std::optional<Job> job = std::exchange(waiting_, std::nullopt);
    const std::vector<LeftWork> replaced = std::exchange(replaced_, {});
    lock.unlock();
    bool safe = remove;
    if (remove) {
      std::error_code ec;
      fs::remove(file_, ec);
    }
    if (job) safe = write(*job);
    if (safe)
      for (const LeftWork& old : replaced) discard(old);
    lock.lock();
    // A disk that is full now may have room for the next copy: what was left stays until then.
    if (!safe) replaced_.insert(replaced_.end(), replaced.begin(), replaced.end());
    working_ = false;
    changed_.notify_all();
  }
}

namespace {

extern "C" void tell_and_end(int signal) {
  static const char words[] =
      "\nSinew ended unexpectedly. At the next start it offers the work up to a few seconds ago.\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, words, sizeof words - 1);
  // The standard handler is back already: the signal ends the program as it would have.
  ::raise(signal);
}

}  // namespace

void explain_crashes() {
  for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL}) {
    struct sigaction before {};
    if (::sigaction(signal, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) continue;
    struct sigaction ours {};
    ours.sa_handler = tell_and_end;
    ours.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
    ::sigaction(signal, &ours, nullptr);
  }
}

}  // namespace sinew::editor
