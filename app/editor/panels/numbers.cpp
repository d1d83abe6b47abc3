// The numbers of what the chosen node gives: facts about the whole, and a table of its parts.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <future>

#include "app/editor/editor.h"
#include "app/editor/titles.h"
#include "app/ui/landmarks.h"
#include "app/ui/units.h"
#include "app/ui/widgets.h"

namespace sinew::editor {
namespace {

constexpr std::size_t most_copied = 20000;  // rows: more is not for a clipboard

// Facts about a value, found beside the interface: whether a large mesh is closed takes a while.
class Facts {
 public:
  // True when there is something new.
  bool update(const Value& value, const Key& key) {
    using namespace std::chrono_literals;
    bool news = false;
    if (work_.valid() && work_.wait_for(0s) == std::future_status::ready) {
      facts_ = work_.get();
      news = true;
    }
    if (!work_.valid() && asked_ != key) {
      asked_ = key;
      work_ = std::async(std::launch::async, [value] {
        return value && value.type()->describe ? value.type()->describe(value.data()) : Json();
      });
    }
    return news;
  }
  bool busy() const { return work_.valid(); }
  void wait() const {
    if (work_.valid()) work_.wait();
  }
  const Json& get() const { return facts_; }

 private:
  std::future<Json> work_;
  Key asked_;
  Json facts_;
};

// Numbers in facts as a person would write them.
std::string fact_text(const Json& fact) {
  if (fact.is_number_float()) return ui::number_text(fact.get<double>());
  if (fact.is_string()) return fact.get<std::string>();
  if (fact.is_boolean()) return fact.get<bool>() ? "yes" : "no";
  std::string text;
  if (fact.is_array())
    for (const Json& part : fact) text += (text.empty() ? "" : ", ") + fact_text(part);
  else if (fact.is_object())
    for (const auto& [name, part] : fact.items())
      text += fmt::format("{}{} {}", text.empty() ? "" : "\n", name, fact_text(part));
  else
    text = fact.dump();
  return text;
}

std::string words(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

class Numbers : public Panel {
 public:
  explicit Numbers(Editor& editor) : editor_(editor) {}

  void draw() override {
    const NodeDoc* node = editor_.session.active();
    if (!node) return ui::empty_note("Choose a node to see the numbers that it gives.");
    const std::vector<OutputInfo>& outputs = editor_.session.outputs_of(*node);
    if (outputs.empty()) return ui::empty_note("This node gives nothing.");
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui::px(8), ui::px(6)));
    ImGui::BeginChild("numbers", ImVec2(0, 0), ImGuiChildFlags_AlwaysUseWindowPadding);
    ImGui::PopStyleVar();
    draw_fold();
    const std::size_t output = choose_output(*node, outputs);
    draw_output(*node, output);
    ImGui::EndChild();
  }
  void settle() override { facts_.wait(); }

 private:
  // The one that was chosen last, if this node has such a one; else its first.
  std::size_t choose_output(const NodeDoc& node, const std::vector<OutputInfo>& outputs) {
    auto now = std::find_if(outputs.begin(), outputs.end(),
                            [&](const OutputInfo& out) { return out.name == output_; });
    if (now == outputs.end()) now = outputs.begin();
    const std::string title = title_of(editor_.session, node);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - ImGui::GetFrameHeight() - ui::px(4));
    const bool open =
        ImGui::BeginCombo("##output", fmt::format("{} . {}", title, now->label).c_str());
    ui::mark("numbers", "output");
    if (!open) return static_cast<std::size_t>(now - outputs.begin());
    for (const OutputInfo& out : outputs) {
      if (ImGui::Selectable(out.label.c_str(), &out == &*now)) output_ = out.name;
      ui::mark("output", out.name);
    }
    ImGui::EndCombo();
    return static_cast<std::size_t>(now - outputs.begin());
  }

  void draw_output(const NodeDoc& node, std::size_t output) {
    const std::string path = editor_.session.path_of(node.id);
    const int index = static_cast<int>(output);
    editor_.player.watch({editor_.session.graph()->find_node(path), index});
    const auto& shot = editor_.player.shot();
    const TargetResult* result = shot ? shot->result(path, index) : nullptr;
    if (result) {
      value_ = result->value;
      key_ = result->key;
      of_ = {path, output};
    } else if (of_ != std::pair(path, output) || !editor_.player.busy()) {
      value_ = {};
    }
    if (!value_) {
      ImGui::NewLine();
      return ui::empty_note(editor_.player.busy() ? "It is being computed." : "There is no value.");
    }
    const std::vector<ValueTable> tables =
        value_.type()->tables ? value_.type()->tables(value_.data()) : std::vector<ValueTable>();
    ImGui::SameLine(0, ui::px(4));
    const bool copies = ui::icon_button("copy", ui::Icon::file, "Copy the table, for a spreadsheet",
                                        false, !tables.empty());
    ui::mark("numbers", "copy");
    if (facts_.update(value_, key_) || facts_.busy()) editor_.want_frames(0.1);
    // The table is what the panel is for: facts are folded away above it, where there is one.
    if (tables.empty() || unfolded_) draw_facts();
    if (tables.empty()) return;
    choose_table(tables);
    if (copies) copy(tables[table_]);
    draw_table(tables[table_]);
  }

