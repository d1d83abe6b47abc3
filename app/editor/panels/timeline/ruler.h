// The ruler of the timeline: frames from left to right, where time is, what part is played again
// and again, what is known of each frame.
#pragma once

#include <imgui.h>

#include "app/editor/editor.h"
#include "app/editor/panels/timeline/keys.h"

namespace sinew::editor {

class Ruler {
 public:
  explicit Ruler(Editor& editor) : editor_(editor), keys_(editor) {}

  // Fills the rest of the current window.
  void draw();
  KeyLane& keys() { return keys_; }

 private:
  // Which frames lie between the left and the right end.
  struct Span {
    int first = 0, last = 1;
    float left = 0, right = 1;
    float x(double frame) const;
    double frame(float x) const;
  };
  enum class Drag : unsigned char { none, scrub, loop_in, loop_out };

  Span span(ImVec2 at, ImVec2 size) const;
  void draw_ticks(const Span& span, float top, float bottom) const;
  void draw_loop(const Span& span, float top, float bottom);
  void draw_frames(const Span& span, float top, float bottom);
  void draw_playhead(const Span& span, float top, float bottom) const;
  void handle_mouse(const Span& span, float top, float lane);
  Drag under_mouse(const Span& span, float lane_bottom) const;

  Editor& editor_;
  KeyLane keys_;
  Drag drag_ = Drag::none;
};

}  // namespace sinew::editor
