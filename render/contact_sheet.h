// Many pictures on one: frames of a motion side by side.
#pragma once

#include <span>

#include "render/picture.h"

namespace sinew::render {

struct SheetLayout {
  int columns = 4, rows = 2;
  int cell_width = 480, cell_height = 270;  // pixels
  int gap = 8;                              // between cells, and around all of them
  Pixel background{255, 255, 255, 255};

  Size size() const;  // of the whole sheet
  int cells() const { return columns * rows; }
};

// Whether the sheet has cells and stays within the bounds of a picture.
bool is_possible(const SheetLayout& layout);

// For sheets whose pictures come one after another: an empty one, and one picture on it, in reading
// order. The picture is scaled to fit its cell and stands in the middle of it.
Picture empty_sheet(const SheetLayout& layout);
void place_on_sheet(Picture& sheet, const SheetLayout& layout, int cell, const Picture& picture);

// All at once. Cells without a picture stay empty; pictures without a cell are left out.
Picture contact_sheet(std::span<const Picture> pictures, const SheetLayout& layout);

}  // namespace sinew::render
