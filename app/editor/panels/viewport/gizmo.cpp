#include "app/editor/panels/viewport/gizmo.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/ui/theme.h"

namespace sinew::editor {
namespace {

constexpr float reach = 70;   // pixels: how long an arrow is
constexpr float radius = 62;  // of a ring
constexpr float clear = 14;   // between two places that are to be told apart
constexpr int ring_steps = 48;

ImU32 axis_colour(int axis, float alpha = 1) {
  const draw::Rgba& c = draw::axis_colours[axis];
  const auto byte = [](float x) { return static_cast<int>(255 * x + 0.5f); };
  return IM_COL32(byte(c.r), byte(c.g), byte(c.b), byte(alpha));
}

Part part_of(Part first, int axis) { return static_cast<Part>(static_cast<int>(first) + axis); }

float to_segment(ImVec2 p, ImVec2 a, ImVec2 b) {
  const float x = b.x - a.x, y = b.y - a.y, length = x * x + y * y;
  const float t =
      length > 0 ? std::clamp(((p.x - a.x) * x + (p.y - a.y) * y) / length, 0.0f, 1.0f) : 0;
  return std::hypot(p.x - a.x - t * x, p.y - a.y - t * y);
}

bool inside(const std::vector<ImVec2>& polygon, ImVec2 p) {
  bool in = false;
  for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
    const ImVec2 &a = polygon[i], &b = polygon[j];
    if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x) in = !in;
  }
  return in;
}

class Maker {
 public:
  Maker(const Sight& sight, const GizmoValues& values) : sight_(sight), values_(values) {
    stand_at(values.centre());
  }

  // What follows is made about this place.
  void stand_at(const Vector3f& place) {
    centre_ = place;
    metre_ = ui::px(1) * sight_.metres_per_pixel(place);
  }

  void arrows() {
    axes();
    dot(Part::centre, centre_, IM_COL32(245, 245, 245, 255));
  }

  // An arrow along each, and a square between any two.
  void axes() {
    for (int k = 0; k < 3; ++k)
      line(part_of(Part::x, k), Grip::Look::arrow, axis_colour(k), Vector3f::Unit(k), reach);
    for (int k = 0; k < 3; ++k) {
      const Vector3f u = Vector3f::Unit((k + 1) % 3), v = Vector3f::Unit((k + 2) % 3);
      const float a = 16 * metre_, b = 30 * metre_;
      add(part_of(Part::yz, k), Grip::Look::quad, axis_colour(k, 0.5f),
          {centre_ + a * u + a * v, centre_ + b * u + a * v, centre_ + b * u + b * v,
           centre_ + a * u + b * v});
    }
  }

  void ring(Part part, const Vector3f& axis, ImU32 colour) {
    // Only the half that looks at the eye, unless the ring is seen from the front.
    const bool whole = std::abs(axis.dot(sight_.camera().back())) > 0.92f;
    arc(part, axis, colour, radius, whole ? 2.0f : 1.06f);
  }

  // So many half rounds, with their middle towards the eye.
  void arc(Part part, const Vector3f& axis, ImU32 colour, float pixels, float halves) {
    const Vector3f u = axis.unitOrthogonal(), v = axis.cross(u);
    const Vector3f near = sight_.camera().back() - sight_.camera().back().dot(axis) * axis;
    const float middle = near.norm() > 1e-3f ? std::atan2(near.dot(v), near.dot(u)) : 0;
    const float span = halves * std::numbers::pi_v<float>;
    std::vector<Vector3f> points;
    for (int i = 0; i <= ring_steps; ++i) {
      const float a = middle + span * (static_cast<float>(i) / ring_steps - 0.5f);
      points.push_back(centre_ + pixels * metre_ * (std::cos(a) * u + std::sin(a) * v));
    }
    add(part, Grip::Look::ring, colour, points);
  }

