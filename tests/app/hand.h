// A hand at a window of an X display: finds it, moves its border, closes it, and looks at it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace sinew::testing {

class Hand {
 public:
  explicit Hand(const std::string& display);
  ~Hand();
  Hand(const Hand&) = delete;
  Hand& operator=(const Hand&) = delete;

  // The title of the window that is open now; empty: there is none.
  std::string title();
  // Its size in pixels; 0 x 0 without a window.
  std::array<int, 2> size();
  // Of its upper left corner on the screen.
  std::array<int, 2> position() const;
  void resize(int width, int height);
  // What is typed goes to it: there is no window manager to see to that.
  void focus();
  // A pixel that is seen, as red, green and blue; nothing outside of the window.
  std::optional<std::array<uint8_t, 3>> pixel(int x, int y);

  // As the button of its frame does.
  void close();

 private:
  struct Server;
  std::unique_ptr<Server> server_;
};

}  // namespace sinew::testing
