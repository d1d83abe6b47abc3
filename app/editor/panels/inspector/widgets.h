// The widget of a parameter, by its type: what can be changed about its value here.
#pragma once

#include "app/editor/panels/inspector/param.h"
#include "app/editor/panels/inspector/sheet.h"

namespace sinew::editor {

class ParamWidgets {
 public:
  ParamWidgets(Editor& editor, ParamEdits& edits)
      : editor_(editor), edits_(edits), sheet_(editor, edits) {}

  // Into the next `width` pixels; a text of several lines takes more of the height.
  void draw(const Param& param, float width);
  // How tall it gets.
  float height(const Param& param) const;
  // What needs more room than a line has: under it, `width` wide, with names that are `label` wide.
  void draw_below(const Param& param, float width, float label);
  // How tall that gets; 0: there is nothing.
  float height_below(const Param& param) const;

 private:
  void draw_links(const Param& param, float width);
  void draw_link(const LinkDoc& link, float width);
  // A number was asked for that lies outside of the range.
  void say_range(const Param& param);
  void draw_number(const Param& param, float width);
  void draw_vector(const Param& param, float width);
  void draw_bool(const Param& param);
  void draw_choice(const Param& param, float width);
  void draw_text(const Param& param, float width);
  void draw_file(const Param& param, float width);
  void draw_chart(const Param& param, float width);
  void draw_handmade(const Param& param, float width);
  void draw_candidates(const Param& param, float width);
  void draw_note(const Param& param, const std::string& text, float width);

  Editor& editor_;
  ParamEdits& edits_;
  SheetWidget sheet_;
  std::string choice_filter_;
};

// A value of a few numbers, as text; empty for others.
std::string short_text(const Value& value);

}  // namespace sinew::editor
