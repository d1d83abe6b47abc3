#include "tests/golden/screen.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

namespace sinew::testing {

Screen::Screen(int width, int height) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  const std::string size = std::to_string(width) + "x" + std::to_string(height) + "x24";
  const std::string fd = std::to_string(ends[1]);
  process_ = fork();
  if (process_ == 0) {
    close(ends[0]);
    const int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    execlp("Xvfb", "Xvfb", "-displayfd", fd.c_str(), "-screen", "0", size.c_str(), "-nolisten",
           "tcp", nullptr);
    _exit(127);
  }
  close(ends[1]);
  // It says the number of the display when it is ready; it says nothing if it could not start.
  std::string number;
  char c = 0;
  while (read(ends[0], &c, 1) == 1 && c != '\n') number += c;
  close(ends[0]);
  if (number.empty()) throw std::runtime_error("Xvfb did not start; do: apt-get install xvfb");
  display_ = ":" + number;
  setenv("DISPLAY", display_.c_str(), 1);
  unsetenv("WAYLAND_DISPLAY");
}

Screen::~Screen() {
  if (process_ <= 0) return;
  kill(process_, SIGTERM);
  waitpid(process_, nullptr, 0);
}

}  // namespace sinew::testing
