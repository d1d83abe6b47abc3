// A program that is started, fed and watched, without a shell and without waiting for ever.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "graph/result.h"

namespace sinew::cli {

// It reads what send() is given, what it prints is dropped, and of its complaints the end is kept.
// It is in a process group of its own, so that Ctrl-C reaches it through us only.
class ChildProcess {
 public:
  // The errors say what happened and do not name the program.
  static Result<ChildProcess> start(const std::filesystem::path& program,
                                    const std::vector<std::string>& arguments,
                                    const std::atomic<bool>* cancel);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  ~ChildProcess();  // kills it if it still runs

  // Returns when everything is handed over. False: it does not read any more, or `cancel` is true.
  bool send(std::string_view bytes);
  // Ends its input and waits for its end. The exit code; negative: ended by that signal. If
  // `cancel` becomes true it is killed.
  int finish();
  bool cancelled() const { return cancel_ && cancel_->load(); }
  // The last line that it printed as an error; empty if there was none.
  std::string last_complaint() const;

 private:
  ChildProcess() = default;
  void wait_for(int fd, short event);
  void read_complaints();

  const std::atomic<bool>* cancel_ = nullptr;
  pid_t pid_ = -1;
  int input_ = -1, complaints_ = -1;  // our ends
  std::string complaint_text_;
};

}  // namespace sinew::cli
