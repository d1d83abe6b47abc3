// Small signs, drawn with lines: sharp at every size, and no font is needed for them.
#pragma once

#include <imgui.h>

#include <cstdint>

namespace sinew::ui {

enum class Icon : uint8_t {
  play,
  pause,
  stop,
  step_forward,
  step_back,
  to_start,
  to_end,
  loop,
  record,
  eye,
  eye_off,
  plus,
  minus,
  cross,
  check,
  folder,
  file,
  search,
  warning,
  error,
  info,
  undo,
  redo,
  camera,
  brush,
  hand,
  finger,
  cube,
  chart,
  link,
  mute,
  star,
  clock,
  save,
  list,
  table,
  right,
  down,
  left,
  up,
  reset,
  dots,
  home,
  pointer,
  erase,
  bake,
};

void draw_icon(ImDrawList& list, Icon icon, ImVec2 centre, float size, ImU32 colour);

}  // namespace sinew::ui
