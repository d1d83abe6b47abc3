// What a drag of a gizmo means.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/editor/panels/viewport/gizmo.h"
#include "app/ui/theme.h"

namespace sinew::editor {
namespace {

constexpr float degree = std::numbers::pi_v<float> / 180;
constexpr float turn_step = 15, size_step = 0.1f;
constexpr float least_radius = 1e-4f;  // m, of the field of a pin

float to_step(float x, float step) { return std::round(x / step) * step; }

float turned_near(float x, float near) { return x + 360 * std::round((near - x) / 360); }

// How far along a line the mouse is; nothing where the line points at the eye.
std::optional<float> along_axis(const Sight& sight, ImVec2 mouse, const Vector3f& origin,
                                const Vector3f& axis) {
  const render::Ray ray = sight.ray(mouse);
  const Vector3f w = ray.origin - origin;
  const float b = axis.dot(ray.direction), d = 1 - b * b;
  if (d < 2e-3f) return std::nullopt;
  return (axis.dot(w) - b * ray.direction.dot(w)) / d;
}

// The angle by which the mouse goes round an axis, in degrees.
float round_axis(const Sight& sight, ImVec2 from, ImVec2 to, const Vector3f& centre,
                 const Vector3f& axis) {
  const Vector3f look = sight.camera().parallel
                            ? sight.camera().back()
                            : Vector3f((sight.camera().eye() - centre).normalized());
  if (std::abs(axis.dot(look)) > 0.2f) {
    const auto a = sight.on_plane(from, centre, axis), b = sight.on_plane(to, centre, axis);
    if (!a || !b) return 0;
    const Vector3f u = *a - centre, v = *b - centre;
    return std::atan2(u.cross(v).dot(axis), u.dot(v)) / degree;
  }
  // Seen from the side: what is dragged across the axis turns the near half of the ring.
  const Vector3f across = axis.cross(look).normalized();
  const float pixel = sight.metres_per_pixel(centre);
  const Vector3f moved =
      pixel * ((to.x - from.x) * sight.camera().right() - (to.y - from.y) * sight.camera().up());
  return moved.dot(across) / (ui::px(70) * pixel) / degree;
}

int axis_of(Part part, Part first) { return static_cast<int>(part) - static_cast<int>(first); }

GizmoValues moved(const Sight& sight, const GizmoValues& start, Part part, ImVec2 from, ImVec2 to,
                  bool snaps, std::string& words) {
  GizmoValues now = start;
  const Moves moves = moves_of(start, part);
  const Vector3f centre = moves.at ? start.centre() : start.to;
  const float step = snap_step(sight, centre);
  Vector3f by(0, 0, 0);
  const bool on_axis = part == Part::along || (part >= Part::x && part <= Part::z);
  if (on_axis) {
    const Vector3f axis = part == Part::along ? start.plane_normal()
                                              : Vector3f(Vector3f::Unit(axis_of(part, Part::x)));
    const auto a = along_axis(sight, from, centre, axis), b = along_axis(sight, to, centre, axis);
    float way = a && b ? *b - *a : 0;
    if (snaps) way = to_step(way, step);
    by = way * axis;
    const char* name = part == Part::along ? "along" : name_of(part);
    words = fmt::format("{} {:+.4g} m", name, rounded(static_cast<double>(way)));
  } else {
    const bool in_plane = part >= Part::yz && part <= Part::xy;
    const bool on_own = start.kind == HandleKind::plane && part == Part::centre;
    const Vector3f normal = in_plane ? Vector3f(Vector3f::Unit(axis_of(part, Part::yz)))
                            : on_own ? start.plane_normal()
                                     : sight.camera().back();
    const auto a = sight.on_plane(from, centre, normal), b = sight.on_plane(to, centre, normal);
    if (a && b) by = *b - *a;
    if (snaps)
      for (int k = 0; k < 3; ++k) by[k] = to_step(by[k], step);
    words = fmt::format("{:+.4g}, {:+.4g}, {:+.4g} m", by.x(), by.y(), by.z());
  }
  if (moves.at) now.at += by;
  if (moves.to) now.to += by;
  return now;
}

GizmoValues twisted(const Sight& sight, const GizmoValues& start, ImVec2 from, ImVec2 to,
                    bool snaps, std::string& words) {
  GizmoValues now = start;
  const float angle = round_axis(sight, from, to, start.to, start.turn().col(2));
  now.turned = turned_near(angle, start.turned);
  now.twist = start.twist + now.turned;
  if (snaps) now.twist = to_step(now.twist, turn_step);
  words = fmt::format("{:.1f} deg ({:+.1f})", now.twist, now.twist - start.twist);
  return now;
}

GizmoValues field_sized(const Sight& sight, const GizmoValues& start, Part part, ImVec2 from,
                        ImVec2 to, bool snaps, std::string& words) {
  GizmoValues now = start;
  const int which = axis_of(part, Part::size_x);
  const GizmoValues::PinRadius radius = start.pin_radius(which);
  const auto a = along_axis(sight, from, radius.centre, radius.way);
  const auto b = along_axis(sight, to, radius.centre, radius.way);
  float& size = now.size[which];
  if (a && b) size += (*b - *a) / radius.scale;
  if (snaps) size = to_step(size, snap_step(sight, radius.centre));
  size = std::max(size, least_radius);
  words = fmt::format("{} {:.4g} m", "ABC"[which], rounded(static_cast<double>(size)));
  return now;
}

GizmoValues turned(const Sight& sight, const GizmoValues& start, Part part, ImVec2 from, ImVec2 to,
                   bool snaps, std::string& words) {
  GizmoValues now = start;
  const int which = axis_of(part, Part::turn_x);
  const bool plane = start.kind == HandleKind::plane;
  const Vector3f u = plane ? start.plane_normal().unitOrthogonal() : Vector3f(0, 0, 0);
  const Vector3f axis = !plane       ? Vector3f(Vector3f::Unit(which))
                        : which == 0 ? u
                                     : start.plane_normal().cross(u).eval();
  float angle = round_axis(sight, from, to, start.centre(), axis);
  if (snaps) angle = to_step(angle, turn_step);
  const Matrix3f by = Eigen::AngleAxisf(angle * degree, axis).toRotationMatrix();
  const Vector3f centre = start.centre();
  if (start.has_rotation) {
    now.degrees = degrees_of(by * start.turn(), start.degrees);
  } else {
    now.normal = by * start.normal;
  }
  // A plane turns about the place that is seen, wherever its offset has brought it.
  if (plane && start.offset != 0) now.at += centre - now.centre();
  words = fmt::format("{:+.1f} deg", angle);
  return now;
}

GizmoValues sized(const Sight& sight, const GizmoValues& start, Part part, ImVec2 from, ImVec2 to,
                  bool snaps, std::string& words) {
  GizmoValues now = start;
  const Vector3f centre = start.centre();
  float factor = 1;
  const int which = part == Part::size_all ? -1 : axis_of(part, Part::size_x);
  if (which >= 0) {
    const Vector3f axis = start.turn().col(which);
    const auto a = along_axis(sight, from, centre, axis), b = along_axis(sight, to, centre, axis);
    if (a && b && std::abs(*a) > 1e-9f) factor = *b / *a;
  } else {
    const std::optional<ImVec2> middle = sight.place(centre);
    if (start.size_in_metres > 0 && middle) {
      const float a = std::hypot(from.x - middle->x, from.y - middle->y);
      const float b = std::hypot(to.x - middle->x, to.y - middle->y);
      factor = b / std::max(a, 1.0f);
    } else {
      factor = std::exp((to.x - from.x - to.y + from.y) / ui::px(160));
    }
  }
  if (snaps) factor = to_step(factor, size_step);
  if (start.size_in_metres > 0) factor = std::max(factor, 0.0f);
  for (int k = 0; k < 3; ++k)
    if (which < 0 || k == which || start.one_size) now.size[k] = start.size[k] * factor;
  words = start.size_in_metres > 0 ? fmt::format("{:.4g} m", now.size[std::max(which, 0)])
                                   : fmt::format("x {:.3g}", factor);
  return now;
}

}  // namespace

Moves moves_of(const GizmoValues& values, Part part) {
  if (part == Part::tip) return {false, true};
  if (part == Part::middle || values.kind == HandleKind::vector) return {true, true};
  const bool of_tip =
      values.kind == HandleKind::pin && part != Part::centre && values.arrows_at == Part::tip;
  return {!of_tip, of_tip};
}

Matrix3f turn_of(const Vector3f& degrees) {
  return (Eigen::AngleAxisf(degrees.z() * degree, Vector3f::UnitZ()) *
          Eigen::AngleAxisf(degrees.y() * degree, Vector3f::UnitY()) *
          Eigen::AngleAxisf(degrees.x() * degree, Vector3f::UnitX()))
      .toRotationMatrix();
}

Vector3f degrees_of(const Matrix3f& m, const Vector3f& near) {
  Vector3f a(std::atan2(m(2, 1), m(2, 2)), std::asin(std::clamp(-m(2, 0), -1.0f, 1.0f)),
             std::atan2(m(1, 0), m(0, 0)));
  // Looking straight up, x and z turn about the same axis: z stays as it was.
  if (std::abs(m(2, 0)) > 0.99999f) {
    const float z = near.z() * degree, sign = m(2, 0) < 0 ? 1.0f : -1.0f;
    a = {sign * z + std::atan2(sign * m(0, 1), m(1, 1)), a.y(), z};
  }
  a /= degree;
  const Vector3f other(a.x() + 180, 180 - a.y(), a.z() + 180);
  Vector3f best = a;
  float closest = std::numeric_limits<float>::max();
  for (const Vector3f& way : {a, other}) {
    const Vector3f close(turned_near(way.x(), near.x()), turned_near(way.y(), near.y()),
                         turned_near(way.z(), near.z()));
    if ((close - near).squaredNorm() >= closest) continue;
    closest = (close - near).squaredNorm();
    best = close;
  }
  return best;
}

namespace {

Matrix3f pin_axes(const Vector3f& along, float twist) {
  const Vector3f z = Vector3f::UnitZ(), y = Vector3f::UnitY();
  const Vector3f u = along.norm() > 0 ? Vector3f(along.normalized()) : z;
  const Vector3f across = z.cross(u);
  const Vector3f v = (across.norm() > 1e-12f ? across : Vector3f(y - y.dot(u) * u)).normalized();
  const Vector3f w = u.cross(v);
  const float c = std::cos(twist * degree), s = std::sin(twist * degree);
  Matrix3f axes;
  axes << c * v + s * w, c * w - s * v, u;
  return axes;
}

}  // namespace

std::vector<GizmoValues::PinField> GizmoValues::pin_fields() const {
  if (!has_field) return {};
  switch (field_at) {
    case PinCentre::head:
      return {{centre(), -1}};
    case PinCentre::tip:
      return {{to, 1}};
    case PinCentre::both:
      return {{centre(), -1}, {to, 1}};
    case PinCentre::length:
      break;
  }
  return {{(centre() + to) / 2, 0}};
}

float GizmoValues::pin_reach(const PinField& field, float side) const {
  return size[2] * (side * field.outward > 0 ? cap : 1);
}

GizmoValues::PinRadius GizmoValues::pin_radius(int which) const {
  const std::vector<PinField> fields = pin_fields();
  if (fields.empty()) return {};
  const PinField& field = fields.back();
  const Matrix3f axes = turn();
  if (which < 2) return {field.centre, axes.col(which), 1};
  // Beyond the end, clear of the pin, unless the cap is too flat to be taken hold of there, or so
  // long that nobody sees its end.
  const bool beyond = cap > 0.1f && cap < 4;
  const float side = field.outward == 0 ? 1 : beyond ? field.outward : -field.outward;
  return {field.centre, side * axes.col(2), side * field.outward > 0 ? cap : 1};
}

Matrix3f GizmoValues::turn() const {
  if (kind == HandleKind::pin) return pin_axes(to - centre(), twist);
  return has_rotation ? turn_of(degrees) : Matrix3f(Matrix3f::Identity());
}

Vector3f GizmoValues::plane_normal() const {
  if (has_rotation) return turn().col(1);
  return normal.norm() > 0 ? Vector3f(normal.normalized()) : Vector3f(0, 1, 0);
}

Vector3f GizmoValues::centre() const {
  return at + pivot + (offset != 0 ? Vector3f(offset * plane_normal()) : Vector3f(0, 0, 0));
}

float snap_step(const Sight& sight, const Vector3f& at) {
  const float seen = 40 * sight.metres_per_pixel(at);
  return std::pow(10.0f, std::floor(std::log10(std::max(seen, 1e-9f))));
}

GizmoValues dragged(const Sight& sight, const GizmoValues& start, Part part, ImVec2 from, ImVec2 to,
                    bool snaps, std::string& words) {
  if (part == Part::twist) return twisted(sight, start, from, to, snaps, words);
  if (start.kind == HandleKind::pin && part >= Part::size_x && part <= Part::size_z)
    return field_sized(sight, start, part, from, to, snaps, words);
  if (part >= Part::turn_x && part <= Part::turn_z)
    return turned(sight, start, part, from, to, snaps, words);
  if (part >= Part::size_x && part <= Part::size_all)
    return sized(sight, start, part, from, to, snaps, words);
  return moved(sight, start, part, from, to, snaps, words);
}

}  // namespace sinew::editor
