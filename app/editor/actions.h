// Everything that can be done by name. One list gives the menus, the keyboard shortcuts, the sheet
// that shows them, the command palette, and the words of scripts.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::editor {

// Where a key means this action: where the mouse is.
enum class Where : unsigned char { anywhere, canvas, viewport, chart, timeline };

struct Action {
  std::string id;        // "edit.undo"
  std::string title;     // "Undo"
  std::string menu;      // "Edit", "View/Overlays"; empty: in no menu
  std::string shortcut;  // "Ctrl+Z"; several with spaces between them; empty: none
  std::string doc;       // one sentence for the palette and the sheet
  Where where = Where::anywhere;
  std::function<void()> run;
  std::function<bool()> enabled = {};  // none: always
  std::function<bool()> checked = {};  // for what is on or off
  // In a menu, sections stand in this order, with a line between them.
  int section = 0;
  // In the menu it is a menu itself, which this fills; nothing is run then.
  std::function<void()> submenu = {};

  // The shortcuts, one by one.
  std::vector<std::string> chords() const;
};

// What the mouse does that has no name of its own, for the sheet beside the shortcuts.
struct Gesture {
  Where where = Where::anywhere;
  std::string gesture;  // "Shift+drag"
  std::string what;     // "Moves the view"
};

class Actions {
 public:
  void add(Action action);
  const Action* find(std::string_view id) const;
  // In the order in which they were added.
  const std::vector<Action>& all() const { return all_; }
  void add_gestures(std::vector<Gesture> gestures) {
    gestures_.insert(gestures_.end(), gestures.begin(), gestures.end());
  }
  const std::vector<Gesture>& gestures() const { return gestures_; }
  // False if there is none, or it cannot be done now.
  bool run(std::string_view id) const;
  // Does what the keys that were pressed in this frame mean. `hovered`: the panel under the mouse.
  // Letters that go into a text box mean nothing.
  void press_keys(Where hovered) const;
  // A menu with its submenus, as items of the current menu.
  void draw_menu(std::string_view menu) const;
  // The top menus, in the order of their first actions.
  std::vector<std::string> menus() const;

 private:
  std::vector<Action> all_;
  std::vector<Gesture> gestures_;
};

// Those of all panels.
void add_gestures(Actions& actions);

}  // namespace sinew::editor
