#include "app/ui/theme.h"

#include <imnodes.h>
#include <implot.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew::ui {
namespace {

constexpr ImU32 rgb(uint32_t hex, uint32_t alpha = 255) {
  return IM_COL32((hex >> 16) & 255, (hex >> 8) & 255, hex & 255, alpha);
}

constexpr Theme dark = {ThemeName::dark,   rgb(0x17191C),     rgb(0x212429), rgb(0x2B2F35),
                        rgb(0x33383F),     rgb(0x3D434B),     rgb(0x484F59), rgb(0x0F1113),
                        rgb(0xDADEE4),     rgb(0x979EA8),     rgb(0x666D77), rgb(0xF08C24),
                        rgb(0xF08C24, 70), rgb(0xF05B52),     rgb(0xE9B644), rgb(0x62B76F),
                        rgb(0xFFFFFF, 12), rgb(0xFFFFFF, 24), rgb(0xFF5147), rgb(0x000000, 90)};

constexpr Theme light = {ThemeName::light,  rgb(0xC9CDD3),     rgb(0xE6E8EB), rgb(0xF6F7F8),
                         rgb(0xFFFFFF),     rgb(0xF3F5F8),     rgb(0xDFE4EA), rgb(0xB4BAC2),
                         rgb(0x1E2227),     rgb(0x59616B),     rgb(0x8C949E), rgb(0xD26A00),
                         rgb(0xE07A10, 70), rgb(0xC93A30),     rgb(0xA97500), rgb(0x2F8A3E),
                         rgb(0x000000, 14), rgb(0x000000, 30), rgb(0xE0332A), rgb(0x000000, 40)};

const Theme* current = &dark;
float current_scale = 1;
constexpr float base_text = 15;

ImVec4 vec(ImU32 colour) { return ImGui::ColorConvertU32ToFloat4(colour); }

void colour_imgui(const Theme& t) {
  ImVec4* c = ImGui::GetStyle().Colors;
  c[ImGuiCol_Text] = vec(t.text);
  c[ImGuiCol_TextDisabled] = vec(t.dim);
  c[ImGuiCol_WindowBg] = vec(t.panel);
  c[ImGuiCol_ChildBg] = ImVec4(0, 0, 0, 0);
  c[ImGuiCol_PopupBg] = vec(t.raised);
  c[ImGuiCol_Border] = vec(t.line);
  c[ImGuiCol_FrameBg] = vec(t.field);
  c[ImGuiCol_FrameBgHovered] = vec(t.field_hot);
  c[ImGuiCol_FrameBgActive] = vec(t.field_held);
  c[ImGuiCol_TitleBg] = c[ImGuiCol_TitleBgCollapsed] = vec(t.raised);
  c[ImGuiCol_TitleBgActive] = vec(t.raised);
  c[ImGuiCol_MenuBarBg] = vec(t.back);
  c[ImGuiCol_ScrollbarBg] = ImVec4(0, 0, 0, 0);
  c[ImGuiCol_ScrollbarGrab] = vec(t.field_held);
  c[ImGuiCol_ScrollbarGrabHovered] = c[ImGuiCol_ScrollbarGrabActive] = vec(t.faint);
  c[ImGuiCol_CheckMark] = c[ImGuiCol_SliderGrab] = c[ImGuiCol_SliderGrabActive] = vec(t.accent);
  c[ImGuiCol_Button] = vec(t.field);
  c[ImGuiCol_ButtonHovered] = vec(t.field_hot);
  c[ImGuiCol_ButtonActive] = vec(t.field_held);
  c[ImGuiCol_Header] = vec(t.accent_soft);
  c[ImGuiCol_HeaderHovered] = vec(t.field_hot);
  c[ImGuiCol_HeaderActive] = vec(t.field_held);
  c[ImGuiCol_Separator] = vec(t.line);
  c[ImGuiCol_SeparatorHovered] = c[ImGuiCol_SeparatorActive] = vec(t.accent);
  c[ImGuiCol_ResizeGrip] = ImVec4(0, 0, 0, 0);
  c[ImGuiCol_ResizeGripHovered] = c[ImGuiCol_ResizeGripActive] = vec(t.accent);
  c[ImGuiCol_Tab] = c[ImGuiCol_TabDimmed] = ImVec4(0, 0, 0, 0);
  c[ImGuiCol_TabHovered] = vec(t.field_hot);
  c[ImGuiCol_TabSelected] = c[ImGuiCol_TabDimmedSelected] = vec(t.raised);
  c[ImGuiCol_TabSelectedOverline] = c[ImGuiCol_TabDimmedSelectedOverline] = vec(t.accent);
  c[ImGuiCol_PlotLines] = c[ImGuiCol_PlotHistogram] = vec(t.accent);
  c[ImGuiCol_TableHeaderBg] = vec(t.raised);
  c[ImGuiCol_TableBorderStrong] = c[ImGuiCol_TableBorderLight] = vec(t.line);
  c[ImGuiCol_TableRowBgAlt] = vec(t.grid);
  c[ImGuiCol_TextSelectedBg] = vec(t.accent_soft);
  c[ImGuiCol_TextLink] = vec(t.accent);
  c[ImGuiCol_DragDropTarget] = vec(t.accent);
  c[ImGuiCol_NavCursor] = vec(t.accent);
  c[ImGuiCol_ModalWindowDimBg] = ImVec4(0, 0, 0, 0.45f);
  c[ImGuiCol_InputTextCursor] = vec(t.text);
}

void shape_imgui() {
  ImGuiStyle& s = ImGui::GetStyle();
  s = ImGuiStyle();
  s.WindowPadding = ImVec2(10, 8);
  s.FramePadding = ImVec2(7, 4);
  s.CellPadding = ImVec2(5, 3);
  s.ItemSpacing = ImVec2(7, 5);
  s.ItemInnerSpacing = ImVec2(6, 4);
  s.IndentSpacing = 16;
  s.ScrollbarSize = 11;
  s.GrabMinSize = 9;
  s.WindowRounding = s.PopupRounding = 6;
  s.FrameRounding = s.GrabRounding = s.TabRounding = 4;
  s.ScrollbarRounding = 6;
  s.WindowBorderSize = 0;
  s.PopupBorderSize = 1;
  s.ChildBorderSize = 0;
  s.TabBarOverlineSize = 2;
  s.WindowTitleAlign = ImVec2(0.5f, 0.5f);
  s.HoverDelayNormal = 0.45f;
  s.DisabledAlpha = 0.45f;
  s.FontSizeBase = base_text;
  s.ScaleAllSizes(current_scale);
  s.FontScaleMain = current_scale;
}

void colour_implot(const Theme& t) {
  ImPlotStyle& s = ImPlot::GetStyle();
  s = ImPlotStyle();
  s.Colors[ImPlotCol_FrameBg] = ImVec4(0, 0, 0, 0);
  s.Colors[ImPlotCol_PlotBg] = vec(t.back);
  s.Colors[ImPlotCol_PlotBorder] = vec(t.line);
  s.Colors[ImPlotCol_AxisGrid] = vec(t.grid_strong);
  s.Colors[ImPlotCol_AxisText] = vec(t.dim);
  s.Colors[ImPlotCol_LegendBg] = vec(t.raised);
  s.Colors[ImPlotCol_LegendText] = vec(t.text);
  s.Colors[ImPlotCol_Selection] = vec(t.accent);
  s.PlotPadding = ImVec2(px(6), px(6));
}

void colour_imnodes(const Theme& t) {
  ImNodesStyle& s = ImNodes::GetStyle();
  s.Colors[ImNodesCol_NodeBackground] = t.raised;
  s.Colors[ImNodesCol_NodeBackgroundHovered] = t.raised;
  s.Colors[ImNodesCol_NodeBackgroundSelected] = t.raised;
  s.Colors[ImNodesCol_NodeOutline] = t.line;
  s.Colors[ImNodesCol_GridBackground] = t.back;
  s.Colors[ImNodesCol_GridLine] = t.grid;
  s.Colors[ImNodesCol_GridLinePrimary] = t.grid_strong;
  s.Colors[ImNodesCol_BoxSelector] = with_alpha(t.accent, 0.12f);
  s.Colors[ImNodesCol_BoxSelectorOutline] = t.accent;
}

}  // namespace

