// Pieces that several panels use.
#pragma once

#include <string>
#include <string_view>

#include "app/ui/icons.h"
#include "app/ui/theme.h"

namespace sinew::ui {

// A square button with a sign. `on`: what it stands for is on.
bool icon_button(const char* id, Icon icon, const char* tooltip, bool on = false,
                 bool enabled = true);
// A box to search in, with a magnifying glass and a cross that empties it. True when it changed.
bool search_box(const char* id, std::string& text, const char* hint);
// A quiet heading with a line.
void heading(const char* text);
// Text that ends in "..." where it does not fit.
void clipped_text(std::string_view text, float width, ImU32 colour);
std::string clipped(std::string_view text, float width);
// A tooltip of the last item, wrapped, that waits a moment.
void hover_text(std::string_view text);
// A tooltip with a title and a paragraph.
void hover_text(std::string_view title, std::string_view text);
// Words in the middle of an empty panel.
void empty_note(std::string_view text);

// While it lives, buttons look like the one that Enter presses, if it is that one.
class StandardButton {
 public:
  explicit StandardButton(bool standard = true);
  ~StandardButton();
  StandardButton(const StandardButton&) = delete;
  StandardButton& operator=(const StandardButton&) = delete;

 private:
  bool standard_;
};

}  // namespace sinew::ui
