#include "app/editor/panels/inspector/sheet.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/ui/landmarks.h"
#include "app/ui/number_box.h"
#include "app/ui/text_box.h"
#include "app/ui/widgets.h"
#include "graph/label.h"

namespace sinew::editor {
namespace {

constexpr std::size_t most_rows_seen = 10;  // of more, the table scrolls

const SheetForm& form_of(const Param& param) { return *literal_forms(*param.info->type).sheet; }

float line_height() { return ImGui::GetFrameHeight() + 2 * ImGui::GetStyle().CellPadding.y; }
float head_width() { return ui::px(26); }
float lead_width() { return ui::px(60); }

// Wide enough for numbers and for most names; what is left over is shared.
std::vector<float> cell_widths(const SheetForm& form, const Sheet& sheet, float width) {
  std::vector<float> widths;
  float all = 0;
  for (const std::string& name : sheet.columns) {
    const float text = ImGui::CalcTextSize(name.c_str()).x + ui::px(12);
    widths.push_back(std::ceil(std::clamp(text, ui::px(56), ui::px(110))));
    all += widths.back();
  }
  const float room = width - head_width() - static_cast<float>(form.lead.size()) * lead_width();
  if (widths.empty() || all >= room) return widths;
  const float more = std::floor((room - all) / static_cast<float>(widths.size()));
  for (float& one : widths) one += more;
  return widths;
}

bool has_scroll_bar(const SheetForm& form, const Sheet& sheet, float width) {
  float all = head_width() + static_cast<float>(form.lead.size()) * lead_width();
  for (const float one : cell_widths(form, sheet, width)) all += one;
  return all > width + 1;
}

// A range that only keeps nonsense out would make a hand too coarse: then only its lower end counts
// while one drags, and the literal is checked as a whole.
ui::NumberBox box_of(const NumberForm& form) {
  ui::NumberBox box;
  const double usual = std::max(std::abs(form.standard), 1.0);
  const bool close = form.max - form.min <= 20 * usual;
  box.min = form.min;
  box.max = close ? form.max : std::numeric_limits<double>::infinity();
  box.standard = form.standard == 0 ? 1 : form.standard;
  box.unit = form.unit;
  return box;
}

double largest_cell(const SheetForm& form, const Sheet& sheet) {
  double largest = 0;
  for (const std::vector<double>& row : sheet.rows)
    for (std::size_t i = form.lead.size(); i < row.size(); ++i)
      largest = std::max(largest, std::abs(row[i]));
  return largest;
}

std::vector<double> fresh_row(const SheetForm& form, const Sheet& sheet) {
  if (!sheet.rows.empty()) return sheet.rows.back();
  std::vector<double> row;
  for (const NumberForm& lead : form.lead) row.push_back(lead.standard);
  row.resize(form.lead.size() + sheet.columns.size(), form.cell.standard);
  return row;
}

bool item(const char* label, bool enabled = true) {
  const bool chosen = ImGui::MenuItem(label, nullptr, false, enabled);
  ui::mark("item", label);
  return chosen;
}

// So many words of one thing: "3 poses".
std::string counted(std::size_t count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace

bool SheetWidget::is_for(const Param& param) {
  // One that nobody needs to give is no empty table, but a socket.
  if (param.info->optional && !param.value) return false;
  return literal_forms(*param.info->type).sheet && !param.linked && !param.recorded &&
         !param.animated;
}

Sheet SheetWidget::read(const Param& param) {
  const SheetForm& form = form_of(param);
  if (param.value) return form.read(param.value.data());
  const Result<Value> fresh = param.info->type->from_json(Json::object());
  return fresh ? form.read(fresh->data()) : Sheet();
}

bool SheetWidget::change(const Param& param, const Sheet& sheet, bool going_on,
                         const std::string& verb) {
  const Result<Json> literal = form_of(param).write(sheet);
  if (!literal) {
    editor_.notify(NoticeKind::warning, literal.error());
    edits_.finish();
    return false;
  }
  edits_.set(param, *literal, going_on, verb);
  return true;
}

float SheetWidget::height(const Param& param) const {
  const Sheet sheet = read(param);
  const SheetForm& form = form_of(param);
  const float gap = ImGui::GetStyle().ItemSpacing.y, line = ImGui::GetFrameHeight();
  const auto rows = static_cast<float>(std::min(sheet.rows.size(), most_rows_seen) + 1);
  const float width = ImGui::GetContentRegionAvail().x;
  const float bar = has_scroll_bar(form, sheet, width) ? ImGui::GetStyle().ScrollbarSize : 0;
  return rows * line_height() + bar + ui::px(2) +
         static_cast<float>(1 + form.whole.size()) * (line + gap);
}

// What there is, and the way to the curves.
void SheetWidget::draw_head(const Param& param, float width) {
  const SheetForm& form = form_of(param);
  const Sheet sheet = read(param);
  const bool curves = literal_forms(*param.info->type).curves.has_value();
  const float button = curves ? ui::px(60) : 0, gap = ui::px(3);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + ImGui::GetStyle().FramePadding.y));
  const float room = std::max(width - button - gap, 1.0f);
  const std::string rows = counted(sheet.rows.size(), form.row);
  const std::string text = fmt::format("{}, {}", rows, counted(sheet.columns.size(), form.column));
  const bool fits = ImGui::CalcTextSize(text.c_str()).x <= room;
  ui::clipped_text(param.several ? "several" : fits ? text : rows, room, ui::theme().dim);
  ui::hover_text(text);
  if (!curves) return;
  ImGui::SetCursorScreenPos(ImVec2(at.x + width - button, at.y));
  if (ImGui::Button("Curves", ImVec2(button, 0))) edits_.open_chart(param);
  ui::mark("chart_button", param.info->name);
  ui::hover_text(fmt::format("Each {} as a curve, to be drawn by hand", form.column));
}

void SheetWidget::draw(const Param& param, float width, float label) {
  ImGui::PushID("sheet");
  ImGui::BeginGroup();
  draw_table(param, width);
  draw_buttons(param, width);
  for (std::size_t i = 0; i < form_of(param).whole.size(); ++i) draw_whole(param, i, width, label);
  ImGui::EndGroup();
  ImGui::PopID();
}

void SheetWidget::draw_table(const Param& param, float width) {
  const SheetForm& form = form_of(param);
  Sheet sheet = read(param);
  const std::vector<float> cells = cell_widths(form, sheet, width);
  const bool scrolls = has_scroll_bar(form, sheet, width);
  const auto rows = static_cast<float>(std::min(sheet.rows.size(), most_rows_seen) + 1);
  const float high =
      rows * line_height() + (scrolls ? ImGui::GetStyle().ScrollbarSize : 0) + ui::px(2);
  ImGuiTableFlags flags = ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoPadOuterX |
                          ImGuiTableFlags_NoPadInnerX | ImGuiTableFlags_ScrollX;
  if (sheet.rows.size() > most_rows_seen) flags |= ImGuiTableFlags_ScrollY;
  const int columns = static_cast<int>(1 + form.lead.size() + sheet.columns.size());
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(0, ImGui::GetStyle().CellPadding.y));
  const bool open = ImGui::BeginTable("table", columns, flags, ImVec2(width, high));
  if (open) {
    ImGui::TableSetupScrollFreeze(1, 1);
    ImGui::TableSetupColumn("##row", 0, head_width());
    for (const NumberForm& lead : form.lead)
      ImGui::TableSetupColumn(lead.name.c_str(), 0, lead_width());
    for (std::size_t i = 0; i < cells.size(); ++i)
      ImGui::TableSetupColumn(sheet.columns[i].c_str(), 0, cells[i]);
    draw_heads(param, sheet, cells);
    // A change makes another sheet; the rest of the frame shows it as it will be.
    for (std::size_t row = 0; row < sheet.rows.size(); ++row) draw_row(param, sheet, row, cells);
    if (carried_ && !ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
      carried_.reset();
      if (std::exchange(has_moved_, false)) edits_.finish();
    }
    ImGui::EndTable();
  }
  ImGui::PopStyleVar();
}

