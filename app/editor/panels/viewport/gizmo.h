// The signs by which something can be moved, turned and sized: where they are on the screen, which
// one is under the mouse, and what a drag of it means. They know nothing of nodes.
#pragma once

#include <string>
#include <vector>

#include "app/editor/panels/viewport/sight.h"

namespace sinew::editor {

enum class Part : unsigned char {
  none,
  x,
  y,
  z,  // along an axis
  yz,
  zx,
  xy,      // in a plane
  centre,  // across the look
  turn_x,
  turn_y,
  turn_z,  // about an axis
  size_x,
  size_y,
  size_z,  // along a turned axis
  size_all,
  tip,     // of a vector or a pin
  along,   // the normal of a plane
  middle,  // of a pin: both its ends
  twist,   // of a pin: about itself
};
const char* name_of(Part part);

enum class GizmoMode : unsigned char { move, turn, size };

// What a gizmo sets, and what it can.
struct GizmoValues {
  HandleKind kind = HandleKind::point;
  bool moves = true, turns = false, sizes = false;

  Vector3f at{0, 0, 0}, pivot{0, 0, 0}, to{0, 0, 0};
  Vector3f degrees{0, 0, 0};  // about the fixed axes, first x, then y, then z
  Vector3f size{1, 1, 1};     // factors, half lengths, or whole lengths
  float size_in_metres = 0;   // half of a length is so much of `size`; 0: `size` are factors
  bool one_size = false;      // all three are one number
  Vector3f normal{0, 1, 0};   // of a plane without a rotation
  bool has_rotation = false;
  float offset = 0;  // of a plane along its normal

  // Of a pin. Its size are the radii of its field along v, w and u.
  float twist = 0;      // degrees
  float turned = 0;     // of these, by the drag so far: it may go round more than once
  bool twists = false;  // it can
  bool has_field = false;
  PinCentre field_at = PinCentre::head;
  float cap = 1;
  Part arrows_at = Part::none;  // the end with arrows: centre or tip

  // The axes along which it is sized; of a pin v, w and u.
  Matrix3f turn() const;
  Vector3f plane_normal() const;
  Vector3f centre() const;

  // An ellipsoid of the field of a pin. Beyond the end that it is about it is as long as the cap
  // says: that way is u (1) or against it (-1); 0: it is about no end.
  struct PinField {
    Vector3f centre{0, 0, 0};
    float outward = 0;
  };
  std::vector<PinField> pin_fields() const;
  // How long the ellipsoid is along u (1) and against it (-1).
  float pin_reach(const PinField& field, float side) const;
  // Where a radius of the field is taken hold of: so far from `centre` along `way` for each metre.
  struct PinRadius {
    Vector3f centre{0, 0, 0}, way{0, 0, 1};
    float scale = 1;
  };
  PinRadius pin_radius(int which) const;
};

struct Grip {
  enum class Look : unsigned char { arrow, dot, box, ring, quad, stem };
  Part part = Part::none;
  Look look = Look::dot;
  std::vector<ImVec2> line;  // on the screen
  ImU32 colour = 0;
  ImVec2 end() const { return line.empty() ? ImVec2(0, 0) : line.back(); }
  // Where it is best taken hold of.
  ImVec2 middle() const;
};

std::vector<Grip> make_grips(const Sight& sight, const GizmoValues& values, GizmoMode mode);
// The one under the mouse.
Part hit(const std::vector<Grip>& grips, ImVec2 mouse);
void draw_grips(ImDrawList& list, const std::vector<Grip>& grips, Part hot, bool locked);
// What belongs to it and cannot be taken hold of: the box, the ball, the plane.
void draw_outline(ImDrawList& list, const Sight& sight, const GizmoValues& values);
// Words beside the mouse.
void draw_feedback(ImDrawList& list, ImVec2 mouse, const std::string& words);

// What a drag of a part moves, if it moves anything: the place, the tip, or both.
struct Moves {
  bool at = true, to = false;
};
Moves moves_of(const GizmoValues& values, Part part);

// What a drag makes of the values that it began with. `words`: how far it went.
GizmoValues dragged(const Sight& sight, const GizmoValues& start, Part part, ImVec2 from, ImVec2 to,
                    bool snaps, std::string& words);
// How long a step of a move is that snaps, in metres: a power of ten that can be seen.
float snap_step(const Sight& sight, const Vector3f& at);

Matrix3f turn_of(const Vector3f& degrees);
// Of the ways to say a turn, the one closest to `near`.
Vector3f degrees_of(const Matrix3f& turn, const Vector3f& near);

}  // namespace sinew::editor
