// The brush and its values, beside the picture.
#include <fmt/format.h>

#include <algorithm>

#include "app/editor/panels/viewport/painter.h"
#include "app/ui/landmarks.h"
#include "app/ui/number_box.h"
#include "app/ui/widgets.h"
#include "render/colour_maps.h"

namespace sinew::editor {
namespace {

ImU32 byte_colour(const std::array<uint8_t, 3>& c) { return IM_COL32(c[0], c[1], c[2], 255); }

}  // namespace

void Painter::draw_panel() {
  // At the right, clear of the legend; below the bar where there is no room beside it.
  const float width = ui::px(176);
  const float top = sight_.size.x > ui::px(620) ? ui::px(6) : ImGui::GetFrameHeight() + ui::px(20);
  ImGui::SetCursorScreenPos(
      ImVec2(sight_.at.x + sight_.size.x - width - ui::px(6), sight_.at.y + top));
  ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, ui::px(6));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui::px(8), ui::px(7)));
  ImGui::PushStyleColor(ImGuiCol_ChildBg, ui::with_alpha(ui::theme().panel, 0.9f));
  ImGui::SetNextWindowSizeConstraints(
      ImVec2(width, 0), ImVec2(width, std::max(sight_.size.y - top - ui::px(6), 1.0f)));
  ImGui::BeginChild("painter", ImVec2(width, 0),
                    ImGuiChildFlags_AutoResizeY | ImGuiChildFlags_AlwaysUseWindowPadding);
  ui::mark_area("viewport", "painter", ImGui::GetWindowPos(),
                ImVec2(ImGui::GetWindowPos().x + ImGui::GetWindowSize().x,
                       ImGui::GetWindowPos().y + ImGui::GetWindowSize().y));
  ImGui::PushTextWrapPos(0);
  if (node_.empty()) {
    draw_choice_of_nodes();
  } else {
    ui::clipped_text(title_, ImGui::GetContentRegionAvail().x, ui::theme().text);
    const bool seen = body_.shown_in(sight_.whole) != nullptr;
    if (!locked_.empty()) {
      ImGui::TextDisabled("%s", locked_.c_str());
    } else if (!body_.known()) {
      ImGui::TextDisabled("It cannot be painted: %s.", body_.problem().c_str());
    } else {
      if (!seen) ImGui::TextDisabled("The body that is painted is not in the picture.");
      const std::vector<std::string> shown = sight_.editor.player.shown();
      const bool only = shown.size() == 1 && shown.front() == body_.painted();
      if (only) {
        if (ImGui::Button("Show the viewers again", ImVec2(-1, 0))) sight_.editor.player.show({});
      } else if (ImGui::Button("Show what is painted", ImVec2(-1, 0))) {
        sight_.editor.player.show({body_.painted()});
      }
      ui::mark("paint", "show");
      draw_brush();
    }
  }
  ImGui::PopTextWrapPos();
  ImGui::EndChild();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
}

void Painter::draw_choice_of_nodes() {
  Session& session = sight_.editor.session;
  bool any = false;
  for (const NodeDoc& node : session.body().nodes) {
    const NodeType* type = session.type_of(node);
    if (!type || !input_of_type(*type, "strokes")) continue;
    if (!any) ImGui::TextUnformatted("What is to be painted?");
    any = true;
    const std::string& name = node.label.empty() ? type->label : node.label;
    if (ImGui::Button(fmt::format("{}##{}", ui::clipped(name, ui::px(148)), node.id).c_str(),
                      ImVec2(-1, 0))) {
      session.select_only(node.id);
      return;
    }
    ui::mark("paint", node.id);
    ui::hover_text(name, type->doc);
  }
  if (!any)
    ImGui::TextDisabled("Nothing here takes paint. Add a Paint Field and link a body to it.");
}