void SheetWidget::draw_heads(const Param& param, Sheet& sheet, const std::vector<float>& cells) {
  const SheetForm& form = form_of(param);
  ImGui::TableNextRow(ImGuiTableRowFlags_None, line_height());
  ImGui::TableNextColumn();
  for (const NumberForm& lead : form.lead) {
    ImGui::TableNextColumn();
    ImGui::AlignTextToFramePadding();
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ui::px(4));
    ui::clipped_text(label_from_name(lead.name), lead_width() - ui::px(8), ui::theme().dim);
    ui::hover_text(label_from_name(lead.name), lead.doc);
  }
  for (std::size_t i = 0; i < std::min(sheet.columns.size(), cells.size()); ++i) {
    ImGui::TableNextColumn();
    ImGui::PushID(static_cast<int>(i));
    const std::string name = sheet.columns[i];
    ImGui::PushStyleColor(ImGuiCol_Button, IM_COL32(0, 0, 0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_ButtonTextAlign, ImVec2(0, 0.5f));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                        ImVec2(ui::px(4), ImGui::GetStyle().FramePadding.y));
    if (ImGui::Button((ui::clipped(name, cells[i] - ui::px(8)) + "##head").c_str(),
                      ImVec2(cells[i] - ui::px(2), 0)))
      ImGui::OpenPopup("column");
    ImGui::PopStyleVar(2);
    ImGui::PopStyleColor();
    ui::mark("sheet_column", param.info->name + "." + name);
    ui::hover_text(name, "Click: rename, move, remove");
    draw_column_menu(param, sheet, i);
    ImGui::PopID();
  }
}