  void sizes() {
    const Matrix3f axes = values_.turn();
    for (int k = 0; k < 3; ++k)
      line(part_of(Part::size_x, k), Grip::Look::box, axis_colour(k), axes.col(k), reach);
    dot(Part::size_all, centre_, IM_COL32(245, 245, 245, 255));
  }

  // Grips where the body of the given size ends.
  void ends() {
    const Matrix3f axes = values_.turn();
    if (values_.one_size) {
      const float length = values_.size[0] * values_.size_in_metres;
      // To the right and up as it is seen, clear of the arrows.
      const Vector3f out = (sight_.camera().right() + sight_.camera().up()).normalized();
      return dot(Part::size_all, centre_ + std::max(length, 14 * metre_) * out, ui::theme().accent);
    }
    for (int k = 0; k < 3; ++k) {
      const float length = values_.size[k] * values_.size_in_metres / metre_;
      line(part_of(Part::size_x, k), Grip::Look::box, axis_colour(k), axes.col(k),
           std::max(length, 14.0f));
    }
  }

  void plane() {
    const Vector3f n = values_.plane_normal();
    if (values_.moves) {
      line(Part::along, Grip::Look::arrow, ui::theme().accent, n, reach);
      dot(Part::centre, centre_, IM_COL32(245, 245, 245, 255));
    }
    if (!values_.turns) return;
    const Vector3f u = n.unitOrthogonal();
    ring(Part::turn_x, u, axis_colour(0));
    ring(Part::turn_y, n.cross(u), axis_colour(2));
  }

  // Both ends, the line between them, a ring about the tip, and the radii of its field.
  void pin(GizmoMode mode) {
    const Vector3f head = values_.centre(), tip = values_.to;
    if (values_.moves) dot(Part::centre, head, IM_COL32(245, 245, 245, 255));
    if (values_.turns) dot(Part::tip, tip, ui::theme().accent);
    const bool at_tip = values_.arrows_at == Part::tip;
    const bool has_arrows = mode == GizmoMode::move && values_.arrows_at != Part::none &&
                            (at_tip ? values_.turns : values_.moves);
    // Among arrows nobody could tell them apart.
    if (values_.sizes && mode != GizmoMode::turn && !has_arrows)
      for (int k = 0; k < 3; ++k) pin_radius(k);
    if (values_.moves && values_.turns) stem(head, tip);
    if (values_.twists && head != tip && mode != GizmoMode::size) {
      stand_at(tip);
      arc(Part::twist, (tip - head).normalized(), axis_colour(2), 0.7f * radius, 2);
    }
    if (!has_arrows) return;
    stand_at(at_tip ? tip : head);
    axes();
  }

  void line(Part part, Grip::Look look, ImU32 colour, const Vector3f& along, float pixels) {
    add(part, look, colour, {centre_ + 8 * metre_ * along, centre_ + pixels * metre_ * along});
  }
  void dot(Part part, const Vector3f& at, ImU32 colour) {
    add(part, Grip::Look::dot, colour, {at});
  }
  std::vector<Grip> take() { return std::move(grips_); }

 private:
  void pin_radius(int which) {
    const GizmoValues::PinRadius radius_of = values_.pin_radius(which);
    stand_at(radius_of.centre);
    const float length = std::max(values_.size[which] * radius_of.scale, clear * metre_);
    const std::size_t before = grips_.size();
    add(part_of(Part::size_x, which), Grip::Look::box, axis_colour(which),
        {radius_of.centre + length * radius_of.way});
    // Where it lies on an end, that is dragged: it steps aside, across the pin.
    const auto head = sight_.place(values_.centre()), tip = sight_.place(values_.to);
    if (grips_.size() == before || !head || !tip) return;
    std::vector<ImVec2>& line = grips_.back().line;
    const ImVec2 at = line[0];
    const auto is_near = [&](ImVec2 end) {
      return std::hypot(at.x - end.x, at.y - end.y) < ui::px(clear);
    };
    if (!is_near(*head) && !is_near(*tip)) return;
    const float x = tip->x - head->x, y = tip->y - head->y;
    const float aside = ui::px(1.6f * clear) / std::max(std::hypot(x, y), 1.0f);
    line.push_back(ImVec2(at.x + aside * y, at.y - aside * x));
  }