void apply_theme(ThemeName name, float scale) {
  current = name == ThemeName::light ? &light : &dark;
  current_scale = std::clamp(scale, 0.5f, 4.0f);
  shape_imgui();
  colour_imgui(*current);
  colour_implot(*current);
  colour_imnodes(*current);
}

const Theme& theme() { return *current; }
float px(float length) { return length * current_scale; }
float scale() { return current_scale; }
float text_size() { return base_text * current_scale; }

ImU32 category_colour(std::string_view category) {
  // Hues for the families that there are; others get one from their letters.
  struct Known {
    std::string_view name;
    float hue;
  };
  static constexpr std::array<Known, 16> known = {{{"Cast", 0.08f},
                                                   {"Mesh", 0.58f},
                                                   {"Tetrahedra", 0.53f},
                                                   {"Field", 0.36f},
                                                   {"Paint", 0.93f},
                                                   {"Chart", 0.13f},
                                                   {"Collide", 0.73f},
                                                   {"ProcDef", 0.02f},
                                                   {"Simulation", 0.80f},
                                                   {"Value", 0.48f},
                                                   {"Flow", 0.63f},
                                                   {"Group", 0.27f},
                                                   {"VOODOO", 0.87f},
                                                   {"Skeleton", 0.66f},
                                                   {"FFD", 0.42f},
                                                   {"Meshless", 0.31f}}};
  float hue = -1;
  for (const Known& k : known)
    if (k.name == category) hue = k.hue;
  if (hue < 0) {
    uint32_t hash = 2166136261u;
    for (const char c : category) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
    hue = static_cast<float>(hash % 360) / 360;
  }
  const bool is_light = current->name == ThemeName::light;
  float r = 0, g = 0, b = 0;
  ImGui::ColorConvertHSVtoRGB(hue, is_light ? 0.42f : 0.50f, is_light ? 0.80f : 0.52f, r, g, b);
  return ImGui::ColorConvertFloat4ToU32(ImVec4(r, g, b, 1));
}

ImU32 type_colour(uint32_t rgb_hex, float alpha) {
  return rgb(rgb_hex, static_cast<uint32_t>(std::lround(255 * std::clamp(alpha, 0.0f, 1.0f))));
}

ImU32 with_alpha(ImU32 colour, float alpha) {
  const auto a = static_cast<ImU32>(std::lround(255 * std::clamp(alpha, 0.0f, 1.0f)));
  return (colour & ~IM_COL32_A_MASK) | (a << IM_COL32_A_SHIFT);
}

ImU32 mixed(ImU32 a, ImU32 b, float t) {
  const ImVec4 x = vec(a), y = vec(b);
  const auto between = [t](float p, float q) { return p + (q - p) * t; };
  return ImGui::ColorConvertFloat4ToU32(
      ImVec4(between(x.x, y.x), between(x.y, y.y), between(x.z, y.z), between(x.w, y.w)));
}

}  // namespace sinew::ui
