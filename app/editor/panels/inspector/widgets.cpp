#include "app/editor/panels/inspector/widgets.h"

#include <fmt/format.h>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/editor/titles.h"
#include "app/library/names.h"
#include "app/ui/landmarks.h"
#include "app/ui/number_box.h"
#include "app/ui/text_box.h"
#include "app/ui/units.h"
#include "app/ui/widgets.h"
#include "graph/label.h"

namespace sinew::editor {
namespace {

constexpr std::array<ImU32, 3> axis_colours{IM_COL32(214, 84, 84, 255), IM_COL32(110, 176, 74, 255),
                                            IM_COL32(74, 132, 214, 255)};
constexpr std::array<const char*, 3> axis_names{"x", "y", "z"};
constexpr std::size_t many_choices = 8;  // from here on one searches instead of looking

bool is_curve(const TypeInfo& type) { return static_cast<bool>(type.sample); }

ui::NumberBox box_for(const Param& param, std::size_t component) {
  ui::NumberBox box;
  const InputInfo& info = *param.info;
  box.min = info.min;
  box.max = info.max;
  box.unit = info.unit;
  box.whole = info.type == &type_of<int>();
  box.several = param.several;
  if (info.standard && info.type->to_numbers) {
    const std::vector<double> usual = info.type->to_numbers(info.standard.data());
    if (component < usual.size()) box.standard = usual[component];
  }
  return box;
}

// "4 strokes, 28 points", from what the type says of itself.
std::string facts_text(const Value& value) {
  if (!value || !value.type()->describe) return {};
  const Json facts = value.type()->describe(value.data());
  std::string text;
  for (const auto& [name, fact] : facts.items())
    if (fact.is_number_integer())
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", fact.dump(), name);
  return text;
}

}  // namespace

std::string short_text(const Value& value) {
  if (!value || value.type()->per_element || !value.type()->to_json) return {};
  if (value.is<std::string>()) return value.as<std::string>();
  if (value.is<bool>()) return value.as<bool>() ? "yes" : "no";
  if (value.type()->components == 0) return {};
  std::string text;
  for (const double x : value.type()->to_numbers(value.data()))
    text += (text.empty() ? "" : ", ") + ui::number_text(x);
  return text;
}

float ParamWidgets::height(const Param& param) const {
  const float line = ImGui::GetFrameHeight(), gap = ImGui::GetStyle().ItemSpacing.y;
  const auto lines = [&](std::size_t n) {
    return static_cast<float>(n) * line + static_cast<float>(n - 1) * gap;
  };
  if (param.linked) return lines(std::max<std::size_t>(param.links.size(), 1));
  if (param.recorded) return line;
  if (param.info->type == &type_of<Vec3>()) return lines(3);
  if (param.info->is_multiline)
    return 4 * ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().FramePadding.y;
  return line;
}

float ParamWidgets::height_below(const Param& param) const {
  return SheetWidget::is_for(param) ? sheet_.height(param) : 0;
}

void ParamWidgets::draw_below(const Param& param, float width, float label) {
  if (SheetWidget::is_for(param)) sheet_.draw(param, width, label);
}

void ParamWidgets::draw(const Param& param, float width) {
  const InputInfo& info = *param.info;
  ImGui::PushID(info.name.c_str());
  const ImVec2 from = ImGui::GetCursorScreenPos();
  ImGui::SetNextItemWidth(width);
  ImGui::BeginGroup();
  if (param.linked)
    draw_links(param, width);
  else if (param.recorded)
    draw_note(param, fmt::format("recorded, {} values", recorded_count(*param.given)), width);
  else if (is_curve(*info.type))
    draw_chart(param, width);
  else if (!info.choices.empty())
    draw_choice(param, width);
  else if (info.type == &type_of<bool>())
    draw_bool(param);
  else if (info.type == &type_of<Vec3>())
    draw_vector(param, width);
  else if (info.type == &type_of<std::string>())
    info.file == FileUse::none ? draw_text(param, width) : draw_file(param, width);
  else if (info.type->components == 1)
    draw_number(param, width);
  else if (SheetWidget::is_for(param))
    sheet_.draw_head(param, width);
  else if (literal_forms(*info.type).sheet)
    draw_note(param, "not linked", width);
  else if (literal_forms(*info.type).candidates)
    draw_candidates(param, width);
  else if (info.type->from_json)
    draw_handmade(param, width);
  else
    draw_note(param, info.required() ? "not linked, but needed" : "not linked", width);
  ImGui::EndGroup();
  ui::mark_area("param", info.name, from, ImVec2(from.x + width, from.y + height(param)));
  ImGui::PopID();
}

void ParamWidgets::draw_note(const Param& param, const std::string& text, float width) {
  const TypeInfo& type = *param.info->type;
  const bool alarm = param.info->required() && !param.recorded;
  const float line = ImGui::GetFrameHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddCircleFilled(ImVec2(at.x + ui::px(6), at.y + line / 2), ui::px(4),
                                              ui::type_colour(type.colour));
  ImGui::SetCursorScreenPos(ImVec2(at.x + ui::px(16), at.y + ImGui::GetStyle().FramePadding.y));
  ui::clipped_text(text, width - ui::px(16), alarm ? ui::theme().warning : ui::theme().dim);
  ui::hover_text(fmt::format("{}: {}", type.name, type.doc));
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy(ImVec2(width, line));
}

void ParamWidgets::draw_links(const Param& param, float width) {
  if (param.links.empty()) return draw_note(param, "linked in some of them", width);
  for (const LinkDoc* link : param.links) {
    ImGui::PushID(link);
    draw_link(*link, width);
    ImGui::PopID();
  }
}

// Where the value comes from, and what it is now if that can be said in a few numbers.
void ParamWidgets::draw_link(const LinkDoc& link, float width) {
  const Session& session = editor_.session;
  const NodeDoc* from = session.body().find(link.from.node);
  std::string source = from ? title_of(session, *from) : link.from.node;
  std::string now;
  ImU32 colour = ui::theme().dim;
  if (from) {
    const std::vector<OutputInfo>& outputs = session.outputs_of(*from);
    const auto found = std::find_if(outputs.begin(), outputs.end(), [&](const OutputInfo& out) {
      return out.name == link.from.socket;
    });
    const int output = static_cast<int>(found - outputs.begin());
    const std::string path = session.path_of(from->id);
    const TypeInfo* type = found == outputs.end()
                               ? nullptr
                               : session.output_type(*from, static_cast<std::size_t>(output));
    if (type) colour = ui::type_colour(type->colour);
    if (type && type->components > 0 && !type->per_element) {
      editor_.player.watch({session.graph()->find_node(path), output});
      if (const auto& shot = editor_.player.shot())
        if (const TargetResult* result = shot->result(path, output))
          now = short_text(result->value);
    }
    source += fmt::format(" . {}", found == outputs.end() ? link.from.socket : found->label);
  }
  const float line = ImGui::GetFrameHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (ImGui::InvisibleButton("link", ImVec2(width, line)) && from)
    editor_.session.go_to_node(session.path_of(link.from.node));
  const bool hot = ImGui::IsItemHovered();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, ImVec2(at.x + width, at.y + line),
                     hot ? ui::theme().field_hot : ui::with_alpha(ui::theme().field, 0.5f),
                     ui::px(4));
  ui::draw_icon(list, ui::Icon::link, ImVec2(at.x + ui::px(12), at.y + line / 2), ui::px(12),
                colour);
  const float y = at.y + (line - ImGui::GetFontSize()) / 2;
  float room = width - ui::px(28);
  if (!now.empty()) {
    const float wide = std::min(ImGui::CalcTextSize(now.c_str()).x, 0.5f * room);
    list.AddText(ImVec2(at.x + width - wide - ui::px(6), y), ui::theme().text,
                 ui::clipped(now, wide + 1).c_str());
    room -= wide + ui::px(8);
  }
  list.AddText(ImVec2(at.x + ui::px(22), y), hot ? ui::theme().text : ui::theme().dim,
               ui::clipped(source, room).c_str());
  ui::hover_text(
      fmt::format("from {}", source),
      fmt::format("{}{}.{}\nClick to go there. What is linked is set there.",
                  now.empty() ? "" : "now " + now + "\n", link.from.node, link.from.socket));
}

