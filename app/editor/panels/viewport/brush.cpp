#include "app/editor/panels/viewport/brush.h"

#include <algorithm>
#include <cmath>

namespace sinew::editor {
namespace {

const Json* list_of(const Json& literal) {
  if (literal.is_array()) return &literal;
  if (!literal.is_object()) return nullptr;
  const auto found = literal.find("strokes");
  return found != literal.end() && found->is_array() ? &*found : nullptr;
}

bool is_in_box(const Json& literal) {
  return literal.is_object() && literal.value("space", Json()) == "box";
}

}  // namespace

Vector3f to_box(const Vector3f& p, const render::Box& box) {
  Vector3f part = p - box.center();
  for (int k = 0; k < 3; ++k) {
    const float half = 0.5f * box.sizes()[k];
    part[k] = half > 0 ? part[k] / half : 0;
  }
  return part;
}

float Brush::handy(float radius) {
  if (!(radius > 0)) return 0;
  const float unit = std::pow(10.0f, 2 - std::floor(std::log10(radius)));
  return std::round(radius * unit) / unit;
}

std::optional<Spot> spot_under(Sight& sight, const RestBody& body, ImVec2 mouse) {
  if (!body.known()) return std::nullopt;
  if (sight.show.section) {
    const draw::SectionPlane& plane = *sight.show.section;
    const std::optional<render::Pick> seen = sight.pick(mouse);
    if (!seen) return std::nullopt;
    if (std::abs((seen->point - plane.point).dot(plane.normal)) < 1e-4f * sight.diagonal()) {
      const draw::Mesh* shown = body.shown_in(sight.whole);
      if (!shown) return std::nullopt;
      const Eigen::Affine3f map = body.map_to_rest(*shown);
      const Vector3f normal = map.linear().inverse().transpose() * plane.normal;
      if (!normal.allFinite() || !(normal.norm() > 0)) return std::nullopt;
      draw::SectionPlane cut{map * plane.point, normal.normalized()};
      return Spot{seen->point, plane.normal, map * seen->point, cut};
    }
  }
  const std::optional<render::Pick> pick = sight.pick_whole(mouse);
  if (!pick || !body.is(sight.whole.meshes[pick->mesh])) return std::nullopt;
  Spot spot;
  spot.shown = pick->point;
  spot.normal = pick->from_behind ? Vector3f(-pick->normal) : pick->normal;
  spot.rest = body.at_rest(pick->triangle, pick->weights);
  return spot;
}

bool takes_strokes(const Json& literal) { return list_of(literal) != nullptr; }

Json with_stroke(Json strokes, const Brush& brush, const std::vector<Vector3f>& points,
                 const std::optional<draw::SectionPlane>& cut, const render::Box& box) {
  const bool in_box = is_in_box(strokes);
  Json stroke = Json::object();
  Json& list = stroke["points"] = Json::array();
  for (const Vector3f& p : points) list.push_back(to_json(in_box ? to_box(p, box) : p));
  if (brush.paints) {
    stroke["tool"] = brush_tool_names[static_cast<int>(brush.tool)];
    const float unit = in_box ? std::max(0.5f * box.diagonal().norm(), 1e-12f) : 1;
    if (brush.has_radius()) stroke["radius"] = rounded(static_cast<double>(brush.radius / unit));
    if (brush.tool != BrushTool::erase) stroke["value"] = rounded(static_cast<double>(brush.value));
    if (brush.tool == BrushTool::brush && brush.falloff != Falloff::flat)
      stroke["falloff"] = falloff_names[static_cast<int>(brush.falloff)];
    if (brush.tool == BrushTool::region)
      stroke["angle"] = rounded(static_cast<double>(brush.angle));
  }
  if (cut) {
    Vector3f normal = cut->normal;
    // The plane (n . x = c) in parts of the box is (n half) . u = ..
    if (in_box) normal = normal.cwiseProduct(box.sizes()).normalized();
    stroke["cut"] = {{"point", to_json(in_box ? to_box(cut->point, box) : cut->point)},
                     {"normal", to_json(normal)}};
  }
  (strokes.is_array() ? strokes : strokes["strokes"]).push_back(std::move(stroke));
  return strokes;
}

void see_values(const Json& literal, float& low, float& high) {
  const Json* list = list_of(literal);
  if (!list) return;
  for (const Json& stroke : *list) {
    if (!stroke.is_object() || !stroke.contains("value") || !stroke["value"].is_number()) continue;
    low = std::min(low, stroke["value"].get<float>());
    high = std::max(high, stroke["value"].get<float>());
  }
}

}  // namespace sinew::editor
