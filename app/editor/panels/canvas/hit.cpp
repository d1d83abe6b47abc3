#include "app/editor/panels/canvas/hit.h"

#include <algorithm>
#include <cmath>

#include "app/editor/panels/canvas/view.h"

namespace sinew::editor::canvas {
namespace {

constexpr int samples = 20;

float to_segment(ImVec2 p, ImVec2 a, ImVec2 b) {
  const float dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
  const float t =
      length > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length, 0.0f, 1.0f) : 0.0f;
  return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

bool near(ImVec2 p, ImVec2 q, float radius) { return std::hypot(p.x - q.x, p.y - q.y) <= radius; }

// Pins are larger for the hand than for the eye.
Hit hit_pins(const Model& model, int index, ImVec2 p, float zoom) {
  const Node& node = model.nodes()[static_cast<std::size_t>(index)];
  const float reach = std::max(9.0f, 7.0f / zoom);
  Hit hit;
  hit.node_index = index;
  float best = reach;
  const auto look = [&](const std::vector<Pin>& pins, Hit::Kind kind) {
    for (std::size_t i = 0; i < pins.size(); ++i) {
      if (!pins[i].shown && !(node.collapsed && pins[i].linked)) continue;
      const float d =
          std::hypot(p.x - node.at.x - pins[i].offset.x, p.y - node.at.y - pins[i].offset.y);
      if (d > best) continue;
      best = d;
      hit.kind = kind;
      hit.socket = static_cast<int>(i);
    }
  };
  look(node.inputs, Hit::input);
  look(node.outputs, Hit::output);
  return hit;
}

Hit hit_node(const Model& model, int index, ImVec2 p, float zoom) {
  const Node& node = model.nodes()[static_cast<std::size_t>(index)];
  const Rect rect = node.rect();
  const float reach = std::max(9.0f, 7.0f / zoom);
  const Rect wide = {ImVec2(rect.from.x - reach, rect.from.y - reach),
                     ImVec2(rect.to.x + reach, rect.to.y + reach)};
  if (!wide.holds(p)) return {};
  const bool overview = zoom < overview_zoom;
  if (!overview && node.shape != Shape::note) {
    const Hit pin = hit_pins(model, index, p, zoom);
    if (pin.kind != Hit::nothing) return pin;
  }
  if (!rect.holds(p)) return {};
  Hit hit;
  hit.kind = Hit::node;
  hit.node_index = index;
  if (overview) return hit;
  const ImVec2 local(p.x - rect.from.x, p.y - rect.from.y);
  if (node.shape == Shape::note && near(local, node.size, 14)) hit.kind = Hit::corner;
  if (node.shape != Shape::box) return hit;
  if (node.has_more && !node.collapsed && near(local, chevron_offset(), 9)) hit.kind = Hit::chevron;
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    const Pin& pin = node.outputs[i];
    if (!pin.shown || !pin.has_eye || !near(local, eye_offset(pin), 9)) continue;
    hit.kind = Hit::eye;
    hit.socket = static_cast<int>(i);
  }
  return hit;
}

Hit hit_link(const Model& model, ImVec2 p, float zoom) {
  const float reach = std::max(6.0f, 5.0f / zoom);
  float best = reach;
  Hit hit;
  for (std::size_t i = 0; i < model.links().size(); ++i) {
    const Curve curve = model.curve(model.links()[i]);
    Rect box = curve.bounds();
    box.from = ImVec2(box.from.x - reach, box.from.y - reach);
    box.to = ImVec2(box.to.x + reach, box.to.y + reach);
    if (!box.holds(p)) continue;
    const float d = distance(curve, p);
    if (d >= best) continue;
    best = d;
    hit.kind = Hit::link;
    hit.link_index = static_cast<int>(i);
  }
  return hit;
}

}  // namespace

ImVec2 eye_offset(const Pin& pin) { return {node_width - 18 - pin.label_width, pin.offset.y}; }

float distance(const Curve& curve, ImVec2 p) {
  float best = INFINITY;
  ImVec2 last = curve.a;
  for (int i = 1; i <= samples; ++i) {
    const ImVec2 next = curve.at(static_cast<float>(i) / samples);
    best = std::min(best, to_segment(p, last, next));
    last = next;
  }
  return best;
}

bool crosses(const Curve& curve, ImVec2 a, ImVec2 b) {
  const auto side = [](ImVec2 p, ImVec2 q, ImVec2 r) {
    return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
  };
  ImVec2 last = curve.a;
  for (int i = 1; i <= samples; ++i) {
    const ImVec2 next = curve.at(static_cast<float>(i) / samples);
    if (side(a, b, last) * side(a, b, next) <= 0 && side(last, next, a) * side(last, next, b) <= 0)
      return true;
    last = next;
  }
  return false;
}

Hit hit_test(const Model& model, ImVec2 p, float zoom) {
  for (auto i = model.order().rbegin(); i != model.order().rend(); ++i) {
    const Hit hit = hit_node(model, *i, p, zoom);
    if (hit.kind != Hit::nothing) return hit;
  }
  if (const Hit hit = hit_link(model, p, zoom); hit.kind != Hit::nothing) return hit;
  for (std::size_t i = model.frames().size(); i-- > 0;) {
    const Rect& rect = model.frames()[i].rect;
    Hit hit;
    hit.frame_index = static_cast<int>(i);
    hit.kind = Hit::corner;
    if (near(p, rect.to, 12)) return hit;
    hit.kind = Hit::frame;
    if (rect.holds(p) && p.y < rect.from.y + header_height) return hit;
  }
  return {};
}

}  // namespace sinew::editor::canvas