void SheetWidget::draw_row(const Param& param, Sheet& sheet, std::size_t row,
                           const std::vector<float>& cells) {
  const SheetForm& form = form_of(param);
  const double largest = largest_cell(form, sheet);
  ImGui::TableNextRow(ImGuiTableRowFlags_None, line_height());
  ImGui::PushID(static_cast<int>(row));
  ImGui::TableNextColumn();
  draw_row_head(param, sheet, row);
  const std::size_t count = form.lead.size() + cells.size();
  for (std::size_t i = 0; i < count && i < sheet.rows[row].size(); ++i) {
    ImGui::TableNextColumn();
    const float wide = i < form.lead.size() ? lead_width() : cells[i - form.lead.size()];
    draw_cell(param, sheet, row, i, wide - ui::px(2), largest);
    if (row >= sheet.rows.size()) break;
  }
  ImGui::PopID();
}

// The number of a row: a click opens its menu, a drag carries the row to another place.
void SheetWidget::draw_row_head(const Param& param, Sheet& sheet, std::size_t row) {
  ImGui::PushStyleColor(ImGuiCol_Button, IM_COL32(0, 0, 0, 0));
  ImGui::PushStyleColor(ImGuiCol_Text, ui::theme().dim);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0, ImGui::GetStyle().FramePadding.y));
  const bool pressed =
      ImGui::Button(fmt::format("{}", row + 1).c_str(), ImVec2(head_width() - ui::px(3), 0));
  ImGui::PopStyleVar();
  ImGui::PopStyleColor(2);
  ui::mark("sheet_row", fmt::format("{}.{}", param.info->name, row));
  if (ImGui::IsItemHovered())
    editor_.hint(fmt::format("Drag: put the {0} elsewhere   Click: duplicate, move, remove",
                             form_of(param).row));
  if (ImGui::IsItemActivated()) carried_ = row;
  const float y = ImGui::GetMousePos().y;
  const bool here = y >= ImGui::GetItemRectMin().y && y < ImGui::GetItemRectMax().y;
  if (carried_ && *carried_ != row && *carried_ < sheet.rows.size() && here) {
    std::vector<double> moved = std::move(sheet.rows[*carried_]);
    sheet.rows.erase(sheet.rows.begin() + static_cast<std::ptrdiff_t>(*carried_));
    sheet.rows.insert(sheet.rows.begin() + static_cast<std::ptrdiff_t>(row), std::move(moved));
    carried_ = row;
    has_moved_ = true;
    (void)change(param, sheet, true, fmt::format("Move a {} of", form_of(param).row));
  }
  if (pressed && !has_moved_) ImGui::OpenPopup("row");
  draw_row_menu(param, sheet, row);
}

