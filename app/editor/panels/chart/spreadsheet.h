// Two columns of numbers as spreadsheets copy them, and back.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/editor/panels/chart/curve_model.h"

namespace sinew::editor {

struct Columns {
  std::vector<CurvePoint> points;
  int skipped = 0;  // lines that are no two numbers, after the first ones: headings are no mistake
};

// Between the columns are tabs, semicolons, commas or spaces. Where the columns are apart without
// a comma, a comma is a decimal one.
Columns read_columns(std::string_view text);
// With tabs between the columns.
std::string write_columns(const std::vector<CurvePoint>& points);

}  // namespace sinew::editor
