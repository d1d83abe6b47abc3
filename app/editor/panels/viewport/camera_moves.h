// How the eye moves: by the mouse, by name, and smoothly from one view to another.
#pragma once

#include "app/editor/panels/viewport/sight.h"

namespace sinew::editor {

class CameraMoves {
 public:
  explicit CameraMoves(Sight& sight) : sight_(sight) {}

  // Goes on with a move that was begun.
  void update();
  // Smoothly, in a part of a second.
  void go_to(const render::Camera& camera);
  void frame(const render::Box& box);
  // "front": the direction only; what is in the picture stays there.
  void turn_to(std::string_view view);
  void set_pivot(const Vector3f& point);
  void toggle_parallel();

  // By pixels.
  void orbit(ImVec2 by);
  void pan(ImVec2 by);
  // Towards what is under the mouse.
  void zoom(float notches, ImVec2 towards);

  // The small axes in the corner; true if the mouse is over them.
  bool draw_axes(ImDrawList& list, bool mouse_is_free);

  // A move under way ends where it is.
  void stop() { moving_ = false; }

 private:
  Sight& sight_;
  bool moving_ = false;
  double began_ = 0;
  render::Camera from_, to_;
};

}  // namespace sinew::editor