void ParamWidgets::say_range(const Param& param) {
  const InputInfo& info = *param.info;
  const std::string low = ui::number_text(info.min), high = ui::number_text(info.max);
  const bool has_low = std::isfinite(info.min), has_high = std::isfinite(info.max);
  if (!has_low && !has_high) return;  // a whole number was rounded
  editor_.notify(NoticeKind::info,
                 has_low && has_high
                     ? fmt::format("{} goes from {} to {}", info.label, low, high)
                     : fmt::format("{} goes {} {}", info.label, has_low ? "from" : "up to",
                                   has_low ? low + " on" : high));
}

void ParamWidgets::draw_number(const Param& param, float width) {
  // A field of many numbers is not a slider.
  if (param.given && param.given->is_object() && param.given->contains("values")) {
    const Json& values = (*param.given)["values"];
    return draw_note(
        param,
        fmt::format("{} values per {}", values.size(), param.given->value("domain", "element")),
        width);
  }
  if (!param.value) {
    // An optional number: a click gives it one.
    if (ImGui::Button("none", ImVec2(width, 0)))
      edits_.set_number(param, 0, std::clamp(0.0, param.info->min, param.info->max), false);
    return;
  }
  double x = param.numbers().front();
  if (param.info->type != &type_of<int>()) x = shortest_decimal(static_cast<float>(x));
  const ui::NumberBox box = box_for(param, 0);
  ImGui::SetNextItemWidth(width);
  const ui::NumberChange change = ui::number_box("number", x, box);
  if (change.changed) edits_.set_number(param, 0, x, !change.finished);
  if (change.finished) edits_.finish();
  if (change.clamped) say_range(param);
  if (ImGui::IsItemHovered())
    editor_.hint("Drag: change   Shift: finer   Ctrl: coarser   Click: type   Alt+wheel: nudge");
}

