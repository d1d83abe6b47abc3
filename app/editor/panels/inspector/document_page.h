// What the inspector shows when no node is chosen: the document itself.
#pragma once

#include "app/editor/editor.h"

namespace sinew::editor {

class DocumentPage {
 public:
  explicit DocumentPage(Editor& editor) : editor_(editor) {}
  void draw();

 private:
  void draw_meta();
  void draw_settings();
  void draw_counts();
  void set(Meta meta, const char* what);
  // While a slider is dragged, all of it is one step.
  void set(Settings settings, const char* what, bool going_on);

  Editor& editor_;
  uint64_t drags_ = 0;
};

}  // namespace sinew::editor
