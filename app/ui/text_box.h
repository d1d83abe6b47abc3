// A text that counts when it is left or Enter is pressed: one step, not one for each letter.
#pragma once

#include <optional>
#include <string>

namespace sinew::ui {

struct TextBox {
  const char* hint = "";
  int lines = 1;  // more: Enter begins a line, and leaving the box or Ctrl+Enter ends it
};

// The new text, once, when it is different. Escape leaves it as it was.
std::optional<std::string> text_box(const char* id, const std::string& text,
                                    const TextBox& how = {});

}  // namespace sinew::ui
