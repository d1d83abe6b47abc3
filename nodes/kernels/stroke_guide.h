// From drawn strokes to a direction at every place: the tangents of the strokes are interpolated by
// radial basis functions (rbf.h), as arrows (three numbers) and, if lines are wanted, as tensors
// t t^T (six more). See frames.h for what is made of them.
//
// A hand is not exact: points come closer together than the hand is steady, the ends of a ring
// nearly meet, a line crosses itself. Tangents between points that lie close together point
// anywhere, and a field that must meet two of them exactly swings without bounds everywhere else.
// So a tangent is the chord over a stretch of the line that is long against such errors, a line
// whose ends meet is closed, and places that are closer than 1/64 of the body's diagonal are one,
// with the mean of what they say. Places that span less than 1/32 of it across a plane are in that
// plane. The field is smoothed over a tenth of what the strokes span.
#pragma once

#include <span>
#include <vector>

#include "nodes/geometry/strokes.h"
#include "nodes/kernels/frames.h"
#include "nodes/kernels/rbf.h"

namespace sinew::kernels {

// Where a stroke passes, and in which direction.
struct StrokeTangents {
  std::vector<Vec3f> points;
  std::vector<Vec3f> tangents;   // unit vectors
  std::vector<uint32_t> stroke;  // which one it is of
  double body = 0;               // its size, metres

  std::size_t size() const { return points.size(); }
};

// Of all brush strokes, in metres, on a body whose diagonal is `size`: tangents over 1/32 of it to
// either side, or an eighth of a shorter stroke, and places at least half of that apart. An eraser
// takes away what was drawn before within its radius. Places without a direction (a stroke that is
// a single point) and tools that have none are left out.
StrokeTangents stroke_tangents(const Strokes& rest_space, double size, CancelView stop = {});

enum class FollowStrokes : uint8_t {
  arrows,  // the way they were drawn
  lines,   // either way
};

struct StrokeField {
  // Columns 0 .. 2 are the arrow, 3 .. 8, for lines, the tensor. No columns if nothing was drawn.
  RbfField rbf;
  // Places of strokes where the field goes more than 45 degrees from them, since strokes close by
  // go another way; and the stroke with the most of them.
  std::size_t places = 0, missed = 0;
  uint32_t worst_stroke = 0;

  std::size_t bytes() const { return sizeof *this + rbf.bytes(); }
};

StrokeField solve_strokes(const StrokeTangents& strokes, FollowStrokes follow,
                          CancelView stop = {});

StrokeGuide guide_at(const RbfField& field, std::span<const Vec3f> points, CancelView stop = {});

}  // namespace sinew::kernels
