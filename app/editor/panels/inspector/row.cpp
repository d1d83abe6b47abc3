#include "app/editor/panels/inspector/row.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/editor/expose.h"
#include "app/ui/landmarks.h"
#include "app/ui/units.h"
#include "app/ui/widgets.h"

namespace sinew::editor {
namespace {

float sign_width() { return ui::px(17); }

bool can_animate(const Param& param) {
  return param.info->type->components > 0 && !param.linked && !param.recorded && param.value &&
         !(param.given && param.given->is_object() && param.given->contains("values"));
}

// Room for two is always kept, so that the widgets of all lines end at the same place.
int sign_count(const Param& param) { return param.animated ? 5 : 2; }

// A sign without a frame, as tall as a line.
bool sign(const char* id, ui::Icon icon, const char* tooltip, ImU32 colour, float& x, float y) {
  const ImVec2 size(sign_width(), ImGui::GetFrameHeight());
  ImGui::SetCursorScreenPos(ImVec2(x, y));
  const bool pressed = ImGui::InvisibleButton(id, size);
  ui::draw_icon(*ImGui::GetWindowDrawList(), icon, ImVec2(x + size.x / 2, y + size.y / 2),
                ui::px(12), ImGui::IsItemHovered() ? ui::theme().accent : colour);
  ui::hover_text(tooltip);
  x += size.x;
  return pressed;
}

// The sign of a key: full where there is one.
bool diamond(const char* id, const char* tooltip, bool full, ImU32 colour, float& x, float y) {
  const ImVec2 size(sign_width(), ImGui::GetFrameHeight());
  ImGui::SetCursorScreenPos(ImVec2(x, y));
  const bool pressed = ImGui::InvisibleButton(id, size);
  const ImVec2 middle(x + size.x / 2, y + size.y / 2);
  const float r = ui::px(4.5f);
  const ImU32 shown = ImGui::IsItemHovered() ? ui::theme().accent : colour;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 up(middle.x, middle.y - r), right(middle.x + r, middle.y),
      down(middle.x, middle.y + r), left(middle.x - r, middle.y);
  if (full)
    list.AddQuadFilled(up, right, down, left, shown);
  else
    list.AddQuad(up, right, down, left, shown, ui::px(1.3f));
  ui::hover_text(tooltip);
  x += size.x;
  return pressed;
}

bool menu_item(const char* label, bool enabled = true) {
  const bool chosen = ImGui::MenuItem(label, nullptr, false, enabled);
  ui::mark("item", label);
  return chosen;
}

}  // namespace

std::string details_of(const InputInfo& info) {
  std::string text = info.type ? info.type->name : "";
  const std::string unit = info.unit.empty() ? "" : " " + info.unit;
  if (std::isfinite(info.min) && std::isfinite(info.max))
    text += fmt::format(", from {} to {}{}", ui::number_text(info.min), ui::number_text(info.max),
                        unit);
  else if (std::isfinite(info.min))
    text += fmt::format(", {} or more{}", ui::number_text(info.min), unit);
  else if (std::isfinite(info.max))
    text += fmt::format(", {} or less{}", ui::number_text(info.max), unit);
  else if (!info.unit.empty())
    text += fmt::format(", in{}", unit);
  std::string usual = short_text(info.standard);
  if (info.standard && info.standard.is<Choice>()) {
    const auto index = static_cast<std::size_t>(info.standard.as<Choice>().index);
    if (index < info.choices.size()) usual = info.choices[index];
  } else if (info.standard && usual.empty() && info.type->components == 1) {
    const std::vector<double> numbers = info.type->to_numbers(info.standard.data());
    if (!numbers.empty()) usual = ui::number_text(numbers[0]);
  }
  if (!usual.empty()) text += fmt::format("\nusually {}{}", usual, unit);
  if (info.required()) text += "\nmust be linked";
  return text;
}

void ParamRows::draw(const InputInfo& info, std::size_t index) {
  Param param = edits_.read(info, index);
  // A change moves what it points to.
  uint64_t revision = editor_.session.revision();
  const auto refresh = [&] {
    if (std::exchange(revision, editor_.session.revision()) != revision)
      param = edits_.read(info, index);
  };
  ImGui::PushID(info.name.c_str());
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float all = ImGui::GetContentRegionAvail().x;
  const float label = std::round(std::clamp(0.36f * all, ui::px(70), ui::px(180)));
  const float signs = static_cast<float>(sign_count(param)) * sign_width();
  const float width = std::max(all - label - signs - ui::px(4), ui::px(40));
  const float below = widgets_.height_below(param), gap = ImGui::GetStyle().ItemSpacing.y;
  const float height = widgets_.height(param) + (below > 0 ? below + gap : 0);

  draw_label(param, label - ui::px(6));
  ImGui::SetCursorScreenPos(ImVec2(at.x + label, at.y));
  widgets_.draw(param, width);
  refresh();
  draw_signs(param, at.x + label + width + ui::px(3), at.y);
  refresh();
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + ImGui::GetFrameHeight() + gap));
  if (below > 0) widgets_.draw_below(param, all, label);

  const ImVec2 to(at.x + all, at.y + height);
  if (ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) &&
      ImGui::IsMouseHoveringRect(at, to) && ImGui::IsMouseReleased(ImGuiMouseButton_Right))
    ImGui::OpenPopup("menu");
  refresh();
  draw_menu(param);
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy(ImVec2(all, height));
  ImGui::PopID();
}