void Painter::draw_brush() {
  if (!brush_.paints) {
    ImGui::TextDisabled("Draw lines along the surface: they give directions.");
    return;
  }
  constexpr const char* tips[] = {"Along a line, as wide as its radius", "The triangle under it",
                                  "As far as the surface bends little",
                                  "Takes back what earlier strokes did"};
  constexpr const char* labels[] = {"Brush", "Face", "Region", "Erase"};
  const float half = (ImGui::GetContentRegionAvail().x - ui::px(4)) / 2;
  for (int i = 0; i < 4; ++i) {
    const bool on = static_cast<int>(brush_.tool) == i;
    ImGui::PushStyleColor(ImGuiCol_Button, on ? ui::theme().accent_soft : ui::theme().field);
    ImGui::PushStyleColor(ImGuiCol_Text, on ? ui::theme().accent : ui::theme().text);
    if (ImGui::Button(labels[i], ImVec2(half, 0))) brush_.tool = static_cast<BrushTool>(i);
    ImGui::PopStyleColor(2);
    ui::mark("brush", brush_tool_names[i]);
    ui::hover_text(tips[i]);
    if (i % 2 == 0) ImGui::SameLine(0, ui::px(4));
  }
  if (brush_.has_radius()) {
    const float size = body_.box().diagonal().norm();
    ImGui::SetNextItemWidth(-1);
    double radius = static_cast<double>(brush_.radius);
    ui::NumberBox box;
    box.min = rounded(static_cast<double>(0.005f * size));
    box.max = rounded(static_cast<double>(0.5f * size));
    box.unit = "m";
    box.name = "radius";
    if (ui::number_box("radius", radius, box).changed)
      brush_.radius = Brush::handy(static_cast<float>(radius));
    ui::mark("brush", "radius");
    ui::hover_text("Ctrl+wheel over the body, or [ and ]");
  }
  if (brush_.tool == BrushTool::brush) {
    ImGui::SetNextItemWidth(-1);
    int falloff = static_cast<int>(brush_.falloff);
    if (ImGui::Combo("##falloff", &falloff, "Flat\0Linear falloff\0Smooth falloff\0"))
      brush_.falloff = static_cast<Falloff>(falloff);
    ui::mark("brush", "falloff");
  }
  if (brush_.tool == BrushTool::region) {
    ImGui::SetNextItemWidth(-1);
    double angle = static_cast<double>(brush_.angle);
    ui::NumberBox box;
    box.min = 1;
    box.max = 180;
    box.whole = true;
    box.unit = "deg";
    box.name = "bends to";
    if (ui::number_box("angle", angle, box).changed) brush_.angle = static_cast<float>(angle);
    ui::mark("brush", "angle");
  }
  if (brush_.tool != BrushTool::erase) draw_palette();
}

// A strip with the colours of the values; where it is clicked is the value that is painted.
void Painter::draw_palette() {
  const float width = ui::px(26);
  const float room = sight_.at.y + sight_.size.y - ImGui::GetCursorScreenPos().y - ui::px(24);
  const float height = std::clamp(room, ui::px(60), ui::px(150));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton("strip", ImVec2(width, height));
  ui::mark("palette", "strip");
  if (ImGui::IsItemActive()) {
    const float part = 1 - (ImGui::GetIO().MousePos.y - at.y) / height;
    const float value = low_ + std::clamp(part, 0.0f, 1.0f) * (high_ - low_);
    const float step = (high_ - low_) / 100;
    brush_.value =
        static_cast<float>(rounded(static_cast<double>(std::round(value / step) * step)));
  }
  ui::hover_text("The value to paint; Alt+click on the body takes it from there");
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto map = render::colour_map(scale_.map);
  constexpr int bands = 32;
  for (int i = 0; i < bands; ++i) {
    const auto upper = static_cast<std::size_t>((render::map_steps - 1) * (bands - i) / bands);
    const auto lower = static_cast<std::size_t>((render::map_steps - 1) * (bands - i - 1) / bands);
    const float y0 = at.y + height * static_cast<float>(i) / bands;
    const float y1 = at.y + height * static_cast<float>(i + 1) / bands;
    list.AddRectFilledMultiColor(ImVec2(at.x, y0), ImVec2(at.x + width, y1),
                                 byte_colour(map[upper]), byte_colour(map[upper]),
                                 byte_colour(map[lower]), byte_colour(map[lower]));
  }
  list.AddRect(at, ImVec2(at.x + width, at.y + height), ui::theme().line);
  const float y = at.y + height * (1 - (brush_.value - low_) / std::max(high_ - low_, 1e-9f));
  list.AddTriangleFilled(ImVec2(at.x + width + ui::px(2), y),
                         ImVec2(at.x + width + ui::px(9), y - ui::px(5)),
                         ImVec2(at.x + width + ui::px(9), y + ui::px(5)), ui::theme().text);
  ImGui::SameLine(0, ui::px(14));
  ImGui::BeginGroup();
  ImGui::TextDisabled("%.3g", static_cast<double>(high_));
  ImGui::SetCursorScreenPos(
      ImVec2(ImGui::GetCursorScreenPos().x, at.y + height / 2 - ImGui::GetFrameHeight() / 2));
  ImGui::SetNextItemWidth(ui::px(96));
  ImGui::DragFloat("##value", &brush_.value, (high_ - low_) / 200, 0, 0, "value %.3g");
  ui::mark("palette", "value");
  ImGui::SetCursorScreenPos(
      ImVec2(ImGui::GetCursorScreenPos().x, at.y + height - ImGui::GetTextLineHeight()));
  ImGui::TextDisabled("%.3g", static_cast<double>(low_));
  ImGui::EndGroup();
}

}  // namespace sinew::editor