  void draw_fold() {
    unfolded_ = editor_.preferences.get("numbers.facts", false);
    if (ImGui::ArrowButton("facts", unfolded_ ? ImGuiDir_Down : ImGuiDir_Right))
      editor_.preferences.set("numbers.facts", !unfolded_);
    ui::mark("numbers", "facts");
    ui::hover_text("Facts about the whole");
    ImGui::SameLine(0, ui::px(4));
  }

  void draw_facts() {
    if (!facts_.get().is_object()) return;
    if (!ImGui::BeginTable("facts", 2, ImGuiTableFlags_SizingFixedFit)) return;
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed);
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
    for (const auto& [name, fact] : facts_.get().items()) {
      // A list of things is the table below.
      if (fact.is_array() && !fact.empty() && !fact.front().is_number()) continue;
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ui::clipped_text(words(name), ui::px(110), ui::theme().dim);
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(fact_text(fact).c_str());
    }
    ImGui::EndTable();
  }

  void choose_table(const std::vector<ValueTable>& tables) {
    if (table_ >= tables.size()) table_ = 0;
    if (tables.size() < 2) return;
    for (std::size_t i = 0; i < tables.size(); ++i) {
      if (i > 0) ImGui::SameLine();
      const std::string label = fmt::format("by {}", tables[i].rows_are);
      if (ImGui::RadioButton(label.c_str(), table_ == i)) table_ = i;
      ui::mark("table", tables[i].rows_are);
    }
  }

  void draw_table(const ValueTable& table) {
    const bool counted = !table.rows_are.empty();
    const int columns = static_cast<int>(table.columns.size()) + (counted ? 1 : 0);
    const ImGuiTableFlags flags = ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY |
                                  ImGuiTableFlags_ScrollX | ImGuiTableFlags_BordersInnerV |
                                  ImGuiTableFlags_Resizable | ImGuiTableFlags_SizingFixedFit;
    // Where facts leave less, the whole panel scrolls.
    const float line = ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y;
    const float least = 9 * line + ImGui::GetStyle().ScrollbarSize;
    const ImVec2 room(0, std::max(ImGui::GetContentRegionAvail().y, least));
    if (!ImGui::BeginTable("table", columns, flags, room)) return;
    ImGui::TableSetupScrollFreeze(counted ? 1 : 0, 1);
    if (counted) ImGui::TableSetupColumn(table.rows_are.c_str(), 0, ui::px(64));
    for (const std::string& name : table.columns)
      ImGui::TableSetupColumn(name.c_str(), 0, ui::px(84));
    ImGui::TableHeadersRow();
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(std::min<std::size_t>(table.rows, most_rows)));
    while (clipper.Step()) {
      for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row) {
        ImGui::TableNextRow();
        if (counted) {
          ImGui::TableNextColumn();
          ImGui::TextDisabled("%d", row);
        }
        for (std::size_t c = 0; c < table.columns.size(); ++c) {
          ImGui::TableNextColumn();
          ImGui::TextUnformatted(table.cell(static_cast<std::size_t>(row), c).c_str());
        }
      }
    }
    ImGui::EndTable();
    ui::mark("numbers", "table");
  }

  void copy(const ValueTable& table) {
    std::string text = table.rows_are;
    for (const std::string& name : table.columns) text += (text.empty() ? "" : "\t") + name;
    text += "\n";
    const std::size_t rows = std::min(table.rows, most_copied);
    for (std::size_t row = 0; row < rows; ++row) {
      std::string line = table.rows_are.empty() ? "" : fmt::format("{}", row);
      for (std::size_t c = 0; c < table.columns.size(); ++c)
        line += (c > 0 || !table.rows_are.empty() ? "\t" : "") + table.cell(row, c);
      text += line + "\n";
    }
    ImGui::SetClipboardText(text.c_str());
    editor_.notify(NoticeKind::success, rows < table.rows
                                            ? fmt::format("The first {} rows are copied", rows)
                                            : fmt::format("{} rows are copied", rows));
  }

  // Dear ImGui places rows with floats; beyond this they would tremble.
  static constexpr std::size_t most_rows = 500000;

  Editor& editor_;
  std::string output_;
  std::size_t table_ = 0;
  bool unfolded_ = false;  // whether facts are shown above a table
  Value value_;
  Key key_;
  std::pair<std::string, std::size_t> of_;
  Facts facts_;
};

}  // namespace

std::unique_ptr<Panel> make_numbers(Editor& editor) { return std::make_unique<Numbers>(editor); }

}  // namespace sinew::editor