void ParamWidgets::draw_vector(const Param& param, float width) {
  const std::vector<double> numbers = param.numbers();
  bool finished = false;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    double x = shortest_decimal(static_cast<float>(numbers[i]));
    ui::NumberBox box = box_for(param, i);
    box.name = axis_names[i];
    box.tint = axis_colours[i];
    ImGui::SetNextItemWidth(width);
    const ui::NumberChange change = ui::number_box(axis_names[i], x, box);
    ui::mark("param", param.info->name + "." + axis_names[i]);
    if (change.changed) edits_.set_number(param, i, x, !change.finished);
    if (change.clamped) say_range(param);
    finished = finished || change.finished;
  }
  if (finished) edits_.finish();
}

void ParamWidgets::draw_bool(const Param& param) {
  bool on = param.value && param.value.as<bool>();
  ImGui::PushItemFlag(ImGuiItemFlags_MixedValue, param.several);
  if (ImGui::Checkbox("##on", &on)) edits_.set_number(param, 0, on ? 1 : 0, false);
  ImGui::PopItemFlag();
}

void ParamWidgets::draw_choice(const Param& param, float width) {
  const std::vector<std::string>& names = param.info->choices;
  const std::size_t at =
      param.value ? static_cast<std::size_t>(param.value.as<Choice>().index) : names.size();
  const std::string shown = param.several       ? "several"
                            : at < names.size() ? label_from_name(names[at])
                                                : "none";
  ImGui::SetNextItemWidth(width);
  if (!ImGui::BeginCombo("##choice", shown.c_str(), ImGuiComboFlags_HeightLarge)) return;
  const bool opened = ImGui::IsWindowAppearing();
  if (opened) choice_filter_.clear();
  bool take_first = false;
  if (names.size() >= many_choices) {
    if (opened) ImGui::SetKeyboardFocusHere();
    ImGui::SetNextItemWidth(std::max(width - ui::px(16), ui::px(120)));
    take_first = ImGui::InputTextWithHint("##filter", "search", &choice_filter_,
                                          ImGuiInputTextFlags_EnterReturnsTrue);
    if (ImGui::IsItemDeactivated() && ImGui::IsKeyPressed(ImGuiKey_Escape))
      ImGui::CloseCurrentPopup();
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string label = label_from_name(names[i]);
    if (library::fuzzy_score(choice_filter_, label) < 0) continue;
    const bool chosen = i == at && !param.several;
    const bool picked = ImGui::Selectable(label.c_str(), chosen);
    ui::mark("choice", names[i]);
    if (chosen && opened && names.size() < many_choices) ImGui::SetItemDefaultFocus();
    if (!picked && !take_first) continue;
    edits_.set(param, names[i]);
    if (take_first) ImGui::CloseCurrentPopup();
    break;
  }
  ImGui::EndCombo();
}