void SheetWidget::draw_cell(const Param& param, Sheet& sheet, std::size_t row, std::size_t column,
                            float width, double largest) {
  const SheetForm& form = form_of(param);
  const bool lead = column < form.lead.size();
  const NumberForm& how = lead ? form.lead[column] : form.cell;
  const std::string name = lead ? how.name : sheet.columns[column - form.lead.size()];
  ImGui::PushID(static_cast<int>(column));
  double x = sheet.rows[row][column];
  ImGui::SetNextItemWidth(width);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ui::NumberChange changed = ui::number_box("cell", x, box_of(how));
  ui::mark("cell", fmt::format("{}.{}.{}", param.info->name, row, name));
  if (ImGui::IsItemHovered())
    editor_.hint("Drag: change   Shift: finer   Ctrl: coarser   Click: type   Tab: the next one");
  // How large it is among the others, from the middle to its side.
  if (!lead && largest > 0 && x != 0) {
    const float middle = at.x + width / 2, bottom = at.y + ImGui::GetFrameHeight();
    const float to = middle + static_cast<float>(x / largest) * (width / 2 - ui::px(3));
    ImGui::GetWindowDrawList()->AddRectFilled(
        ImVec2(std::min(middle, to), bottom - ui::px(3)),
        ImVec2(std::max(middle, to), bottom - ui::px(1)),
        x > 0 ? ui::theme().accent : ui::type_colour(0x5AB0F0), ui::px(1));
  }
  ImGui::PopID();
  if (changed.changed) {
    sheet.rows[row][column] = x;
    (void)change(param, sheet, !changed.finished);
  }
  if (changed.finished) edits_.finish();
}

void SheetWidget::draw_row_menu(const Param& param, Sheet& sheet, std::size_t row) {
  if (!ImGui::BeginPopup("row")) return;
  const auto at = sheet.rows.begin() + static_cast<std::ptrdiff_t>(row);
  const bool first = row == 0, last = row + 1 == sheet.rows.size();
  const char* verb = nullptr;
  if (item("Duplicate"))
    verb = "Duplicate", sheet.rows.insert(at + 1, std::vector<double>(*at));
  else if (item("Move up", !first))
    verb = "Move", std::iter_swap(at, at - 1);
  else if (item("Move down", !last))
    verb = "Move", std::iter_swap(at, at + 1);
  else if (item("Remove", sheet.rows.size() > 1))
    verb = "Remove", sheet.rows.erase(at);
  ImGui::EndPopup();
  if (verb) (void)change(param, sheet, false, fmt::format("{} a {} of", verb, form_of(param).row));
}