void ParamRows::draw_label(const Param& param, float width) {
  const InputInfo& info = *param.info;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ImGui::GetFrameHeight();
  if (param.differs)
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(at.x - ui::px(7), at.y + ui::px(4)),
                                              ImVec2(at.x - ui::px(4), at.y + height - ui::px(4)),
                                              ui::theme().accent, ui::px(1.5f));
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + ImGui::GetStyle().FramePadding.y));
  ui::clipped_text(info.label, width, param.differs ? ui::theme().text : ui::theme().dim);
  ImGui::SetCursorScreenPos(at);
  ImGui::InvisibleButton("label", ImVec2(width, height));
  ui::mark("param_label", info.name);
  ui::hover_text(info.label, info.doc + (info.doc.empty() ? "" : "\n") + details_of(info));
  if (ImGui::IsItemHovered()) editor_.hint("Right click: reset, copy, animate, expose");
}

void ParamRows::draw_signs(const Param& param, float x, float y) {
  const float first = x;
  if (param.differs && !param.linked) {
    const bool pressed =
        sign("reset", ui::Icon::reset, "Back to the standard value", ui::theme().dim, x, y);
    ui::mark("reset", param.info->name);
    if (pressed) return edits_.reset(param);
  }
  x = first + sign_width();
  if (can_animate(param)) draw_key_signs(param, x, y);
}

void ParamRows::draw_key_signs(const Param& param, float& x, float y) {
  if (!param.animated) {
    if (diamond("animate", "Let it change over time", false, ui::theme().faint, x, y))
      edits_.animate(param);
    ui::mark("animate", param.info->name);
    return;
  }
  const Moment now = edits_.now();
  const auto before = key_before(*param.given, now), after = key_after(*param.given, now);
  const auto jump = [&](const std::optional<double>& to) {
    if (to) editor_.player.go_to(static_cast<int>(std::lround(*to)));
  };
  const ImU32 on = ui::theme().accent, off = ui::theme().faint;
  if (sign("previous", ui::Icon::left, "To the key before", before ? on : off, x, y)) jump(before);
  ui::mark("key_before", param.info->name);
  const bool here = has_key(*param.given, now);
  if (diamond("animate", here ? "Remove the key at this frame" : "Put a key at this frame", here,
              on, x, y))
    edits_.toggle_key(param);
  ui::mark("animate", param.info->name);
  if (sign("next", ui::Icon::right, "To the key after", after ? on : off, x, y)) jump(after);
  ui::mark("key_after", param.info->name);
  if (sign("chart", ui::Icon::chart, "Open the curve", on, x, y)) edits_.open_chart(param);
  ui::mark("chart_button", param.info->name);
}

void ParamRows::draw_menu(const Param& param) {
  if (!ImGui::BeginPopup("menu")) return;
  const Session& session = editor_.session;
  const std::string path = session.path_of(edits_.node()) + "." + param.info->name;
  ImGui::TextDisabled("%s", path.c_str());
  ImGui::Separator();
  const bool literal = !param.linked;
  if (menu_item("Reset", literal && param.given)) edits_.reset(param);
  if (menu_item("Copy value", literal && (param.given || param.value))) edits_.copy(param);
  if (menu_item("Paste value", literal)) edits_.paste(param);
  if (menu_item("Copy path")) ImGui::SetClipboardText(path.c_str());
  ImGui::Separator();
  if (param.animated) {
    if (menu_item("Stop animating")) edits_.stop_animating(param);
  } else if (menu_item("Animate", can_animate(param))) {
    edits_.animate(param);
  }
  if (!session.graph_name().empty()) {
    const std::string why = why_not_exposed(session, edits_.node(), param.info->name);
    if (menu_item("Expose in the group", why.empty() && edits_.count() == 1))
      editor_.tell(expose(editor_.session, edits_.node(), param.info->name));
    if (!why.empty()) ui::hover_text(why);
  }
  if (menu_item("Show in canvas")) editor_.actions.run("canvas.frame");
  ImGui::EndPopup();
}

}  // namespace sinew::editor
