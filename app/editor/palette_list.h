// What the command palette can find: actions, types of nodes to add, nodes to go to, files and
// presets. Knows nothing of how it is drawn.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/ui/icons.h"

namespace sinew::editor {

class Editor;

struct PaletteEntry {
  std::string key;    // what it is remembered by: "action edit.undo"
  std::string title;  // "Undo", "Add: Twist"
  std::string where;  // beside it: the menu, the category
  std::string doc;
  std::string shortcut;
  ui::Icon icon = ui::Icon::right;
  std::function<void()> run;
};

// Everything that can be done now.
std::vector<PaletteEntry> palette_entries(Editor& editor);

// Those that fit, as indices, best first; without letters what was used last, then the actions.
// `recent`: keys, newest first.
std::vector<std::size_t> find_entries(const std::vector<PaletteEntry>& entries,
                                      const std::string& letters,
                                      const std::vector<std::string>& recent, std::size_t most);

}  // namespace sinew::editor
