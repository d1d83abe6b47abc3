// How the interface looks: a dark and a light theme, and one scale for everything.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <string_view>

namespace sinew::ui {

enum class ThemeName : uint8_t { dark, light };

struct Theme {
  ThemeName name = ThemeName::dark;
  ImU32 back;    // behind everything
  ImU32 panel;   // of a panel
  ImU32 raised;  // of what lies on a panel: nodes, headers, menus
  ImU32 field;   // of what can be changed: sliders, boxes
  ImU32 field_hot, field_held;
  ImU32 line;  // between things
  ImU32 text, dim, faint;
  ImU32 accent, accent_soft;  // what is chosen or running
  ImU32 error, warning, good;
  ImU32 grid, grid_strong;  // of the canvas and of charts
  ImU32 playhead;
  ImU32 shadow;
};

// Sets Dear ImGui's style, and that of ImPlot and imnodes, at this scale.
void apply_theme(ThemeName name, float scale);
const Theme& theme();
// Pixels for a length that is meant for a screen of usual fineness.
float px(float length);
float scale();
// Of usual text, in pixels.
float text_size();

// Of a category of nodes ("Mesh", "Simulation"): the same in every session.
ImU32 category_colour(std::string_view category);
// Of a type of value, from its 0xRRGGBB.
ImU32 type_colour(uint32_t rgb, float alpha = 1);
ImU32 with_alpha(ImU32 colour, float alpha);
ImU32 mixed(ImU32 a, ImU32 b, float t);

}  // namespace sinew::ui
