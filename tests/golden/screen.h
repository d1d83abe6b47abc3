// A screen that nobody sees: Xvfb, started for a test and ended with it.
#pragma once

#include <sys/types.h>

#include <string>

namespace sinew::testing {

class Screen {
 public:
  // Sets DISPLAY. Throws if Xvfb cannot be started: the tests need it (cmake/packages.txt).
  Screen(int width = 1600, int height = 1000);
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  const std::string& display() const { return display_; }

 private:
  pid_t process_ = -1;
  std::string display_;
};

}  // namespace sinew::testing