void ParamWidgets::draw_text(const Param& param, float width) {
  const std::string text = param.value ? param.value.as<std::string>() : "";
  ImGui::SetNextItemWidth(width);
  if (const auto next =
          ui::text_box("##text", param.several ? "" : text,
                       {param.several ? "several" : "", param.info->is_multiline ? 4 : 1}))
    edits_.set(param, *next);
}

void ParamWidgets::draw_file(const Param& param, float width) {
  const float side = ImGui::GetFrameHeight(), gap = ui::px(2);
  const std::string text = param.value ? param.value.as<std::string>() : "";
  ImGui::SetNextItemWidth(width - side - gap);
  if (const auto next = ui::text_box("##path", text, {"no file"})) edits_.set(param, *next);
  ui::hover_text(text);
  ImGui::SameLine(0, gap);
  if (!ui::icon_button("browse", ui::Icon::folder, "Choose a file")) return;
  const bool saving = param.info->file == FileUse::write;
  Editor& editor = editor_;
  const std::string node = edits_.node(), input = param.info->name;
  editor_.ask_file(
      {saving ? "Write to a file" : fmt::format("{}: choose a file", param.info->label),
       param.info->file_endings, saving, "files", std::filesystem::path(text).filename().string(),
       [&editor, node, input](const std::filesystem::path& path) {
         editor.tell(editor.session.set_param(node, input, editor.session.name_of_file(path)));
       }});
}

// The curve in small; a click opens it where it can be changed.
void ParamWidgets::draw_chart(const Param& param, float width) {
  const float line = ImGui::GetFrameHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (ImGui::InvisibleButton("chart", ImVec2(width, line))) edits_.open_chart(param);
  ui::mark("chart_button", param.info->name);
  const bool hot = ImGui::IsItemHovered();
  const bool open = editor_.chart == ChartFocus{edits_.node(), param.info->name};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, ImVec2(at.x + width, at.y + line),
                     hot ? ui::theme().field_hot : ui::theme().field, ui::px(4));
  if (open) list.AddRect(at, ImVec2(at.x + width, at.y + line), ui::theme().accent, ui::px(4));
  ui::hover_text("Click to edit the curve");
  const TypeInfo& type = *param.info->type;
  const Json written = param.value ? param.value.to_json() : Json();
  const Json points = written.is_object() ? written.value("points", Json::array()) : Json::array();
  if (points.empty()) {
    list.AddText(ImVec2(at.x + ui::px(8), at.y + ImGui::GetStyle().FramePadding.y),
                 ui::theme().faint, param.several ? "several" : "no curve yet");
    return;
  }
  constexpr int samples = 40;
  const double first = points.front()[0].get<double>();
  double last = points.back()[0].get<double>();
  last = std::max(last, first + written.value("period", 0.0));
  std::array<double, samples> y{};
  for (int i = 0; i < samples; ++i) {
    const double x = first + (last - first) * i / (samples - 1);
    y[static_cast<std::size_t>(i)] = type.sample(param.value.data(), {x, x});
  }
  const auto [low, high] = std::minmax_element(y.begin(), y.end());
  const double span = *high > *low ? *high - *low : 1, middle = (*high + *low) / 2;
  std::array<ImVec2, samples> curve;
  for (int i = 0; i < samples; ++i) {
    const auto k = static_cast<std::size_t>(i);
    curve[k] =
        ImVec2(at.x + ui::px(5) + (width - ui::px(10)) * static_cast<float>(i) / (samples - 1),
               at.y + line / 2 - (line - ui::px(8)) * static_cast<float>((y[k] - middle) / span));
  }
  list.AddPolyline(curve.data(), samples, ui::type_colour(type.colour), 0, ui::px(1.5f));
}

