// A preset as a picture with a name, for the library and for the welcome.
#pragma once

#include <imgui.h>

#include "app/editor/editor.h"

namespace sinew::editor {

// The picture, or while there is none a card in the colour of its category with its initials. Adds
// no item.
void paint_preset(Editor& editor, const PresetInfo& preset, ImVec2 from, ImVec2 to,
                  bool playing = false);
// What the library knows of it, as a tooltip of the last item.
void hover_preset(Editor& editor, const PresetInfo& preset);
// Scripts find it by its name and by its file's.
void mark_preset(const char* kind, const PresetInfo& preset);

// "one, two, three"
std::string joined(const std::vector<std::string>& words, std::size_t most = 12);

}  // namespace sinew::editor
