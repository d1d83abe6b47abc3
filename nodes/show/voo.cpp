// Operators as they are seen: pins, what they were at rest, their fields as rings, and arthra.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "nodes/kernels/voo_frame.h"
#include "nodes/kernels/voo_motion.h"
#include "nodes/show/parts.h"

namespace sinew::showing {

namespace {

using Matrix = Eigen::Matrix3d;

constexpr std::size_t most_fields = 64;  // more rings than these hide each other
constexpr int ring_parts = 48;
constexpr double barb_part = 0.06;  // of a pin: its point
constexpr draw::Rgba pin_colour{0.85f, 0.33f, 0.18f, 1};
constexpr draw::Rgba rest_colour{0.45f, 0.47f, 0.50f, 0.8f};
constexpr draw::Rgba field_colour{0.25f, 0.50f, 0.80f, 0.6f};
constexpr draw::Rgba held_colour{0.13f, 0.14f, 0.16f, 1};

draw::Point point_of(const Vec3d& p) { return p.cast<float>(); }

// What creeps is not seen on the pin, and costly to know.
VooSet without_creep(const VooSet& set) {
  VooSet plain = set;
  for (VooMember& m : plain.members) {
    if (!m.stuff || m.stuff->material.viscosity == 0) continue;
    VooStuff stuff = *m.stuff;
    stuff.material.viscosity = 0;
    m.stuff = std::make_shared<const VooStuff>(std::move(stuff));
  }
  return plain;
}

// The field at rest as three rings, and where the operator takes them.
class FieldRings {
 public:
  FieldRings(const Voo& voo, const VooPose& now, double spin, std::vector<draw::Point>& ends)
      : voo_(voo),
        now_(now),
        frame_(kernels::rest_frame(voo.rest)),
        map_(kernels::deformation_at(voo, now, spin)),
        ends_(ends) {
    const Vec3d &head = voo.rest.head, &tip = voo.rest.tip;
    const VooCentre centre = voo.field.centre;
    if (centre == VooCentre::length) add(0.5 * (head + tip), 1, 1);
    if (centre == VooCentre::head || centre == VooCentre::both) add(head, 1, voo.field.cap);
    if (centre == VooCentre::tip || centre == VooCentre::both) add(tip, voo.field.cap, 1);
  }

 private:
  // `ahead` and `behind`: factors of the radius along u on both sides of the centre.
  void add(const Vec3d& centre, double ahead, double behind) {
    const auto& r = voo_.field.radii;
    for (int plane = 0; plane < 3; ++plane) {
      Vec3d last;
      for (int i = 0; i <= ring_parts; ++i) {
        const double angle = 2 * std::numbers::pi * i / ring_parts;
        const double c = std::cos(angle), s = std::sin(angle);
        const double along = plane == 2 ? 0 : c * r[2] * (c > 0 ? ahead : behind);
        const double v = plane == 0 ? s * r[0] : plane == 2 ? c * r[0] : 0;
        const double w = plane == 1 ? s * r[1] : plane == 2 ? s * r[1] : 0;
        const Vec3d at =
            moved(centre + along * frame_.col(0) + v * frame_.col(1) + w * frame_.col(2));
        if (i > 0) ends_.insert(ends_.end(), {point_of(last), point_of(at)});
        last = at;
      }
    }
  }
  Vec3d moved(const Vec3d& place) const { return now_.head + map_ * (place - voo_.rest.head); }

  const Voo& voo_;
  const VooPose& now_;
  Matrix frame_, map_;
  std::vector<draw::Point>& ends_;
};

// Pins are in bodies: they are seen through them.
void add_through(const Shown& what, std::vector<draw::Point> ends, const draw::Rgba& colour,
                 float width, bool guide, draw::DrawList& list) {
  if (draw::Lines* lines = add_lines(what, std::move(ends), colour, width, list)) {
    lines->on_top = true;
    lines->guide = guide;
  }
}

// The point of the arrow, along the directions across the pin, so that a twist is seen.
void add_barbs(const Voo& voo, const VooPose& now, double spin, std::vector<draw::Point>& ends) {
  const Matrix frame = kernels::frame_at(voo, now, spin);
  const double length = barb_part * now.vector().norm();
  for (const double side : {-0.5, 0.5}) {
    for (const int across : {1, 2}) {
      const Vec3d barb = now.tip - length * frame.col(0) + side * length * frame.col(across);
      ends.insert(ends.end(), {point_of(now.tip), point_of(barb)});
    }
  }
}

void show_arthra(const Shown& what, const kernels::VooMotion& motion,
                 std::span<const VooPose> poses, draw::DrawList& list) {
  const std::vector<Vec3d> places = motion.arthra(motion.set().time, poses);
  std::vector<draw::Point> free, fixed;
  for (std::size_t i = 0; i < places.size(); ++i) {
    (motion.set().ties[i].arthron.fixed ? fixed : free).push_back(point_of(places[i]));
  }
  add_points(what, std::move(free), draw::accent, 11, true, list);
  add_points(what, std::move(fixed), held_colour, 11, true, list);
}

}  // namespace

void show_voos(const Shown& what, draw::DrawList& list) {
  const VooSet& set = what.value.as<VooSet>();
  const kernels::VooMotion motion(without_creep(set));
  const std::vector<VooPose> poses = motion.poses(set.time);
  std::vector<draw::Point> pins, rests, rings, heads;
  for (std::size_t i = 0; i < set.size(); ++i) {
    const VooPose &rest = set.members[i].voo.rest, &now = poses[i];
    if (validate(now)) continue;
    pins.insert(pins.end(), {point_of(now.head), point_of(now.tip)});
    heads.push_back(point_of(now.head));
    const double spin = motion.spin(i, set.time, now);
    add_barbs(set.members[i].voo, now, spin, pins);
    if (!(rest == now)) rests.insert(rests.end(), {point_of(rest.head), point_of(rest.tip)});
    if (i < most_fields) FieldRings(motion.voo(i, set.time), now, spin, rings);
  }
  add_through(what, std::move(rings), field_colour, 1.2f, true, list);
  add_through(what, std::move(rests), rest_colour, 1.5f, false, list);
  add_through(what, std::move(pins), pin_colour, 3.0f, false, list);
  add_points(what, std::move(heads), pin_colour, 8, true, list);
  show_arthra(what, motion, poses, list);
}

}  // namespace sinew::showing
