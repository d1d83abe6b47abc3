// The small controls around the plane: tabs of the curves, ready-made curves, the form of the curve
// in front, and the numbers of the chosen points.
#pragma once

#include "app/editor/panels/chart/board.h"

namespace sinew::editor {

// Whose charts they are.
void draw_owner(ChartBoard& board);
void draw_curve_tabs(ChartBoard& board);
void draw_form(ChartBoard& board);
void draw_numbers(ChartBoard& board);

}  // namespace sinew::editor
