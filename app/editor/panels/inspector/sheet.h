// A literal that is a sheet of numbers (graph/literal_forms.h), as a table: cells are dragged and
// typed into, rows and columns come, go, change places and get names. Each is one step.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/editor/panels/inspector/param.h"
#include "graph/literal_forms.h"

namespace sinew::editor {

class SheetWidget {
 public:
  SheetWidget(Editor& editor, ParamEdits& edits) : editor_(editor), edits_(edits) {}

  // Whether the parameter is shown so.
  static bool is_for(const Param& param);
  // In the line of its name: how much there is.
  void draw_head(const Param& param, float width);
  // The table with what belongs to it, as wide as that; names of numbers are so wide.
  void draw(const Param& param, float width, float label);
  float height(const Param& param) const;

 private:
  static Sheet read(const Param& param);
  // What is wrong with it is said, and then nothing changes.
  bool change(const Param& param, const Sheet& sheet, bool going_on = false,
              const std::string& verb = "Set");
  void draw_table(const Param& param, float width);
  void draw_heads(const Param& param, Sheet& sheet, const std::vector<float>& cells);
  void draw_row(const Param& param, Sheet& sheet, std::size_t row, const std::vector<float>& cells);
  void draw_row_head(const Param& param, Sheet& sheet, std::size_t row);
  void draw_cell(const Param& param, Sheet& sheet, std::size_t row, std::size_t column, float width,
                 double largest);
  void draw_row_menu(const Param& param, Sheet& sheet, std::size_t row);
  void draw_column_menu(const Param& param, Sheet& sheet, std::size_t column);
  void draw_buttons(const Param& param, float width);
  void draw_new_column(const Param& param);
  void draw_whole(const Param& param, std::size_t index, float width, float label);

  Editor& editor_;
  ParamEdits& edits_;
  std::string new_name_;
  std::optional<std::size_t> carried_;  // the row whose number a hand holds
  bool has_moved_ = false;              // it was carried to another place
};

}  // namespace sinew::editor