  // As far as it is clear of the ends.
  void stem(const Vector3f& head, const Vector3f& tip) {
    const auto a = sight_.place(head), b = sight_.place(tip);
    if (!a || !b) return;
    const float x = b->x - a->x, y = b->y - a->y, length = std::hypot(x, y);
    const float off = ui::px(clear) / std::max(length, 1.0f);
    if (off > 0.4f) return;
    grips_.push_back(
        {Part::middle,
         Grip::Look::stem,
         {ImVec2(a->x + off * x, a->y + off * y), ImVec2(b->x - off * x, b->y - off * y)},
         ui::theme().accent});
  }

  void add(Part part, Grip::Look look, ImU32 colour, const std::vector<Vector3f>& points) {
    Grip grip{part, look, {}, colour};
    for (const Vector3f& p : points) {
      const std::optional<ImVec2> at = sight_.place(p);
      if (!at) return;  // behind the eye
      grip.line.push_back(*at);
    }
    grips_.push_back(std::move(grip));
  }

  const Sight& sight_;
  const GizmoValues& values_;
  Vector3f centre_;
  float metre_ = 1;  // metres of a pixel at the usual scale
  std::vector<Grip> grips_;
};

void outline_circle(ImDrawList& list, const Sight& sight, const Vector3f& centre, const Vector3f& u,
                    const Vector3f& v, ImU32 colour) {
  std::vector<ImVec2> points;
  for (int i = 0; i < ring_steps; ++i) {
    const float a = 2 * std::numbers::pi_v<float> * static_cast<float>(i) / ring_steps;
    if (const auto p = sight.place(centre + std::cos(a) * u + std::sin(a) * v))
      points.push_back(*p);
  }
  list.AddPolyline(points.data(), static_cast<int>(points.size()), colour, ImDrawFlags_Closed,
                   ui::px(1.3f));
}

void outline_segment(ImDrawList& list, const Sight& sight, const Vector3f& a, const Vector3f& b,
                     ImU32 colour, float width) {
  const auto p = sight.place(a), q = sight.place(b);
  if (p && q) list.AddLine(*p, *q, colour, ui::px(width));
}

// The field of a pin: one ellipsoid or two, each longer or shorter beyond its end.
void outline_field(ImDrawList& list, const Sight& sight, const GizmoValues& values, ImU32 colour) {
  const Matrix3f axes = values.turn();
  for (const GizmoValues::PinField& field : values.pin_fields()) {
    outline_circle(list, sight, field.centre, values.size[0] * axes.col(0),
                   values.size[1] * axes.col(1), colour);
    for (const int k : {0, 1}) {
      std::vector<ImVec2> points;
      for (int i = 0; i < ring_steps; ++i) {
        const float a = 2 * std::numbers::pi_v<float> * static_cast<float>(i) / ring_steps;
        const float along = values.pin_reach(field, std::sin(a)) * std::sin(a);
        const Vector3f at = values.size[k] * std::cos(a) * axes.col(k) + along * axes.col(2);
        if (const auto p = sight.place(field.centre + at)) points.push_back(*p);
      }
      list.AddPolyline(points.data(), static_cast<int>(points.size()), colour, ImDrawFlags_Closed,
                       ui::px(1));
    }
  }
}

void arrow_head(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 colour) {
  const float x = to.x - from.x, y = to.y - from.y, length = std::hypot(x, y);
  if (length < 1) return list.AddCircleFilled(to, ui::px(4), colour);
  const float ux = x / length, uy = y / length, a = ui::px(12), b = ui::px(4.5f);
  list.AddTriangleFilled(to, ImVec2(to.x - a * ux - b * uy, to.y - a * uy + b * ux),
                         ImVec2(to.x - a * ux + b * uy, to.y - a * uy - b * ux), colour);
}

}  // namespace

