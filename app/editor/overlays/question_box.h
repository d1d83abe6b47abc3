#pragma once

namespace sinew::editor {

class Editor;

// The question that is asked, if there is one, as a popup of the current one.
void draw_question(Editor& editor);

}  // namespace sinew::editor
