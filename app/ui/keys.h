// Keys by their names, as the window, scripts and shortcuts write them: "Ctrl+Shift+Z", "Space".
#pragma once

#include <imgui.h>

#include <optional>
#include <string>
#include <string_view>

namespace sinew::ui {

// As SDL names it; None for a key that nothing is done with.
ImGuiKey key_from_name(std::string_view name);
// "Ctrl+Shift+Z"; nothing if it is no such name.
std::optional<ImGuiKeyChord> chord_from_text(std::string_view text);

}  // namespace sinew::ui