// Strokes and touches are made on the body: here is how many there are, and the way to the tool.
void ParamWidgets::draw_handmade(const Param& param, float width) {
  const MadeBy made_by = param.info->type->made_by;
  const bool has_tool = made_by != MadeBy::writing;
  const bool paints = made_by == MadeBy::painting;
  const float button = has_tool ? ui::px(54) : 0, gap = ui::px(3), side = ImGui::GetFrameHeight();
  const std::string facts = facts_text(param.value);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + ImGui::GetStyle().FramePadding.y));
  const float room = std::max(width - button - side - 2 * gap, 1.0f);
  ui::clipped_text(facts.empty() ? "none" : facts, room, ui::theme().dim);
  ui::hover_text(facts);
  if (has_tool) {
    const Tool tool = paints ? Tool::paint : Tool::touch;
    const bool on = editor_.tool == tool;
    ImGui::SetCursorScreenPos(ImVec2(at.x + room + gap, at.y));
    if (on) ImGui::PushStyleColor(ImGuiCol_Button, ui::theme().accent_soft);
    if (ImGui::Button(paints ? "Paint" : "Touch", ImVec2(button, 0)))
      editor_.tool = on ? Tool::look : tool;
    if (on) ImGui::PopStyleColor();
    ui::mark("tool_button", param.info->name);
    ui::hover_text(paints ? "Paint on the body in the viewport" : "Touch the body in the viewport");
  }
  ImGui::SetCursorScreenPos(ImVec2(at.x + width - side, at.y));
  const bool any = param.given && !param.given->empty();
  if (ui::icon_button("clear", ui::Icon::erase, "Clear all of them", false, any))
    edits_.set(param, Json::array());
}

// How many there are to choose from, and the way to where they are seen.
void ParamWidgets::draw_candidates(const Param& param, float width) {
  const float button = ui::px(64), gap = ui::px(3), side = ImGui::GetFrameHeight();
  Candidates all;
  if (param.value) all = literal_forms(*param.info->type).candidates(param.value.data());
  const std::string text = all.empty() ? "nothing yet"
                                       : fmt::format("{}, best {}", all.list.size(),
                                                     ui::number_text(all.list.front().cost));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = std::max(width - button - side - 2 * gap, 1.0f);
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + ImGui::GetStyle().FramePadding.y));
  ui::clipped_text(text, room, ui::theme().dim);
  ui::hover_text(all.empty() ? "Nothing has been found yet"
                             : fmt::format("{} found in {} trials; the best costs {}, the start {}",
                                           all.list.size(), all.trials,
                                           ui::number_text(all.list.front().cost),
                                           ui::number_text(all.start_cost)));
  ImGui::SetCursorScreenPos(ImVec2(at.x + room + gap, at.y));
  ImGui::BeginDisabled(all.empty());
  if (ImGui::Button("Gallery", ImVec2(button, 0))) editor_.bring_forward("Gallery");
  ImGui::EndDisabled();
  ui::mark("gallery_button", param.info->name);
  ui::hover_text("All of them as playing pictures");
  ImGui::SetCursorScreenPos(ImVec2(at.x + width - side, at.y));
  if (ui::icon_button("clear", ui::Icon::erase, "Forget all of them", false, param.given))
    edits_.reset(param);
}

}  // namespace sinew::editor
