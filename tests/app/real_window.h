// The program in a real window on a screen that nobody sees, with a real mouse and keyboard:
// xdotool moves them as the server's own devices. What is where is read from the file that
// --landmarks keeps.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/app/hand.h"
#include "tests/app/run_program.h"
#include "tests/golden/screen.h"

namespace sinew::testing {

// Until it is so, however slow the machine; a minute means never.
bool comes_true(const std::function<bool()>& what);

class RealWindow : public ::testing::Test {
 protected:
  struct Place {
    int x = 0, y = 0;
  };

  RealWindow() = default;

  // Starts the program, waits for its first frame, and gives it the keyboard.
  void start(const std::vector<std::string>& words);
  // It ends by itself, in peace.
  void expect_ends();
  bool running() { return program_ && program_->running(); }

  // What the landmarks file says now.
  nlohmann::json screen_now() const;
  nlohmann::json state() const { return screen_now().value("state", nlohmann::json::object()); }
  // Nothing is being evaluated, and what is where has stopped changing.
  void settle();
  bool sees(const std::string& landmark) const;
  bool sees_any(const std::string& beginning) const;
  // In the window; fails the test and throws if it does not come.
  Place place(const std::string& landmark) const;
  // The corners: left, top, right, bottom.
  std::array<int, 4> area(const std::string& landmark) const;

  void move(Place to);
  void hold(int button, bool down);
  void click(Place at, int button = 1);
  void click(const std::string& landmark, int button = 1) { click(place(landmark), button); }
  void double_click(Place at);
  // Through all places, with the button held.
  void drag(const std::vector<Place>& way, int button = 1);
  void wheel(Place at, int notches);
  // As X calls them: "ctrl+z", "Tab", "Return".
  void key(const std::string& chord);
  void type(const std::string& letters);
  // Presses it again and again until it has done what it should; the first can come before focus.
  bool key_until(const std::string& chord, const std::function<bool()>& done);

  // The document as Ctrl+S writes it.
  nlohmann::json saved();
  // Keeps a picture of the window for a person to look at, if SINEW_SCREENSHOTS names a folder.
  void photograph(const std::string& name);
  // How much of one core the program has used since it was started, in seconds.
  double processor_seconds();

  bool shows_clay(Place at);

  Screen screen_{1500, 940};
  Hand hand_{screen_.display()};
  TemporaryFolder folder_;
  std::string document_ = "a.json";
  std::unique_ptr<RunningProgram> program_;

 private:
  void xdotool(const std::string& words) const;
};

}  // namespace sinew::testing
