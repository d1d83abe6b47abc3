// The box of a number: a slider that can be dragged, and a text box when it is clicked.
//
//   drag          changes it; Shift: ten times finer, Ctrl: ten times coarser; Escape: as before
//   click, Enter  opens it for typing: "12 cm", "3*4"; Tab goes on to the next box
//   Alt + wheel   nudges it
//
// A range with both ends is shown as a bar; where it spans decades, the bar and the drag do too.
#pragma once

#include <limits>
#include <string_view>

#include "app/ui/theme.h"

namespace sinew::ui {

struct NumberBox {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  double standard = 0;    // what it usually is: how fast a drag goes where there is no range
  bool whole = false;     // whole numbers only
  std::string_view unit;  // "m": shown, and what typed units are converted into
  std::string_view name;  // a letter in front: x, y, z
  ImU32 tint = 0;         // of the bar; 0: the usual
  bool several = false;   // stands for several that differ
  bool enabled = true;
};

struct NumberChange {
  bool changed = false;   // there is a new value
  bool finished = false;  // a drag, some nudges or the typing ended: the next is a step of its own
  bool clamped = false;   // what was asked for is outside of the range
};

// As wide as the next item.
NumberChange number_box(const char* id, double& value, const NumberBox& how);

// Whether a box is open for typing.
bool typing_a_number();

}  // namespace sinew::ui
