// A line of the inspector: the label with its documentation, the widget, and small signs for
// putting the value back and for letting it change over time.
#pragma once

#include "app/editor/panels/inspector/widgets.h"

namespace sinew::editor {

class ParamRows {
 public:
  ParamRows(Editor& editor, ParamEdits& edits)
      : editor_(editor), edits_(edits), widgets_(editor, edits) {}

  void draw(const InputInfo& info, std::size_t index);

 private:
  void draw_label(const Param& param, float width);
  void draw_signs(const Param& param, float x, float y);
  void draw_key_signs(const Param& param, float& x, float y);
  void draw_menu(const Param& param);

  Editor& editor_;
  ParamEdits& edits_;
  ParamWidgets widgets_;
};

// What a declaration says of an input, for tooltips and "What is this?": range, unit, standard.
std::string details_of(const InputInfo& info);

}  // namespace sinew::editor