void SheetWidget::draw_column_menu(const Param& param, Sheet& sheet, std::size_t column) {
  if (!ImGui::BeginPopup("column")) return;
  const SheetForm& form = form_of(param);
  const auto in_row = static_cast<std::ptrdiff_t>(form.lead.size() + column);
  const auto in_names = static_cast<std::ptrdiff_t>(column);
  const auto swap_with = [&](std::ptrdiff_t other) {
    std::iter_swap(sheet.columns.begin() + in_names, sheet.columns.begin() + in_names + other);
    for (std::vector<double>& row : sheet.rows)
      std::iter_swap(row.begin() + in_row, row.begin() + in_row + other);
  };
  ImGui::SetNextItemWidth(ui::px(150));
  const auto renamed = ui::text_box("##name", sheet.columns[column], {"name"});
  ui::mark("sheet", "name");
  const char* verb = nullptr;
  if (renamed)
    verb = "Rename", sheet.columns[column] = *renamed;
  else if (item("Move left", column > 0))
    verb = "Move", swap_with(-1);
  else if (item("Move right", column + 1 < sheet.columns.size()))
    verb = "Move", swap_with(1);
  else if (item("Remove")) {
    verb = "Remove";
    sheet.columns.erase(sheet.columns.begin() + in_names);
    for (std::vector<double>& row : sheet.rows) row.erase(row.begin() + in_row);
  }
  if (verb && change(param, sheet, false, fmt::format("{} a {} of", verb, form.column)))
    ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

void SheetWidget::draw_buttons(const Param& param, float width) {
  const SheetForm& form = form_of(param);
  const float gap = ui::px(4), each = (width - gap) / 2;
  if (ImGui::Button(fmt::format("Add a {}", form.row).c_str(), ImVec2(each, 0))) {
    Sheet sheet = read(param);
    sheet.rows.push_back(fresh_row(form, sheet));
    (void)change(param, sheet, false, fmt::format("Add a {} to", form.row));
  }
  ui::mark("sheet_add", param.info->name + ".row");
  ui::hover_text(fmt::format("Another {} behind the last, like it", form.row));
  ImGui::SameLine(0, gap);
  if (ImGui::Button(fmt::format("Add a {}", form.column).c_str(), ImVec2(each, 0))) {
    new_name_.clear();
    ImGui::OpenPopup("new column");
  }
  ui::mark("sheet_add", param.info->name + ".column");
  ui::hover_text(fmt::format("Another {}, by its name", form.column));
  draw_new_column(param);
}

void SheetWidget::draw_new_column(const Param& param) {
  if (!ImGui::BeginPopup("new column")) return;
  const SheetForm& form = form_of(param);
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(ui::px(150));
  const bool entered =
      ImGui::InputTextWithHint("##new", fmt::format("name of the {}", form.column).c_str(),
                               &new_name_, ImGuiInputTextFlags_EnterReturnsTrue);
  ui::mark("sheet", "new_name");
  ImGui::SameLine();
  if (ImGui::Button("Add") || entered) {
    Sheet sheet = read(param);
    sheet.columns.push_back(new_name_);
    for (std::vector<double>& row : sheet.rows) row.push_back(form.cell.standard);
    if (change(param, sheet, false, fmt::format("Add a {} to", form.column)))
      ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

void SheetWidget::draw_whole(const Param& param, std::size_t index, float width, float label) {
  const NumberForm& how = form_of(param).whole[index];
  Sheet sheet = read(param);
  if (index >= sheet.whole.size()) return;
  ImGui::PushID(static_cast<int>(index));
  const float x = ImGui::GetCursorPosX();
  ImGui::AlignTextToFramePadding();
  ui::clipped_text(label_from_name(how.name), label - ui::px(6), ui::theme().dim);
  ui::hover_text(label_from_name(how.name), how.doc);
  ImGui::SameLine();
  ImGui::SetCursorPosX(x + label);
  ImGui::SetNextItemWidth(width - label);
  const ui::NumberChange changed = ui::number_box("whole", sheet.whole[index], box_of(how));
  ui::mark("cell", param.info->name + "." + how.name);
  ImGui::PopID();
  if (changed.changed) (void)change(param, sheet, !changed.finished);
  if (changed.finished) edits_.finish();
}

}  // namespace sinew::editor
