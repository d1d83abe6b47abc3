#include "render/contact_sheet.h"

#include <algorithm>
#include <cstdint>

namespace sinew::render {
namespace {

int64_t length(int count, int cell, int gap) {
  return static_cast<int64_t>(count) * (static_cast<int64_t>(cell) + gap) + gap;
}

}  // namespace

Size SheetLayout::size() const {
  if (!is_possible(*this)) return {};
  return {static_cast<int>(length(columns, cell_width, gap)),
          static_cast<int>(length(rows, cell_height, gap))};
}

bool is_possible(const SheetLayout& layout) {
  const auto within = [](int n, int least) { return n >= least && n <= max_picture_side; };
  return within(layout.columns, 1) && within(layout.rows, 1) && within(layout.cell_width, 1) &&
         within(layout.cell_height, 1) && within(layout.gap, 0) &&
         length(layout.columns, layout.cell_width, layout.gap) <= max_picture_side &&
         length(layout.rows, layout.cell_height, layout.gap) <= max_picture_side;
}

Picture empty_sheet(const SheetLayout& layout) {
  const Size size = layout.size();
  return filled(size.width, size.height, layout.background);
}

void place_on_sheet(Picture& sheet, const SheetLayout& layout, int cell, const Picture& picture) {
  if (cell < 0 || !is_possible(layout) || cell >= layout.cells()) return;
  const Size size = fitted(picture, layout.cell_width, layout.cell_height);
  const int column = cell % layout.columns, row = cell / layout.columns;
  const int left = layout.gap + column * (layout.cell_width + layout.gap);
  const int top = layout.gap + row * (layout.cell_height + layout.gap);
  draw_over(sheet, scaled(picture, size.width, size.height),
            left + (layout.cell_width - size.width) / 2,
            top + (layout.cell_height - size.height) / 2);
}

Picture contact_sheet(std::span<const Picture> pictures, const SheetLayout& layout) {
  Picture sheet = empty_sheet(layout);
  if (sheet.empty()) return sheet;
  const int count = static_cast<int>(std::min<size_t>(pictures.size(), layout.cells()));
  for (int i = 0; i < count; ++i) place_on_sheet(sheet, layout, i, pictures[i]);
  return sheet;
}

}  // namespace sinew::render
