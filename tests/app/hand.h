// A hand at a window of an X display: finds it, presses keys, drags, closes it, and looks at it.
// What it sends are events as a server would send them, so that no further program is needed.
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
  void resize(int width, int height);
  // A pixel that is seen, as red, green and blue; nothing outside of the window.
  std::optional<std::array<uint8_t, 3>> pixel(int x, int y);

  // As X calls it: "space", "Escape", "s".
  void press(const std::string& key, bool with_control = false);
  void drag(int from_x, int from_y, int to_x, int to_y);
  // As the button of its frame does.
  void close();

 private:
  struct Server;
  std::unique_ptr<Server> server_;
};

}  // namespace sinew::testing
