// Forces at places of a body, seen through it: pushes as arrows that end where they act, springs as
// lines to where they pull, pins as dots. And bodies that move by modes with their masses.
#include <algorithm>
#include <cmath>

#include "nodes/show/parts.h"

namespace sinew::showing {

namespace {

constexpr draw::Rgba push_colour{1.0f, 0.55f, 0.15f, 1};
constexpr draw::Rgba spring_colour{0.95f, 0.85f, 0.45f, 1};
constexpr draw::Rgba pin_colour{0.95f, 0.30f, 0.30f, 1};
constexpr draw::Rgba mass_colour{0.98f, 0.80f, 0.35f, 1};
constexpr draw::Rgba rim_colour{0.16f, 0.15f, 0.13f, 1};
// What carries the whole body is so long, in parts of what is seen.
constexpr float weight_length = 0.3f;
constexpr float weight = 9.81f;  // m/s^2
constexpr float longest = 1;     // weights that an arrow shows

void add_through(const Shown& what, const std::vector<draw::Point>& ends, const draw::Rgba& colour,
                 draw::DrawList& list) {
  for (const bool rim : {true, false}) {
    draw::Lines* lines = add_lines(what, ends, rim ? rim_colour : colour, rim ? 5.0f : 2.8f, list);
    if (lines) lines->on_top = true;
  }
}

// Shaft and head of an arrow, as segments.
void add_arrow(const Vec3f& from, const Vec3f& to, std::vector<draw::Point>& ends) {
  const Vec3f way = to - from;
  const float length = way.norm();
  if (!(length > 0)) return;
  const Vec3f along = way / length;
  const Vec3f across = along.unitOrthogonal(), other = along.cross(across);
  ends.insert(ends.end(), {from, to});
  for (const Vec3f& side : {across, Vec3f(-across), other, Vec3f(-other)}) {
    ends.insert(ends.end(), {to, Vec3f(to - 0.3f * length * along + 0.14f * length * side)});
  }
}

}  // namespace

void show_forces(const Shown& what, draw::DrawList& list) {
  const Eigen::AlignedBox3f seen = box_of(list);
  const float scale = (seen.isEmpty() ? 1 : seen.diagonal().norm()) * weight_length / weight;
  std::vector<draw::Point> arrows, springs, pins;
  for (const BodyForce& force : what.value.as<BodyForces>().list) {
    if (force.kind == BodyForceKind::force) {
      const float size = force.to.norm();
      if (!(size > 0.002f * weight)) continue;
      const Vec3f way = force.to * (scale * std::min(size, longest * weight) / size);
      add_arrow(force.at, force.at + way, arrows);
    } else if (force.kind == BodyForceKind::spring) {
      springs.insert(springs.end(), {force.at, force.to});
      pins.push_back(force.to);
    } else {
      pins.push_back(force.to);
    }
  }
  add_through(what, arrows, push_colour, list);
  add_through(what, springs, spring_colour, list);
  add_points(what, pins, rim_colour, 12, true, list);
  add_points(what, std::move(pins), pin_colour, 8.5f, true, list);
}

void show_masses(const Shown& what, draw::DrawList& list) {
  std::vector<draw::Point> places;
  for (const MassPoint& point : what.value.as<ModalBody>().masses) places.push_back(point.at);
  add_points(what, places, rim_colour, 10, true, list);
  add_points(what, std::move(places), mass_colour, 7, true, list);
}

}  // namespace sinew::showing
