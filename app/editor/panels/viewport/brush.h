// What a stroke is made of, before it is painted, and how it is written down.
#pragma once

#include <string>
#include <vector>

#include "app/editor/panels/viewport/rest_body.h"

namespace sinew::editor {

enum class BrushTool : unsigned char { brush, face, region, erase };
inline constexpr const char* brush_tool_names[] = {"brush", "face", "region", "erase"};
enum class Falloff : unsigned char { flat, linear, smooth };
inline constexpr const char* falloff_names[] = {"flat", "linear", "smooth"};

struct Brush {
  BrushTool tool = BrushTool::brush;
  Falloff falloff = Falloff::flat;
  float radius = 0;  // m; 0: not chosen yet
  // As a person would say it: three digits that count.
  static float handy(float radius);
  float value = 1;
  float angle = 30;    // of a region, degrees
  bool paints = true;  // values; else strokes only give directions
  bool has_radius() const {
    return paints && (tool == BrushTool::brush || tool == BrushTool::erase);
  }
};

// Under the mouse.
struct Spot {
  Vector3f shown{0, 0, 0}, normal{0, 0, 1};  // as it is seen
  Vector3f rest{0, 0, 0};                    // where that is at rest
  // Painted on the cut: the plane, at rest.
  std::optional<draw::SectionPlane> cut;
};

// The place of the body under the mouse; nothing beside it.
std::optional<Spot> spot_under(Sight& sight, const RestBody& body, ImVec2 mouse);

// The literal with one more stroke. Everything else in it stays as it is written.
Json with_stroke(Json strokes, const Brush& brush, const std::vector<Vector3f>& points,
                 const std::optional<draw::SectionPlane>& cut, const render::Box& box);
// Whether a stroke can be added to it: a list, or an object with one.
bool takes_strokes(const Json& literal);
// The values that strokes paint, widened by them.
void see_values(const Json& literal, float& low, float& high);

// From metres to parts of the box: from -1 to 1 along each side.
Vector3f to_box(const Vector3f& p, const render::Box& box);

}  // namespace sinew::editor