const char* name_of(Part part) {
  constexpr const char* names[] = {
      "none",   "x",      "y",      "z",      "yz",   "zx",  "xy",    "centre", "turn_x", "turn_y",
      "turn_z", "size_x", "size_y", "size_z", "size", "tip", "along", "middle", "twist"};
  return names[static_cast<std::size_t>(part)];
}

ImVec2 Grip::middle() const {
  if (look == Look::ring) return line[line.size() / 2];
  if (look != Look::quad && look != Look::stem) return end();
  const ImVec2 other = line[look == Look::quad ? 2 : 1];
  return ImVec2((line[0].x + other.x) / 2, (line[0].y + other.y) / 2);
}

std::vector<Grip> make_grips(const Sight& sight, const GizmoValues& values, GizmoMode mode) {
  Maker maker(sight, values);
  const bool own_ends = values.sizes && values.size_in_metres > 0;
  switch (values.kind) {
    case HandleKind::vector:
      if (values.moves) maker.dot(Part::centre, values.centre(), IM_COL32(245, 245, 245, 255));
      if (values.turns) maker.dot(Part::tip, values.to, ui::theme().accent);
      break;
    case HandleKind::plane:
      maker.plane();
      break;
    case HandleKind::pin:
      maker.pin(mode);
      break;
    case HandleKind::points:
      break;
    default:
      if (mode == GizmoMode::turn && values.turns) {
        for (int k = 0; k < 3; ++k)
          maker.ring(part_of(Part::turn_x, k), Vector3f::Unit(k), axis_colour(k));
      } else if (mode == GizmoMode::size && values.sizes) {
        own_ends ? maker.ends() : maker.sizes();
      } else {
        if (values.moves) maker.arrows();
        // Its size is there to be dragged also where its place is not.
        if (own_ends && (values.one_size || !values.moves)) maker.ends();
      }
  }
  return maker.take();
}

Part hit(const std::vector<Grip>& grips, ImVec2 mouse) {
  Part found = Part::none;
  float closest = ui::px(8);
  for (const Grip& grip : grips) {
    float away = 1e9f;
    if (grip.look == Grip::Look::quad) {
      if (inside(grip.line, mouse)) away = ui::px(4);
    } else if (grip.line.size() == 1) {
      // A dot in the middle wins over what begins there.
      away = std::max(0.0f,
                      std::hypot(mouse.x - grip.line[0].x, mouse.y - grip.line[0].y) - ui::px(4));
    } else {
      for (std::size_t i = 0; i + 1 < grip.line.size(); ++i)
        away = std::min(away, to_segment(mouse, grip.line[i], grip.line[i + 1]));
    }
    if (away >= closest) continue;
    closest = away;
    found = grip.part;
  }
  return found;
}

void draw_grips(ImDrawList& list, const std::vector<Grip>& grips, Part hot, bool locked) {
  for (const Grip& grip : grips) {
    const bool lit = grip.part == hot;
    ImU32 colour = lit ? IM_COL32(255, 205, 60, 255) : grip.colour;
    if (locked) colour = ui::with_alpha(colour, 0.4f);
    const float width = ui::px(lit ? 4.0f : 2.6f);
    switch (grip.look) {
      case Grip::Look::arrow:
        list.AddLine(grip.line[0], grip.line[1], colour, width);
        arrow_head(list, grip.line[0], grip.line[1], colour);
        break;
      case Grip::Look::box: {
        const ImVec2 e = grip.end();
        const float s = ui::px(5);
        list.AddLine(grip.line[0], e, colour, width);
        list.AddRectFilled(ImVec2(e.x - s, e.y - s), ImVec2(e.x + s, e.y + s), colour, ui::px(1));
        break;
      }
      case Grip::Look::stem:
        // The line itself is part of the outline.
        if (lit) list.AddLine(grip.line[0], grip.line[1], colour, width);
        break;
      case Grip::Look::ring:
        list.AddPolyline(grip.line.data(), static_cast<int>(grip.line.size()), colour, 0, width);
        break;
      case Grip::Look::quad:
        list.AddConvexPolyFilled(grip.line.data(), static_cast<int>(grip.line.size()), colour);
        break;
      case Grip::Look::dot:
        list.AddCircleFilled(grip.line[0], ui::px(lit ? 7.0f : 6.0f), IM_COL32(20, 22, 26, 200));
        list.AddCircleFilled(grip.line[0], ui::px(lit ? 5.5f : 4.5f), colour);
        break;
    }
  }
}

void draw_outline(ImDrawList& list, const Sight& sight, const GizmoValues& values) {
  const Vector3f centre = values.centre();
  const Matrix3f axes = values.turn();
  const ImU32 colour = ui::with_alpha(ui::theme().accent, 0.8f);
  if (values.kind == HandleKind::vector) {
    outline_segment(list, sight, centre, values.to, colour, 2);
    const auto a = sight.place(centre), b = sight.place(values.to);
    if (a && b) arrow_head(list, *a, *b, colour);
  } else if (values.kind == HandleKind::pin) {
    if (values.has_field)
      outline_field(list, sight, values, ui::with_alpha(ui::theme().accent, 0.55f));
    outline_segment(list, sight, centre, values.to, IM_COL32(20, 22, 26, 170), 4.5f);
    outline_segment(list, sight, centre, values.to, ui::theme().accent, 2.5f);
  } else if (values.kind == HandleKind::ellipsoid) {
    const Matrix3f half = axes * (values.size_in_metres * values.size).asDiagonal();
    for (int k = 0; k < 3; ++k)
      outline_circle(list, sight, centre, half.col(k), half.col((k + 1) % 3), colour);
  } else if (values.kind == HandleKind::frame && values.size_in_metres > 0) {
    const Matrix3f half = axes * (values.size_in_metres * values.size).asDiagonal();
    for (int i = 0; i < 8; ++i)
      for (int k = 0; k < 3; ++k) {
        if (i & (1 << k)) continue;
        const auto corner = [&](int c) {
          return Vector3f(centre + half * Vector3f(c & 1 ? 1.0f : -1.0f, c & 2 ? 1.0f : -1.0f,
                                                   c & 4 ? 1.0f : -1.0f));
        };
        outline_segment(list, sight, corner(i), corner(i | (1 << k)), colour, 1.3f);
      }
  } else if (values.kind == HandleKind::plane) {
    const Vector3f n = values.plane_normal();
    const float side = std::max(0.62f * sight.diagonal(), 1e-6f);
    const Vector3f u = side * n.unitOrthogonal(), v = n.cross(u);
    ImVec2 corners[4];
    const Vector3f at[4] = {centre + u + v, centre - u + v, centre - u - v, centre + u - v};
    for (int i = 0; i < 4; ++i) {
      const auto p = sight.place(at[i]);
      if (!p) return;
      corners[i] = *p;
    }
    list.AddConvexPolyFilled(corners, 4, ui::with_alpha(ui::theme().accent, 0.07f));
    list.AddPolyline(corners, 4, ui::with_alpha(ui::theme().accent, 0.55f), ImDrawFlags_Closed,
                     ui::px(1.3f));
  }
}

void draw_feedback(ImDrawList& list, ImVec2 mouse, const std::string& words) {
  if (words.empty()) return;
  const ImVec2 size = ImGui::CalcTextSize(words.c_str());
  const ImVec2 from(mouse.x + ui::px(18), mouse.y + ui::px(14));
  const ImVec2 to(from.x + size.x + ui::px(12), from.y + size.y + ui::px(6));
  list.AddRectFilled(from, to, ui::with_alpha(ui::theme().raised, 0.93f), ui::px(4));
  list.AddRect(from, to, ui::theme().line, ui::px(4));
  list.AddText(ImVec2(from.x + ui::px(6), from.y + ui::px(3)), ui::theme().text, words.c_str());
}

}  // namespace sinew::editor
